"""Pages for signing in, settings and one's own data."""
