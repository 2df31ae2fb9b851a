"""Playing: asking for and making moves, views of a game."""
