"""What stands for and against a reserve: the register's facts, the team's, the pauses had.

§ 6.7.3.2, § 6.7.4.3. Asked when the captain asks, again when the leader decides, and shown on his
desk. Not for what is done then (reserving.py, reserve_deciding.py) nor for the rules.
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
    """A reserve as somebody names him, for a team's board on a day."""

    team: TeamRow
    division: DivisionRow
    board: int
    email: str
    said: Said
    on: date


@dataclass(frozen=True, slots=True)
class Judged:
    """The club and strength that count, and what stands against him, leave apart."""

    club: str
    rating: int
    faults: tuple[ReserveFault, ...]
    known: Known | None
    namesakes: tuple[KnownRow, ...] = ()

    @property
    def needs_leave(self) -> bool:
        """Whether he may play by the leader's express leave alone, and by that (§ 6.7.3.2)."""
        return bool(self.faults) and set(self.faults) <= BY_LEAVE


def known_of(row: KnownRow, on: date) -> Known:
    """What is kept of somebody, as the rules read it on a day."""
    stands = row.until is None or row.until >= on.isoformat()
    kind = row.kind if stands else None
    club = {MemberKind.CLUB: row.member_club, MemberKind.INDIVIDUAL: row.district}.get(
        MemberKind(kind or MemberKind.NONE)
    )
    is_member = kind is not None and kind != MemberKind.NONE
    return Known(is_member, club if row.kind is not None else row.club, row.k_rating, row.rating)


def judged(conn: Connection, asked: Asked) -> Judged:
    """A reserve held against the register and the rules (§ 6.7.3.2, § 6.7.4.3)."""
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
    """A request as it stands on a day: the register's number counts, whatever it was when asked.

    With the members of that name where nobody has the address that was given.
    """
    said = Said(row.club, row.rating)
    found = judged(conn, Asked(team, division, row.board, row.email, said, on))
    faults = tuple(one for one in found.faults if one is not ReserveFault.OTHER_RATING)
    alike = desk_rows.namesakes(conn, row.name, MOST_NAMESAKES) if found.known is None else ()
    return replace(found, faults=faults, namesakes=alike)


def pause_left(earlier: Iterable[ReserveRow], board: int, replaced_id: int, on: date) -> int:
    """Days of pause left on a day for a board's change, after its earlier requests (§ 6.7.4.3)."""
    same = [row for row in earlier if (row.board, row.replaced_id) == (board, replaced_id)]
    pauses = [
        (date.fromisoformat(row.pause_first), date.fromisoformat(row.pause_last))
        for row in same
        if row.pause_first is not None and row.pause_last is not None
    ]
    return left_to_pause(pauses, on)
