"""The database: connections, tables, and small typed queries in SQLAlchemy Core.

No rule of the game and no wall clock lives here; instants come in as microseconds.
"""
