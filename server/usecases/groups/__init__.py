"""Groups: their files, tables, followers."""
