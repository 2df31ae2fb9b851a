"""Request and response models of the league: the schemas in openapi.json (§ 6.7)."""

from datetime import date
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from server.api.cases.answers import Named
from server.api.frame.body import LONGEST_TEXT, Body, Line
from server.api.frame.game_answers import Answer


class TeamGameSeen(Answer):
    """A team's game; days are reflection days, `is_silent` means 14 of them without an answer."""

    id: int
    name: str
    board: int
    round: int
    player: str
    opponent: str
    opponents: str
    side: str
    is_our_move: bool
    days_left: int | None
    days_used: int
    is_silent: bool
    result: str | None


class SeatSeen(Answer):
    """Who plays or played a board; `until` is null while he still does."""

    person: Named
    board: int
    rating: int
    since: date
    until: date | None


class ReserveSeen(Answer):
    """A requested reserve."""

    id: int
    board: int
    name: str
    rating: int
    state: str
    note: str | None
    against: list[str]
    pause_first: date | None
    pause_last: date | None


class CaptainTeamSeen(Answer):
    """One of the captain's teams."""

    id: int
    club: str
    group: str
    division: int
    points: float
    reserves_left: int
    lineup: list[SeatSeen]
    games: list[TeamGameSeen]
    reserves: list[ReserveSeen]


class CaptainSeen(Answer):
    """The captain's desk; `cases` are the numbers of his players' cases."""

    teams: list[CaptainTeamSeen]
    cases: list[str]


class ReserveMade(Answer):
    """A reserve as it stands after the call."""

    id: int
    state: str


class PauseOver(Answer):
    """The last day of the pause."""

    id: int
    last: date


class TeamDone(Answer):
    """The team that was changed."""

    team: int


class LotsDrawn(Answer):
    """The clubs in the order drawn (§ 6.7.4.5)."""

    clubs: list[str]


class StandingSeen(Answer):
    """A team's place; `decided_by` as in kskak-placing/1."""

    place: int
    club: str
    points: float
    games: int
    decided_by: str | None


class MatchSeen(Answer):
    """Two teams' games in a round, and the score so far."""

    round: int
    home: str
    away: str
    points: list[float]
    finished: int


class TeamSeen(Answer):
    """A team with its players by board, past and present."""

    id: int
    number: int
    club: str
    captain: str
    lineup: list[SeatSeen]


class DivisionSeen(Answer):
    """A division: order, matches, teams (§ 6.7.4.5)."""

    group: str
    division: int
    season: int
    standings: list[StandingSeen]
    matches: list[MatchSeen]
    teams: list[TeamSeen]
    champion: str | None
    needs_lots: bool


class PlanTeam(Answer):
    """A team in a plan: the reason for its place, and the answer to its dispensation.

    ``team``: its number among the entered teams; a club may have several.
    """

    team: int
    club: str
    by: str
    needs_dispensation: bool
    granted: bool | None


class PlanDivision(Answer):
    """A division of a plan; the third division appears once per group."""

    division: int
    teams: list[PlanTeam]


class PlanSeen(Answer):
    """Next season's divisions as composed (§ 6.7.5.1)."""

    id: int
    season: int
    deadline: date
    divisions: list[PlanDivision]
    unplaced: list[PlanTeam]


Name = Line
Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Rating = Annotated[int, Field(ge=0, le=4000)]
Person = Annotated[int, Field(ge=1)]


class Strict(Body):
    """Dates and enumerations are strings in JSON."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ReserveBody(Strict):
    """A reserve for a board; `stop_time` stops the clock for the rest of the 14 days (§ 6.7.4.3).

    Club and strength come from the register; `rating` is for players without one. `asks_leave`:
    he belongs to another club, and the leader is asked for permission (§ 6.7.3.2).
    """

    board: Annotated[int, Field(ge=1, le=4)]
    name: Name
    email: Name
    rating: Rating | None = None
    club: Name | None = None
    reason: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    stop_time: bool = False
    asks_leave: bool = False


class ReserveDecisionBody(Strict):
    """Approve a reserve, who takes over at once, or refuse him (§ 6.7.4.3)."""

    approve: bool
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    despite: bool = Field(
        False,
        description="In spite of `other_club` or `not_in_register`; `note` is the reason",
    )


class PauseBody(Strict):
    """An empty body, which may be omitted."""


class ReportBody(Strict):
    """A result reported by a captain for a game still open here (§ 6.7.6.1)."""

    game: Annotated[int, Field(ge=1)]
    result: Literal["1-0", "1/2-1/2", "0-1"]
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


class LineupBody(Strict):
    """The player ids from board 1 on, and why (§ 6.7.2.1)."""

    players: Annotated[list[Person], Field(min_length=4, max_length=4)]
    reason: Reason


class CaptainBody(Strict):
    """Another captain, by registered address (§ 6.7.2.2)."""

    email: Name
    reason: Reason


class LotsBody(Strict):
    """An empty body, which may be omitted."""


class NewTeamBody(Strict):
    """A team that did not play last season, with its four ratings."""

    club: Name
    ratings: Annotated[list[Rating], Field(min_length=4, max_length=4)]


class PlanBody(Strict):
    """Next season's divisions: all of last season's teams except `absent` clubs (§ 6.7.5.1).

    With `entered`, only the clubs' valid entries are used instead.
    """

    deadline: date
    entered: bool = False
    absent: Annotated[list[str], Field(max_length=500)] = Field(default_factory=list)
    new: Annotated[list[NewTeamBody], Field(max_length=500)] = Field(default_factory=list)


class GrantBody(Strict):
    """The answer to a dispensation (§ 6.7.5.1)."""

    club: Name
    division: Annotated[int, Field(ge=1, le=2)]
    grant: bool
    reason: Reason
