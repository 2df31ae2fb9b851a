"""Sign-in links, sessions and API tokens. Only SHA-256 digests of secrets are stored.

Not for access rights, nor for generating secrets.
"""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, in_array, values_of
from server.store.play.offices import has_desk
from server.store.play.people import PersonRow
from server.store.play.preferences import Pairs
from server.store.tables.account import passkeys, xfcc_keys
from server.store.tables.base import api_tokens, login_links, people, sessions
from server.store.tables.player import preferences


def digest(secret: str) -> bytes:
    """What is stored of a secret. Secrets are long and random, so one round is enough."""
    return hashlib.sha256(secret.encode()).digest()


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A stored sign-in link."""

    person_id: int
    next_path: str
    expires_us: int
    used_us: int | None


@dataclass(frozen=True, slots=True)
class NewSession:
    """A browser signing in; ``browser`` is its name and system («Firefox;Windows»), or ""."""

    person_id: int
    csrf: str
    created_us: int
    expires_us: int
    browser: str = ""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A signed-in browser."""

    digest: bytes
    person_id: int
    csrf: str
    created_us: int
    seen_us: int
    expires_us: int
    browser: str | None


@dataclass(frozen=True, slots=True)
class TokenRow:
    """An API token as listed; the token itself is shown once. ``used_day`` ISO, None: never."""

    digest: bytes
    person_id: int
    name: str
    created_us: int
    used_day: str | None


@dataclass(frozen=True, slots=True)
class Visit:
    """A session with its owner, their preferences, and whether they lead or hold an office."""

    session: SessionRow
    person: PersonRow
    chosen: Pairs
    has_desk: bool


_WIDTH = len(fields(SessionRow))
_SESSION = (
    select(
        *columns_of(SessionRow, sessions),
        *columns_of(PersonRow, people),
        *(has_desk(people.c.id), preferences.c.name, preferences.c.value),
    )
    .join(people, people.c.id == sessions.c.person_id)
    .outerjoin(preferences, preferences.c.person_id == people.c.id)
    .where(
        sessions.c.digest == bindparam("digest", type_=sessions.c.digest.type),
        sessions.c.expires_us > bindparam("now", type_=sessions.c.expires_us.type),
    )
)
"""One row per preference, or a single row when there are none."""


async def add_link(
    conn: AsyncConnection, secret: str, person_id: int, expires_us: int, next_path: str = "/"
) -> None:
    """Store a sign-in link."""
    row = {"digest": digest(secret), "person_id": person_id, "expires_us": expires_us}
    await conn.execute(insert(login_links).values(row | {"next_path": next_path}))


async def open_links(conn: AsyncConnection, person_id: int, now_us: int) -> int:
    """How many links a person has that can still be used."""
    query = select(func.count()).where(*_unused(person_id), login_links.c.expires_us > now_us)
    return int((await conn.execute(query)).scalar_one())


def _unused(person_id: int) -> tuple[ColumnElement[bool], ...]:
    return (login_links.c.person_id == person_id, login_links.c.used_us.is_(None))


async def find_link(conn: AsyncConnection, secret: str) -> LinkRow | None:
    """A sign-in link, used or not, without using it: for the page that shows the button."""
    query = select(*columns_of(LinkRow, login_links))
    row = (await conn.execute(query.where(login_links.c.digest == digest(secret)))).one_or_none()
    return None if row is None else LinkRow(*row)


async def use_link(conn: AsyncConnection, secret: str, now_us: int) -> LinkRow | None:
    """Use a link once; None when unknown, used or expired. Of two at once, only one gets it.

    The person's other links end with it.
    """
    result = await conn.execute(
        update(login_links)
        .where(
            login_links.c.digest == digest(secret),
            login_links.c.used_us.is_(None),
            login_links.c.expires_us > now_us,
        )
        .values(used_us=now_us)
        .returning(*columns_of(LinkRow, login_links))
    )
    row = result.one_or_none()
    if row is None:
        return None
    link = LinkRow(*row)
    await conn.execute(update(login_links).where(*_unused(link.person_id)).values(used_us=now_us))
    return link


async def add_session(conn: AsyncConnection, secret: str, session: NewSession) -> None:
    """Store a session under its cookie's digest."""
    values = values_of(session) | {"digest": digest(secret), "seen_us": session.created_us}
    await conn.execute(insert(sessions).values(values))


def find_session(conn: Connection, secret: str, now_us: int) -> Visit | None:
    """A cookie's session and its owner, in one query; None when unknown or expired."""
    rows = conn.execute(_SESSION, {"digest": digest(secret), "now": now_us}).all()
    if not rows:
        return None
    session, person = SessionRow(*rows[0][:_WIDTH]), PersonRow(*rows[0][_WIDTH:-3])
    chosen = tuple((row[-2], row[-1]) for row in rows if row[-2] is not None)
    return Visit(session, person, chosen, bool(rows[0][-3]))


def touch_session(conn: Connection, session: SessionRow, now_us: int, expires_us: int) -> None:
    """Record that a session is in use, and its new expiry."""
    change = update(sessions).where(sessions.c.digest == session.digest)
    conn.execute(change.values(seen_us=now_us, expires_us=expires_us))


async def end_session(conn: AsyncConnection, secret: str) -> None:
    """Sign one browser out."""
    await conn.execute(delete(sessions).where(sessions.c.digest == digest(secret)))


async def sessions_of(conn: AsyncConnection, person_id: int, now_us: int) -> tuple[SessionRow, ...]:
    """Where a person is signed in, most recently seen first."""
    own = (sessions.c.person_id == person_id, sessions.c.expires_us > now_us)
    query = select(*columns_of(SessionRow, sessions)).where(*own)
    rows = await conn.execute(query.order_by(sessions.c.seen_us.desc(), sessions.c.digest))
    return tuple(SessionRow(*row) for row in rows)


async def end_one(conn: AsyncConnection, person_id: int, session_digest: bytes) -> bool:
    """Sign out one of a person's browsers; False when there is no such session."""
    own = (sessions.c.person_id == person_id, sessions.c.digest == session_digest)
    return (await conn.execute(delete(sessions).where(*own))).rowcount == 1


async def end_others(conn: AsyncConnection, person_id: int, but: bytes) -> int:
    """Sign a person out everywhere but here; return how many sessions ended."""
    others = (sessions.c.person_id == person_id, sessions.c.digest != but)
    return (await conn.execute(delete(sessions).where(*others))).rowcount


async def add_token(
    conn: AsyncConnection, secret: str, person_id: int, name: str, now_us: int
) -> None:
    """Store an API token."""
    row = {"digest": digest(secret), "person_id": person_id, "name": name, "created_us": now_us}
    await conn.execute(insert(api_tokens).values(row))


_OWNER = select(api_tokens.c.digest, *columns_of(PersonRow, people)).join(
    api_tokens, api_tokens.c.person_id == people.c.id
)
_OWNERS = {
    "sqlite": _OWNER.where(api_tokens.c.digest.in_(bindparam("digests", expanding=True))),
    "postgresql": _OWNER.where(in_array(api_tokens.c.digest, "digests")),
}


def owners_of_tokens(conn: Connection, digests: Collection[bytes]) -> dict[bytes, PersonRow]:
    """The persons API tokens belong to, where there are any: one statement, for ``Store.look``."""
    rows = conn.execute(_OWNERS[conn.dialect.name], {"digests": list(digests)})
    return {bytes(row[0]): PersonRow(*row[1:]) for row in rows}


def owner_of_token(conn: Connection, digest: bytes) -> PersonRow | None:
    """The person that one belongs to."""
    return owners_of_tokens(conn, [digest]).get(digest)


async def tokens_used(conn: AsyncConnection, days: Mapping[bytes, str]) -> None:
    """Record the days (ISO) on which API tokens, by digest, were used."""
    own = update(api_tokens).where(api_tokens.c.digest == bindparam("of_token"))
    if days:
        rows = [{"of_token": token, "day": day} for token, day in days.items()]
        await conn.execute(own.values(used_day=bindparam("day")), rows)


async def tokens_of(conn: AsyncConnection, person_id: int) -> tuple[TokenRow, ...]:
    """A person's API tokens, oldest first."""
    query = select(*columns_of(TokenRow, api_tokens)).where(api_tokens.c.person_id == person_id)
    rows = await conn.execute(query.order_by(api_tokens.c.created_us))
    return tuple(TokenRow(*row) for row in rows)


async def revoke_token(conn: AsyncConnection, person_id: int, token_digest: bytes) -> bool:
    """Revoke an API token; False when the person has no such token."""
    result = await conn.execute(
        delete(api_tokens).where(
            api_tokens.c.digest == token_digest, api_tokens.c.person_id == person_id
        )
    )
    return result.rowcount == 1


async def end_links(conn: AsyncConnection, people: Collection[int]) -> None:
    """Sign-in links that were sent to these people and not used open nothing any more."""
    unused = login_links.c.used_us.is_(None)
    await conn.execute(delete(login_links).where(login_links.c.person_id.in_(people), unused))


async def end_all(conn: AsyncConnection, people: Collection[int]) -> None:
    """End every session, API token, passkey and key for chess programs of these people."""
    for table in (sessions, api_tokens, passkeys, xfcc_keys):
        await conn.execute(delete(table).where(table.c.person_id.in_(people)))
