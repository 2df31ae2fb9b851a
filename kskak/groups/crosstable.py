"""Crosstables as values: rows and cells, to be shown by pages, mails and the command line.

A group of individuals, a board of a division, and a division club by club. Not for the rules
of placing (ladder.py) nor for layout.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from kskak.groups.ladder import Figures, Margin, Step
from kskak.groups.ladder_individual import RuleSet, Table
from kskak.groups.ladder_teams import BOARDS, Division
from kskak.groups.played import Played
from kskak.groups.standings import Row, rows_of


@dataclass(frozen=True, slots=True)
class Cell:
    """What a row scored against a column: the points of each game, in the order listed.

    ``is_own``: the row's own column, which is blocked out. No points: nothing finished yet.
    """

    points: tuple[Fraction, ...] = ()
    is_own: bool = False

    @property
    def total(self) -> Fraction | None:
        """The points together; None before the first finished game."""
        return sum(self.points, Fraction(0)) if self.points else None


@dataclass(frozen=True, slots=True)
class CrossRow:
    """One row: place, name, a cell for each column, and the figures behind the place."""

    place: int
    name: str
    cells: tuple[Cell, ...]
    points: Fraction
    games: int
    percent: Fraction | None
    sonneborn_berger: Fraction | None
    decided_by: Step | None
    margin: Margin | None
    among: Figures = ()


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Rows in the order of their places; the columns are the rows' names in the same order."""

    rows: tuple[CrossRow, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names along the top."""
        return tuple(row.name for row in self.rows)


def crosstable(table: Table | Division) -> Crosstable:
    """A group by its placing, or a division club by club (§ 6.5.4.1, § 6.7.4.5).

    A club's cell has the points of up to four games, one per board.
    """
    games = table.played if isinstance(table, Division) else table.games
    rows = rows_of(table)
    names = [row.placed.name for row in rows]
    return Crosstable(tuple(_cross_row(row, names, games) for row in rows))


def board_tables(division: Division) -> tuple[Crosstable, ...]:
    """The four boards, each a crosstable of its players (§ 6.7.2.3).

    Ordered by points and Sonneborn-Berger like any group; the text ranks no players by board, so
    the places are for information only. A player is named with the club.
    """
    return tuple(crosstable(_board(division, board)) for board in range(1, BOARDS + 1))


def _board(division: Division, board: int) -> Table:
    seats = {team.club: f"{team.players[board - 1]} ({team.club})" for team in division.teams}
    games = tuple(
        Played(seats[game.played.white], seats[game.played.black], game.played.result)
        for game in division.games
        if game.board == board
    )
    return Table(RuleSet.EMT, tuple(seats.values()), games)


def _cross_row(row: Row, names: Sequence[str], games: Sequence[Played]) -> CrossRow:
    name = row.placed.name
    met: dict[str, list[Fraction]] = {other: [] for other in names}
    for game in games:
        for own, opponent, score in game.sides:
            if own == name:
                met[opponent].append(score)
    return CrossRow(
        place=row.placed.place,
        name=name,
        cells=tuple(Cell(tuple(met[other]), other == name) for other in names),
        points=row.points,
        games=row.games,
        percent=row.percent,
        sonneborn_berger=row.sonneborn_berger,
        decided_by=row.placed.decided_by,
        margin=row.placed.margin,
        among=row.placed.among,
    )
