"""Reply keys: who may move from which position by answering a mail (CONTRACTS "Mail").

A key names game, position and colour and carries a 128-bit proof made with the server's
secret, so that it can be read back without a table and can't be guessed. It is bound to the
position: once the game has moved on it is spent. The sender's address is checked as well
(REGULATION, "Authentication"); a key alone moves nothing.
"""

import json
import secrets
from base64 import b32decode, b32encode
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from hashlib import blake2b
from hmac import compare_digest

from kskak.regulation.editions import Side
from server.store.account.sign_in import digest
from server.store.engine.rows import DAY_US
from server.store.play.requests import NewConfirmation

_SECRET = 32
_PROOF, _SHORT_PROOF = 16, 10
_GAME, _PLY, _SIDE = 7, 2, 1
_PAYLOAD = _GAME + _PLY + _SIDE


def secret_of(given: str) -> bytes:
    """The signing secret, from what an operator gave or the server made, of any length."""
    return blake2b(given.encode(), digest_size=_SECRET, person=b"secret").digest()


@dataclass(frozen=True, slots=True)
class ReplyPosition:
    """A game's position (plies played) as seen by one player."""

    game_id: int
    ply: int
    side: Side


def _signed(secret: bytes, use: bytes, said: bytes, size: int) -> bytes:
    """``size`` octets that only a holder of the secret can make; ``use`` keeps uses apart.

    Keyed BLAKE2b: two letters per move carry a key, and it takes a third of an HMAC's time.
    """
    return blake2b(said, digest_size=size, key=secret, person=use).digest()


def _proof(secret: bytes, payload: bytes) -> bytes:
    return _signed(secret, b"reply-key", payload, _PROOF)


def _veil(secret: bytes, proof: bytes) -> bytes:
    """The mask that hides the payload: numbers of games and moves are nobody else's business."""
    return _signed(secret, b"reply-veil", proof, _PAYLOAD)


def _xor(one: bytes, other: bytes) -> bytes:
    return (int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).to_bytes(_PAYLOAD, "big")


def make_key(secret: bytes, position: ReplyPosition) -> str:
    """The key of a position: 42 characters of a-z and 2-7."""
    payload = (
        position.game_id.to_bytes(_GAME, "big")
        + position.ply.to_bytes(_PLY, "big")
        + (b"w" if position.side is Side.WHITE else b"b")
    )
    proof = _proof(secret, payload)
    packed = proof + _xor(payload, _veil(secret, proof))
    return _written(packed)


def read_key(secret: bytes, key: str) -> ReplyPosition | None:
    """The position a key is for; None for a key that this server did not make."""
    try:
        packed = _unpacked(key)
    except ValueError:
        return None
    if len(packed) != _PROOF + _PAYLOAD:
        return None
    proof, veiled = packed[:_PROOF], packed[_PROOF:]
    payload = _xor(veiled, _veil(secret, proof))
    if not compare_digest(proof, _proof(secret, payload)):
        return None
    side = Side.WHITE if payload[-1:] == b"w" else Side.BLACK
    game_id = int.from_bytes(payload[:_GAME], "big")
    return ReplyPosition(game_id, int.from_bytes(payload[_GAME : _GAME + _PLY], "big"), side)


def _written(octets: bytes) -> str:
    """In a-z and 2-7, as an address can carry it."""
    return b32encode(octets).decode("ascii").rstrip("=").lower()


def _unpacked(key: str) -> bytes:
    """What such letters say. ValueError if they can be none."""
    return b32decode(key.upper() + "=" * (-len(key) % 8))


def think_key(secret: bytes, position: ReplyPosition) -> str:
    """The key in a letter's link for giving notice of a long think from a position (§ 6.3.4).

    Not the reply key, which is quoted in mails: this one appears only in a link.
    """
    return make_key(_think_secret(secret), position)


def read_think_key(secret: bytes, key: str) -> ReplyPosition | None:
    """The position such a link is for; None for a key that this server did not make."""
    return read_key(_think_secret(secret), key)


def _think_secret(secret: bytes) -> bytes:
    return _signed(secret, b"long-think", b"", _SECRET)


def _numbered(use: bytes, secret: bytes, number: int) -> str:
    """A number and the proof that we wrote it, in a-z and 2-7."""
    proof = _signed(secret, use, str(number).encode(), _SHORT_PROOF)
    return _written(number.to_bytes(6, "big")) + _written(proof)


def _number_of(use: bytes, secret: bytes, token: str) -> int | None:
    """The number in a token; None for one we did not make."""
    try:
        number = int.from_bytes(_unpacked(token[:10]), "big")
    except ValueError:
        return None
    is_ours = compare_digest(token.encode(), _numbered(use, secret, number).encode())
    return number if is_ours else None


bounce_token, read_bounce_token = partial(_numbered, b"bounce"), partial(_number_of, b"bounce")
"""What a letter's return path carries: its number, and a proof that we wrote it; and back."""
unsubscribe_token = partial(_numbered, b"unsubscribe")
"""What the link for ending optional letters to a person carries: the person's number."""
read_unsubscribe_token = partial(_number_of, b"unsubscribe")


# What is asked back once before it is done, and how the question is saved.

TERM_US = 14 * DAY_US
"""How long a question may be answered; a held mail still counts from its arrival."""
_BYTES = 24


class QuestionKind(StrEnum):
    """Every question the server asks back."""

    RESIGN = "resign"
    DRAW_YES = "draw_yes"
    HELD = "held"
    LATE = "late"
    MEANT = "meant"
    WISH = "wish"


ELSEWHERE = (QuestionKind.HELD,)
"""Questions about another mail: what the player writes meanwhile leaves them open."""


QUESTIONED = "asked_of"
"""In the facts of a letter that tells what is open: the questions, by their digests in hex."""


def new_key() -> str:
    """A key for one question."""
    return secrets.token_urlsafe(_BYTES)


@dataclass(frozen=True, slots=True)
class PlayerQuestion:
    """A question to a player about a position; ``sent_us`` is the instant that counts."""

    question: QuestionKind
    key: str
    person_id: int
    position: ReplyPosition
    sent_us: int
    now_us: int
    inbox_id: int | None = None

    def row(self, **params: object) -> NewConfirmation:
        """The question as a row to save."""
        return NewConfirmation(
            digest=digest(self.key),
            person_id=self.person_id,
            game_id=self.position.game_id,
            ply=self.position.ply,
            kind=self.question.value,
            sent_us=self.sent_us,
            expires_us=self.now_us + TERM_US,
            inbox_id=self.inbox_id,
            params=json.dumps(params, separators=(",", ":")),
        )
