"""Pages for the league and its teams."""
