"""Incoming and outgoing mail: stdlib `email` on top of `kskak`; no database, no web."""
