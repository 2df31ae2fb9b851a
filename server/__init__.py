"""The room with database, HTTP, wall clock and processes; sees `mail` and `kskak`."""
