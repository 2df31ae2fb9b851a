"""Boards, moves to step through, curves."""
