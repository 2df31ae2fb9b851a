"""Pages of a game and of my games."""
