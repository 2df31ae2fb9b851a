"""Past tournaments: taken in, searched, given out."""
