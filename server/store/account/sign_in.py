"""How one gets in.

Sign-in links, sessions, tokens, passkeys, keys of calendars and chess programs.

Only SHA-256 digests of secrets are stored.
"""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, columns_of, in_array, one_of, rows_of, values_of
from server.store.play.people import Pairs, PersonRow, has_desk
from server.store.tables.base import api_tokens, login_links, people, sessions
from server.store.tables.cases import calendar_keys
from server.store.tables.people import (
    answered_pages,
    passkey_challenges,
    passkeys,
    preferences,
    xfcc_keys,
    xfcc_notes,
)

# Sign-in links, sessions and API tokens. Only SHA-256 digests of secrets are stored.


def digest(secret: str) -> bytes:
    """What is stored of a secret. Secrets are long and random, so one round is enough."""
    return hashlib.sha256(secret.encode()).digest()


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A signed-in browser; ``browser`` is its name and system («Firefox;Windows»), or ""."""

    digest: bytes
    person_id: int
    csrf: str
    created_us: int
    seen_us: int
    expires_us: int
    browser: str | None


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


def _usable(secret: str, now_us: int) -> tuple[ColumnElement[bool], ...]:
    is_this = login_links.c.digest == digest(secret)
    return is_this, login_links.c.used_us.is_(None), login_links.c.expires_us > now_us


async def find_link(conn: AsyncConnection, secret: str, now_us: int) -> int | None:
    """Whose link it is, without using it: for the page that shows the button."""
    query = select(login_links.c.person_id).where(*_usable(secret, now_us))
    return (await conn.execute(query)).scalar_one_or_none()


async def use_link(conn: AsyncConnection, secret: str, now_us: int) -> tuple[int, str] | None:
    """Use a link once: whose it is, and where it leads. Of two at once, only one gets it.

    None when unknown, used or expired. The person's other links end with it.
    """
    used = update(login_links).where(*_usable(secret, now_us)).values(used_us=now_us)
    result = await conn.execute(used.returning(login_links.c.person_id, login_links.c.next_path))
    if (row := result.one_or_none()) is None:
        return None
    await conn.execute(update(login_links).where(*_unused(row[0])).values(used_us=now_us))
    return row[0], row[1]


async def add_session(conn: AsyncConnection, secret: str, now_us: int, **session: object) -> None:
    """Store a session that begins, under its cookie's digest."""
    values = session | {"digest": digest(secret), "created_us": now_us, "seen_us": now_us}
    await conn.execute(insert(sessions).values(values))


def find_session(
    conn: Connection, secret: str, now_us: int
) -> tuple[SessionRow, PersonRow, Pairs, bool] | None:
    """A cookie's session, its owner, their preferences, and whether they lead or hold an office.

    One query; None when unknown or expired.
    """
    rows = conn.execute(_SESSION, {"digest": digest(secret), "now": now_us}).all()
    if not rows:
        return None
    session, person = SessionRow(*rows[0][:_WIDTH]), PersonRow(*rows[0][_WIDTH:-3])
    chosen = tuple((row[-2], row[-1]) for row in rows if row[-2] is not None)
    return session, person, chosen, bool(rows[0][-3])


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
    return rows_of(
        SessionRow, await conn.execute(query.order_by(sessions.c.seen_us.desc(), sessions.c.digest))
    )


async def end_one(conn: AsyncConnection, person_id: int, session_digest: bytes) -> bool:
    """Sign out one of a person's browsers; False when there is no such session."""
    own = (sessions.c.person_id == person_id, sessions.c.digest == session_digest)
    return (await conn.execute(delete(sessions).where(*own))).rowcount == 1


async def end_others(conn: AsyncConnection, person_id: int, but: bytes) -> int:
    """Sign a person out everywhere but here; return how many sessions ended."""
    others = (sessions.c.person_id == person_id, sessions.c.digest != but)
    return (await conn.execute(delete(sessions).where(*others))).rowcount


class TokenScope(StrEnum):
    """What an API token opens: reading, a player's own deeds, leading, deciding cases."""

    READ = "read"
    PLAY = "play"
    LEAD = "lead"
    DECIDE = "decide"


@dataclass(frozen=True, slots=True)
class TokenTerms:
    """What a token is for; ``ends_us`` None: it has no end."""

    scopes: tuple[TokenScope, ...] = tuple(TokenScope)
    ends_us: int | None = None


ALL_SCOPES = TokenTerms()


@dataclass(frozen=True, slots=True)
class TokenOwner:
    """Whose a token is, and what it opens."""

    person: PersonRow
    name: str
    terms: TokenTerms


async def add_token(
    conn: AsyncConnection,
    secret: str,
    person_id: int,
    name: str,
    now_us: int,
    terms: TokenTerms = ALL_SCOPES,
) -> None:
    """Store an API token."""
    row = {"digest": digest(secret), "person_id": person_id, "name": name, "created_us": now_us}
    row |= {"scopes": " ".join(terms.scopes), "ends_us": terms.ends_us}
    await conn.execute(insert(api_tokens).values(row))


_OWNER = select(
    *(api_tokens.c[name] for name in ("digest", "name", "scopes", "ends_us")),
    *columns_of(PersonRow, people),
).join(api_tokens, api_tokens.c.person_id == people.c.id)
_OWNERS = {
    "sqlite": _OWNER.where(api_tokens.c.digest.in_(bindparam("digests", expanding=True))),
    "postgresql": _OWNER.where(in_array(api_tokens.c.digest, "digests")),
}


def owners_of_tokens(
    conn: Connection, digests: Collection[bytes], now_us: int
) -> dict[bytes, TokenOwner]:
    """Whose these API tokens are, those that have not ended: one statement, for ``Store.look``."""
    rows = conn.execute(_OWNERS[conn.dialect.name], {"digests": list(digests)})
    return {
        bytes(row[0]): TokenOwner(PersonRow(*row[4:]), row[1], terms_of(row[2], row[3]))
        for row in rows
        if row[3] is None or row[3] > now_us
    }


def terms_of(scopes: str, ends_us: int | None) -> TokenTerms:
    """A token's terms as they are kept."""
    return TokenTerms(tuple(TokenScope(one) for one in scopes.split()), ends_us)


def owner_of_token(conn: Connection, digest: bytes, now_us: int) -> TokenOwner | None:
    """Whose one is; None where there is none, or it has ended."""
    return owners_of_tokens(conn, [digest], now_us).get(digest)


async def mark_tokens_used(conn: AsyncConnection, days: Mapping[bytes, str]) -> None:
    """Record the days (ISO) on which API tokens, by digest, were used."""
    own = update(api_tokens).where(api_tokens.c.digest == bindparam("of_token"))
    if days:
        rows = [{"of_token": token, "day": day} for token, day in days.items()]
        await conn.execute(own.values(used_day=bindparam("day")), rows)


async def tokens_of(conn: AsyncConnection, person_id: int) -> tuple[AnyRow, ...]:
    """A person's API tokens by digest, oldest first; the day each was last used, None: never."""
    query = select(api_tokens).where(api_tokens.c.person_id == person_id)
    return tuple(await conn.execute(query.order_by(api_tokens.c.created_us)))


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


# Passkeys and the challenges they answer. Public keys only: nothing here grants access.

MOST_KEYS = 20
"""Passkeys per person; more would be a mistake, and people have to read the list."""


@dataclass(frozen=True, slots=True)
class PasskeyRow:
    """A passkey. ``transports``: as named by the browser, separated by spaces.

    ``used_us`` None: never used to sign in.
    """

    person_id: int
    credential: bytes
    public_key: bytes
    sign_count: int
    transports: str
    name: str
    created_us: int
    id: int
    used_us: int | None


_SELECT = select(*columns_of(PasskeyRow, passkeys))


async def add(conn: AsyncConnection, **new: object) -> None:
    """Store a passkey. StoreConflict when it is already stored."""
    await conn.execute(insert(passkeys).values(new))


async def passkeys_of(conn: AsyncConnection, person_id: int) -> tuple[PasskeyRow, ...]:
    """A person's passkeys, oldest first."""
    query = _SELECT.where(passkeys.c.person_id == person_id).order_by(passkeys.c.id)
    return rows_of(PasskeyRow, await conn.execute(query))


async def by_credential(conn: AsyncConnection, credential: bytes) -> PasskeyRow | None:
    """The passkey an authenticator names."""
    return one_of(
        PasskeyRow, await conn.execute(_SELECT.where(passkeys.c.credential == credential))
    )


async def mark_passkey_used(
    conn: AsyncConnection, row: PasskeyRow, sign_count: int, now_us: int
) -> bool:
    """Record a sign-in; False when the passkey was used again since ``row`` was read."""
    change = update(passkeys).where(
        passkeys.c.id == row.id, passkeys.c.sign_count == row.sign_count
    )
    result = await conn.execute(change.values(sign_count=sign_count, used_us=now_us))
    return result.rowcount == 1


async def rename(conn: AsyncConnection, person_id: int, key_id: int, name: str) -> bool:
    """Rename a passkey; False when the person has no such passkey."""
    own = update(passkeys).where(passkeys.c.id == key_id, passkeys.c.person_id == person_id)
    return (await conn.execute(own.values(name=name))).rowcount == 1


async def remove(conn: AsyncConnection, person_id: int, key_id: int) -> str | None:
    """Remove a passkey and return its name; None when the person has no such passkey."""
    gone = delete(passkeys).where(passkeys.c.id == key_id, passkeys.c.person_id == person_id)
    return (await conn.execute(gone.returning(passkeys.c.name))).scalar_one_or_none()


async def put_challenge(
    conn: AsyncConnection, bound: bytes, purpose: str, challenge: bytes, expires_us: int
) -> None:
    """Store a challenge, replacing any earlier one for the same browser and purpose."""
    await take_challenge(conn, bound, purpose, 0)
    row = {"bound": bound, "purpose": purpose, "challenge": challenge, "expires_us": expires_us}
    await conn.execute(insert(passkey_challenges).values(row))


async def take_challenge(
    conn: AsyncConnection, bound: bytes, purpose: str, now_us: int
) -> bytes | None:
    """Take the challenge given to this browser; None when there is none or it has expired."""
    kept = passkey_challenges.c
    gone = delete(passkey_challenges).where(kept.bound == bound, kept.purpose == purpose)
    row = (await conn.execute(gone.returning(kept.challenge, kept.expires_us))).one_or_none()
    return None if row is None or row.expires_us <= now_us else bytes(row.challenge)


# Keys of calendar feeds and for chess programs (Xfcc): of each one per person at a time.

CALENDAR, XFCC = calendar_keys, xfcc_keys


async def replace_key(
    conn: AsyncConnection, table: Table, person_id: int, key: str, now_us: int
) -> None:
    """Store a new key in one of these tables; the previous one stops working."""
    await revoke_key(conn, table, person_id)
    row = {"digest": digest(key), "person_id": person_id, "created_us": now_us}
    await conn.execute(insert(table).values(row))


async def revoke_key(conn: AsyncConnection, table: Table, person_id: int) -> bool:
    """Revoke a person's key; False when there is none."""
    return (await conn.execute(delete(table).where(table.c.person_id == person_id))).rowcount == 1


async def person_of(conn: AsyncConnection, key: str) -> int | None:
    """Whose calendar a key opens; None when unknown."""
    query = select(calendar_keys.c.person_id).where(calendar_keys.c.digest == digest(key))
    value = (await conn.execute(query)).scalar_one_or_none()
    return None if value is None else int(value)


async def has_key(conn: AsyncConnection, person_id: int) -> bool:
    """Whether a person has a calendar feed."""
    query = select(calendar_keys.c.digest).where(calendar_keys.c.person_id == person_id)
    return (await conn.execute(query.limit(1))).first() is not None


async def xfcc_key_of(conn: AsyncConnection, person_id: int) -> Row[Any, Any] | None:
    """When a person's key was made, and the day (ISO) it was last used; not the key itself."""
    query = select(xfcc_keys.c.created_us, xfcc_keys.c.used_day)
    return (await conn.execute(query.where(xfcc_keys.c.person_id == person_id))).one_or_none()


_KEY_OWNER = (
    select(xfcc_keys.c.used_day, *columns_of(PersonRow, people))
    .join(xfcc_keys, xfcc_keys.c.person_id == people.c.id)
    .where(xfcc_keys.c.digest == bindparam("digest"))
)


def owner(conn: Connection, key: str) -> tuple[PersonRow, str | None] | None:
    """Whose key this is, and the day it was last used: one statement, for ``Store.look``."""
    row = conn.execute(_KEY_OWNER, {"digest": digest(key)}).one_or_none()
    return None if row is None else (PersonRow(*row[1:]), row[0])


async def use(conn: AsyncConnection, person_id: int, day: str) -> None:
    """Record the day of use (ISO)."""
    own = update(xfcc_keys).where(xfcc_keys.c.person_id == person_id)
    await conn.execute(own.values(used_day=day))


# The text of a program's last refusal in a game; the protocol shows it in the next list.


async def xfcc_notes_of(conn: AsyncConnection, person_id: int) -> dict[int, str]:
    """The notes by game."""
    own = select(xfcc_notes.c.game_id, xfcc_notes.c.said)
    rows = await conn.execute(own.where(xfcc_notes.c.person_id == person_id))
    return {row[0]: row[1] for row in rows}


async def list_xfcc_report_times(conn: AsyncConnection, person_id: int) -> dict[int, int]:
    """When a person's program was last told something about each game, as far as that is kept."""
    own = select(xfcc_notes.c.game_id, xfcc_notes.c.noted_us)
    rows = await conn.execute(own.where(xfcc_notes.c.person_id == person_id))
    return {row[0]: row[1] for row in rows}


async def note(
    conn: AsyncConnection,
    person_id: int,
    game_id: int,
    said: str,
    now_us: int,
    *,
    keeps: bool = False,
) -> None:
    """Store what to tell a person's program about a game; "" clears it.

    ``keeps``: also when there is nothing to say, as what the program was told of now.
    """
    kept = xfcc_notes.c
    own = delete(xfcc_notes).where(kept.person_id == person_id, kept.game_id == game_id)
    await conn.execute(own)
    if said or keeps:
        row = {"person_id": person_id, "game_id": game_id, "said": said, "noted_us": now_us}
        await conn.execute(insert(xfcc_notes).values(row))


# Stored pages that answered a form: sealed, tied to one session, kept for a while.

MOST_OF_SESSION = 30
"""Pages kept per session; the oldest are dropped first."""
MOST_OF_STRANGERS = 500
"""Pages kept for all visitors not signed in, together, so that nobody outside fills the disk."""


@dataclass(frozen=True, slots=True)
class AnsweredPage:
    """A stored page. ``session``: digest of its session, None for a visitor not signed in."""

    digest: bytes
    session: bytes | None
    status: int
    body: bytes
    expires_us: int


def keep(conn: Connection, page: AnsweredPage) -> None:
    """Store a page, dropping the reader's oldest. StoreConflict when the session is gone."""
    conn.execute(insert(answered_pages).values(values_of(page)))
    most = MOST_OF_STRANGERS if page.session is None else MOST_OF_SESSION
    kept = answered_pages.c
    same = kept.session.is_(None) if page.session is None else kept.session == page.session
    others = select(kept.digest).where(same, kept.digest != page.digest)
    newest = others.order_by(kept.expires_us.desc(), kept.digest)
    old = conn.execute(newest.offset(most - 1)).scalars().all()
    if old:
        conn.execute(delete(answered_pages).where(kept.digest.in_(old)))


def find(conn: Connection, digest: bytes, now_us: int) -> AnsweredPage | None:
    """A stored page; None when unknown or expired."""
    kept = answered_pages.c
    query = select(*columns_of(AnsweredPage, answered_pages))
    return one_of(
        AnsweredPage, conn.execute(query.where(kept.digest == digest, kept.expires_us > now_us))
    )
