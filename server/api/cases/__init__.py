"""Cases by API."""
