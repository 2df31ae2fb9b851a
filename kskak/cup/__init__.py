"""The cup: rounds, advancing (§ 6.6)."""
