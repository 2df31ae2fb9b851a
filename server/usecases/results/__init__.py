"""Results published: tables, titles, prizes, bulletins (§ 6.4.5)."""
