"""Words and figures that letters, pages and commands share."""
