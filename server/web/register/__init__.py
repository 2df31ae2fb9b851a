"""Pages of members, clubs, joining."""
