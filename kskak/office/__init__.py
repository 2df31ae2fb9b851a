"""The year, the accounts, bulletins (§ 6.1.2, § 6.4.5)."""
