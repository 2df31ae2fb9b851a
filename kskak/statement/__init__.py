"""The account of time, and who is shown what of it."""
