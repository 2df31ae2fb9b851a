"""Cases from claim to decision and appeal (§ 6.4)."""
