"""Members, clubs, requests to join."""
