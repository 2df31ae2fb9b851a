"""Divisions, boards, plans."""
