"""Pages of the cup."""
