"""The store: tables, queries and transactions. Not for rules nor for HTTP."""
