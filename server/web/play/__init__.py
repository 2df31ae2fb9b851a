"""Pages for a game and for one's own games."""
