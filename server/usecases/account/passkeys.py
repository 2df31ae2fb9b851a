"""Passkeys: made after a fresh sign-in, used instead of a mailed link (WebAuthn level 3).

The browser proves that it holds a key for this site's own name, and that its owner unlocked it.
A challenge can be answered once, within five minutes, by the browser it was given to. The mailed
link remains, so that nobody is locked out by a lost key. Not for cookies (the web's).
"""

import asyncio
import hashlib
import hmac
import importlib
import json
import secrets
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mail.office_letters.account import AccountNews
from server.store.account import passkeys as rows
from server.store.account import ways_in as access
from server.store.account.passkeys import NewPasskey, PasskeyRow
from server.store.account.ways_in import SessionRow, digest
from server.store.engine.errors import StoreConflict
from server.store.engine.types import MINUTE_US
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.account.account_letters import told
from server.usecases.account.own_keys import TooMany
from server.usecases.account.signin import SignedIn
from server.usecases.core.context import Core

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

CHALLENGE_US = 5 * MINUTE_US
LONGEST_ANSWER = 16_384
"""Characters in a browser's answer; an attestation is far shorter."""
REGISTER, SIGN_IN = "register", "signin"
_BYTES = 32


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


async def _loaded() -> None:
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


async def keys_of(core: Core, person: PersonRow) -> tuple[PasskeyRow, ...]:
    """A person's passkeys."""
    async with core.store.read() as conn:
        return await rows.of_person(conn, person.id)


async def offer(core: Core, person: PersonRow, session: SessionRow) -> str:
    """What the browser needs to make a passkey, as JSON. Raises NotProved, TooMany."""
    party, challenge = _party(core), secrets.token_bytes(_BYTES)
    async with core.store.write() as conn:
        own = await rows.of_person(conn, person.id)
        if len(own) >= rows.MOST_KEYS:
            raise TooMany("passkeys")
        until = core.now_us + CHALLENGE_US
        await rows.put_challenge(conn, session.digest, REGISTER, challenge, until)
    await _loaded()
    import webauthn
    from webauthn.helpers import structs

    made = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="K-skak",
        user_name=person.email,
        user_display_name=person.name,
        user_id=_handle(core, person.id),
        challenge=challenge,
        exclude_credentials=[_named(row) for row in own],
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
    )
    return webauthn.options_to_json(made)


def _named(row: PasskeyRow) -> "PublicKeyCredentialDescriptor":
    from webauthn.helpers.structs import AuthenticatorTransport, PublicKeyCredentialDescriptor

    known = {one.value for one in AuthenticatorTransport}
    ways = [AuthenticatorTransport(word) for word in row.transports.split() if word in known]
    return PublicKeyCredentialDescriptor(id=row.credential, transports=ways or None)


async def register(
    core: Core, person: PersonRow, session: SessionRow, answer: str, name: str
) -> None:
    """Save a new passkey under a name. Raises NotProved."""
    party = _party(core)
    async with core.store.write() as conn:
        challenge = await rows.take_challenge(conn, session.digest, REGISTER, core.now_us)
    if challenge is None:
        raise NotProved("no challenge")
    await _loaded()
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
    new = NewPasskey(
        person_id=person.id,
        credential=proved.credential_id,
        public_key=proved.credential_public_key,
        sign_count=proved.sign_count,
        transports=_transports(answer),
        name=name,
        created_us=core.now_us,
    )
    try:
        async with core.store.write() as conn:
            await rows.add(conn, new)
            letter = told(core, person.id, AccountNews.PASSKEY_ADDED, name)
            await outbox_rows.enqueue(conn, [letter])
    except StoreConflict as error:
        raise NotProved("kept already") from error


def _transports(answer: str) -> str:
    """The key's transports, as far as we know their names."""
    from webauthn.helpers.structs import AuthenticatorTransport

    said = json.loads(answer)["response"].get("transports")
    known = [one.value for one in AuthenticatorTransport]
    return " ".join(word for word in said if word in known) if isinstance(said, list) else ""


async def rename(core: Core, person: PersonRow, key_id: int, name: str) -> bool:
    """Rename one of a person's passkeys; False when there is no such key."""
    async with core.store.write() as conn:
        return await rows.rename(conn, person.id, key_id, name)


async def remove(core: Core, person: PersonRow, key_id: int) -> bool:
    """Remove one of a person's passkeys; False when there is no such key."""
    async with core.store.write() as conn:
        name = await rows.remove(conn, person.id, key_id)
        if name is None:
            return False
        letter = told(core, person.id, AccountNews.PASSKEY_REMOVED, name)
        await outbox_rows.enqueue(conn, [letter])
    return True


async def challenge(core: Core, secret: str) -> str:
    """What a browser needs to sign in with a passkey, as JSON; ``secret`` is from its cookie.

    Raises NotProved on a site that cannot have passkeys.
    """
    party, fresh = _party(core), secrets.token_bytes(_BYTES)
    async with core.store.write() as conn:
        until = core.now_us + CHALLENGE_US
        await rows.put_challenge(conn, digest(secret), SIGN_IN, fresh, until)
    await _loaded()
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
    async with core.store.write() as conn:
        given = await rows.take_challenge(conn, digest(secret), SIGN_IN, core.now_us)
    if given is None:
        raise NotProved("no challenge")
    row, count = await _proved(core, party, given, answer)
    async with core.store.write() as conn:
        person = await person_rows.find(conn, row.person_id)
        if person is None or not await rows.used(conn, row, count, core.now_us):
            raise NotProved("used meanwhile")
        fresh, new = signin.new_session(core, person.id, browser)
        await access.add_session(conn, fresh, new)
    return SignedIn(fresh, signin.own_path(next_path), person)


async def _proved(core: Core, party: Party, given: bytes, answer: str) -> tuple[PasskeyRow, int]:
    """The passkey that answered, and its new counter: one that does not grow betrays a copy."""
    await _loaded()
    import webauthn
    from webauthn.helpers import exceptions, parse_authentication_credential_json

    try:
        said = parse_authentication_credential_json(answer)
        credential, handle = bytes(said.raw_id), said.response.user_handle
    except (exceptions.WebAuthnException, *_MISSHAPEN) as error:
        raise NotProved(str(error)) from error
    async with core.store.read() as conn:
        row = await rows.by_credential(conn, credential)
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
