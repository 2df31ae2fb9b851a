"""Pages for members, clubs and joining."""
