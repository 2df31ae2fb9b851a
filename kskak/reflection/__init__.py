"""Days counted, controls, silence, leave (§ 6.3)."""
