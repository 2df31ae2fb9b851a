"""Officials' desks."""
