"""What a mail means: keywords, moves, series."""
