"""What the league's calls answer, as models: the schemas of openapi.json (§ 6.7). NOT bodies."""

from datetime import date

from server.api.cases.answers import Named
from server.api.frame.game_answers import Answer


class TeamGameSeen(Answer):
    """A game of a team; days are reflection days, `silent` says 14 of them without an answer."""

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
    """Who plays or played a board; `until` None while he does."""

    person: Named
    board: int
    rating: int
    since: date
    until: date | None


class ReserveSeen(Answer):
    """A reserve that was asked for."""

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
    """A reserve after what was done."""

    id: int
    state: str


class PauseOver(Answer):
    """The last day on which the time stands still."""

    id: int
    last: date


class TeamDone(Answer):
    """The team that something was done to."""

    team: int


class LotsDrawn(Answer):
    """The clubs in the order drawn, and the seed (§ 6.7.4.5)."""

    clubs: list[str]


class StandingSeen(Answer):
    """A team's place; `decided_by` as in kskak-placing/1."""

    place: int
    club: str
    points: float
    games: int
    decided_by: str | None


class MatchSeen(Answer):
    """Two teams' games of a round, and the score so far."""

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
    """A team in a plan: the reason for its place, and what became of its dispensation.

    ``team``: its number among the entered; a club may have several.
    """

    team: int
    club: str
    by: str
    needs_dispensation: bool
    granted: bool | None


class PlanDivision(Answer):
    """A division of a plan; the third comes group by group."""

    division: int
    teams: list[PlanTeam]


class PlanSeen(Answer):
    """Next season's divisions as composed (§ 6.7.5.1)."""

    id: int
    season: int
    deadline: date
    divisions: list[PlanDivision]
    unplaced: list[PlanTeam]
