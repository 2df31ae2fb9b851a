"""Teams, line-ups, reserves, composition (§ 6.7)."""
