"""Response models about groups. Not for games (frame/game_answers.py)."""

from datetime import date

from kskak.cup.course import CupStage
from kskak.entries.emt import EmtClass, Outcome
from kskak.groups.group_table import How
from kskak.groups.ladder import Step
from kskak.groups.ladder_individual import RuleSet
from kskak.regulation.quantities import Side
from server.api.frame.game_answers import Answer


class GroupItem(Answer):
    """A group in the list; `live`: anybody may follow its running games."""

    id: int
    name: str
    tournament: str
    group_class: str
    start: date
    live: bool


class GroupList(Answer):
    """Every group, the newest first."""

    groups: list[GroupItem]


class TableGame(Answer):
    """A game from the row player's point of view; `points` is null while it runs."""

    game: int
    opponent: int
    side: Side
    points: float | None
    how: How | None


class TableRow(Answer):
    """A player's row; `decided_by` is the step that separated it from the row above."""

    place: int
    number: int
    name: str
    club: str | None
    withdrawn: bool
    points: float
    games: int
    unfinished: int
    percent: float | None
    sonneborn_berger: float
    decided_by: Step | None
    results: list[TableGame]


class RightHeld(Answer):
    """A right gained or lost in a finished group: the class now open, until when, by which rule."""

    number: int
    outcome: Outcome
    opens: EmtClass
    until: date
    paragraph: str


class CupRightHeld(Answer):
    """The highest class that a finished cup round opens, and until when (§ 6.6.2)."""

    number: int
    opens: EmtClass
    until: date
    paragraph: str


class CupRound(Answer):
    """The cup and the round that a cup group belongs to (§ 6.6.1.1)."""

    cup: int
    edition: int
    stage: CupStage


class TitleHeld(Answer):
    """A title and its holders' numbers; `awaits` a play-off or lots, and `between` whom."""

    title: str
    holders: list[int]
    awaits: Step | None
    between: list[int]
    paragraph: str


class PrizeHeld(Answer):
    """A prize in øre."""

    number: int
    amount: int


class TeamRow(Answer):
    """A team's row; `points_against` in the order of the other rows, null before a result."""

    place: int
    club: str
    points: float
    games: int
    percent: float | None
    decided_by: Step | None
    points_against: list[float | None]


class BoardRow(Answer):
    """A player's row on his board; the regulation does not rank players (§ 6.7.4.5)."""

    name: str
    points: float
    games: int
    points_against: list[float | None]


class TeamMatch(Answer):
    """A match, with the home and away scores so far; `running` games are still being played."""

    round: int
    home: str
    away: str
    points: list[float]
    running: int


class ClubPrize(Answer):
    """A club's prize in øre."""

    club: str
    amount: int


class DivisionTable(Answer):
    """A division of the league: teams by place, matches, boards from 1 (§ 6.7.4.5)."""

    division: int
    teams: list[TeamRow]
    matches: list[TeamMatch]
    boards: list[list[BoardRow]]
    champion: str | None
    needs_lots: bool
    lots_seed: str | None
    prizes: list[ClubPrize]


class GroupTable(Answer):
    """A group's crosstable, rows by place; titles, rights and prizes only once it is finished.

    A division of the league has no rows: its teams are ranked in `division`. `override`: the
    paragraphs that its start deliberately broke.
    """

    id: int
    name: str
    tournament: str
    group_class: str
    start: date
    live: bool
    leader: str
    override: str | None
    override_reason: str | None
    rules: RuleSet
    finished: bool
    round: CupRound | None
    rows: list[TableRow]
    titles: list[TitleHeld]
    rights: list[RightHeld]
    prizes: list[PrizeHeld]
    cup_rights: list[CupRightHeld]
    division: DivisionTable | None
