"""Signing in by a mailed link or a passkey; one's sessions, tokens, keys and preferences."""

import asyncio
import hashlib
import hmac
import importlib
import json
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from mail.office_letters.entry_letters import AccountNews, WaysChanged
from mail.office_letters.service_letters import SignIn
from server.store.account import sign_in as access
from server.store.account.sign_in import PasskeyRow, SessionRow, TokenScope, TokenTerms, digest
from server.store.engine.connection import SIGNING_IN, AsyncConnection, StoreConflict
from server.store.engine.rows import DAY_US, HOUR_US, MINUTE_US, from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow, Role
from server.store.tables.people import REMINDERS
from server.usecases.context import Core, poster_of
from server.usecases.letter_facts import Params, loads, number, official, text
from server.usecases.preferences import Pace, Preferences, faulty, read, write_field
from server.usecases.reflection.silence_and_outages import RearmUnit
from server.usecases.rights import list_officials

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor


# The letters about one's own account: their outbox rows, and their facts when they are sent.

ACCESS_PATH = "/settings/access"


def build_access_letter(core: Core, person_id: int, news: AccountNews, name: str) -> NewOutbox:
    """The letter about a way to sign in added or removed, for the same transaction to enqueue."""
    params: dict[str, object] = {"news": news.value, "name": name}
    unique = f"{news.value}.{name}.{core.now_us}"
    return poster_of(core).to_person(WaysChanged, person_id, unique, params)


async def _tell_owner(
    core: Core, conn: AsyncConnection, person_id: int, news: AccountNews, name: str
) -> None:
    await outbox_rows.enqueue(conn, [build_access_letter(core, person_id, news, name)])


@loads(WaysChanged)
async def _access_letter(core: Core, reader: PersonRow, params: Params) -> WaysChanged:
    news, at = AccountNews(text(params, "news")), _local(core, params.row.created_us)
    name, url = text(params, "name"), core.url(ACCESS_PATH)
    return WaysChanged(reader.name, official(core), news, name, at, url)


def _local(core: Core, at_us: int) -> datetime:
    return from_us(at_us).astimezone(ZoneInfo(core.settings.clock.zone))


@loads(SignIn)
async def _sign_in_letter(core: Core, reader: PersonRow, params: Params) -> SignIn:
    expires = _local(core, number(params, "expires_us"))
    return SignIn(reader.name, official(core), text(params, "link"), expires)


# Signing in: a mailed one-time link, a session kept by the server, an API token.

LINK_US = HOUR_US
MOST_OPEN = 3
"""Sign-in letters to a person whose links are neither used nor expired."""
SESSION_US, LONGEST_SESSION_US = 90 * DAY_US, 365 * DAY_US
"""How long a session lasts unused, and at most."""
PROVED_US = 12 * HOUR_US
"""How long an official acts in a session that a passkey began, where one is demanded of him."""
BY_PASSKEY = ";passkey"
"""What ends the name of a session's browser if a passkey began it."""
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
    must_prove: bool = False
    """An official of whom a passkey is demanded, and who has not signed in with it today."""


def own_path(path: str) -> str:
    """The path if it is on this site, else the front page: signing in never leads elsewhere."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_ours and path.isprintable() else "/"


async def make_link(core: Core, person_id: int, next_path: str = "/") -> str:
    """A one-time link to the page with the button. The secret is shown once."""
    secret = secrets.token_urlsafe(_BYTES)
    await core.store.change(
        access.add_link, secret, person_id, core.now_us + LINK_US, own_path(next_path)
    )
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
    letter = poster_of(core).to_person(SignIn, reader, link, params)
    if person is None or is_full:
        await outbox_rows.feign(conn, letter)
        return
    await access.add_link(conn, secret, person.id, until, own_path(next_path))
    await outbox_rows.enqueue(conn, [letter])


async def open_link(core: Core, secret: str) -> PersonRow | None:
    """The person a link is for, None when it can't be used any more. This does not use it."""
    async with core.store.read() as conn:
        person_id = await access.find_link(conn, secret, core.now_us)
        return None if person_id is None else await person_rows.find_person(conn, person_id)


async def _begin_session(
    core: Core, conn: AsyncConnection, person: PersonRow, browser: str, next_path: str
) -> SignedIn:
    """A new session; ``browser`` as in SessionRow."""
    secret, csrf = secrets.token_urlsafe(_BYTES), secrets.token_urlsafe(_BYTES)
    until = core.now_us + SESSION_US
    values = {"person_id": person.id, "csrf": csrf, "expires_us": until, "browser": browser}
    await access.add_session(conn, secret, core.now_us, **values)
    return SignedIn(secret, own_path(next_path), person)


async def use_link(core: Core, secret: str, browser: str = "") -> SignedIn | None:
    """Use a one-time link: opens a session and proves the address to be the person's own.

    None when the link was already used or has expired.
    """
    now = core.now_us
    async with core.store.write() as conn:
        link = await access.use_link(conn, secret, now)
        if link is None:
            return None
        person = await person_rows.find_person(conn, link[0])
        if person is None:
            return None
        await person_rows.prove_email(conn, person.id, now)
        return await _begin_session(core, conn, person, browser, link[1])


async def visitor(core: Core, secret: str) -> Visitor | None:
    """The visitor a session cookie belongs to; the session is extended now and then."""
    now = core.now_us
    found = await core.store.look(lambda conn: _find_visitor(conn, secret, now))
    if found is None:
        return None
    session = found.session
    if session.seen_us < now - TOUCH_US:
        until = min(now + SESSION_US, session.created_us + LONGEST_SESSION_US)
        await core.store.note(lambda conn: access.touch_session(conn, session, now, until))
    must_prove = core.settings.web.officials_passkey and found.has_desk
    return replace(found, must_prove=must_prove and not is_proved(session, now))


def is_proved(session: SessionRow, now_us: int) -> bool:
    """Whether a passkey began the session, not long ago."""
    is_by_passkey = (session.browser or "").endswith(BY_PASSKEY)
    return is_by_passkey and now_us - session.created_us <= PROVED_US


def _find_visitor(conn: Connection, secret: str, now_us: int) -> Visitor | None:
    """The person, their preferences, and whether they have a desk."""
    found = access.find_session(conn, secret, now_us)
    if found is None:
        return None
    session, person, chosen, has_desk = found
    is_official = person.role in (Role.KC, Role.ADMIN) or has_desk
    return Visitor(session, person, read(chosen), is_official)


async def make_token(
    core: Core, person_id: int, name: str, terms: TokenTerms = access.ALL_SCOPES
) -> str:
    """An API token, shown once; only its digest is kept, and a letter tells its owner."""
    token = secrets.token_urlsafe(_BYTES)
    async with core.store.write() as conn:
        await access.add_token(conn, token, person_id, name, core.now_us, terms)
        await _tell_owner(core, conn, person_id, AccountNews.TOKEN_ADDED, name)
    return token


# A person's own access: where they are signed in, API tokens, the key for chess programs.

FRESH_US = 30 * MINUTE_US
"""How long after signing in other ways to sign in can be added without signing in again."""
MOST_TOKENS = 20
LONGEST_NAME = 60
_KEY_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_KEY_LENGTH = 20
"""20 characters out of 31 that are hard to confuse: 99 bits."""


class TooMany(ValueError):
    """The person already has the maximum number of these."""


def is_fresh(session: SessionRow, now_us: int) -> bool:
    """True if the sign-in is recent enough for adding other ways to sign in."""
    return now_us - session.created_us <= FRESH_US


def xfcc_user(person_id: int) -> str:
    """The user name for chess programs: permanent, and plain ASCII (Scid garbles the rest)."""
    return f"k{person_id}"


LIVES_DAYS = (365, 90, 30, 0)
"""For how many days a token is made on its page; 0: it has no end."""


def terms_for(core: Core, scopes: Collection[str], days: int) -> TokenTerms:
    """What a token is for: reading and the scopes named, for so many days, 0: without an end."""
    chosen = tuple(one for one in TokenScope if one is TokenScope.READ or one in scopes)
    return TokenTerms(chosen, core.now_us + days * DAY_US if days else None)


async def make_own_token(
    core: Core, person: PersonRow, name: str, terms: TokenTerms = access.ALL_SCOPES
) -> str:
    """A new API token. Raises TooMany."""
    async with core.store.read() as conn:
        if len(await access.tokens_of(conn, person.id)) >= MOST_TOKENS:
            raise TooMany("tokens")
    return await make_token(core, person.id, name, terms)


async def revoke_token(core: Core, person: PersonRow, token_digest: bytes) -> bool:
    """Revoke one of a person's tokens; False when there is no such token."""
    async with core.store.write() as conn:
        own = {row.digest: row.name for row in await access.tokens_of(conn, person.id)}
        if not await access.revoke_token(conn, person.id, token_digest):
            return False
        await _tell_owner(core, conn, person.id, AccountNews.TOKEN_REMOVED, own[token_digest])
    return True


async def make_xfcc_key(core: Core, person: PersonRow) -> str:
    """A new key for chess programs; the previous one stops working."""
    key = "".join(secrets.choice(_KEY_SIGNS) for _ in range(_KEY_LENGTH))
    async with core.store.write() as conn:
        await access.replace_key(conn, access.XFCC, person.id, key, core.now_us)
        await _tell_owner(core, conn, person.id, AccountNews.XFCC_ADDED, xfcc_user(person.id))
    return key


async def revoke_xfcc_key(core: Core, person: PersonRow) -> bool:
    """Revoke the key; False when there is none."""
    async with core.store.write() as conn:
        if not await access.revoke_key(conn, access.XFCC, person.id):
            return False
        await _tell_owner(core, conn, person.id, AccountNews.XFCC_REMOVED, xfcc_user(person.id))
    return True


async def xfcc_owner(core: Core, user: str, key: str) -> PersonRow | None:
    """The person a chess program signs in as; None when user name and key do not match."""
    found = await core.store.look(lambda conn: access.owner(conn, key))
    if found is None or not secrets.compare_digest(
        user.strip().lower().encode(), xfcc_user(found[0].id).encode()
    ):
        return None
    person, used_day = found
    today = core.today(core.settings.clock.zone).isoformat()
    if used_day != today:
        await core.store.change(access.use, person.id, today)
    return person


# Saves a person's preferences and applies their immediate effects.


async def read_preferences(core: Core, person_id: int) -> Preferences:
    """The preferences in force for a person."""
    return await core.store.look(
        lambda conn: read(person_rows.read_person_preferences(conn, person_id))
    )


async def keep(core: Core, person: PersonRow, chosen: Mapping[str, str]) -> tuple[str, ...]:
    """Save a person's choices for some fields; returns the invalid fields, () when saved.

    All are saved or none. Raises KeyError for an unknown field.
    """
    wrong = faulty(chosen)
    if not wrong:
        held = read(chosen.items())
        await core.store.change(
            person_rows.keep_preferences,
            person.id,
            {name: write_field(held, name) for name in chosen},
        )
        if REMINDERS in chosen:
            await _set_reminders(core, person)
    return wrong


async def send_moves_again(core: Core, person_id: int) -> None:
    """A mail for each of the opponent's moves, as before anything was chosen."""
    await core.store.change(person_rows.keep_preferences, person_id, {"letters": Pace.MOVES.value})


async def _set_reminders(core: Core, person: PersonRow) -> None:
    """Reschedule the games in which the person is to move by the new reminder setting.

    A warning already sent is not repeated: its Message-ID contains its day.
    """
    running = await core.store.query(game_rows.list_person_games, person.id, running=True)
    mine = [row.id for row in running if row.to_move_id == person.id]
    await asyncio.gather(*(core.writer.submit(RearmUnit(game_id)) for game_id in mine))


# Passkeys: made after a fresh sign-in, used instead of a mailed link (WebAuthn level 3).

CHALLENGE_US = 5 * MINUTE_US
LONGEST_ANSWER = 16_384
"""Characters in a browser's answer; an attestation is far shorter."""
REGISTER, SIGN_IN = "register", "signin"
_BYTES_PASSKEYS = 32


_MISSHAPEN = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What the library and ``json`` raise for an answer of the wrong shape, or nested too deep."""


class NotProved(ValueError):
    """The browser's answer proves nothing: wrong key, site or challenge, or too late."""


@dataclass(frozen=True, slots=True)
class Party:
    """This site as authenticators know it: its name (RP ID) and its origin."""

    id: str
    origin: str


def party_of(site: str) -> Party | None:
    """The site; None where browsers allow no passkeys: a bare IP address, or no TLS."""
    parts = urlsplit(site)
    host = parts.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        is_secure = parts.scheme == "https" or host == "localhost"
        return Party(host, f"{parts.scheme}://{parts.netloc}") if is_secure else None
    return None


async def _load_library() -> None:
    """The library is there: a tenth of a second and 6 MB, which no start and no other request pays.

    Whoever calls this imports from it afterwards.
    """
    await asyncio.to_thread(importlib.import_module, "webauthn")


def _party(core: Core) -> Party:
    party = party_of(core.settings.web.site)
    if party is None:
        raise NotProved("this site has no name")
    return party


def _handle(core: Core, person_id: int) -> bytes:
    """The opaque ID by which an authenticator knows a person."""
    return hmac.new(core.secret, f"passkey.{person_id}".encode(), hashlib.sha256).digest()


async def offer(core: Core, person: PersonRow, session: SessionRow) -> str:
    """What the browser needs to make a passkey, as JSON. Raises NotProved, TooMany."""
    party, challenge = _party(core), secrets.token_bytes(_BYTES_PASSKEYS)
    async with core.store.write() as conn:
        own = await access.passkeys_of(conn, person.id)
        is_closed = core.settings.web.officials_passkey and not is_proved(session, core.now_us)
        if len(own) >= access.MOST_KEYS or (own and is_closed):
            raise TooMany("passkeys")  # who holds the mailbox alone makes no second key
        until = core.now_us + CHALLENGE_US
        await access.put_challenge(conn, session.digest, REGISTER, challenge, until)
    await _load_library()
    import webauthn
    from webauthn.helpers import structs

    made = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="K-skak",
        user_name=person.email,
        user_display_name=person.name,
        user_id=_handle(core, person.id),
        challenge=challenge,
        exclude_credentials=[_describe_key(row) for row in own],
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
    )
    return webauthn.options_to_json(made)


def _describe_key(row: PasskeyRow) -> "PublicKeyCredentialDescriptor":
    from webauthn.helpers.structs import AuthenticatorTransport, PublicKeyCredentialDescriptor

    known = {one.value for one in AuthenticatorTransport}
    ways = [AuthenticatorTransport(word) for word in row.transports.split() if word in known]
    return PublicKeyCredentialDescriptor(id=row.credential, transports=ways or None)


async def register(
    core: Core, person: PersonRow, session: SessionRow, answer: str, name: str
) -> None:
    """Save a new passkey under a name. Raises NotProved."""
    party = _party(core)
    challenge = await core.store.change(
        access.take_challenge, session.digest, REGISTER, core.now_us
    )
    if challenge is None:
        raise NotProved("no challenge")
    await _load_library()
    import webauthn
    from webauthn.helpers import exceptions

    try:
        proved = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except (exceptions.WebAuthnException, *_MISSHAPEN) as error:
        raise NotProved(str(error)) from error
    try:
        async with core.store.write() as conn:
            await access.add(
                conn,
                person_id=person.id,
                credential=proved.credential_id,
                public_key=proved.credential_public_key,
                sign_count=proved.sign_count,
                transports=_transports(answer),
                name=name,
                created_us=core.now_us,
            )
            await _tell_owner(core, conn, person.id, AccountNews.PASSKEY_ADDED, name)
    except StoreConflict as error:
        raise NotProved("kept already") from error


def _transports(answer: str) -> str:
    """The key's transports, as far as we know their names."""
    from webauthn.helpers.structs import AuthenticatorTransport

    said = json.loads(answer)["response"].get("transports")
    known = [one.value for one in AuthenticatorTransport]
    return " ".join(word for word in said if word in known) if isinstance(said, list) else ""


async def remove(core: Core, person: PersonRow, key_id: int) -> bool:
    """Remove one of a person's passkeys; False when there is no such key."""
    async with core.store.write() as conn:
        name = await access.remove(conn, person.id, key_id)
        if name is None:
            return False
        await _tell_owner(core, conn, person.id, AccountNews.PASSKEY_REMOVED, name)
    return True


async def forget_passkeys(core: Core, person: PersonRow) -> int:
    """All of a person's passkeys, sessions, tokens and keys end: the last passkey was lost.

    He and all officials are told, so that nobody becomes one in silence by a mailbox. How many
    passkeys there were; 0: nothing was changed.
    """
    async with core.store.write() as conn:
        lost = len(await access.passkeys_of(conn, person.id))
        if lost:
            await access.end_all(conn, [person.id])
            told = {person.id} | await list_officials(conn, core.now_us)
            news = AccountNews.PASSKEYS_RESET
            letters = [build_access_letter(core, who, news, person.name) for who in sorted(told)]
            await outbox_rows.enqueue(conn, letters)
    return lost


async def challenge(core: Core, secret: str) -> str:
    """What a browser needs to sign in with a passkey, as JSON; ``secret`` is from its cookie.

    Raises NotProved on a site that cannot have passkeys.
    """
    party, fresh = _party(core), secrets.token_bytes(_BYTES_PASSKEYS)
    async with core.store.write() as conn:
        until = core.now_us + CHALLENGE_US
        await access.put_challenge(conn, digest(secret), SIGN_IN, fresh, until)
    await _load_library()
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    made = webauthn.generate_authentication_options(
        rp_id=party.id, challenge=fresh, user_verification=UserVerificationRequirement.REQUIRED
    )
    return webauthn.options_to_json(made)


async def sign_in(
    core: Core, secret: str, answer: str, next_path: str, browser: str = ""
) -> SignedIn:
    """A session for whoever holds the key. Raises NotProved; the page never learns why."""
    party = _party(core)
    given = await core.store.change(access.take_challenge, digest(secret), SIGN_IN, core.now_us)
    if given is None:
        raise NotProved("no challenge")
    row, count = await _verify_answer(core, party, given, answer)
    async with core.store.write() as conn:
        person = await person_rows.find_person(conn, row.person_id)
        if person is None or not await access.mark_passkey_used(conn, row, count, core.now_us):
            raise NotProved("used meanwhile")
        return await _begin_session(core, conn, person, browser + BY_PASSKEY, next_path)


async def _verify_answer(
    core: Core, party: Party, given: bytes, answer: str
) -> tuple[PasskeyRow, int]:
    """The passkey that answered, and its new counter: one that does not grow betrays a copy."""
    await _load_library()
    import webauthn
    from webauthn.helpers import exceptions, parse_authentication_credential_json

    try:
        said = parse_authentication_credential_json(answer)
        credential, handle = bytes(said.raw_id), said.response.user_handle
    except (exceptions.WebAuthnException, *_MISSHAPEN) as error:
        raise NotProved(str(error)) from error
    row = await core.store.query(access.by_credential, credential)
    if row is None:
        raise NotProved("unknown key")
    try:
        if handle is not None and not hmac.compare_digest(handle, _handle(core, row.person_id)):
            raise NotProved("somebody else's key")
        proved = webauthn.verify_authentication_response(
            credential=said,
            expected_challenge=given,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=row.public_key,
            credential_current_sign_count=row.sign_count,
            require_user_verification=True,
        )
    except NotProved:
        raise
    except (exceptions.WebAuthnException, *_MISSHAPEN) as error:
        raise NotProved(str(error)) from error
    return row, proved.new_sign_count
