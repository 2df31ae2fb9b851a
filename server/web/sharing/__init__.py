"""What other sites and programs ask for: pieces to embed, feeds, and what may be searched."""
