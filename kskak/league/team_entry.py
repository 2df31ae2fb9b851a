"""A club's team entry to the league, and what stands in its way (§ 6.7.3, § 6.7.4.1).

Readings:
- which division a team gets is known when the divisions are composed (§ 6.7.5.1). At entry a
  returning team counts for the division that it played in, a new one for the 3rd;
- "at once" (§ 6.7.3.2) means in the same season: a player who changed club may finish the games
  of the season before for the old one (§ 6.7.4.3);
- of two conflicting entries the one whose line-up came later is refused, or waits for the
  leader's permission;
- membership is judged on the day of the entry or of a changed line-up, not again afterwards;
- the register's clubs are the Union's (§ 6.7.3.1);
- the club's order of the boards stands; the leader is told where ratings say otherwise (§ 6.7.2.1).
Not for line-ups of teams that play (lineup.py) nor for the divisions (composition.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.league.lineup import PARAGRAPH as LINEUP_PARAGRAPH
from kskak.league.lineup import (
    BoardPlayer,
    Lineup,
    LineupFault,
    boards_out_of_order,
    lineup_findings,
)

NEW_TEAMS = 3
"""The division that a team new to the league is assumed to get (§ 6.7.5.1)."""


class TeamFault(StrEnum):
    """What a team entry lacks, or why it is refused."""

    NO_FEE = "no_fee"
    LATE = "late"
    CLOSED = "closed"
    NO_CLUB = "no_club"
    CAPTAIN_LEADS = "captain_leads"
    PLAYERS = "players"
    OTHER_CLUB = "other_club"
    TWO_CLUBS = "two_clubs"
    TWO_DIVISION_TEAMS = "two_division_teams"
    TWO_TEAMS_OF_CLUB = "two_teams_of_club"
    NOT_ITS_TEAM = "not_its_team"
    QUARANTINED = "quarantined"
    OVER = "over"


PARAGRAPH = {
    TeamFault.NO_FEE: "6.4.4.1",
    TeamFault.LATE: "6.7.4.2",
    TeamFault.CLOSED: "6.7.4.1",
    TeamFault.NO_CLUB: "6.7.3.1",
    TeamFault.CAPTAIN_LEADS: "6.7.2.2",
    TeamFault.PLAYERS: "6.7.2.1",
    TeamFault.OTHER_CLUB: "6.7.3.2",
    TeamFault.TWO_CLUBS: "6.7.3.2",
    TeamFault.TWO_DIVISION_TEAMS: "6.7.3.2",
    TeamFault.TWO_TEAMS_OF_CLUB: "6.7.3.3",
    TeamFault.NOT_ITS_TEAM: "6.7.5.1",
    TeamFault.QUARANTINED: "6.4.2",
    TeamFault.OVER: "6.7.4.1",
}
_OF_LINEUP = {
    LineupFault.PLAYERS: TeamFault.PLAYERS,
    LineupFault.OTHER_CLUB: TeamFault.OTHER_CLUB,
    LineupFault.TWO_CLUBS: TeamFault.TWO_CLUBS,
    LineupFault.TWO_DIVISION_TEAMS: TeamFault.TWO_DIVISION_TEAMS,
    LineupFault.TWO_TEAMS_OF_CLUB: TeamFault.TWO_TEAMS_OF_CLUB,
}
"""What is judged of a line-up at entry; the rest waits until the groups are known."""
assert all(LINEUP_PARAGRAPH[one] == PARAGRAPH[same] for one, same in _OF_LINEUP.items())


@dataclass(frozen=True, slots=True)
class LastTeam:
    """The team of the last league that comes back: its division and its group there."""

    division: int
    group: str


@dataclass(frozen=True, slots=True)
class EnteredTeam:
    """A team as entered; ``number`` tells it from others, ``last`` None: a new team.

    A player's ``club`` is that of their membership on the day, or their main district.
    """

    number: int
    club: str
    boards: tuple[BoardPlayer, ...]
    last: LastTeam | None = None

    @property
    def lineup(self) -> Lineup:
        """As the checks of the league see it before the divisions are composed (reading)."""
        division = NEW_TEAMS if self.last is None else self.last.division
        group = f"new {self.number}" if self.last is None else self.last.group
        return Lineup(club_key(self.club), division, self.boards, group)


@dataclass(frozen=True, slots=True)
class TeamPapers:
    """When the entry came in, its deadline, and when the leader got the fee (§ 6.4.4.1).

    ``asks``: the club asks the leader to permit playing for two clubs (§ 6.7.3.2).
    """

    entered: date
    deadline: date | None
    fee: date | None
    asks: bool = False


@dataclass(frozen=True, slots=True)
class TeamFinding:
    """A fault and the players it concerns."""

    fault: TeamFault
    players: tuple[str, ...] = ()

    @property
    def paragraph(self) -> str:
        return PARAGRAPH[self.fault]


def club_key(club: str | None) -> str:
    """A club, however its name is written; empty for none (§ 6.7.3.3)."""
    return " ".join((club or "").split()).casefold()


def player_of_club(player: str, club: str | None, rating: int, *, may: bool = False) -> BoardPlayer:
    """A player as these checks compare them; ``may``: the leader's permission (§ 6.7.3.2)."""
    return BoardPlayer(player, club_key(club), rating, may)


def team_findings(
    team: EnteredTeam,
    before: Sequence[EnteredTeam],
    papers: TeamPapers,
    quarantined: Sequence[str] = (),
) -> tuple[TeamFinding, ...]:
    """What stands against a team entry on the day it is made (§ 6.7.2-6.7.4).

    ``before``: the season's earlier entries that count.
    """
    found: list[TeamFinding] = []
    if papers.fee is None:
        found.append(TeamFinding(TeamFault.NO_FEE))
    if papers.deadline is not None and papers.entered > papers.deadline:
        found.append(TeamFinding(TeamFault.LATE))
    lineups = [*(other.lineup for other in before), team.lineup]
    merged: dict[TeamFault, tuple[str, ...]] = {}
    for one in lineup_findings(lineups):
        fault = _OF_LINEUP.get(one.fault)
        if fault is not None and one.team == len(before):
            merged[fault] = tuple(dict.fromkeys((*merged.get(fault, ()), *one.players)))
    found += [TeamFinding(fault, players) for fault, players in merged.items()]
    barred = tuple(row.player for row in team.boards if row.player in quarantined)
    if barred:
        found.append(TeamFinding(TeamFault.QUARANTINED, barred))
    return tuple(found)


def refusing(findings: Sequence[TeamFinding], papers: TeamPapers) -> tuple[TeamFinding, ...]:
    """Those that neither a fee nor the permission asked for can mend (§ 6.4.4.1, § 6.7.3.2)."""
    mended = {TeamFault.NO_FEE} | ({TeamFault.TWO_CLUBS} if papers.asks else set())
    return tuple(one for one in findings if one.fault not in mended)


def crooked_boards(team: EnteredTeam) -> tuple[int, ...]:
    """The boards out of rating order, for the leader to look at (§ 6.7.2.1)."""
    return boards_out_of_order(team.lineup)


class Comeback(StrEnum):
    """What a club does in the next season."""

    BACK = "back"
    NEW = "new"
    LEFT = "left"
