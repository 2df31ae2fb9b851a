"""The database: connections, tables, and small typed queries in SQLAlchemy Core.

It knows no rules of the game and reads no clock; instants come in as microseconds.
"""
