"""The cup in the API."""
