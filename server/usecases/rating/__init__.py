"""Ratings calculated, listed, proved (§ 4.5)."""
