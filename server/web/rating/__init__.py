"""Rating pages."""
