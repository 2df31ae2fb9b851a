"""Pages of groups, tables, titles, bulletins."""
