"""Outgoing letters: blocks, HTML, PDF, headers, SMTP."""
