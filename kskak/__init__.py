"""The K-skak regulation as pure functions: no clock, no file, no database."""
