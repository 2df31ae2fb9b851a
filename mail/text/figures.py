"""Figures in text: points with halves, decimals in the reader's language, aligned columns.

NOT for dates (``mail.text.words``) nor for what the figures mean.
"""

from collections.abc import Sequence
from fractions import Fraction

from mail.text.words import Words

_HALF = Fraction(1, 2)


def halves(points: Fraction) -> str:
    """Points as chess writes them: 4½, ½, 0. Other fractions unchanged."""
    whole, rest = divmod(points, 1)
    if rest not in (0, _HALF):
        return str(points)
    return f"{whole or ''}½" if rest else str(whole)


def decimal(value: Fraction, words: Words, places: int = 2) -> str:
    """A figure with at most ``places`` decimals, in the reader's language; a true minus sign."""
    return words.number(value, "0." + "#" * places)


def hundredths(value: Fraction, words: Words) -> str:
    """A figure with exactly two decimals, as the rating tables print scores: 0,60."""
    return words.number(value, "0.00")


def signed(value: Fraction, words: Words) -> str:
    """A figure with its sign: +16,5."""
    return ("+" if value > 0 else "") + decimal(value, words)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines: left-aligned, two blanks between, trailing blanks cut."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
