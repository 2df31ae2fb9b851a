"""Commands that only calculate: no database, no settings."""
