"""The controller's year and accounts (§ 6.1.2)."""
