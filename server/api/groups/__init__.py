"""Groups by API."""
