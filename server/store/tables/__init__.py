"""Every table, by area."""
