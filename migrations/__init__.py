"""Alembic's scripts: the only way a database is created or changed."""
