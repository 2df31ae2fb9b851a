"""Case pages."""
