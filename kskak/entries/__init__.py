"""Who may enter what, and why (§ 6.4.4, § 6.5.2, § 6.5.3)."""
