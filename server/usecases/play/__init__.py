"""Playing: moves asked and made, views of a game."""
