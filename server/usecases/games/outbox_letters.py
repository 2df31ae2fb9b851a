"""Letters as outbox rows, in the transaction of the change that causes them, and their reply keys.

A row says which letter, to whom and about which event; the words are composed when it is
sent, from the ledger up to that event. Its Message-ID is derived from the same facts, so that
a repeat is recognised. Not for text (mail.compose) nor for sending (the outbox job).
"""

import json
import secrets
from base64 import b32decode, b32encode
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from hashlib import blake2b
from hmac import compare_digest

from kskak.regulation.editions import Side
from mail.game_letters.letter_parts import Letter
from server.store.account.sign_in import digest
from server.store.engine.rows import DAY_US, dump_json
from server.store.mail.outbox import NewOutbox
from server.store.play.games import GameRow
from server.store.play.requests import ConfirmationRow

_SECRET = 32
_PROOF, _SHORT_PROOF = 16, 10
_GAME, _PLY, _SIDE = 7, 2, 1
_PAYLOAD = _GAME + _PLY + _SIDE


def secret_of(given: str) -> bytes:
    """The signing secret, from what an operator gave or the server made, of any length."""
    return blake2b(given.encode(), digest_size=_SECRET, person=b"secret").digest()


def mark_of(secret: bytes) -> str:
    """What tells one secret from another, and nothing of it."""
    return blake2b(secret, digest_size=8, person=b"mark").hexdigest()


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
    SERIES = "series"


def is_elsewhere(question: ConfirmationRow) -> bool:
    """Whether it is not about the position: what the player writes meanwhile leaves it open.

    A question about another mail, or about leave, which holds in all his games.
    """
    return question.kind == QuestionKind.HELD or bool(json.loads(question.params).get("of_leave"))


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

    def row(self, **params: object) -> ConfirmationRow:
        """The question as a row to save."""
        return ConfirmationRow(
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


def _short(said: str) -> str:
    """What distinguishes letters in their Message-IDs: 20 characters."""
    return blake2b(said.encode(), digest_size=10).hexdigest()


@dataclass(frozen=True, slots=True)
class Poster:
    """Makes outbox rows. ``domain`` is ours, ``secret`` signs the reply keys.

    ``dated``: how the Message-IDs of its letters about games begin.
    """

    secret: bytes
    domain: str
    now_us: int
    dated: str = ""

    def about(self, at_us: int) -> "Poster":
        """The same for the letters of an event of that instant.

        Their Message-IDs begin with it: a batch then adds to one place of the index that knows
        them, not to a page for each, which were two thirds of all pages that a move wrote.
        """
        return Poster(self.secret, self.domain, self.now_us, f"{at_us // 1000:x}.")

    def about_game(
        self,
        kind: type[Letter],
        game: GameRow,
        to: Side | None,
        at: tuple[int, int],
        params: dict[str, object] | None = None,
        unique: str = "",
    ) -> NewOutbox:
        """A letter about a game to a player, or to the leader (None).

        ``at`` is the event's number and the plies then played. A player's letter carries the
        key in its Message-ID too, for mail programs that drop the address's tag.
        """
        seq, ply = at
        if to is None:
            reader, key = game.tl_id, "tl"
        else:
            reader = game.person_of(to)
            key = make_key(self.secret, ReplyPosition(game.id, ply, to))
        mark = _short(f"{kind.kind}.{game.id}.{seq}.{reader}.{unique}")
        named = f"{self.dated}{key}.{mark}"
        return self._row(kind, named, reader, params, game_id=game.id, seq=seq)

    def to_person(
        self, kind: type[Letter], person_id: int, unique: str, params: dict[str, object]
    ) -> NewOutbox:
        """A letter about no single game. ``unique`` distinguishes it from others of its kind."""
        mark = _short(f"{kind.kind}.{person_id}.{unique}")
        return self._row(kind, f"{kind.kind}.{mark}", person_id, params)

    def _row(
        self,
        kind: type[Letter],
        named: str,
        reader: int,
        params: dict[str, object] | None,
        game_id: int | None = None,
        seq: int | None = None,
    ) -> NewOutbox:
        return NewOutbox(
            message_id=f"<{named}@{self.domain}>",
            kind=kind.kind,
            to_addr="",
            created_us=self.now_us,
            due_us=self.now_us,
            person_id=reader,
            game_id=game_id,
            seq=seq,
            params=dump_json(params) if params else "{}",
        )


def addressless(
    poster: Poster, kind: type[Letter], unique: str, params: dict[str, object]
) -> NewOutbox:
    """A letter to somebody not registered yet; the recipient is found through ``params``."""
    return replace(poster.to_person(kind, 0, unique, params), person_id=None)


def make_unique(letter: NewOutbox, unique: str) -> NewOutbox:
    """The letter with a Message-ID that depends on ``unique``, not on the game's progress."""
    local, _, domain = letter.message_id.strip("<>").rpartition("@")
    key = local.split(".")[-2]
    named = f"once.{letter.kind}.{letter.game_id}.{letter.person_id}.{unique}"
    mark = _short(named)
    return replace(letter, message_id=f"<{key}.{mark}@{domain}>")
