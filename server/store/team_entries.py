"""Stored team entries to the league, with their boards (§ 6.7.3, § 6.7.4.1).

Not for what an entry lacks (kskak.league.lineups) nor for who may change it (usecases).
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    delete,
    func,
    insert,
    select,
    union_all,
    update,
)

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, one_of, rows_of, values_of
from server.store.player_entries import (
    OPEN_STATES,
    CommonEntryRow,
    add_any_entry,
    change_any_entry,
)
from server.store.tables.base import groups, people
from server.store.tables.people import clubs, districts
from server.store.tables.tournaments import (
    club_admins,
    entries,
    entry_lists,
    league_teams,
    team_entries,
    team_entry_boards,
)

COUNTED_STATES = (*OPEN_STATES, "placed")
"""States in which an entry ties up its players and its team of last season."""


@dataclass(frozen=True, slots=True)
class TeamEntryRow(CommonEntryRow):
    """A stored team entry; ``club`` is the club's name, or the main district's."""

    season: int
    club_id: int | None
    district_id: int | None
    club: str
    captain_id: int
    captain: str
    continues: int | None
    lineup_us: int

    @property
    def party(self) -> str:
        """Who owes the fee."""
        return self.club

    @property
    def is_individual(self) -> bool:
        """Whether it is a team of a main district's individual members (§ 6.7.3.1)."""
        return self.district_id is not None


@dataclass(frozen=True, slots=True)
class NewTeamEntryBoard:
    """A player on a board of an entry; boards count from 1."""

    board: int
    person_id: int
    told_rating: int | None
    told_class: str | None
    own_entry: int | None


@dataclass(frozen=True, slots=True)
class TeamEntryBoardRow(NewTeamEntryBoard):
    """A stored board, with the name; ``leave_by``: who allowed playing for two clubs."""

    entry_id: int
    leave_by: int | None
    leave_us: int | None
    leave_reason: str | None
    name: str


_SELECT: Select[*tuple[Any, ...]] = (
    select(
        *columns_of(
            TeamEntryRow,
            team_entries,
            club=func.coalesce(clubs.c.name, districts.c.name),
            captain=people.c.name,
            list_name=entry_lists.c.name,
            group=groups.c.name,
        )
    )
    .join(people, people.c.id == team_entries.c.captain_id)
    .join(entry_lists, entry_lists.c.id == team_entries.c.list_id)
    .outerjoin(clubs, clubs.c.id == team_entries.c.club_id)
    .outerjoin(districts, districts.c.id == team_entries.c.district_id)
    .outerjoin(groups, groups.c.id == team_entries.c.group_id)
)
_SEATS: Select[*tuple[Any, ...]] = (
    select(*columns_of(TeamEntryBoardRow, team_entry_boards, name=people.c.name))
    .join(people, people.c.id == team_entry_boards.c.person_id)
    .order_by(team_entry_boards.c.entry_id, team_entry_boards.c.board)
)


async def add_team_entry(
    conn: AsyncConnection, seats: Sequence[NewTeamEntryBoard], **values: object
) -> TeamEntryRow:
    """Store an entry with its boards."""
    entry_id = await add_any_entry(conn, team_entries, values)
    await seat(conn, entry_id, seats)
    return await the_entry(conn, entry_id)


async def change(conn: AsyncConnection, entry_id: int, **values: object) -> TeamEntryRow:
    """Update columns of an entry, and give it as it is then."""
    await change_any_entry(conn, team_entries, entry_id, values)
    return await the_entry(conn, entry_id)


async def the_entry(conn: AsyncConnection, entry_id: int) -> TeamEntryRow:
    """An entry that is there."""
    row = await find(conn, entry_id)
    assert row is not None
    return row


async def seat(conn: AsyncConnection, entry_id: int, seats: Sequence[NewTeamEntryBoard]) -> None:
    """Store an entry's boards, replacing the previous ones."""
    own = team_entry_boards.c.entry_id == entry_id
    await conn.execute(delete(team_entry_boards).where(own))
    rows = [values_of(one) | {"entry_id": entry_id} for one in seats]
    if rows:
        await conn.execute(insert(team_entry_boards), rows)


async def find(conn: AsyncConnection, entry_id: int) -> TeamEntryRow | None:
    """One entry."""
    return one_of(TeamEntryRow, await conn.execute(_SELECT.where(team_entries.c.id == entry_id)))


async def by_form(conn: AsyncConnection, by_id: int, key: str) -> TeamEntryRow | None:
    """The entry already made by the same form."""
    query = _SELECT.where(team_entries.c.entered_by == by_id, team_entries.c.form_key == key)
    return one_of(TeamEntryRow, await conn.execute(query))


async def list_season_entries(
    conn: AsyncConnection, season: int | None, states: Sequence[str] = COUNTED_STATES
) -> tuple[TeamEntryRow, ...]:
    """A season's entries in order of arrival; None: any season's."""
    query = _SELECT.where(team_entries.c.state.in_(states))
    if season is not None:
        query = query.where(team_entries.c.season == season)
    return rows_of(TeamEntryRow, await conn.execute(query.order_by(team_entries.c.id)))


async def list_club_entries(
    conn: AsyncConnection, club_ids: Collection[int], season: int
) -> tuple[TeamEntryRow, ...]:
    """Every entry of some clubs for a season, in any state, newest first."""
    query = _SELECT.where(team_entries.c.club_id.in_(list(club_ids)))
    query = query.where(team_entries.c.season == season).order_by(team_entries.c.id.desc())
    return rows_of(TeamEntryRow, await conn.execute(query))


async def seats_of(
    conn: AsyncConnection, entry_ids: Collection[int]
) -> dict[int, tuple[TeamEntryBoardRow, ...]]:
    """The boards of entries, by entry, from board 1."""
    found: dict[int, list[TeamEntryBoardRow]] = {}
    query = _SEATS.where(team_entry_boards.c.entry_id.in_(list(entry_ids)))
    for row in rows_of(TeamEntryBoardRow, await conn.execute(query)):
        found.setdefault(row.entry_id, []).append(row)
    return {entry_id: tuple(rows) for entry_id, rows in found.items()}


async def change_seat(
    conn: AsyncConnection, entry_id: int, person_id: int, values: Mapping[str, object]
) -> None:
    """Update columns of a player's board in an entry."""
    t = team_entry_boards
    query = update(t).where(t.c.entry_id == entry_id, t.c.person_id == person_id)
    await conn.execute(query.values(dict(values)))


async def free_individuals(conn: AsyncConnection, entry_id: int) -> None:
    """Put the own entries of a dissolved district team's players back on their list as before."""
    t = team_entry_boards
    own = select(t.c.own_entry).where(t.c.entry_id == entry_id, t.c.own_entry.is_not(None))
    query = update(entries).where(entries.c.id.in_(own.scalar_subquery()))
    await conn.execute(query.values(state="valid", since_day=entries.c.entered_day))


async def waiting_counts(conn: AsyncConnection) -> dict[int, int]:
    """How many entries of players and teams lack something, by list, in one query."""
    waiting = (select(t.c.list_id).where(t.c.state == "waiting") for t in (entries, team_entries))
    return dict(Counter((await conn.execute(union_all(*waiting))).scalars()))


def return_team_entries(conn: Connection, group_id: int) -> None:
    """Put the team entries of a division whose start is undone back as before.

    Individual members stay placed in their team, which is not dissolved.
    """
    t = team_entry_boards.c
    boards = select(t.own_entry).join(team_entries, team_entries.c.id == t.entry_id)
    own = boards.where(team_entries.c.group_id == group_id, t.own_entry.is_not(None))
    held = update(entries).where(entries.c.id.in_(own.scalar_subquery()))
    conn.execute(held.values(state="placed", group_id=None))
    query = update(team_entries).where(team_entries.c.group_id == group_id)
    conn.execute(query.values(state="valid", group_id=None))


def let_go(conn: Connection, group_id: int) -> None:
    """Let no entry continue the teams of a division whose start is undone."""
    own = select(league_teams.c.id).where(league_teams.c.group_id == group_id)
    query = update(team_entries).where(team_entries.c.continues.in_(own.scalar_subquery()))
    conn.execute(query.values(continues=None))


# Who besides its captains may enter a club's teams (§ 6.7.2.2, § 6.7.4.1).


@dataclass(frozen=True, slots=True)
class ClubAdminRow:
    """A club administrator, with the names of club and person."""

    id: int
    club_id: int
    person_id: int
    club: str
    name: str


_SELECT_CLUB_ADMINISTRATORS = (
    select(*columns_of(ClubAdminRow, club_admins, club=clubs.c.name, name=people.c.name))
    .join(clubs, clubs.c.id == club_admins.c.club_id)
    .join(people, people.c.id == club_admins.c.person_id)
    .where(club_admins.c.to_us.is_(None))
    .order_by(clubs.c.name, people.c.name)
)


async def list_club_admins(
    conn: AsyncConnection, person_id: int | None = None, clubs_: Collection[int] | None = None
) -> tuple[ClubAdminRow, ...]:
    """The current club administrators: all, one person's, or of some clubs."""
    query = _SELECT_CLUB_ADMINISTRATORS
    if person_id is not None:
        query = query.where(club_admins.c.person_id == person_id)
    if clubs_ is not None:
        query = query.where(club_admins.c.club_id.in_(clubs_))
    return rows_of(ClubAdminRow, await conn.execute(query))


async def add_club_administrator(
    conn: AsyncConnection, club_id: int, person_id: int, by_id: int, now_us: int
) -> None:
    """Make somebody a club's administrator from now on."""
    row = {"club_id": club_id, "person_id": person_id, "from_us": now_us, "by_id": by_id}
    await conn.execute(insert(club_admins).values(row))


async def end(conn: AsyncConnection, row_id: int, now_us: int) -> bool:
    """End an administrator's term; False when it is not running."""
    query = update(club_admins).where(club_admins.c.id == row_id, club_admins.c.to_us.is_(None))
    return (await conn.execute(query.values(to_us=now_us))).rowcount == 1
