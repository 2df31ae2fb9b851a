"""The one error of the command line."""


class InputError(Exception):
    """What was given is wrong: the message says what, where, and how to mend it. Exit 2."""
