"""Instructions of fixed work, counted and kept, so that what makes it dearer is seen. No time."""
