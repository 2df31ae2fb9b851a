"""Signing in: a mailed one-time link, a session kept by the server, an API token.

Opening a link changes nothing (mail scanners open links); the button on its page uses it. Whether
an address is known is never revealed. Not for cookies (the web's) nor rights (play/game_views.py).
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection

from mail.office_letters.account import AccountNews
from server.store.account import ways_in as access
from server.store.account.ways_in import NewSession, SessionRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.turns import SIGNING_IN
from server.store.engine.types import DAY_US, HOUR_US
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow, Role
from server.usecases.account.account_letters import told
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.preferences import Preferences, read

LINK_US = HOUR_US
MOST_OPEN = 3
"""Sign-in letters to a person whose links are neither used nor expired."""
SESSION_US = 90 * DAY_US
TOUCH_US = HOUR_US
"""Precision of «last seen»: one write an hour, not one per page."""
_BYTES = 24


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session: its secret for the cookie and where to go."""

    secret: str
    next_path: str
    person: PersonRow


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who is using a browser: the session, the person and their preferences."""

    session: SessionRow
    person: PersonRow
    preferences: Preferences
    has_desk: bool = False
    """Whether any desk has something for this person."""


def own_path(path: str) -> str:
    """The path if it is on this site, else the front page: signing in never leads elsewhere."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_ours and path.isprintable() else "/"


async def make_link(core: Core, person_id: int, next_path: str = "/") -> str:
    """A one-time link to the page with the button. The secret is shown once."""
    secret = secrets.token_urlsafe(_BYTES)
    async with core.store.write() as conn:
        await access.add_link(conn, secret, person_id, core.now_us + LINK_US, own_path(next_path))
    return core.url(f"/login/{secret}")


async def request_link(core: Core, email: str, next_path: str = "/") -> None:
    """Mail a link if the address is registered; say nothing either way.

    With ``MOST_OPEN`` links not used yet nothing more is mailed: they are in his mailbox.
    """
    async with core.store.deciding(SIGNING_IN) as conn:
        person = await person_rows.by_email(conn, email)
        await mail_link(core, conn, person, next_path)


async def mail_link(
    core: Core, conn: AsyncConnection, person: PersonRow | None, next_path: str
) -> None:
    """The same in a transaction that holds ``SIGNING_IN``; None: to nobody.

    It takes as long to whom no link goes: how long an answer takes tells no more than its words.
    """
    secret, reader = secrets.token_urlsafe(_BYTES), 0 if person is None else person.id
    is_full = await access.open_links(conn, reader, core.now_us) >= MOST_OPEN
    link, until = core.url(f"/login/{secret}"), core.now_us + LINK_US
    params: dict[str, object] = {"link": link, "expires_us": until}
    letter = poster_of(core).to_person(Kind.SIGN_IN, reader, link, params)
    if person is None or is_full:
        await outbox_rows.feign(conn, letter)
        return
    await access.add_link(conn, secret, person.id, until, own_path(next_path))
    await outbox_rows.enqueue(conn, [letter])


async def open_link(core: Core, secret: str) -> PersonRow | None:
    """The person a link is for, None when it can't be used any more. This does not use it."""
    async with core.store.read() as conn:
        link = await access.find_link(conn, secret)
        if link is None or link.used_us is not None or link.expires_us <= core.now_us:
            return None
        return await person_rows.find(conn, link.person_id)


def new_session(core: Core, person_id: int, browser: str) -> tuple[str, NewSession]:
    """The secret for a new session's cookie, and the session. ``browser`` as in NewSession."""
    now = core.now_us
    csrf = secrets.token_urlsafe(_BYTES)
    new = NewSession(person_id, csrf, now, now + SESSION_US, browser)
    return secrets.token_urlsafe(_BYTES), new


async def use_link(core: Core, secret: str, browser: str = "") -> SignedIn | None:
    """Use a one-time link: opens a session and proves the address to be the person's own.

    None when the link was already used or has expired.
    """
    now = core.now_us
    async with core.store.write() as conn:
        link = await access.use_link(conn, secret, now)
        if link is None:
            return None
        person = await person_rows.find(conn, link.person_id)
        if person is None:
            return None
        fresh, new = new_session(core, person.id, browser)
        await access.add_session(conn, fresh, new)
        await person_rows.prove_email(conn, person.id, now)
    return SignedIn(fresh, own_path(link.next_path), person)


async def visitor(core: Core, secret: str) -> Visitor | None:
    """The visitor a session cookie belongs to; the session is extended now and then."""
    now = core.now_us
    found = await core.store.look(lambda conn: _found(conn, secret, now))
    if found is None:
        return None
    session = found.session
    if session.seen_us < now - TOUCH_US:
        until = now + SESSION_US
        await core.store.note(lambda conn: access.touch_session(conn, session, now, until))
    return found


def _found(conn: Connection, secret: str, now_us: int) -> Visitor | None:
    """The person, their preferences, and whether they have a desk."""
    found = access.find_session(conn, secret, now_us)
    if found is None:
        return None
    official = found.person.role in (Role.KC, Role.ADMIN) or found.has_desk
    return Visitor(found.session, found.person, read(found.chosen), official)


async def sign_out(core: Core, secret: str) -> None:
    """End one session."""
    async with core.store.write() as conn:
        await access.end_session(conn, secret)


async def make_token(core: Core, person_id: int, name: str) -> str:
    """An API token, shown once; only its digest is kept, and a letter tells its owner."""
    token = secrets.token_urlsafe(_BYTES)
    async with core.store.write() as conn:
        await access.add_token(conn, token, person_id, name, core.now_us)
        letter = told(core, person_id, AccountNews.TOKEN_ADDED, name)
        await outbox_rows.enqueue(conn, [letter])
    return token
