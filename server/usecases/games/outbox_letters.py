"""Letters as outbox rows, in the transaction of the change that causes them.

A row says which letter, to whom and about which event; the words are composed when it is
sent, from the ledger up to that event. Its Message-ID is derived from the same facts, so that
a repeat is recognised. Not for text (mail.compose) nor for sending (the outbox job).
"""

from dataclasses import dataclass, replace
from hashlib import blake2b

from kskak.regulation.editions import Side
from mail.game_letters.letter_parts import Letter
from server.store.engine.rows import dump_json
from server.store.mail.outbox import NewOutbox
from server.store.play.games import GameRow
from server.usecases.games.reply_keys import ReplyPosition, make_key


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
        told = _short(f"{kind.kind}.{game.id}.{seq}.{reader}.{unique}")
        named = f"{self.dated}{key}.{told}"
        return self._row(kind, named, reader, params, game_id=game.id, seq=seq)

    def to_person(
        self, kind: type[Letter], person_id: int, unique: str, params: dict[str, object]
    ) -> NewOutbox:
        """A letter about no single game. ``unique`` distinguishes it from others of its kind."""
        told = _short(f"{kind.kind}.{person_id}.{unique}")
        return self._row(kind, f"{kind.kind}.{told}", person_id, params)

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
    told = _short(named)
    return replace(letter, message_id=f"<{key}.{told}@{domain}>")
