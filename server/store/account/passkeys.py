"""Passkeys and the challenges they answer. Public keys only: nothing here grants access.

Not for verifying answers (usecases/account/passkeys.py).
"""

from dataclasses import dataclass

from sqlalchemy import delete, insert, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.account import passkey_challenges, passkeys

MOST_KEYS = 20
"""Passkeys per person; more would be a mistake, and people have to read the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPasskey:
    """A passkey to store. ``transports``: as named by the browser, separated by spaces."""

    person_id: int
    credential: bytes
    public_key: bytes
    sign_count: int
    transports: str
    name: str
    created_us: int


@dataclass(frozen=True, slots=True)
class PasskeyRow:
    """A stored passkey. ``used_us`` None: never used to sign in."""

    id: int
    person_id: int
    credential: bytes
    public_key: bytes
    sign_count: int
    transports: str
    name: str
    created_us: int
    used_us: int | None


_SELECT = select(*columns_of(PasskeyRow, passkeys))


async def add(conn: AsyncConnection, new: NewPasskey) -> None:
    """Store a passkey. StoreConflict when it is already stored."""
    await conn.execute(insert(passkeys).values(values_of(new)))


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[PasskeyRow, ...]:
    """A person's passkeys, oldest first."""
    query = _SELECT.where(passkeys.c.person_id == person_id).order_by(passkeys.c.id)
    return tuple(PasskeyRow(*row) for row in await conn.execute(query))


async def by_credential(conn: AsyncConnection, credential: bytes) -> PasskeyRow | None:
    """The passkey an authenticator names."""
    row = (await conn.execute(_SELECT.where(passkeys.c.credential == credential))).one_or_none()
    return None if row is None else PasskeyRow(*row)


async def used(conn: AsyncConnection, row: PasskeyRow, sign_count: int, now_us: int) -> bool:
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
