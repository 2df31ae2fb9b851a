"""The controller's year and accounts by API."""
