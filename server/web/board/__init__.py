"""Boards, steppable moves, curves."""
