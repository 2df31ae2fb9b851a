"""Alembic's scripts: the only way a database comes to be."""
