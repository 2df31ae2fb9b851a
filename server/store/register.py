"""Writing the register: in bulk, with few statements however many rows there are.

``people.club``, ``rating`` and ``k_rating`` are what lists print: they are updated here, in the
same transaction as the tables they derive from. Not for deciding what changes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import (
    Executable,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from server.store.account.sign_in import digest
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import (
    columns_of,
    insert_of,
    one_of,
    portions,
    row_insert,
    rows_of,
    values_of,
)
from server.store.members import ClubRow, RatingRow
from server.store.tables import base as base_tables
from server.store.tables.base import games, outbox, people
from server.store.tables.people import (
    clubs,
    districts,
    join_requests,
    member_changes,
    members,
    rating_calculations,
    ratings,
)
from server.store.tables.tournaments import club_admins, league_teams, team_entries

BATCH = 500
"""Rows per statement, below every database's parameter limit."""
UNSETTLED = "ratings_unsettled"
NO_MAIL = "no-mail.invalid"
"""The domain used for people without an address: mail to it can never be delivered."""


Rows = Sequence[Mapping[str, object]]
"""Rows to store, by column."""


async def hold(conn: AsyncConnection) -> None:
    """Lock the register until the transaction ends; SQLite has only one writer anyway."""
    if conn.dialect.name == "postgresql":
        names = "people, members, clubs, districts, ratings"
        await conn.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


async def put_rows(conn: AsyncConnection, statement: Executable, rows: Rows) -> None:
    """Run a statement for rows, by column, however many."""
    for part in portions(rows, BATCH):
        await conn.execute(statement, [dict(row) for row in part])


async def add_people(conn: AsyncConnection, new: Rows, now_us: int) -> list[int]:
    """Store new people; their ids, in the order given. StoreConflict for a taken address."""
    # By address, which is unique: neither order of returned rows is guaranteed by both databases.
    ids: dict[str, int] = {}
    made = insert(people).returning(people.c.email, people.c.id)
    for part in portions([{**person, "created_us": now_us} for person in new], BATCH):
        ids |= {row[0]: row[1] for row in await conn.execute(made, part)}
    return [ids[str(person["email"])] for person in new]


async def change_people(conn: AsyncConnection, changed: Mapping[int, Mapping[str, object]]) -> None:
    """Store people's changed data, by id. StoreConflict for a taken address."""
    names = next(iter(changed.values()), {})
    change = update(people).where(people.c.id == bindparam("key"))
    change = change.values({name: bindparam(f"new_{name}") for name in names})
    rows = [
        {"key": person_id} | {f"new_{name}": value for name, value in values.items()}
        for person_id, values in changed.items()
    ]
    await put_rows(conn, change, rows)


async def _upsert(conn: AsyncConnection, table: Table, key: Sequence[str], rows: Rows) -> None:
    """Insert rows, replacing any with the same key."""
    made = insert_of(conn.dialect.name, table)
    if not rows:
        return
    kept = {name: made.excluded[name] for name in rows[0] if name not in key}
    statement = made.on_conflict_do_update(index_elements=list(key), set_=kept)
    await put_rows(conn, statement, rows)


async def put_members(conn: AsyncConnection, rows: Rows) -> None:
    """Store memberships."""
    await _upsert(conn, members, ("person_id",), rows)


async def put_ratings(
    conn: AsyncConnection, rows: Sequence[RatingRow], now_us: int, by: int | None
) -> None:
    """Store entered ratings, and update what lists print for those people.

    What was computed from the earliest of their days on must be computed again.
    """
    key = ("person_id", "kind", "on_day", "is_computed")
    entered = {"entered_us": now_us, "entered_by": by}
    await _upsert(conn, ratings, key, [values_of(row) | entered for row in rows])
    await print_ratings(conn, {row.person_id for row in rows})
    if rows:
        await mark_ratings_outdated(conn, min(row.on_day for row in rows))


async def remove_rating(conn: AsyncConnection, person_id: int, kind: str, on_day: str) -> bool:
    """Remove an entered rating; False when there is none for that day (ISO)."""
    of = and_(
        ratings.c.person_id == person_id,
        ratings.c.kind == kind,
        ratings.c.on_day == on_day,
        ~ratings.c.is_computed,
    )
    if (await conn.execute(delete(ratings).where(of))).rowcount == 0:
        return False
    column = {"k": people.c.k_rating, "otb": people.c.rating}[kind]
    await conn.execute(update(people).where(people.c.id == person_id).values({column: None}))
    await print_ratings(conn, [person_id])
    await mark_ratings_outdated(conn, on_day)
    return True


async def mark_ratings_outdated(conn: AsyncConnection, on_day: str) -> None:
    """Mark computed ratings from an ISO day on, if any, as out of date with the entered ones."""
    made = exists().where(rating_calculations.c.is_last, rating_calculations.c.day >= on_day)
    since = await base_tables.get(conn, UNSETTLED)
    if (not since or on_day < since) and (await conn.execute(select(made))).scalar_one():
        await base_tables.put_value(conn, UNSETTLED, on_day)


async def unsettled_since(conn: AsyncConnection) -> str | None:
    """The ISO day from which ratings must be computed again; None: all are up to date."""
    return await base_tables.get(conn, UNSETTLED) or None


async def mark_ratings_current(conn: AsyncConnection) -> None:
    """Mark all computed ratings as up to date with the entered ones."""
    await base_tables.put_value(conn, UNSETTLED, "")


async def print_ratings(conn: AsyncConnection, ids: Iterable[int]) -> None:
    """Make each kind's rating in force the one that lists print."""

    def newest(kind: str) -> object:
        return (
            select(ratings.c.value)
            .where(ratings.c.person_id == people.c.id, ratings.c.kind == kind)
            .order_by(ratings.c.on_day.desc(), ratings.c.is_computed.desc())
            .limit(1)
            .scalar_subquery()
        )

    kept = {
        "rating": func.coalesce(newest("otb"), people.c.rating),
        "k_rating": func.coalesce(newest("k"), people.c.k_rating),
    }
    for some in portions(sorted(ids), BATCH):
        await conn.execute(update(people).where(people.c.id.in_(some)).values(kept))


async def put_changes(conn: AsyncConnection, rows: Rows) -> None:
    """Record changes."""
    await put_rows(conn, insert(member_changes), rows)


async def add_districts(conn: AsyncConnection, names: Sequence[str]) -> dict[str, int]:
    """Store new main districts and return their ids by name."""
    if not names:
        return {}
    made = insert(districts).returning(districts.c.name, districts.c.id)
    rows = await conn.execute(made, [{"name": name} for name in names])
    return {row[0]: row[1] for row in rows}


async def add_clubs(conn: AsyncConnection, rows: Rows) -> None:
    """Store new clubs: ``number``, ``name``, ``district_id``."""
    await put_rows(conn, insert(clubs), rows)


async def end_club(
    conn: AsyncConnection, club: ClubRow, into: ClubRow | None, day: str, now_us: int
) -> list[int]:
    """End a club on a day (ISO): its members, administrators and entered teams go ``into`` another,
    or their membership and office end. Returns whose membership changed.

    A team that plays gets the new club's name, unless that club has one in its group (§ 6.7.3.3).
    """
    own = members.c.club_id == club.id
    stands = or_(members.c.until.is_(None), members.c.until > day)
    mine = select(members.c.person_id).where(own, stands).order_by(members.c.person_id)
    ids = list((await conn.execute(mine)).scalars())
    await conn.execute(update(clubs).where(clubs.c.id == club.id).values(ended=day))
    admins = update(club_admins).where(club_admins.c.club_id == club.id)
    admins = admins.where(club_admins.c.to_us.is_(None))
    if into is None:
        await conn.execute(update(members).where(own, stands).values(until=day))
        await conn.execute(update(people).where(people.c.id.in_(ids)).values(club=None))
        await conn.execute(admins.values(to_us=now_us))
        return ids
    await conn.execute(update(members).where(own, stands).values(club_id=into.id))
    await conn.execute(update(people).where(people.c.id.in_(ids)).values(club=into.name))
    await conn.execute(admins.values(club_id=into.id))
    entered = update(team_entries).where(team_entries.c.club_id == club.id)
    await conn.execute(entered.where(team_entries.c.group_id.is_(None)).values(club_id=into.id))
    there = league_teams.alias("there")
    is_there = exists().where(
        there.c.group_id == league_teams.c.group_id, there.c.club == into.name
    )
    is_played = exists().where(
        games.c.group_id == league_teams.c.group_id, games.c.result.is_(None)
    )
    named = update(league_teams).where(league_teams.c.club == club.name, is_played, ~is_there)
    await conn.execute(named.values(club=into.name))
    return ids


async def change_clubs(conn: AsyncConnection, rows: Rows) -> None:
    """Store changed clubs: ``key``, ``new_number``, ``new_name``, ``new_district_id``.

    Lists then print the new name for their members.
    """
    names = ("number", "name", "district_id")
    change = update(clubs).where(clubs.c.id == bindparam("key"))
    change = change.values({name: bindparam(f"new_{name}") for name in names})
    named = (
        select(clubs.c.name)
        .join(members, members.c.club_id == clubs.c.id)
        .where(members.c.person_id == people.c.id)
        .scalar_subquery()
    )
    await put_rows(conn, change, rows)
    for part in portions(rows, BATCH):
        of_clubs = select(members.c.person_id).where(
            members.c.club_id.in_([row["key"] for row in part])
        )
        await conn.execute(update(people).where(people.c.id.in_(of_clubs)).values(club=named))


# Requests to join: stored, confirmed, decided, forgotten (§ 6.1, § 6.4.4.1).


class JoinState(StrEnum):
    """The state of a request. Until confirmed, it concerns only the person asking."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    ADMITTED = "admitted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class JoinRow:
    """A stored request."""

    id: int
    email: str
    lang: str
    name: str
    birth: str | None
    kind: str
    club: str | None
    member: str | None
    address: str | None
    state: str
    asked_us: int
    confirmed_us: int | None
    person_id: int | None
    decided_by: int | None
    decided_us: int | None
    reason: str | None


_SELECT = select(*columns_of(JoinRow, join_requests))
_ALL = 1_000_000
"""More than there are: SQLite knows no offset without a limit."""
_OPEN = (JoinState.ASKED.value, JoinState.CONFIRMED.value)


async def add(conn: AsyncConnection, secret: str, new: Mapping[str, object]) -> int:
    """Store a request under the digest of its link's secret and return its id."""
    values = {**new, "digest": digest(secret), "state": JoinState.ASKED.value}
    return int((await conn.execute(row_insert(join_requests, values))).scalar_one())


def _unproved() -> Select[int]:
    newest = (join_requests.c.asked_us.desc(), join_requests.c.id.desc())
    asked = join_requests.c.state == JoinState.ASKED.value
    return select(join_requests.c.id).where(asked).order_by(*newest)


async def count_unproved_requests(conn: AsyncConnection, email: str) -> int:
    """How many requests from an address are waiting for their link to be used."""
    found = _unproved().where(join_requests.c.email == email)
    return len((await conn.execute(found)).all())


async def replace_newest(conn: AsyncConnection, new: Mapping[str, object]) -> None:
    """Put other words into the newest unproved request of an address; its link stays."""
    newest = _unproved().where(join_requests.c.email == new["email"]).limit(1)
    change = update(join_requests).where(join_requests.c.id == newest.scalar_subquery())
    # Its link is no younger for it.
    await conn.execute(change.values({k: v for k, v in new.items() if k != "asked_us"}))


async def forget_oldest(conn: AsyncConnection, most: int) -> None:
    """Remove all unproved requests but so many of the newest."""
    old = _unproved().offset(most).limit(_ALL)
    await conn.execute(delete(join_requests).where(join_requests.c.id.in_(old)))


async def find(conn: AsyncConnection, request_id: int, *, lock: bool = False) -> JoinRow | None:
    """One request; ``lock``: for deciding about it."""
    query = _SELECT.where(join_requests.c.id == request_id)
    return one_of(JoinRow, await conn.execute(query.with_for_update() if lock else query))


async def by_secret(conn: AsyncConnection, secret: str) -> JoinRow | None:
    """The request a mailed link belongs to."""
    query = _SELECT.where(join_requests.c.digest == digest(secret))
    return one_of(JoinRow, await conn.execute(query))


async def confirm(conn: AsyncConnection, row: JoinRow, now_us: int) -> None:
    """Record that the address is proved; this replaces other open requests from it."""
    others = and_(join_requests.c.email == row.email, join_requests.c.id != row.id)
    await conn.execute(delete(join_requests).where(others, join_requests.c.state.in_(_OPEN)))
    change = update(join_requests).where(join_requests.c.id == row.id)
    values = {"state": JoinState.CONFIRMED.value, "confirmed_us": now_us}
    await conn.execute(change.values(values))


async def list_confirmed_requests(conn: AsyncConnection) -> tuple[JoinRow, ...]:
    """The requests awaiting an official, oldest first."""
    query = _SELECT.where(join_requests.c.state == JoinState.CONFIRMED.value)
    return rows_of(
        JoinRow,
        await conn.execute(query.order_by(join_requests.c.confirmed_us, join_requests.c.id)),
    )


async def find_similar_people(conn: AsyncConnection, asked: JoinRow) -> set[int]:
    """People whose address, member number or birth date matches a request."""
    same = [people.c.email == asked.email, people.c.birth == asked.birth]
    if asked.member:
        same.append(people.c.member == asked.member)
    return set((await conn.execute(select(people.c.id).where(or_(*same)))).scalars())


async def waiting_count(conn: AsyncConnection) -> int:
    """How many requests await an official."""
    waiting = select(func.count()).where(join_requests.c.state == JoinState.CONFIRMED.value)
    return int((await conn.execute(waiting)).scalar_one())


async def decide(conn: AsyncConnection, request_id: int, **values: object) -> None:
    """Record the decision on a request, and forget what was needed only for the decision."""
    gone = {"birth": None, "address": None, "member": None}
    change = update(join_requests).where(join_requests.c.id == request_id)
    await conn.execute(change.values(gone | values))


async def old_letters(conn: AsyncConnection, asked_us: int) -> tuple[int, ...]:
    """The letters to addresses that belong to no known person, from before an instant."""
    query = select(outbox.c.id).where(
        outbox.c.kind == "join",
        outbox.c.person_id.is_(None),
        outbox.c.created_us < asked_us,
        outbox.c.raw.is_not(None),
    )
    return tuple((await conn.execute(query)).scalars())


async def forget_letters(conn: AsyncConnection, ids: Sequence[int]) -> None:
    """Clear such letters."""
    sent = update(outbox).where(outbox.c.id.in_(ids))
    await conn.execute(sent.values(raw=None, to_addr="", params="{}"))


_C = join_requests.c


async def forget(conn: AsyncConnection, asked_us: int, decided_us: int, waited_us: int) -> int:
    """Remove requests too long unproved, decided or undecided, by instant; return how many."""
    query = delete(join_requests).where(
        or_(
            and_(_C.state == JoinState.ASKED.value, _C.asked_us < asked_us),
            _C.decided_us < decided_us,
            and_(_C.state == JoinState.CONFIRMED.value, _C.confirmed_us < waited_us),
        )
    )
    return int((await conn.execute(query)).rowcount)
