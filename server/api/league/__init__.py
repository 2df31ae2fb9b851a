"""The league by API."""
