"""Groups in the API."""
