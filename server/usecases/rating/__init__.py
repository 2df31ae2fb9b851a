"""Ratings computed from the server's own tournaments (§ 4.5)."""
