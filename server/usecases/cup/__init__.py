"""The cup: opening, drawing, starting its rounds (§ 6.6)."""
