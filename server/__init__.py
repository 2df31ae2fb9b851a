"""The layer with database, HTTP, wall clock and processes; may import `mail` and `kskak`."""
