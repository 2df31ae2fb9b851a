"""Games by API."""
