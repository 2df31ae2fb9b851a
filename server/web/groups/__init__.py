"""Pages for groups, tables, titles and bulletins."""
