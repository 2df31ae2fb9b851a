"""Entries in the API."""
