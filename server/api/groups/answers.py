"""What the API answers about groups, as models. Not for games (frame/game_answers.py)."""

from datetime import date

from kskak.cup.course import CupStage
from kskak.entries.emt import EmtClass, Outcome
from kskak.groups.group_table import How
from kskak.groups.ladder import Step
from kskak.groups.ladder_individual import RuleSet
from kskak.regulation.quantities import Side
from server.api.frame.game_answers import Answer


class GroupItem(Answer):
    """A group in the list; `live`: everybody may follow its running games."""

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
    """A game as the row's player has it; `points` null while it runs."""

    game: int
    opponent: int
    side: Side
    points: float | None
    how: How | None


class TableRow(Answer):
    """A player's row; `decided_by` separated it from the row above."""

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
    """What the finished group gives or takes: the class that is open, until when, by which rule."""

    number: int
    outcome: Outcome
    opens: EmtClass
    until: date
    paragraph: str


class CupRightHeld(Answer):
    """The highest class that a finished round of the cup opens, until when (§ 6.6.2)."""

    number: int
    opens: EmtClass
    until: date
    paragraph: str


class CupRound(Answer):
    """The cup and the round that a cup group is (§ 6.6.1.1)."""

    cup: int
    edition: int
    stage: CupStage


class TitleHeld(Answer):
    """A title and the numbers of its holders; `awaits` a play-off or lots, `between` whom."""

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
    """A team's row; `points_against` by the other rows' order, null before the first result."""

    place: int
    club: str
    points: float
    games: int
    percent: float | None
    decided_by: Step | None
    points_against: list[float | None]


class BoardRow(Answer):
    """A player's row on his board; the text places no players (§ 6.7.4.5)."""

    name: str
    points: float
    games: int
    points_against: list[float | None]


class TeamMatch(Answer):
    """A match, the score of home and away so far; `running` games are still played."""

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
    """A division of the league: the teams by place, matches, the boards from 1 (§ 6.7.4.5)."""

    division: int
    teams: list[TeamRow]
    matches: list[TeamMatch]
    boards: list[list[BoardRow]]
    champion: str | None
    needs_lots: bool
    lots_seed: str | None
    prizes: list[ClubPrize]


class GroupTable(Answer):
    """A group's crosstable, the rows by place; the last four once it is finished.

    A division of the league has no rows: its teams are placed, in `division`. `override`: the
    paragraphs that its start broke on purpose.
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
