"""The table of all calls, and their routes."""
