"""The league's season: team entries, composition, start (§ 6.7.3, § 6.7.5)."""
