"""Ratings by API."""
