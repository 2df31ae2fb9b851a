"""A table placed by the rules its file names, as rows and as kskak-placing/1 (CONTRACTS).

Not for reading the file (standings_in.py), the ladders (ladder_individual.py, ladder_teams.py) or
crosstables (crosstable.py).
"""

from dataclasses import dataclass
from fractions import Fraction

from kskak.groups.ladder import Placed
from kskak.groups.ladder_individual import Table, placing, sonneborn_berger
from kskak.groups.ladder_teams import Division, league_placing
from kskak.groups.played import games_of, number, percentage, points_of

FORMAT = "kskak-placing/1"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a placed table; teams have no Sonneborn-Berger number.

    ``percent`` of the finished games, None before the first.
    """

    placed: Placed
    points: Fraction
    sonneborn_berger: Fraction | None
    games: int
    percent: Fraction | None


def rows_of(table: Table | Division) -> tuple[Row, ...]:
    """The rows in order, each with the figures it was placed by."""
    if isinstance(table, Division):
        names, games, placed = table.clubs, table.played, league_placing(table)
    else:
        names, games, placed = table.players, table.games, placing(table)
    points, count = points_of(names, games), games_of(names, games)
    sums = {} if isinstance(table, Division) else sonneborn_berger(names, games)
    return tuple(
        Row(
            row,
            points[row.name],
            sums.get(row.name),
            count[row.name],
            percentage(points[row.name], count[row.name]),
        )
        for row in placed
    )


def placing_json(rows: tuple[Row, ...]) -> dict[str, object]:
    """The answer of ``kskak standings --json``."""
    return {"format": FORMAT, "rows": [_row(row) for row in rows]}


def _row(row: Row) -> dict[str, object]:
    decided_by = row.placed.decided_by
    return {
        "place": row.placed.place,
        "name": row.placed.name,
        "points": number(row.points),
        "sonneborn_berger": None if row.sonneborn_berger is None else number(row.sonneborn_berger),
        "decided_by": None if decided_by is None else decided_by.value,
    }
