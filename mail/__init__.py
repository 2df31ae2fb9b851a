"""Letters in and out: stdlib `email` over `kskak`; never a database, never the web."""
