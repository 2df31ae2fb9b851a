"""Numbers, dates, editions and paragraphs of the regulation."""
