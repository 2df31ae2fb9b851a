"""Post cards: addresses, scans, damage (§ 6.2.1, § 6.3.2)."""
