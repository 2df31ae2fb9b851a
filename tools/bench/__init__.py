"""`make bench`: what the server does per second, beside what the machine and its libraries can do.

Every figure is a ratio to a ceiling measured in the same run, because absolute figures from a
shared disk say nothing. Not for correctness: the tests check that.
"""
