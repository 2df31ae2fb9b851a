"""A division in words: the teams' table, the matches, the boards, title and prizes (§ 6.7.4.5).

NOT for the order and the figures (``kskak.groups.division_table``).
"""

from collections.abc import Iterator

from kskak.groups.crosstable import Cell, Crosstable
from kskak.groups.division_table import DivisionMatch, DivisionTable
from mail.game_letters.common import plain
from mail.office_letters.tables import kroner
from mail.outgoing import blocks as b
from mail.text.figures import decimal, halves
from mail.text.standings import decided
from mail.text.words import Words

_OPEN, _OWN = "·", "×"


def division_blocks(table: DivisionTable, words: Words, caption: str) -> Iterator[b.Block]:
    """Clubs in order, match by match, then board by board; players only within their own board."""
    yield clubs_grid(table, words, caption)
    outcome = tuple(_outcome(table, words))
    if outcome:
        yield b.Bullets(outcome)
    yield b.Small(words("placing.rules.league"))
    yield b.Bullets(tuple(_rounds(table, words)))
    for number, board in enumerate(table.boards, 1):
        yield _grid(board, words, words("placing.board", board=number), with_place=False)


def clubs_grid(table: DivisionTable, words: Words, caption: str) -> b.Grid:
    """The teams by place, each cell the points of a match (§ 6.7.4.5)."""
    return _grid(table.clubs, words, caption, with_place=True, is_finished=table.is_finished)


def _grid(
    cross: Crosstable, words: Words, caption: str, *, with_place: bool, is_finished: bool = False
) -> b.Grid:
    columns = [str(number) for number in range(1, len(cross.rows) + 1)]
    named = words("placing.column_club" if with_place else "placing.column_name")
    head = [words("tables.place"), named, *columns, words("tables.points"), "%"]
    if with_place:
        head.append(words("placing.column_decided"))
    rows = []
    for at, row in enumerate(cross.rows):
        above = cross.rows[at - 1] if at else None
        line = [
            f"{row.place}." if with_place else f"{at + 1}",
            plain(row.name),
            *(_cell(cell) for cell in row.cells),
            halves(row.points),
            "" if row.percent is None else decimal(row.percent, words, 1),
        ]
        if with_place:
            line.append(decided(row, above, words) if is_finished else "")
        rows.append(tuple(line))
    last = 2 + len(columns)
    return b.Grid(plain(caption), tuple(head), tuple(rows), 1, frozenset({last, last + 1}))


def _cell(cell: Cell) -> str:
    if cell.is_own:
        return _OWN
    return _OPEN if cell.total is None else halves(cell.total)


def _outcome(table: DivisionTable, words: Words) -> Iterator[str]:
    """The champion, lots to be drawn or already drawn, prizes (§ 6.7.4.5-6.7.4.6)."""
    if table.champion is not None:
        yield words("league.page.champion", club=plain(table.champion))
    if table.needs_lots:
        yield words("league.page.lots_wait")
    if table.seed is not None:
        yield words("league.page.lots_seed", seed=table.seed)
    for club, amount in table.prizes:
        yield words("tables.prize", name=plain(club), amount=kroner(amount, words))


def _rounds(table: DivisionTable, words: Words) -> Iterator[str]:
    """One line per round: each match with its score so far."""
    rounds: dict[int, list[str]] = {}
    for match in table.matches:
        rounds.setdefault(match.round, []).append(_match(match, words))
    for number, said in rounds.items():
        yield words("league.round", n=number, matches="; ".join(said))


def _match(match: DivisionMatch, words: Words) -> str:
    home, away = (halves(points) for points in match.points)
    said = f"{plain(match.home)} – {plain(match.away)} {home}–{away}"
    if not match.running:
        return said
    return f"{said} {words('league.page.so_far', n=match.running)}"
