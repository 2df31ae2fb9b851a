"""What happens in a game: commands, events, refusals; not what follows from them."""
