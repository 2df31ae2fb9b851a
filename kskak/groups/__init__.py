"""Schedules, tables, placing, ladders (§ 4.9.10, § 6.5.4)."""
