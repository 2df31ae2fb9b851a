"""Browser notifications and webhooks: who wants them where, what each says, and its signature.

The browser vendor's push service carries them (Web Push, RFC 8030). It learns that and when
something was sent, but not what: only the browser has the key (RFC 8291). The server signs with
its own key (VAPID, RFC 8292), made once. Not for sending (jobs/notify.py) nor for finding
what is due (store/account/notifications.py).
"""

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import asdict, dataclass
from hashlib import blake2b
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from kskak.board.shapes import MoveNotation, numeric, write_for_reader
from kskak.game.game_events import LedgerEvent
from kskak.ledger.ledger_files import default_channel, entry_json
from kskak.play.game_state import GameState, RecentPly
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import Side
from mail.text.catalogue import Words
from server.store.account import notifications as rows
from server.store.account.notifications import BrowserRow, DueCall
from server.store.engine.rows import SECOND_US
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.tables import base as base_tables
from server.usecases.account import signin
from server.usecases.account.signin import Visitor
from server.usecases.context import Core
from server.usecases.play.game_views import game_view

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class PushNotification:
    """A notification. A newer one with the same ``tag`` replaces it on the screen."""

    title: str
    body: str
    url: str
    tag: str
    lang: str


async def find_notification(core: Core, game_id: int, person_id: int) -> PushNotification | None:
    """A player's notification about a game as it stands; None when no longer to move."""
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        person = await person_rows.find_person(conn, person_id)
    if game is None or person is None or game.to_move_id != person_id:
        return None
    state, said = game.state(), Words.load(person.lang)
    if not state.recent:
        return None
    chosen = await signin.read_preferences(core, person_id)
    move = _move(state.recent[-1], chosen.writing, person.lang)
    name = game.black if game.white_id == person_id else game.white
    return PushNotification(
        title=said("push.moved", name=name, move=move),
        body=" ".join(_body(game, state, said)),
        url=f"/games/{game.id}",
        tag=f"game-{game.id}",
        lang=said.lang,
    )


def _body(game: GameRow, state: GameState, said: Words) -> list[str]:
    parts = [said("push.where", group=game.name.rpartition("/")[0] or game.name)]
    if state.draw_offer is not None and state.draw_offer is not state.to_move:
        parts.append(said("push.draw"))
    running = state.running()
    if running is not None and running.flag_on is not None:
        parts.append(said("push.until", day=said.day(running.flag_on - ONE_DAY)))
    return parts


def _move(ply: RecentPly, writing: MoveNotation, lang: str) -> str:
    """«12… Sf6», in the notation the reader chose."""
    text = write_for_reader(ply.san, numeric(ply.move), writing, lang)
    return f"{ply.number}{'.' if ply.by is Side.WHITE else '…'} {text}"


KEY = "vapid"
LIVES_S = 3 * 24 * 3600
"""How long to wait for a browser that is off; by then the letter has long since arrived."""
SIGNED_S = 12 * 3600
LONGEST_ENDPOINT = 1000
_HTTPS = 443


class BadBrowser(ValueError):
    """What the browser sent is not a subscription that we may send to."""


def _octets(text: str, length: int) -> bytes:
    """Decode a browser's URL-safe base64, padded or not. Raises BadBrowser."""
    try:
        found = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise BadBrowser("no base64") from error
    if len(found) != length:
        raise BadBrowser("wrong length")
    return found


def _text(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def check_endpoint(endpoint: str) -> SplitResult:
    """The parts of an address that may be a push service's: https, a host name, the usual port.

    Raises BadBrowser. Whether the name resolves to a public address is checked at each connection
    (jobs/notify.py): what it resolved to before proves nothing.
    """
    if len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable():
        raise BadBrowser("no address")
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise BadBrowser("no address") from error
    if parts.scheme != "https" or not parts.hostname or port not in (None, _HTTPS):
        raise BadBrowser("not https")
    if parts.username is not None or parts.fragment or "." not in parts.hostname:
        raise BadBrowser("no plain address")
    try:
        ip_address(parts.hostname)
    except ValueError:
        return parts
    raise BadBrowser("a number instead of a name")


async def enrol(
    core: Core, visitor: Visitor, endpoint: str, keys: tuple[str, str], browser: str
) -> None:
    """Start notifying the person in this browser. Raises BadBrowser.

    ``keys`` are the browser's public key and authentication secret, as the browser gives them.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    check_endpoint(endpoint)
    key, auth = _octets(keys[0], 65), _octets(keys[1], 16)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    except ValueError as error:
        raise BadBrowser("no key") from error
    new = {"person_id": visitor.person.id, "session": visitor.session.digest, "key": key}
    new |= {"endpoint": endpoint, "auth": auth, "browser": browser[:40], "created_us": core.now_us}
    await core.store.change(rows.enrol, new)


async def signing_key(core: Core) -> "EllipticCurvePrivateKey":
    """The server's signing key for notifications: made on first use, kept in the database."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    kept = await core.store.query(base_tables.get, KEY)
    if kept is None:
        fresh = ec.generate_private_key(ec.SECP256R1())
        pem = fresh.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        kept = await core.store.change(base_tables.ensure, KEY, pem.decode())
    found = serialization.load_pem_private_key(kept.encode(), None)
    assert isinstance(found, ec.EllipticCurvePrivateKey)
    return found


def public_text(key: "EllipticCurvePrivateKey") -> str:
    """The public key in the form browsers expect."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return _text(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def parcel(
    core: Core,
    signing: "EllipticCurvePrivateKey",
    browser: BrowserRow,
    notification: PushNotification,
) -> tuple[dict[str, str], bytes]:
    """A notification for one browser, as headers and body for its push service: encrypted, signed.

    It replaces an older one about the same game that was not fetched (Topic).
    """
    import http_ece  # type: ignore[import-untyped]
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import Vapid02  # type: ignore[import-untyped]

    parts = urlsplit(browser.endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": core.now_us // 1_000_000 + SIGNED_S,
        "sub": f"mailto:{core.settings.responsible_email}",
    }
    signed = Vapid02(signing).sign(claims)
    body = http_ece.encrypt(
        json.dumps(asdict(notification), ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=browser.key,
        auth_secret=browser.auth,
        version="aes128gcm",
    )
    headers = {
        "Authorization": signed["Authorization"],
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(LIVES_S),
        "Topic": _text(blake2b(notification.tag.encode(), digest_size=20).digest()),
        "Urgency": "normal",
    }
    return headers, body


# Webhooks: what a program is told of a game, signed with a key of its token.

SIGNATURE = "Kskak-Signature"
"""``t=SECONDS,v1=HEX``: HMAC-SHA256 over the seconds, a full stop and the body."""


def webhook_key(core: Core, token: bytes) -> str:
    """The key by which a program knows that a call is ours: one for each token, by its digest."""
    return hmac.new(core.secret, b"webhook" + token, hashlib.sha256).hexdigest()


class TooManyHooks(ValueError):
    """The person already has the maximum number of webhooks."""


async def add_webhook(core: Core, person_id: int, token: bytes, url: str) -> int:
    """A webhook, by its number. Raises BadBrowser for an address that we do not call."""
    check_endpoint(url)
    new = {"person_id": person_id, "token": token, "url": url, "created_us": core.now_us}
    async with core.store.write() as conn:
        if len(await rows.list_webhooks(conn, person_id)) >= rows.MOST_HOOKS:
            raise TooManyHooks
        return await rows.add_webhook(conn, **new)


async def replay_webhook(
    core: Core, person_id: int, hook_id: int, game_id: int | None, after: int
) -> int | None:
    """Tell it again what came after an entry; of how many games. None: he has no such webhook."""
    async with core.store.write() as conn:
        if hook_id not in {one.id for one in await rows.list_webhooks(conn, person_id)}:
            return None
        return await rows.replay_webhook(conn, hook_id, game_id, after, core.now_us)


async def build_call(core: Core, due: DueCall) -> tuple[dict[str, str], bytes] | None:
    """Head and body of a call: the game as it stands, and its entries since the last one taken.

    None for a game that is not there.
    """
    view = await game_view(core, due.game_id)
    if view is None:
        return None
    game, state = view.game, view.account.state
    new = [one for row, one in zip(view.rows, view.events, strict=False) if row.seq > due.told]
    channel = default_channel(game.terms.regulation)
    said = {
        "id": f"{due.hook.id}-{game.id}-{due.told}-{game.seq}", "game": game.id, "name": game.name,
        "url": core.url(f"/api/v1/games/{game.id}"), "after": due.told, "seq": game.seq,
        "ply": state.position.ply, "to_move": state.to_move, "result": state.result,
        "entries": [entry_json(one, channel) for one in new if isinstance(one, LedgerEvent)],
    }  # fmt: skip
    body, at = json.dumps(said, ensure_ascii=False).encode(), core.now_us // SECOND_US
    key = webhook_key(core, bytes(due.hook.token)).encode()
    signed = hmac.new(key, f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {"Content-Type": "application/json", SIGNATURE: f"t={at},v1={signed}"}, body
