"""Commands about what the database holds."""
