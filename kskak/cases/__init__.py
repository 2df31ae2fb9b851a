"""Claims, hearings, decisions, appeals, what-if, sanctions (§ 6.4)."""
