"""A person's own access: where they are signed in, API tokens, the key for chess programs.

Secrets are shown once; a letter tells the owner of each one that is made or revoked. Not for
passkeys (passkeys.py) nor for signing in (signin.py).
"""

import secrets
from dataclasses import dataclass

from mail.office_letters.account import AccountNews
from server.store.account import ways_in as access
from server.store.account import xfcc_keys
from server.store.account.ways_in import SessionRow, TokenRow
from server.store.account.xfcc_keys import XfccKeyRow
from server.store.engine.types import MINUTE_US
from server.store.mail import outbox as outbox_rows
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.account.account_letters import told
from server.usecases.core.context import Core

FRESH_US = 30 * MINUTE_US
"""How long after signing in other ways to sign in can be added without signing in again."""
MOST_TOKENS = 20
LONGEST_NAME = 60
_KEY_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_KEY_LENGTH = 20
"""20 characters out of 31 that are hard to confuse: 99 bits."""


class TooMany(ValueError):
    """The person already has the maximum number of these."""


@dataclass(frozen=True, slots=True)
class OwnWays:
    """What the page lists."""

    sessions: tuple[SessionRow, ...]
    tokens: tuple[TokenRow, ...]
    xfcc: XfccKeyRow | None


def is_fresh(session: SessionRow, now_us: int) -> bool:
    """True if the sign-in is recent enough for adding other ways to sign in."""
    return now_us - session.created_us <= FRESH_US


def xfcc_user(person_id: int) -> str:
    """The user name for chess programs: permanent, and plain ASCII (Scid garbles the rest)."""
    return f"k{person_id}"


async def ways_of(core: Core, person: PersonRow) -> OwnWays:
    """Sessions, tokens and the key of one person."""
    async with core.store.read() as conn:
        return OwnWays(
            await access.sessions_of(conn, person.id, core.now_us),
            await access.tokens_of(conn, person.id),
            await xfcc_keys.of_person(conn, person.id),
        )


async def make_token(core: Core, person: PersonRow, name: str) -> str:
    """A new API token. Raises TooMany."""
    async with core.store.read() as conn:
        if len(await access.tokens_of(conn, person.id)) >= MOST_TOKENS:
            raise TooMany("tokens")
    return await signin.make_token(core, person.id, name)


async def revoke_token(core: Core, person: PersonRow, token_digest: bytes) -> bool:
    """Revoke one of a person's tokens; False when there is no such token."""
    async with core.store.write() as conn:
        own = {row.digest: row.name for row in await access.tokens_of(conn, person.id)}
        if not await access.revoke_token(conn, person.id, token_digest):
            return False
        letter = told(core, person.id, AccountNews.TOKEN_REMOVED, own[token_digest])
        await outbox_rows.enqueue(conn, [letter])
    return True


async def make_xfcc_key(core: Core, person: PersonRow) -> str:
    """A new key for chess programs; the previous one stops working."""
    key = "".join(secrets.choice(_KEY_SIGNS) for _ in range(_KEY_LENGTH))
    async with core.store.write() as conn:
        await xfcc_keys.replace(conn, person.id, key, core.now_us)
        letter = told(core, person.id, AccountNews.XFCC_ADDED, xfcc_user(person.id))
        await outbox_rows.enqueue(conn, [letter])
    return key


async def revoke_xfcc_key(core: Core, person: PersonRow) -> bool:
    """Revoke the key; False when there is none."""
    async with core.store.write() as conn:
        if not await xfcc_keys.revoke(conn, person.id):
            return False
        letter = told(core, person.id, AccountNews.XFCC_REMOVED, xfcc_user(person.id))
        await outbox_rows.enqueue(conn, [letter])
    return True


async def xfcc_owner(core: Core, user: str, key: str) -> PersonRow | None:
    """The person a chess program signs in as; None when user name and key do not match."""
    found = await core.store.look(lambda conn: xfcc_keys.owner(conn, key))
    if found is None or not secrets.compare_digest(
        user.strip().lower().encode(), xfcc_user(found[0].id).encode()
    ):
        return None
    person, used_day = found
    today = core.today(core.settings.clock.zone).isoformat()
    if used_day != today:
        async with core.store.write() as conn:
            await xfcc_keys.use(conn, person.id, today)
    return person


async def end_session(core: Core, person: PersonRow, session_digest: bytes) -> bool:
    """Sign a person out of one browser; False when there is no such session."""
    async with core.store.write() as conn:
        return await access.end_one(conn, person.id, session_digest)


async def end_others(core: Core, person: PersonRow, here: SessionRow) -> int:
    """Sign a person out everywhere but here; returns the number of sessions ended."""
    async with core.store.write() as conn:
        return await access.end_others(conn, person.id, here.digest)
