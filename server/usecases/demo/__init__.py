"""A living federation to look at."""
