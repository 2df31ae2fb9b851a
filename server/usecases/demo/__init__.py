"""A demonstration federation to look at."""
