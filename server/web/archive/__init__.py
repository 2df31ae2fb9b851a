"""Pages of past games."""
