"""Past games and their positions."""
