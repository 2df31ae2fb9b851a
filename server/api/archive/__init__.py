"""The archive by API."""
