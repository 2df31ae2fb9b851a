"""The account of the time, as it is told to whom."""
