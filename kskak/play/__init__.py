"""A game as it is played: what may be done, what follows, its state (§ 6.2)."""
