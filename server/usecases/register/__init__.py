"""Members, clubs, requests to join; CSV in and out."""
