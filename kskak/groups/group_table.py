"""A group's crosstable with what a reader wants to know about each game (§ 6.4.5.1, § 6.5.4.1).

By number and by place; running games are open, players who left and adjudicated games are
marked. Players go by their numbers, so that two may share a name. Not for the ladder
(ladder_individual.py), nor for layout.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.groups.crosstable import CrossRow, crosstable
from kskak.groups.ladder import Margin, Step
from kskak.groups.ladder_individual import RuleSet, Table
from kskak.groups.played import Played
from kskak.regulation.quantities import Result, Side

_BY_CLASS = {"DM": RuleSet.DM, "cup": RuleSet.CUP}


def rules_of_class(group_class: str, *, is_cup_final: bool = False) -> RuleSet:
    """The ladder of a group of this class (§ 6.5.2, § 6.5.4.1, § 6.6.1.4, § 6.6.1.5).

    Readings: a cup group not linked to a cup follows § 6.6.1.4; theme groups, play-offs and
    the players of one board follow the EMT's ladder, as the text has none for them.
    """
    return RuleSet.CUP_FINAL if is_cup_final else _BY_CLASS.get(group_class, RuleSet.EMT)


class How(StrEnum):
    """How a result came about where it was not played to its end."""

    ADJUDICATED = "adjudicated"
    """By the leader on the position: § 6.2.7, § 6.2.8."""
    WITHDRAWN = "withdrawn"
    """Lost because the player left with at most half of his games finished: § 6.2.8."""
    RULED = "ruled"
    """By any other decision: § 6.4.1."""
    TIME = "time"
    """By an overstep that was claimed, or that both lost by: § 6.3.3.3, § 6.3.3.4."""


@dataclass(frozen=True, slots=True)
class TablePlayer:
    """A player of the group by his number."""

    number: int
    name: str
    club: str | None = None
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game between two numbers; ``result`` None while it runs."""

    game: int
    white: int
    black: int
    result: Result | None
    how: How | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game from the row's point of view: the player's colour, and points once it is over."""

    game: int
    side: Side
    points: Fraction | None
    how: How | None


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line. ``cells`` by the opponent's number; the player's own is not among them.

    ``among``: by number, the points of those whose games against each other decided, if there
    were more than two.
    """

    player: TablePlayer
    place: int
    points: Fraction
    games: int
    unfinished: int
    percent: Fraction | None
    sonneborn_berger: Fraction
    decided_by: Step | None
    margin: Margin | None
    cells: Mapping[int, tuple[Meeting, ...]]
    among: tuple[tuple[int, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The lines in the order of places."""

    rules: RuleSet
    lines: tuple[Line, ...]

    def __hash__(self) -> int:
        """Of a little of it: what is said of a table is kept by it, and asked for often."""
        return hash(tuple([(line.player.number, line.place, line.games) for line in self.lines]))

    @property
    def by_number(self) -> tuple[Line, ...]:
        """The lines in the order of the lots."""
        return tuple(sorted(self.lines, key=lambda line: line.player.number))

    @property
    def is_finished(self) -> bool:
        """Whether all games are finished."""
        return bool(self.lines) and not any(line.unfinished for line in self.lines)

    @property
    def has_begun(self) -> bool:
        """Whether anything is finished."""
        return any(line.games for line in self.lines)


@dataclass(frozen=True, slots=True)
class Tie:
    """How a tie for first place in the DM was settled; players go by number (§ 6.5.2).

    ``playoff`` only once it is finished; ``agreed``: those concerned agreed to share.
    """

    playoff: tuple[Played, ...] = ()
    agreed: bool = False


def group_table(
    rules: RuleSet,
    players: Sequence[TablePlayer],
    games: Iterable[TableGame],
    tie: Tie | None = None,
) -> GroupTable:
    """The table of a group as it stands (§ 6.4.5.1).

    Placed by the finished games alone; an adjudicated game counts like any other (§ 6.2.8).
    """
    settled = tie or Tie()
    listed = tuple(games)
    finished = tuple(
        Played(str(game.white), str(game.black), game.result)
        for game in listed
        if game.result is not None
    )
    names = tuple(str(player.number) for player in sorted(players, key=lambda p: p.number))
    rows = crosstable(Table(rules, names, finished, settled.playoff, settled.agreed)).rows
    by_name = {str(player.number): player for player in players}
    return GroupTable(rules, tuple(_line(by_name[row.name], row, listed) for row in rows))


def _line(player: TablePlayer, row: CrossRow, games: Sequence[TableGame]) -> Line:
    cells: dict[int, list[Meeting]] = {}
    for game in games:
        if player.number == game.white:
            cells.setdefault(game.black, []).append(_meeting(game, Side.WHITE))
        elif player.number == game.black:
            cells.setdefault(game.white, []).append(_meeting(game, Side.BLACK))
    met = [meeting for one in cells.values() for meeting in one]
    return Line(
        player=player,
        place=row.place,
        points=row.points,
        games=row.games,
        unfinished=sum(meeting.points is None for meeting in met),
        percent=row.percent,
        sonneborn_berger=row.sonneborn_berger or Fraction(0),
        decided_by=row.decided_by,
        margin=row.margin,
        cells={number: tuple(one) for number, one in cells.items()},
        among=tuple((int(name), figure) for name, figure in row.among),
    )


def _meeting(game: TableGame, side: Side) -> Meeting:
    if game.result is None:
        return Meeting(game.game, side, None, None)
    white, black = Played(str(game.white), str(game.black), game.result).scores
    return Meeting(game.game, side, white if side is Side.WHITE else black, game.how)
