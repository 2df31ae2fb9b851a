"""Texts in tables for spreadsheets: none is taken for a formula, and each is read back unchanged.

Not for numbers, whose minus is a minus, nor for how a table is written.
"""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "'"


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"{_MARK}{text}" if text.startswith((*_FORMULA, _MARK)) else text


def unguarded(text: str) -> str:
    """The original text."""
    is_marked = text.startswith(_MARK) and text[1:].startswith((*_FORMULA, _MARK))
    return text[1:] if is_marked else text
