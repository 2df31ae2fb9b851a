"""The league: divisions, line-ups, reserves (§ 6.7)."""
