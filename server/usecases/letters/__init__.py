"""Outgoing mail: each letter written from the facts of its day."""
