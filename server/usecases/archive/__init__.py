"""Past tournaments: imported, searched, exported."""
