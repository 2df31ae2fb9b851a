"""K-ratings (§ 4.5)."""
