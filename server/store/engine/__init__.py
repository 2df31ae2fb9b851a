"""The database itself: SQLite and PostgreSQL, transactions, types, migration."""
