"""Pages of signing in, settings, own data."""
