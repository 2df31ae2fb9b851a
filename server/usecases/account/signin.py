"""Signing in: a mailed one-time link, a session kept by the server, an API token.

Opening a link changes nothing (scanners open links); the button on its page uses it. Nobody is
told whether an address is known. Not for cookies (the web's) nor rights (play/game_views.py).
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection

from mail.office_letters.account import AccountNews
from server.store.account import ways_in as access
from server.store.account.ways_in import NewSession, SessionRow
from server.store.engine.types import DAY_US, HOUR_US
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow, Role
from server.usecases.account.account_letters import told
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.preferences import Preferences, read

LINK_US = HOUR_US
SESSION_US = 90 * DAY_US
TOUCH_US = HOUR_US
"""How exactly «last seen» is kept: a writing an hour, not one a page."""
_BYTES = 24


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session: its secret for the cookie and where to go."""

    secret: str
    next_path: str
    person: PersonRow


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who sits at a browser: the session, the person, and what he has chosen."""

    session: SessionRow
    person: PersonRow
    preferences: Preferences
    has_desk: bool = False
    """Whether he finds anything at a desk."""


def own_path(path: str) -> str:
    """A path of this site, or its front page: no link leads elsewhere after signing in."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_ours and path.isprintable() else "/"


async def make_link(core: Core, person_id: int, next_path: str = "/") -> str:
    """A one-time link for a person: the page with the button. The secret is shown once."""
    secret = secrets.token_urlsafe(_BYTES)
    async with core.store.write() as conn:
        await access.add_link(conn, secret, person_id, core.now_us + LINK_US, own_path(next_path))
    return core.url(f"/login/{secret}")


async def request_link(core: Core, email: str, next_path: str = "/") -> None:
    """Mail a link if the address is registered; say nothing either way."""
    async with core.store.read() as conn:
        person = await person_rows.by_email(conn, email)
    if person is None:
        return
    link = await make_link(core, person.id, next_path)
    params: dict[str, object] = {"link": link, "expires_us": core.now_us + LINK_US}
    letter = poster_of(core).to_person(Kind.SIGN_IN, person.id, link, params)
    async with core.store.write() as conn:
        await outbox_rows.enqueue(conn, [letter])


async def open_link(core: Core, secret: str) -> PersonRow | None:
    """Whose link this is, while it can be used; it is not used by this."""
    async with core.store.read() as conn:
        link = await access.find_link(conn, secret)
        if link is None or link.used_us is not None or link.expires_us <= core.now_us:
            return None
        return await person_rows.find(conn, link.person_id)


def new_session(core: Core, person_id: int, browser: str) -> tuple[str, NewSession]:
    """A session to be kept and the secret for its cookie. ``browser`` as in NewSession."""
    now = core.now_us
    csrf = secrets.token_urlsafe(_BYTES)
    new = NewSession(person_id, csrf, now, now + SESSION_US, browser)
    return secrets.token_urlsafe(_BYTES), new


async def use_link(core: Core, secret: str, browser: str = "") -> SignedIn | None:
    """Use a link once: a new session, and the address is known to be the person's own.

    None when it was used or is too old.
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
    """Who a session's cookie belongs to; its time is renewed now and then."""
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
    """In one hop: who it is, what he has chosen, whether he has a desk."""
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
    """An API token, shown once; only its digest is kept, and its owner is told by letter."""
    token = secrets.token_urlsafe(_BYTES)
    async with core.store.write() as conn:
        await access.add_token(conn, token, person_id, name, core.now_us)
        letter = told(core, person_id, AccountNews.TOKEN_ADDED, name)
        await outbox_rows.enqueue(conn, [letter])
    return token
