"""The K-skak regulation as pure functions: no clock, no file, no database (§ 6, § 4.9.10–11)."""
