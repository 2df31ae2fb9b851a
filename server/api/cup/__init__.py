"""The cup by API."""
