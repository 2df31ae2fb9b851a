"""A second, independent reading of the reflection-time account, for comparison in tests only."""
