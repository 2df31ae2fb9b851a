"""Entries of players and teams, lists."""
