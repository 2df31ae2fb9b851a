"""Players' and clubs' pages."""
