"""Commands on what the database holds."""
