"""Inbox, outbox, due work, processes."""
