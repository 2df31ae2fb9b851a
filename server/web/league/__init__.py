"""Pages of the league and its teams."""
