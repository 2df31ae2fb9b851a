"""Cases, papers, cards, sanctions."""
