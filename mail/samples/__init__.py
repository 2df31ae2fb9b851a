"""One letter of every kind, from the events of one short game: for `kskak letters` and the tests.

Not for letters to anybody.
"""
