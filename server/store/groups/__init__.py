"""Groups, seats, titles, prizes."""
