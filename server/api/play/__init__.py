"""Games in the API."""
