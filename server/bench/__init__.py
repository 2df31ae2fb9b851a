"""`kskak bench`: what the server does a second, beside what the machine and its libraries can.

Every figure is a ratio to a ceiling measured in the same run, because absolute figures of a
shared disk say nothing. Not for tests of what is right: the tests do that.
"""
