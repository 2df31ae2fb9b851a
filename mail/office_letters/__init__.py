"""Letters of tournaments and officials: starts, cases, tables, entries."""
