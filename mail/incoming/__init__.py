"""Incoming mail: SMTP, MIME, sender, and what the sender wrote."""
