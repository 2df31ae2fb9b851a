"""Letters of the league: the schedule to the captains, what happens to a team (§ 6.7).

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text
(``mail.office_letters.league``).
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.league.team_entry import TeamFinding
from mail.text.facts import Official


class LeagueWord(StrEnum):
    """What a letter about a team says."""

    RESERVE_ASKED = "reserve_asked"
    RESERVE_IN = "reserve_in"
    RESERVE_REFUSED = "reserve_refused"
    PAUSED = "paused"
    RESUMED = "resumed"
    ORDER = "order"
    CAPTAIN = "captain"
    REPORTED = "reported"
    LOTS = "lots"


@dataclass(frozen=True, slots=True)
class DivisionFacts:
    """A division as its letters name it."""

    group: str
    tournament: str
    leader: Official
    zone: str
    url: str


@dataclass(frozen=True, slots=True)
class EnteredLine:
    """What is known about a reserve (§ 6.7.3.2): from the register, or here if not a member."""

    is_member: bool
    club: str | None
    k_rating: int | None
    otb_rating: int | None


@dataclass(frozen=True, slots=True)
class LeagueNotice:
    """What happened to a team. ``values`` fill the sentence's placeholders; days are dates.

    ``entered``: about a requested reserve, so that it is not only the captain's word.
    """

    reader: str
    division: DivisionFacts
    club: str
    word: LeagueWord
    values: dict[str, str | int | date]
    text: str = ""
    desk_url: str | None = None
    entered: EnteredLine | None = None


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team in the schedule: number, club, captain with address, players with ratings."""

    number: int
    club: str
    captain: Official
    players: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class PairingLine:
    """A match of the reader's team: round, opponents, the colour on each board."""

    round: int
    opponents: str
    is_white: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class DivisionSchedule:
    """To captains and leader: line-ups, and who has which colour (§ 6.7.4.2).

    ``own`` are the matches of the reader's team; empty for the leader.
    """

    reader: str
    division: DivisionFacts
    start: date
    teams: tuple[TeamLine, ...]
    own_club: str | None
    own: tuple[PairingLine, ...]
    rounds: tuple[tuple[tuple[str, str], ...], ...]


class TeamNews(StrEnum):
    """What happened to a team entry (§ 6.7.4.1)."""

    ENTERED = "entered"
    FEE = "fee"
    LEAVE = "leave"
    LINEUP = "lineup"
    VALID = "valid"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class TeamEntryLetter:
    """To captain and club: what happened to a team entry, and what it lacks.

    ``players`` in board order, with the ratings the composition will use; ``fee`` in øre.
    """

    reader: str
    club: str
    season: int
    tournament: str
    news: TeamNews
    day: date
    is_valid: bool
    players: tuple[tuple[str, int], ...]
    captain: str
    leader: Official
    zone: str
    url: str
    findings: tuple[TeamFinding, ...] = ()
    fee: int | None = None
    paragraph: str = ""
    reason: str = ""


LeagueLetter = LeagueNotice | DivisionSchedule | TeamEntryLetter
