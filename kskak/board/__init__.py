"""Moves, positions, notation."""
