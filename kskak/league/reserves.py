"""Reserves of a league team, and the pause that goes with one (§ 6.7.4.3).

Readings:
- "not much stronger" is at most a set number of rating points above the player replaced; the
  number is the leader's setting and is shown as a reading;
- club and strength are what the register says. The captain's word counts only where it says
  nothing; a player not in it, or of another club, plays only with the leader's express permission;
- the 14 days are per board and change: a second request for the same change, after a refused
  one, has the days that are left. What stood still stays so: nobody loses promised days.
Not for the time account of the pause (§ 6.3, the ledger's ``pause``).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.league.lineup import DIVISION_TEAMS, Lineup
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import EMAIL
from kskak.regulation.tournament_numbers import LEAGUE

STRONGER_BY = 100
"""How many rating points stronger a reserve may be, unless the leader sets another number."""


class ReserveFault(StrEnum):
    """Why a reserve can't play, or not yet."""

    TOO_MANY = "too_many"
    TOO_STRONG = "too_strong"
    NOT_APPROVED = "not_approved"
    ON_THE_TEAM = "on_the_team"
    ON_ANOTHER_TEAM = "on_another_team"
    OTHER_CLUB = "other_club"
    NOT_IN_REGISTER = "not_in_register"
    OTHER_RATING = "other_rating"
    NO_RATING = "no_rating"
    PAUSE_USED = "pause_used"


BY_LEAVE = frozenset({ReserveFault.OTHER_CLUB, ReserveFault.NOT_IN_REGISTER})
"""What the leader may overlook to let a reserve play, giving a reason (§ 6.7.3.2)."""
PARAGRAPH = {
    ReserveFault.TOO_MANY: "6.7.4.3",
    ReserveFault.TOO_STRONG: "6.7.4.3",
    ReserveFault.NOT_APPROVED: "6.7.4.3",
    ReserveFault.ON_THE_TEAM: "6.7.4.3",
    ReserveFault.ON_ANOTHER_TEAM: "6.7.3.2",
    ReserveFault.OTHER_CLUB: "6.7.3.2",
    ReserveFault.NOT_IN_REGISTER: "6.7.3.2",
    ReserveFault.OTHER_RATING: "6.7.4.3",
    ReserveFault.NO_RATING: "6.7.4.3",
    ReserveFault.PAUSE_USED: "6.7.4.3",
}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known here of a person (§ 6.7.3.2, § 6.7.6.2).

    ``club`` is their club or, for an individual member, their main district; None: none. The
    ratings are those in force. ``is_member``: a member now, according to the register.
    """

    is_member: bool
    club: str | None
    k_rating: int | None
    otb_rating: int | None

    @property
    def strength(self) -> int | None:
        """The K-rating, or else the over-the-board rating (§ 6.7.6.2)."""
        return self.k_rating if self.k_rating is not None else self.otb_rating


@dataclass(frozen=True, slots=True)
class Said:
    """What a captain says of a reserve; None where it is left to the register."""

    club: str | None
    rating: int | None


def club_counted(said: Said, known: Known | None, team: str) -> str:
    """The club that counts for a reserve (§ 6.7.3.2): the register's for its members, "" for none.

    For a non-member what is known here, else what the captain says, else the team's.
    """
    if known is not None and known.is_member:
        return known.club or ""
    return (known.club if known is not None else None) or said.club or team


def against_register(said: Said, known: Known | None) -> tuple[ReserveFault, ...]:
    """What in the register contradicts what is said of a reserve (§ 6.7.3.2, § 6.7.4.3).

    ``known`` None: nobody here has that address. The club is checked by ``reserve_faults``.
    """
    strength = None if known is None else known.strength
    checks = {
        ReserveFault.NOT_IN_REGISTER: known is None or not known.is_member,
        ReserveFault.OTHER_RATING: None not in (said.rating, strength) and said.rating != strength,
        ReserveFault.NO_RATING: said.rating is None and strength is None,
    }
    return tuple(fault for fault, stands in checks.items() if stands)


def left_to_pause(used: Iterable[tuple[date, date]], on: date) -> int:
    """Days of pause left on a day for a board's change, after those ``used`` (first, last day).

    § 6.7.4.3: 14 in all, each day once; only the days before ``on`` are used up.
    """
    rested = {first + ONE_DAY * n for first, last in used for n in range((last - first).days + 1)}
    return max(EMAIL.reserve_pause_days - sum(day < on for day in rested), 0)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Who is to take over the running games of a board (from 1), and on which day."""

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

    ``others`` are the league's other teams. ValueError for a board the team does not have.
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
    """Whether the reserve is on another team, and may not be on both (§ 6.7.3.2)."""
    if all(wanted.reserve != row.player for row in other.boards):
        return False
    same_group = (team.division, team.group) == (other.division, other.group)
    both_divisions = team.division in DIVISION_TEAMS and other.division in DIVISION_TEAMS
    return same_group or both_divisions


def longest_pause(first: date, left: int = EMAIL.reserve_pause_days) -> tuple[date, date]:
    """The first and last day of the longest pause that begins on a day: 14 days (§ 6.7.4.3).

    ``left`` days where the same change has used some already (left_to_pause); at least one.
    """
    return first, first + ONE_DAY * (left - 1)
