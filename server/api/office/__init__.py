"""The controller's year and accounts in the API."""
