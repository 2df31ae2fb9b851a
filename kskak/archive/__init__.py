"""Past games: PGN in and out, an index of positions."""
