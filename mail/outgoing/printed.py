"""Prints on A4, and loads the library that draws with the first paper: few are asked for, and each
start would pay for it.

Both functions take long, the first time a tenth of a second more: call them off the event loop.
NOT for how papers are drawn (``pdf``, ``game_sheet``).
"""

from datetime import date

from mail.outgoing.blocks import GameSheet, Labels, LetterContent


def letter_as_pdf(written: LetterContent, lang: str, title: str, dated: date) -> bytes:
    """A letter's blocks under their title; ``dated`` is the document's own date."""
    from mail.outgoing.pdf import as_pdf

    return as_pdf(written, lang, title, dated)


def sheet_as_pdf(sheet: GameSheet, labels: Labels) -> bytes:
    """A finished game on one page, or two where it has more than some 300 moves."""
    from mail.outgoing.game_sheet import sheet_pdf

    return sheet_pdf(sheet, labels)
