"""Signing in, keys, settings, own data."""
