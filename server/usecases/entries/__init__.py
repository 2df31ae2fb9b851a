"""Entries and waiting lists (§ 6.4.4)."""
