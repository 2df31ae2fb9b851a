"""Entries by API."""
