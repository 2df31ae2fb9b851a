"""Cases in the API."""
