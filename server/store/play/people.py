"""People: players and officials. Contact data is here and never in a ledger.

Not for signing in (account/sign_in.py).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    insert,
    literal,
    or_,
    select,
    union,
    union_all,
    update,
)

from kskak.regulation.editions import DISPUTES
from mail.text.catalogue import DEFAULT_LANGUAGE
from server.store.engine.connection import AsyncConnection, awaitable
from server.store.engine.rows import columns_of, one_of, rows_of, values_of
from server.store.tables.all_tables import seal
from server.store.tables.base import games, groups, people, seats
from server.store.tables.cases import addresses, offices
from server.store.tables.people import preferences
from server.store.tables.tournaments import entry_lists


class Role(StrEnum):
    """What a person may do: player, tournament leader, K-skak committee, operator."""

    PLAYER = "player"
    TL = "tl"
    KC = "kc"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPerson:
    """A person to store. ``birth`` is an ISO day; ``email`` in upper or lower case."""

    name: str
    email: str
    created_us: int
    lang: str = DEFAULT_LANGUAGE
    role: str = Role.PLAYER
    club: str | None = None
    member: str | None = None
    rating: int | None = None
    k_rating: int | None = None
    birth: str | None = None
    citizen: bool | None = None


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A stored person. ``role`` is one of ``Role``; ``email`` is lower-case."""

    id: int
    name: str
    email: str
    lang: str
    role: str
    club: str | None
    member: str | None
    rating: int | None
    k_rating: int | None
    birth: str | None
    citizen: bool | None
    created_us: int


_SELECT = select(*columns_of(PersonRow, people))


def normal(email: str) -> str:
    """An address in the form stored and looked up."""
    return email.strip().lower()


def insert_in(conn: Connection, new: NewPerson) -> int:
    """Store a new person and return the id. StoreConflict when the address is another's."""
    values = values_of(new) | {"email": normal(new.email)}
    return int(conn.execute(insert(people).values(values).returning(people.c.id)).scalar_one())


def by_id(conn: Connection, person_id: int) -> PersonRow | None:
    """One person by id."""
    return one_of(PersonRow, conn.execute(_SELECT.where(people.c.id == person_id)))


def with_ids(conn: Connection, ids: Iterable[int]) -> dict[int, PersonRow]:
    """Those people that exist, by id."""
    found = (PersonRow(*row) for row in conn.execute(_SELECT.where(people.c.id.in_(list(ids)))))
    return {person.id: person for person in found}


def with_email(conn: Connection, email: str) -> PersonRow | None:
    """One person by address, ignoring case."""
    return one_of(PersonRow, conn.execute(_SELECT.where(people.c.email == normal(email))))


add_person = awaitable(insert_in)
find_person = awaitable(by_id)
by_ids = awaitable(with_ids)
by_email = awaitable(with_email)


async def names_of(conn: AsyncConnection, ids: Collection[int]) -> dict[int, str]:
    """People's names, by id."""
    query = select(people.c.id, people.c.name).where(people.c.id.in_(list(ids)))
    return {row.id: row.name for row in await conn.execute(query)}


async def everybody(conn: AsyncConnection, role: Role | None = None) -> tuple[PersonRow, ...]:
    """All people, or those with one role, by name."""
    query = _SELECT.order_by(people.c.name, people.c.id)
    if role is not None:
        query = query.where(people.c.role == role.value)
    return rows_of(PersonRow, await conn.execute(query))


async def change(conn: AsyncConnection, person: PersonRow) -> None:
    """Store a person's changed data. StoreConflict when the address is another's."""
    values = values_of(person) | {"email": normal(person.email)}
    await conn.execute(update(people).where(people.c.id == person.id).values(values))


async def speak(conn: AsyncConnection, person_id: int, lang: str) -> None:
    """Write to a person in this language from now on."""
    await conn.execute(update(people).where(people.c.id == person_id).values(lang=lang))


async def prove_email(conn: AsyncConnection, person_id: int, now_us: int) -> None:
    """Record that a person signed in by a mailed link, which proves that the address is theirs."""
    proved = update(people).where(people.c.id == person_id).values(email_proved_us=now_us)
    await conn.execute(proved)


async def has_been_signed_in(conn: AsyncConnection, role: Role) -> bool:
    """Whether anybody with this role has ever signed in by a mailed link."""
    known = (people.c.role == role.value, people.c.email_proved_us.is_not(None))
    return (await conn.execute(select(people.c.id).where(*known).limit(1))).first() is not None


# Who holds which office, where and since when (§ 6.1.1-6.1.2).


class Office(StrEnum):
    """What a person may be appointed to."""

    TL = "tl"
    DEPUTY = "deputy"
    KC = "kc"
    BOARD = "board"
    SUBSTITUTE = "substitute"
    CAPTAIN = "captain"
    ADMIN = "admin"


BOARD_SEATS = {
    Office.BOARD: DISPUTES.board_members,
    Office.SUBSTITUTE: DISPUTES.board_substitutes,
}
"""How many hold an office at a time (§ 1.3.9); their order is that of their appointment."""


@dataclass(frozen=True, slots=True)
class NewOffice:
    """An appointment. ``group_id`` None: everywhere."""

    person_id: int
    office: str
    group_id: int | None
    from_us: int
    appointed_by: int


@dataclass(frozen=True, slots=True)
class OfficeRow(NewOffice):
    """A stored appointment; ``to_us`` None while it lasts."""

    id: int
    to_us: int | None


_SELECT_OFFICES = select(*columns_of(OfficeRow, offices)).order_by(offices.c.id)


def _in_force(now_us: int | ColumnElement[int]) -> ColumnElement[bool]:
    later = or_(offices.c.to_us.is_(None), offices.c.to_us > now_us)
    return and_(offices.c.from_us <= now_us, later)


_NOW = bindparam("now", type_=offices.c.from_us.type)


def select_captained_groups(
    person: ColumnElement[int], now_us: ColumnElement[int]
) -> Select[tuple[int]]:
    """The groups in which a person is a captain at an instant."""
    is_one = (offices.c.person_id == person, offices.c.office == Office.CAPTAIN.value)
    return select(offices.c.group_id).where(
        *is_one, offices.c.group_id.is_not(None), _in_force(now_us)
    )


@dataclass(frozen=True, slots=True)
class PersonRoles:
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
_ROLES = union_all(
    select(offices.c.office, offices.c.group_id).where(
        offices.c.person_id == _PERSON, _in_force(_NOW)
    ),
    select(literal(_LED), groups.c.id).where(groups.c.tl_id == _PERSON),
    select(literal(_LISTS), entry_lists.c.id).where(entry_lists.c.leader_id == _PERSON),
    select(literal(_PLAYS), seats.c.group_id).where(seats.c.person_id == _PERSON),
)


async def read_roles(conn: AsyncConnection, person_id: int, now_us: int) -> PersonRoles:
    """A person's offices, groups led, lists led and groups played in, in one query."""
    found: dict[str, set[int]] = {_LED: set(), _LISTS: set(), _PLAYS: set()}
    held: set[tuple[str, int | None]] = set()
    for kind, number in await conn.execute(_ROLES, {"person": person_id, "now": now_us}):
        if kind in found:
            found[kind].add(number)
        else:
            held.add((kind, number))
    own = (frozenset(found[kind]) for kind in (_LED, _LISTS, _PLAYS))
    return PersonRoles(frozenset(held), *own)


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


async def add_office(conn: AsyncConnection, new: NewOffice) -> int:
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


async def find_office(conn: AsyncConnection, office_id: int) -> OfficeRow | None:
    """One appointment by id."""
    return one_of(OfficeRow, await conn.execute(_SELECT_OFFICES.where(offices.c.id == office_id)))


async def list_offices(
    conn: AsyncConnection,
    now_us: int,
    *,
    person_id: int | None = None,
    group_id: int | None = None,
    office: Office | None = None,
) -> tuple[OfficeRow, ...]:
    """Every appointment in force; only a person's, those to one group, or those to one office."""
    asked = ((offices.c.person_id, person_id), (offices.c.group_id, group_id))
    chosen = [column == value for column, value in asked if value is not None]
    if office is not None:
        chosen.append(offices.c.office == office.value)
    query = _SELECT_OFFICES.where(_in_force(now_us), *chosen)
    return rows_of(OfficeRow, await conn.execute(query))


def captains_of(conn: Connection, group_id: int, now_us: int) -> tuple[int, ...]:
    """A group's current captains, for synchronous work in a transaction."""
    query = select(offices.c.person_id).where(
        offices.c.office == Office.CAPTAIN.value,
        offices.c.group_id == group_id,
        _in_force(now_us),
    )
    return tuple(conn.execute(query.order_by(offices.c.id)).scalars())


async def list_power_holders(
    conn: AsyncConnection, now_us: int, role: Role
) -> dict[int, PersonRow]:
    """Those who hold an office now, lead a group or have this role, by id."""
    held = select(offices.c.person_id).where(_in_force(now_us))
    is_one = or_(people.c.id.in_(union(held, select(groups.c.tl_id))), people.c.role == role.value)
    rows = rows_of(PersonRow, await conn.execute(_SELECT.where(is_one).order_by(people.c.id)))
    return {row.id: row for row in rows}


async def in_office(conn: AsyncConnection, now_us: int) -> frozenset[int]:
    """Everybody with an office not yet ended, a group to lead or a role other than player."""
    held = select(offices.c.person_id).where(
        or_(offices.c.to_us.is_(None), offices.c.to_us > now_us)
    )
    by_role = select(people.c.id).where(people.c.role != "player")
    leads = select(groups.c.tl_id)
    rows = await conn.execute(held.union(by_role, leads))
    return frozenset(rows.scalars())


# Postal addresses: one per person, removed with the contact data (§ 6.2.1, § 6.5.2.1).


@dataclass(frozen=True, slots=True)
class AddressRow:
    """A stored address; its lines are those of ``text``."""

    person_id: int
    text: str
    changed_us: int


async def keep_postal_address(conn: AsyncConnection, row: AddressRow) -> None:
    """Store an address, replacing any previous one; an empty text just removes it."""
    await forget_postal_address(conn, [row.person_id])
    if row.text:
        await conn.execute(insert(addresses).values(values_of(row)))


async def postal_addresses_of(conn: AsyncConnection, ids: Iterable[int]) -> dict[int, AddressRow]:
    """The addresses on record, by person."""
    query = select(*columns_of(AddressRow, addresses))
    rows = await conn.execute(query.where(addresses.c.person_id.in_(list(ids))))
    return {row[0]: AddressRow(*row) for row in rows}


async def forget_postal_address(conn: AsyncConnection, ids: Iterable[int]) -> None:
    """Remove people's addresses."""
    await conn.execute(delete(addresses).where(addresses.c.person_id.in_(list(ids))))


# People's preferences, as names and values. Removed with their contact data.

Pairs = tuple[tuple[str, str], ...]
"""Names with their values, as stored."""

_OF = select(preferences.c.person_id, preferences.c.name, preferences.c.value)


def preferences_of(conn: Connection, ids: Collection[int]) -> dict[int, Pairs]:
    """Each of these people's preferences, in one query; nobody is missing."""
    found: dict[int, list[tuple[str, str]]] = {person_id: [] for person_id in ids}
    for person_id, name, value in conn.execute(_OF.where(preferences.c.person_id.in_(list(ids)))):
        found[person_id].append((name, value))
    return {person_id: tuple(pairs) for person_id, pairs in found.items()}


def read_person_preferences(conn: Connection, person_id: int) -> Pairs:
    """One person's preferences."""
    return preferences_of(conn, [person_id])[person_id]


async def list_choosing(conn: AsyncConnection, name: str, value: str) -> tuple[int, ...]:
    """Those who have chosen a value."""
    chosen = and_(preferences.c.name == name, preferences.c.value == value)
    query = select(preferences.c.person_id).where(chosen).order_by(preferences.c.person_id)
    return tuple((await conn.execute(query)).scalars())


async def keep_preferences(
    conn: AsyncConnection, person_id: int, chosen: Mapping[str, str]
) -> None:
    """Store preferences, replacing those of the same names; others stay as they are."""
    mine = preferences.c.person_id == person_id
    await conn.execute(delete(preferences).where(mine, preferences.c.name.in_(list(chosen))))
    rows = [{"person_id": person_id, "name": n, "value": v} for n, v in chosen.items()]
    if rows:
        await conn.execute(insert(preferences), rows)
