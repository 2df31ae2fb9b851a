"""The archive in the API."""
