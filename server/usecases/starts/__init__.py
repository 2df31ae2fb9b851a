"""Groups begin, or are taken over in the middle."""
