"""Reserves of a league team, and the pause that goes with one (§ 6.7.4.3).

Reading: "not much stronger" is at most so many rating points more than the player replaced; the
number is the leader's setting and is shown as a reading. Not for the time account of the pause
(§ 6.3, the ledger's ``pause``).
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.days import ONE_DAY
from kskak.editions import EMAIL
from kskak.forms import LEAGUE
from kskak.lineup import DIVISION_TEAMS, Lineup

STRONGER_BY = 100
"""Rating points that a reserve may be stronger by, unless the leader sets another number."""


class ReserveFault(StrEnum):
    """Why a reserve can't go in, or not yet."""

    TOO_MANY = "too_many"
    TOO_STRONG = "too_strong"
    NOT_APPROVED = "not_approved"
    ON_THE_TEAM = "on_the_team"
    ON_ANOTHER_TEAM = "on_another_team"
    OTHER_CLUB = "other_club"


PARAGRAPH = {
    ReserveFault.TOO_MANY: "6.7.4.3",
    ReserveFault.TOO_STRONG: "6.7.4.3",
    ReserveFault.NOT_APPROVED: "6.7.4.3",
    ReserveFault.ON_THE_TEAM: "6.7.4.3",
    ReserveFault.ON_ANOTHER_TEAM: "6.7.3.2",
    ReserveFault.OTHER_CLUB: "6.7.3.2",
}


@dataclass(frozen=True, slots=True)
class Replacement:
    """Who is to carry on the running games of a board (from 1); ``on`` is the day it would be."""

    board: int
    reserve: str
    club: str
    rating: int
    on: date
    approved: date | None = None


def reserve_faults(
    team: Lineup,
    wanted: Replacement,
    used: int,
    others: Collection[Lineup] = (),
    stronger_by: int = STRONGER_BY,
) -> tuple[ReserveFault, ...]:
    """What stands against a reserve (§ 6.7.4.3); ``used`` counts the team's reserves so far.

    ``others`` are the league's other teams. ValueError for a board that the team has not.
    """
    if not 1 <= wanted.board <= len(team.boards):
        raise ValueError(f"there is no board {wanted.board}")
    replaced = team.boards[wanted.board - 1]
    checks = {
        ReserveFault.TOO_MANY: used >= LEAGUE.reserves,
        ReserveFault.TOO_STRONG: wanted.rating > replaced.rating + stronger_by,
        ReserveFault.NOT_APPROVED: wanted.approved is None or wanted.approved > wanted.on,
        ReserveFault.ON_THE_TEAM: any(wanted.reserve == row.player for row in team.boards),
        ReserveFault.ON_ANOTHER_TEAM: any(_clashes(team, wanted, other) for other in others),
        ReserveFault.OTHER_CLUB: wanted.club != team.club,
    }
    return tuple(fault for fault, stands in checks.items() if stands)


def _clashes(team: Lineup, wanted: Replacement, other: Lineup) -> bool:
    """Whether he is on another team that he may not be on at once (§ 6.7.3.2)."""
    if all(wanted.reserve != row.player for row in other.boards):
        return False
    same_group = (team.division, team.group) == (other.division, other.group)
    both_divisions = team.division in DIVISION_TEAMS and other.division in DIVISION_TEAMS
    return same_group or both_divisions


def longest_pause(first: date) -> tuple[date, date]:
    """The first and last day of the longest pause that begins on a day: 14 days (§ 6.7.4.3)."""
    return first, first + ONE_DAY * (EMAIL.reserve_pause_days - 1)


class Transfer(StrEnum):
    """What a club may choose when a player of its team leaves it (§ 6.7.4.3)."""

    PLAYS_ON = "plays_on"
    RESERVE = "reserve"


def transfer_choices(used: int) -> tuple[Transfer, ...]:
    """The choices left after so many reserves: without one left he plays on (§ 6.7.4.3)."""
    return tuple(Transfer) if used < LEAGUE.reserves else (Transfer.PLAYS_ON,)
