"""A letter as it goes out: blocks, HTML, PDF, headers, SMTP."""
