"""Pages of post cards."""
