"""Pages of days and leave."""
