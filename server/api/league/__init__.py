"""The league in the API."""
