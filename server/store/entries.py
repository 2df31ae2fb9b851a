"""Stored tournament entries, and what people decided about them (§ 6.4.4).

Not for what an entry lacks (kskak.entries.entry) nor for who may change it (usecases).
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    Table,
    delete,
    func,
    insert,
    or_,
    select,
    union,
    union_all,
    update,
)

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, columns_of, one_of, row_insert, rows_of, values_of
from server.store.tables.all_tables import seal
from server.store.tables.base import groups, people, seats
from server.store.tables.cases import publications
from server.store.tables.people import clubs, districts, members
from server.store.tables.tournaments import (
    club_admins,
    entries,
    entry_lists,
    entry_rulings,
    league_teams,
    past_results,
    team_entries,
    team_entry_boards,
)

# Waiting lists: which tournament class is open, and who leads it (§ 6.1.1, § 6.5.1.1).


@dataclass(frozen=True, slots=True)
class ListRow:
    """A stored list. ``fee`` in øre, None: not stated."""

    id: int
    name: str
    event: str
    wish: str
    tournament: str
    regulation: str
    prefix: str
    leader_id: int
    fee: int | None
    is_open: bool
    opened_by: int
    created_us: int
    how_to_pay: str


_SELECT = select(*columns_of(ListRow, entry_lists))


async def add_list(conn: AsyncConnection, **values: object) -> int:
    """Open a list and return its id. StoreConflict when the name is taken."""
    return int((await conn.execute(row_insert(entry_lists, values))).scalar_one())


async def find_list(conn: AsyncConnection, list_id: int, *, lock: bool = False) -> ListRow | None:
    """One list; ``lock``: its entries are changed by nobody else until the transaction ends."""
    query = _SELECT.where(entry_lists.c.id == list_id)
    return one_of(ListRow, await conn.execute(query.with_for_update() if lock else query))


async def the_list(conn: AsyncConnection, list_id: int, *, lock: bool = False) -> ListRow:
    """A list that is there."""
    of = await find_list(conn, list_id, lock=lock)
    assert of is not None
    return of


async def everything(
    conn: AsyncConnection, *, only_open: bool = False, ids: Collection[int] | None = None
) -> tuple[ListRow, ...]:
    """All lists in the order they were opened; ``ids`` None: no restriction."""
    query = _SELECT.order_by(entry_lists.c.id)
    if ids is not None:
        query = query.where(entry_lists.c.id.in_(ids))
    if only_open:
        query = query.where(entry_lists.c.is_open)
    return rows_of(ListRow, await conn.execute(query))


async def change_list(conn: AsyncConnection, list_id: int, **values: object) -> None:
    """Change columns of a list. StoreConflict when a name is taken."""
    if values:
        query = update(entry_lists).where(entry_lists.c.id == list_id)
        await conn.execute(query.values(values))


async def counts(conn: AsyncConnection, state: str) -> dict[int, int]:
    """How many entries in a given state are on each list."""
    query = (
        select(entries.c.list_id, func.count())
        .where(entries.c.state == state)
        .group_by(entries.c.list_id)
    )
    return {row[0]: int(row[1]) for row in await conn.execute(query)}


# Stored tournament entries, and what people decided about them (§ 6.4.4).

OPEN_STATES = ("waiting", "valid")
"""States of an entry that may still become a place."""


@dataclass(frozen=True, slots=True)
class CommonEntryRow:
    """What is stored of any entry, a player's or a team's; days are ISO text."""

    id: int
    list_id: int
    list_name: str
    form_key: str | None
    entered_day: str
    entered_by: int
    created_us: int
    asks: bool
    fee_day: str | None
    fee_by: int | None
    fee_us: int | None
    state: str
    paragraph: str | None
    reason: str | None
    decided_by: int | None
    decided_us: int | None
    group_id: int | None
    group: str | None

    @property
    def is_open(self) -> bool:
        """Whether it may still become a place."""
        return self.state in OPEN_STATES


@dataclass(frozen=True, slots=True)
class EntryRow(CommonEntryRow):
    """A player's stored entry, with the names shown in every list."""

    person_id: int
    player: str
    member: str | None
    club: str | None
    born: str | None
    otb_rating: int | None
    k_rating: int | None
    proof: str
    proof_by: int | None
    proof_us: int | None
    since_day: str | None
    event: str
    wish: str

    @property
    def party(self) -> str:
        """Who owes the fee."""
        return self.player


@dataclass(frozen=True, slots=True)
class EntryRuling:
    """A discretionary ruling by a person (§ 6.5.3.2 e or § 6.5.2.2 f), with reason and name."""

    paragraph: str
    office: str
    by_id: int
    reason: str
    at_us: int
    name: str


_SELECT_OF_PLAYERS: Select[*tuple[Any, ...]] = (
    select(
        *columns_of(
            EntryRow,
            entries,
            player=people.c.name,
            list_name=entry_lists.c.name,
            event=entry_lists.c.event,
            wish=entry_lists.c.wish,
            group=groups.c.name,
        )
    )
    .join(people, people.c.id == entries.c.person_id)
    .join(entry_lists, entry_lists.c.id == entries.c.list_id)
    .outerjoin(groups, groups.c.id == entries.c.group_id)
)


async def add_any_entry(conn: AsyncConnection, table: Table, values: dict[str, object]) -> int:
    """Store an entry, a player's or a team's, with its fee sealed, and return its id."""
    entry_id = int((await conn.execute(row_insert(table, values))).scalar_one())
    await _seal_fee(conn, table, entry_id, values)
    return entry_id


async def change_any_entry(
    conn: AsyncConnection, table: Table, entry_id: int, values: dict[str, object]
) -> None:
    """Update columns of an entry, a player's or a team's."""
    await conn.execute(update(table).where(table.c.id == entry_id).values(values))
    await _seal_fee(conn, table, entry_id, values)


async def _seal_fee(
    conn: AsyncConnection, table: Table, entry_id: int, values: dict[str, object]
) -> None:
    if isinstance(received_us := values.get("fee_us"), int):
        await seal(conn, table, [entry_id], received_us)


async def add_entry(conn: AsyncConnection, **values: object) -> EntryRow:
    """Store an entry."""
    return await the_entry(conn, await add_any_entry(conn, entries, values))


async def change_entry(conn: AsyncConnection, entry_id: int, **values: object) -> EntryRow:
    """Update columns of an entry, and give it as it is then."""
    await change_any_entry(conn, entries, entry_id, values)
    return await the_entry(conn, entry_id)


async def the_entry(conn: AsyncConnection, entry_id: int) -> EntryRow:
    """An entry that is there."""
    row = await find_entry(conn, entry_id)
    assert row is not None
    return row


async def find_entry(conn: AsyncConnection, entry_id: int) -> EntryRow | None:
    """One entry."""
    return one_of(EntryRow, await conn.execute(_SELECT_OF_PLAYERS.where(entries.c.id == entry_id)))


async def by_form(conn: AsyncConnection, person_id: int, key: str) -> EntryRow | None:
    """The entry already made by the same form."""
    query = _SELECT_OF_PLAYERS.where(entries.c.person_id == person_id, entries.c.form_key == key)
    return one_of(EntryRow, await conn.execute(query))


async def entries_of(conn: AsyncConnection, *person_ids: int) -> tuple[EntryRow, ...]:
    """All entries of some people, newest first."""
    query = _SELECT_OF_PLAYERS.where(entries.c.person_id.in_(person_ids))
    return rows_of(EntryRow, await conn.execute(query.order_by(entries.c.id.desc())))


async def on_lists(
    conn: AsyncConnection, lists: Collection[int] | None, states: Sequence[str]
) -> tuple[EntryRow, ...]:
    """The entries in some states on some lists (None: all), in waiting-list order."""
    query = _SELECT_OF_PLAYERS.where(entries.c.state.in_(states))
    if lists is not None:
        query = query.where(entries.c.list_id.in_(lists))
    query = query.order_by(entries.c.list_id, entries.c.since_day, entries.c.id)
    return rows_of(EntryRow, await conn.execute(query))


async def place_entries(conn: AsyncConnection, ids: Sequence[int], group_id: int) -> None:
    """Record that entries have become places in a group."""
    query = update(entries).where(entries.c.id.in_(list(ids)))
    await conn.execute(query.values(state="placed", group_id=group_id))


def return_entries_to_list(conn: Connection, group_id: int) -> None:
    """Put the entries of a group whose start is undone back on their list as before."""
    query = update(entries).where(entries.c.group_id == group_id)
    conn.execute(query.values(state="valid", group_id=None))


def add_ruling(conn: Connection, entry_id: int, ruling: EntryRuling) -> None:
    """Store what a person decided about an entry."""
    values = values_of(ruling) | {"entry_id": entry_id}
    del values["name"]
    conn.execute(insert(entry_rulings).values(values))


async def rulings_of(
    conn: AsyncConnection, ids: Sequence[int]
) -> dict[int, tuple[EntryRuling, ...]]:
    """What people decided about entries, by entry, oldest first."""
    found: dict[int, tuple[EntryRuling, ...]] = {}
    query = (
        select(
            entry_rulings.c.entry_id, *columns_of(EntryRuling, entry_rulings, name=people.c.name)
        )
        .join(people, people.c.id == entry_rulings.c.by_id)
        .where(entry_rulings.c.entry_id.in_(list(ids)))
        .order_by(entry_rulings.c.id)
    )
    for entry_id, *rest in await conn.execute(query):
        found[entry_id] = (*found.get(entry_id, ()), EntryRuling(*rest))
    return found


# Results from before the server or from elsewhere, entered by officials with their source.


@dataclass(frozen=True, slots=True)
class PastResult:
    """A result as it is entered: ``halves`` are half points, ``entries`` those to a cup's first
    round; ``finished`` None while it is still being played elsewhere.
    """

    event: str
    wish: str
    name: str
    finished: date | None
    halves: int
    games: int
    source: str
    unfinished: int = 0
    place: int | None = None
    entries: int = 0
    semi_held: bool = True


@dataclass(frozen=True, slots=True)
class PastResultRow(PastResult):
    """A stored result; ``entered_by`` None: imported from a file."""

    person_id: int = 0
    id: int = 0
    entered_by: int | None = None


_SELECT_PAST_RESULTS = select(*columns_of(PastResultRow, past_results))


async def add_past_result(
    conn: AsyncConnection, person_id: int, result: PastResult, at_us: int, by: int | None
) -> int:
    """Store a player's result and return its id; ``by`` None: imported from a file."""
    values = values_of(result) | {"person_id": person_id, "at_us": at_us, "entered_by": by}
    return int((await conn.execute(row_insert(past_results, values))).scalar_one())


async def past_results_of(conn: AsyncConnection, *person_ids: int) -> tuple[PastResultRow, ...]:
    """The valid results of some players, in the order they were entered."""
    query = _SELECT_PAST_RESULTS.where(
        past_results.c.person_id.in_(person_ids), past_results.c.removed_us.is_(None)
    ).order_by("id")
    return rows_of(PastResultRow, await conn.execute(query))


async def list_right_holders(
    conn: AsyncConnection, spans: Sequence[tuple[str, str]]
) -> tuple[int, ...]:
    """Whose groups were published, or past results finished, on the days (ISO) of some spans."""
    of_groups = (
        select(seats.c.person_id)
        .join(publications, publications.c.group_id == seats.c.group_id)
        .where(publications.c.prizes_until.is_not(None))
        .where(or_(*(publications.c.day.between(*span) for span in spans)))
    )
    in_spans = or_(*(past_results.c.finished.between(*span) for span in spans))
    of_past = select(past_results.c.person_id).where(in_spans, past_results.c.removed_us.is_(None))
    return tuple(sorted((await conn.execute(union(of_groups, of_past))).scalars()))


async def remove_past_result(conn: AsyncConnection, result_id: int, by: int, now_us: int) -> bool:
    """Remove a result; False when there is none or it is already removed."""
    query = update(past_results).where(
        past_results.c.id == result_id, past_results.c.removed_us.is_(None)
    )
    done = await conn.execute(query.values(removed_by=by, removed_us=now_us))
    return done.rowcount == 1


# Stored team entries to the league, with their boards (§ 6.7.3, § 6.7.4.1).

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


_SELECT_OF_TEAMS: Select[*tuple[Any, ...]] = (
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
    await seat_team(conn, entry_id, seats)
    return await the_team_entry(conn, entry_id)


async def change_team_entry(conn: AsyncConnection, entry_id: int, **values: object) -> TeamEntryRow:
    """Update columns of an entry, and give it as it is then."""
    await change_any_entry(conn, team_entries, entry_id, values)
    return await the_team_entry(conn, entry_id)


async def the_team_entry(conn: AsyncConnection, entry_id: int) -> TeamEntryRow:
    """An entry that is there."""
    row = await find_team_entry(conn, entry_id)
    assert row is not None
    return row


async def seat_team(
    conn: AsyncConnection, entry_id: int, seats: Sequence[NewTeamEntryBoard]
) -> None:
    """Store an entry's boards, replacing the previous ones."""
    own = team_entry_boards.c.entry_id == entry_id
    await conn.execute(delete(team_entry_boards).where(own))
    rows = [values_of(one) | {"entry_id": entry_id} for one in seats]
    if rows:
        await conn.execute(insert(team_entry_boards), rows)


def read_team(conn: Connection, entry_id: int) -> tuple[TeamEntryRow | None, list[int]]:
    """One entry, and its players from board 1."""
    row = one_of(TeamEntryRow, conn.execute(_SELECT_OF_TEAMS.where(team_entries.c.id == entry_id)))
    own = conn.execute(_SEATS.where(team_entry_boards.c.entry_id == entry_id))
    return row, [one.person_id for one in rows_of(TeamEntryBoardRow, own)]


async def find_team_entry(conn: AsyncConnection, entry_id: int) -> TeamEntryRow | None:
    """One entry."""
    query = _SELECT_OF_TEAMS.where(team_entries.c.id == entry_id)
    return one_of(TeamEntryRow, await conn.execute(query))


async def team_entry_by_form(conn: AsyncConnection, by_id: int, key: str) -> TeamEntryRow | None:
    """The entry already made by the same form."""
    query = _SELECT_OF_TEAMS.where(
        team_entries.c.entered_by == by_id, team_entries.c.form_key == key
    )
    return one_of(TeamEntryRow, await conn.execute(query))


async def team_form_keys(conn: AsyncConnection) -> frozenset[str]:
    """The keys of the forms by which teams were entered that have not ended since."""
    query = select(team_entries.c.form_key).where(team_entries.c.form_key.is_not(None))
    return frozenset((await conn.execute(query)).scalars())


async def list_season_entries(
    conn: AsyncConnection, season: int | None, states: Sequence[str] = COUNTED_STATES
) -> tuple[TeamEntryRow, ...]:
    """A season's entries in order of arrival; None: any season's."""
    query = _SELECT_OF_TEAMS.where(team_entries.c.state.in_(states))
    if season is not None:
        query = query.where(team_entries.c.season == season)
    return rows_of(TeamEntryRow, await conn.execute(query.order_by(team_entries.c.id)))


async def list_club_entries(
    conn: AsyncConnection, club_ids: Collection[int], season: int
) -> tuple[TeamEntryRow, ...]:
    """Every entry of some clubs for a season, in any state, newest first."""
    query = _SELECT_OF_TEAMS.where(team_entries.c.club_id.in_(list(club_ids)))
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


async def list_club_admins(
    conn: AsyncConnection, person_id: int | None = None, clubs_: Collection[int] | None = None
) -> tuple[AnyRow, ...]:
    """The current club administrators: all, one person's, or of some clubs.

    By ``id``, with ``club_id`` and ``club``, ``person_id`` and ``name``.
    """
    query = (
        select(*club_admins.c["id", "club_id", "person_id"], clubs.c.name.label("club"))
        .add_columns(people.c.name)
        .join(clubs, clubs.c.id == club_admins.c.club_id)
        .join(people, people.c.id == club_admins.c.person_id)
        .where(club_admins.c.to_us.is_(None))
        .order_by(clubs.c.name, people.c.name)
    )
    if person_id is not None:
        query = query.where(club_admins.c.person_id == person_id)
    if clubs_ is not None:
        query = query.where(club_admins.c.club_id.in_(clubs_))
    return tuple(await conn.execute(query))


def list_admins_of_members(conn: Connection, members_: Collection[int]) -> tuple[int, ...]:
    """The current administrators of the clubs of some members, for a writer's own transaction."""
    own = select(members.c.club_id).where(members.c.person_id.in_(members_))
    query = select(club_admins.c.person_id).where(
        club_admins.c.to_us.is_(None), club_admins.c.club_id.in_(own)
    )
    return tuple(conn.execute(query.order_by(club_admins.c.id)).scalars())


async def add_club_administrator(
    conn: AsyncConnection, club_id: int, person_id: int, by_id: int, now_us: int
) -> None:
    """Make somebody a club's administrator from now on."""
    row = {"club_id": club_id, "person_id": person_id, "from_us": now_us, "by_id": by_id}
    await conn.execute(insert(club_admins).values(row))


async def end_club_administrator(conn: AsyncConnection, row_id: int, now_us: int) -> bool:
    """End an administrator's term; False when it is not running."""
    query = update(club_admins).where(club_admins.c.id == row_id, club_admins.c.to_us.is_(None))
    return (await conn.execute(query.values(to_us=now_us))).rowcount == 1
