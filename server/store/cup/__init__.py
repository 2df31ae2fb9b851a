"""Rounds of the cup."""
