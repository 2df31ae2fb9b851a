"""The one error of the command line."""


class InputError(Exception):
    """The input is wrong: the message says what, where, and how to fix it. Exit 2."""
