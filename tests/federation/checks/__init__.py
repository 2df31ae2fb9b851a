"""Rules that a simulated federation must keep, each checked separately."""
