"""The facts for and against a reserve: from the register, the team and earlier pauses.

§ 6.7.3.2, § 6.7.4.3. Looked up when the captain asks and again when the leader decides, and shown
on the leader's desk. Not for what follows (reserving.py, reserve_deciding.py) nor for the rules.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from kskak.league.lineup import Lineup
from kskak.league.reserves import (
    BY_LEAVE,
    Known,
    Replacement,
    ReserveFault,
    Said,
    against_register,
    club_counted,
    left_to_pause,
    reserve_faults,
)
from server.store.league import desk as desk_rows
from server.store.league import divisions as rows
from server.store.league.desk import KnownRow, ReserveRow, ReserveState
from server.store.league.divisions import DivisionRow, TeamRow
from server.store.register.members import MemberKind
from server.usecases.league.lineups import current, lineup_of

MOST_NAMESAKES = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """A reserve as requested for a team's board on a day."""

    team: TeamRow
    division: DivisionRow
    board: int
    email: str
    said: Said
    on: date


@dataclass(frozen=True, slots=True)
class Judged:
    """The club and strength that count, and the faults found, excusable ones included."""

    club: str
    rating: int
    faults: tuple[ReserveFault, ...]
    known: Known | None
    namesakes: tuple[KnownRow, ...] = ()

    @property
    def needs_leave(self) -> bool:
        """Whether there are faults, all of which the leader may expressly excuse (§ 6.7.3.2)."""
        return bool(self.faults) and set(self.faults) <= BY_LEAVE


def known_of(row: KnownRow, on: date) -> Known:
    """What is stored about a person, as the rules see it on a day."""
    stands = row.until is None or row.until >= on.isoformat()
    kind = row.kind if stands else None
    club = {MemberKind.CLUB: row.member_club, MemberKind.INDIVIDUAL: row.district}.get(
        MemberKind(kind or MemberKind.NONE)
    )
    is_member = kind is not None and kind != MemberKind.NONE
    return Known(is_member, club if row.kind is not None else row.club, row.k_rating, row.rating)


def judged(conn: Connection, asked: Asked) -> Judged:
    """Judge a reserve by the register and the rules (§ 6.7.3.2, § 6.7.4.3)."""
    row = desk_rows.known(conn, asked.email) if asked.email else None
    known = None if row is None else known_of(row, asked.on)
    club = club_counted(asked.said, known, asked.team.club)
    strength = None if known is None else known.strength
    rating = strength if strength is not None else asked.said.rating
    wanted = Replacement(asked.board, asked.email, club, rating or 0, asked.on, asked.on)
    used = sum(one.state == ReserveState.IN for one in desk_rows.reserves(conn, [asked.team.id]))
    boards = rows.boards(conn, [asked.team.id])
    team = lineup_of(asked.team, asked.division, current(boards, asked.team.id))
    others, stronger_by = _others(conn, asked), asked.division.stronger_by
    faults = (
        *reserve_faults(team, wanted, used, others, stronger_by),
        *against_register(asked.said, known),
    )
    return Judged(club, rating or 0, faults, known)


def _others(conn: Connection, asked: Asked) -> tuple[Lineup, ...]:
    """The other teams of the season, as they play now."""
    out: list[Lineup] = []
    for division in rows.divisions(conn, asked.division.season):
        teams = rows.teams(conn, division.group_id)
        boards = rows.boards(conn, [team.id for team in teams])
        out += [lineup_of(t, division, boards) for t in teams if t.id != asked.team.id]
    return tuple(out)


def judged_again(
    conn: Connection, row: ReserveRow, team: TeamRow, division: DivisionRow, on: date
) -> Judged:
    """Judge a request again on a day: the register's rating counts, whatever it was when asked.

    Lists members of the same name where nobody has the address given.
    """
    said = Said(row.club, row.rating)
    found = judged(conn, Asked(team, division, row.board, row.email, said, on))
    faults = tuple(one for one in found.faults if one is not ReserveFault.OTHER_RATING)
    alike = desk_rows.namesakes(conn, row.name, MOST_NAMESAKES) if found.known is None else ()
    return replace(found, faults=faults, namesakes=alike)


def pause_left(earlier: Iterable[ReserveRow], board: int, replaced_id: int, on: date) -> int:
    """Pause days left on a day for a change at a board, after earlier requests (§ 6.7.4.3)."""
    same = [row for row in earlier if (row.board, row.replaced_id) == (board, replaced_id)]
    pauses = [
        (date.fromisoformat(row.pause_first), date.fromisoformat(row.pause_last))
        for row in same
        if row.pause_first is not None and row.pause_last is not None
    ]
    return left_to_pause(pauses, on)
