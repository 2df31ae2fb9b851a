"""Who holds which office, where and since when (§ 6.1.1-6.1.2).

A group's own leader is in the group's row; here are any additional leaders, the controller, the
Board, deputies and captains. Not for what an office allows (usecases/core/offices.py).
"""

from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    insert,
    literal,
    or_,
    select,
    union,
    union_all,
    update,
)

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.play.people import PersonRow, Role
from server.store.tables.base import games, groups, people, seats
from server.store.tables.cases import offices
from server.store.tables.entries import entry_lists
from server.store.tables.seals import seal


class Office(StrEnum):
    """What a person may be appointed to."""

    TL = "tl"
    DEPUTY = "deputy"
    KC = "kc"
    BOARD = "board"
    CAPTAIN = "captain"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class NewOffice:
    """An appointment. ``group_id`` None: everywhere."""

    person_id: int
    office: str
    group_id: int | None
    from_us: int
    appointed_by: int


@dataclass(frozen=True, slots=True)
class OfficeRow:
    """A stored appointment; ``to_us`` None while it lasts."""

    id: int
    person_id: int
    office: str
    group_id: int | None
    from_us: int
    to_us: int | None
    appointed_by: int


_SELECT = select(*columns_of(OfficeRow, offices)).order_by(offices.c.id)


def _in_force(now_us: int | ColumnElement[int]) -> ColumnElement[bool]:
    later = or_(offices.c.to_us.is_(None), offices.c.to_us > now_us)
    return and_(offices.c.from_us <= now_us, later)


_NOW = bindparam("now", type_=offices.c.from_us.type)
_OF_PERSON = _SELECT.where(offices.c.person_id == bindparam("person"), _in_force(_NOW))
_EVERYONE = _SELECT.where(_in_force(_NOW))


def captained(person: ColumnElement[int], now_us: ColumnElement[int]) -> Select[tuple[int]]:
    """The groups in which a person is a captain at an instant."""
    is_one = (offices.c.person_id == person, offices.c.office == Office.CAPTAIN.value)
    return select(offices.c.group_id).where(
        *is_one, offices.c.group_id.is_not(None), _in_force(now_us)
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """What a person holds now: offices with their groups (None: everywhere), the groups and lists
    whose own rows name them as leader (§ 6.1.1), and the groups they play in.
    """

    offices: frozenset[tuple[str, int | None]]
    led: frozenset[int]
    lists: frozenset[int]
    plays: frozenset[int]


_PERSON = bindparam("person", type_=people.c.id.type)
_LED, _LISTS, _PLAYS = " led", " list", " plays"
"""No office has such a name."""
_STANDING = union_all(
    select(offices.c.office, offices.c.group_id).where(
        offices.c.person_id == _PERSON, _in_force(_NOW)
    ),
    select(literal(_LED), groups.c.id).where(groups.c.tl_id == _PERSON),
    select(literal(_LISTS), entry_lists.c.id).where(entry_lists.c.leader_id == _PERSON),
    select(literal(_PLAYS), seats.c.group_id).where(seats.c.person_id == _PERSON),
)


async def standing_of(conn: AsyncConnection, person_id: int, now_us: int) -> Standing:
    """A person's offices, groups led, lists led and groups played in, in one query."""
    found: dict[str, set[int]] = {_LED: set(), _LISTS: set(), _PLAYS: set()}
    held: set[tuple[str, int | None]] = set()
    for kind, number in await conn.execute(_STANDING, {"person": person_id, "now": now_us}):
        if kind in found:
            found[kind].add(number)
        else:
            held.add((kind, number))
    own = (frozenset(found[kind]) for kind in (_LED, _LISTS, _PLAYS))
    return Standing(frozenset(held), *own)


_MINE = select(games.c.white_id, games.c.black_id).where(
    games.c.result.is_(None), or_(games.c.white_id == _PERSON, games.c.black_id == _PERSON)
)
_KNOWN = bindparam("known", type_=people.c.id.type, expanding=True)
_THEIRS = select(games.c.group_id).where(
    games.c.result.is_(None), or_(games.c.white_id.in_(_KNOWN), games.c.black_id.in_(_KNOWN))
)


async def rivals_groups(conn: AsyncConnection, person_id: int) -> frozenset[int]:
    """The groups in which somebody whom a person has a running game against has one."""
    pairs = await conn.execute(_MINE, {"person": person_id})
    known = {either for pair in pairs for either in pair} - {person_id}
    if not known:
        return frozenset()
    return frozenset((await conn.execute(_THEIRS, {"known": sorted(known)})).scalars())


def has_desk(person: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a person leads anything or holds an office at the instant ``now``."""
    held = select(offices.c.id).where(offices.c.person_id == person, _in_force(_NOW))
    led = select(groups.c.id).where(groups.c.tl_id == person)
    lists = select(entry_lists.c.id).where(entry_lists.c.leader_id == person)
    return or_(held.exists(), led.exists(), lists.exists())


async def add(conn: AsyncConnection, new: NewOffice) -> int:
    """Store an appointment and return its id."""
    result = await conn.execute(insert(offices).values(values_of(new)).returning(offices.c.id))
    office_id = int(result.scalar_one())
    await seal(conn, offices, [office_id], new.from_us)
    return office_id


async def end(conn: AsyncConnection, office_id: int, now_us: int) -> bool:
    """End an appointment; False when there is none still running."""
    result = await conn.execute(
        update(offices)
        .where(offices.c.id == office_id, offices.c.to_us.is_(None))
        .values(to_us=now_us)
    )
    if result.rowcount == 1:
        await seal(conn, offices, [office_id], now_us)
    return result.rowcount == 1


async def find(conn: AsyncConnection, office_id: int) -> OfficeRow | None:
    """One appointment by id."""
    row = (await conn.execute(_SELECT.where(offices.c.id == office_id))).one_or_none()
    return None if row is None else OfficeRow(*row)


async def of_person(conn: AsyncConnection, person_id: int, now_us: int) -> tuple[OfficeRow, ...]:
    """The offices a person holds now."""
    rows = await conn.execute(_OF_PERSON, {"person": person_id, "now": now_us})
    return tuple(OfficeRow(*row) for row in rows)


def captains_of(conn: Connection, group_id: int, now_us: int) -> tuple[int, ...]:
    """A group's current captains, for synchronous work in a transaction."""
    query = select(offices.c.person_id).where(
        offices.c.office == Office.CAPTAIN.value,
        offices.c.group_id == group_id,
        _in_force(now_us),
    )
    return tuple(conn.execute(query.order_by(offices.c.id)).scalars())


async def of_group(conn: AsyncConnection, group_id: int, now_us: int) -> tuple[OfficeRow, ...]:
    """Who holds an office in this particular group now."""
    query = _SELECT.where(offices.c.group_id == group_id, _in_force(now_us))
    return tuple(OfficeRow(*row) for row in await conn.execute(query))


async def everyone(conn: AsyncConnection, now_us: int) -> tuple[OfficeRow, ...]:
    """Every appointment in force."""
    rows = await conn.execute(_EVERYONE, {"now": now_us})
    return tuple(OfficeRow(*row) for row in rows)


async def holding(conn: AsyncConnection, now_us: int, role: Role) -> dict[int, PersonRow]:
    """Those who hold an office now, lead a group or have this role, by id."""
    query = select(*columns_of(PersonRow, people)).where(
        or_(
            people.c.id.in_(
                union(
                    select(offices.c.person_id).where(_in_force(now_us)),
                    select(groups.c.tl_id),
                )
            ),
            people.c.role == role.value,
        )
    )
    rows = tuple(PersonRow(*row) for row in await conn.execute(query))
    return {row.id: row for row in sorted(rows, key=attrgetter("id"))}


async def holders(conn: AsyncConnection, office: Office, now_us: int) -> tuple[OfficeRow, ...]:
    """Who holds an office now, anywhere."""
    query = _SELECT.where(offices.c.office == office.value, _in_force(now_us))
    return tuple(OfficeRow(*row) for row in await conn.execute(query))


async def in_office(conn: AsyncConnection, now_us: int) -> frozenset[int]:
    """Everybody with an office not yet ended, a group to lead or a role other than player."""
    held = select(offices.c.person_id).where(
        or_(offices.c.to_us.is_(None), offices.c.to_us > now_us)
    )
    by_role = select(people.c.id).where(people.c.role != "player")
    leads = select(groups.c.tl_id)
    rows = await conn.execute(held.union(by_role, leads))
    return frozenset(rows.scalars())
