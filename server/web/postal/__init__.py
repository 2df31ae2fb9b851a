"""Postcard pages."""
