"""People: players and officials. Contact data is here and never in a ledger.

Not for signing in (account/ways_in.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Select, insert, select, update

from mail.text.languages import DEFAULT_LANGUAGE
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.base import people


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


def _everybody(role: Any) -> Select[Any]:
    query = _SELECT.order_by(people.c.name, people.c.id)
    return query if role is None else query.where(people.c.role == role)


def normal(email: str) -> str:
    """An address in the form stored and looked up."""
    return email.strip().lower()


async def add(conn: AsyncConnection, person: NewPerson) -> int:
    """Store a new person and return the id. StoreConflict when the address is another's."""
    values = values_of(person) | {"email": normal(person.email)}
    result = await conn.execute(insert(people).values(values).returning(people.c.id))
    return int(result.scalar_one())


async def find(conn: AsyncConnection, person_id: int) -> PersonRow | None:
    """One person by id."""
    row = (await conn.execute(_SELECT.where(people.c.id == person_id))).one_or_none()
    return None if row is None else PersonRow(*row)


async def by_ids(conn: AsyncConnection, ids: Iterable[int]) -> dict[int, PersonRow]:
    """Those people that exist, by id."""
    rows = await conn.execute(_SELECT.where(people.c.id.in_(list(ids))))
    return {person.id: person for person in (PersonRow(*row) for row in rows)}


async def by_email(conn: AsyncConnection, email: str) -> PersonRow | None:
    """One person by address, ignoring case."""
    row = (await conn.execute(_SELECT.where(people.c.email == normal(email)))).one_or_none()
    return None if row is None else PersonRow(*row)


def by_id(conn: Connection, person_id: int) -> PersonRow | None:
    """One person by id, for synchronous work in a transaction."""
    row = conn.execute(_SELECT.where(people.c.id == person_id)).one_or_none()
    return None if row is None else PersonRow(*row)


def get(conn: Connection, person_id: int) -> PersonRow:
    """A person known to exist, for synchronous work in a transaction."""
    return PersonRow(*conn.execute(_SELECT.where(people.c.id == person_id)).one())


def with_ids(conn: Connection, ids: Iterable[int]) -> dict[int, PersonRow]:
    """Those people that exist, by id, for synchronous work in a transaction."""
    found = (PersonRow(*row) for row in conn.execute(_SELECT.where(people.c.id.in_(list(ids)))))
    return {person.id: person for person in found}


def with_email(conn: Connection, email: str) -> PersonRow | None:
    """One person by address, for synchronous work in a transaction."""
    row = conn.execute(_SELECT.where(people.c.email == normal(email))).one_or_none()
    return None if row is None else PersonRow(*row)


def insert_in(conn: Connection, new: NewPerson) -> int:
    """Store a person in synchronous work in a transaction; the id. StoreConflict as ``add``."""
    values = values_of(new) | {"email": normal(new.email)}
    return int(conn.execute(insert(people).values(values).returning(people.c.id)).scalar_one())


def languages(conn: Connection, ids: Iterable[int]) -> dict[int, str]:
    """Each person's language, for synchronous work in a transaction."""
    rows = conn.execute(select(people.c.id, people.c.lang).where(people.c.id.in_(list(ids))))
    return {row[0]: row[1] for row in rows}


def clubs(conn: Connection, ids: Iterable[int]) -> dict[int, str | None]:
    """Each person's club, for synchronous work in a transaction."""
    rows = conn.execute(select(people.c.id, people.c.club).where(people.c.id.in_(list(ids))))
    return {row[0]: row[1] for row in rows}


async def everybody(conn: AsyncConnection, role: Role | None = None) -> tuple[PersonRow, ...]:
    """All people, or those with one role, by name."""
    rows = await conn.execute(_everybody(None if role is None else role.value))
    return tuple(PersonRow(*row) for row in rows)


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
