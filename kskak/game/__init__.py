"""What happens in a game: commands, events, refusals; nothing of what follows from them."""
