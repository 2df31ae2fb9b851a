"""A mail as it comes in: SMTP, MIME, sender, what was written in it."""
