"""The running record of a game in the ICCF layout of § 6.8.2, to the character (CONTRACTS).

One line per full move: received, sent, days/total, number, White, Black, received, sent,
days/total. Readings: the first ply of a game has received nothing (``----``); plies inside an
accepted series have no dates but keep their days and total; where Black begins (a FEN) White's
cells are empty. NOT for the explanation of the days (the mail room's ``explain``).
"""

from datetime import date
from functools import lru_cache

from kskak.board.printing import numeric
from kskak.regulation.quantities import Side
from kskak.statement.account import Account

_HEADER = ("Modt.", "Sendt", "Tid", "Nr.", "Hvid", "Sort", "Modt.", "Sendt", "Tid")
_NOTHING_RECEIVED = "----"
_NO_DATES = ("", "", "")
Cells = tuple[tuple[str, ...], ...]
"""Lines of as many cells each."""


def iccf_table(account: Account) -> str:
    """The record as lines without a final newline (§ 6.8.2); only the header before any move.

    Cells are left-aligned and padded to the widest in their column, with one space between
    and trailing blanks cut.
    """
    return aligned(iccf_cells(account))


def aligned(lines: Cells) -> str:
    """The same of cells that are known."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    line = " ".join(f"{{:<{width}}}" for width in widths)
    return "\n".join([line.format(*cells).rstrip() for cells in lines])


def iccf_cells(account: Account) -> Cells:
    """The cells of the record, its header first (§ 6.8.2)."""
    return (_HEADER, *map(tuple, _body(account)))


def _body(account: Account) -> list[list[str]]:
    """The cells of each full move."""
    lines: dict[int, list[str]] = {}
    received = _NOTHING_RECEIVED
    for row in account.rows:
        played, dates = row.played, row.dates
        line = lines.get(played.number)
        if line is None:
            line = lines[played.number] = [*_NO_DATES, f"{played.number:02d}.", "", "", *_NO_DATES]
        dated = received or _day(dates.received), _day(dates.sent), f"{dates.days}/{row.total:02d}"
        if played.by is Side.WHITE:
            line[:3], line[4] = dated, numeric(played.move)
        else:
            line[5], line[6:] = numeric(played.move), dated
        received = ""
    return list(lines.values())


@lru_cache(maxsize=1024)
def _day(day: date | None) -> str:
    return "" if day is None else f"{day.day:02d}/{day.month:02d}"
