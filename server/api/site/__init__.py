"""The table of all endpoints, and their routes."""
