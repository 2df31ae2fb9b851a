"""Ratings in the API."""
