"""Pages on reflection days and leave."""
