"""The running record of a game in the ICCF layout of § 6.8.2, to the character (CONTRACTS).

One line per full move: received, sent, days/total, number, White, Black, received, sent,
days/total. Readings: the first ply of a game has received nothing (``----``); plies inside an
accepted series have no dates but keep their days and total; where Black begins (a FEN) White's
cells are empty. NOT for the explanation of the days (the mail room's ``explain``).
"""

from datetime import date

from kskak.board.printing import numeric
from kskak.play.account_log import Row
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
    return (_HEADER, *_body(account))


def _body(account: Account) -> list[tuple[str, ...]]:
    """One tuple of cells for each full move."""
    moves: dict[int, dict[Side, Row]] = {}
    for row in account.rows:
        moves.setdefault(row.number, {})[row.by] = row
    first = account.rows[0] if account.rows else None
    return [
        (
            *_dates(pair.get(Side.WHITE), first),
            f"{number:02d}.",
            _move(pair.get(Side.WHITE)),
            _move(pair.get(Side.BLACK)),
            *_dates(pair.get(Side.BLACK), first),
        )
        for number, pair in moves.items()
    ]


def _move(row: Row | None) -> str:
    return "" if row is None else numeric(row.move)


def _dates(row: Row | None, first: Row | None) -> tuple[str, str, str]:
    if row is None:
        return _NO_DATES
    received = _NOTHING_RECEIVED if row is first else _day(row.dates.received)
    return received, _day(row.dates.sent), f"{row.dates.days}/{row.total:02d}"


def _day(day: date | None) -> str:
    return "" if day is None else f"{day.day:02d}/{day.month:02d}"
