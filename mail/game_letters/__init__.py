"""Letters of a game: moves, silences, leave, results."""
