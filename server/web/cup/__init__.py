"""Cup pages."""
