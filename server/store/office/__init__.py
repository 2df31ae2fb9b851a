"""Year, accounts, bulletins."""
