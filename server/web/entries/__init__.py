"""Entry pages."""
