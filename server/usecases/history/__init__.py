"""The past: tournaments from before the server, read from PGN, ledgers and tables, and found again.

Not for groups that still run (usecases/takeover.py) nor for ratings (usecases/register).
"""
