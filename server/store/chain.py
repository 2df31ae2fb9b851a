"""The hash chain of a game's ledger: a changed, lost or moved event can't go unseen.

Names are not in it: they are personal data and may change. Not for what an event says.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from kskak.state import Terms


class BrokenChain(ValueError):
    """The chain does not hold; ``seq`` is the first event that is wrong (0: the game itself)."""

    def __init__(self, game_id: int, seq: int, what: str) -> None:
        super().__init__(f"game {game_id}, event {seq}: {what}")
        self.game_id = game_id
        self.seq = seq


@dataclass(frozen=True, slots=True)
class Link:
    """What the chain covers of one event, and the hash that is stored beside it."""

    seq: int
    at_us: int
    body: str
    hash: bytes


def genesis(game_id: int, terms: Terms) -> bytes:
    """The head of a game without events: SHA-256 over its id and its terms."""
    what = {
        "game": terms.game,
        "regulation": terms.regulation.value,
        "start": terms.start.isoformat(),
        "fen": terms.fen,
        "laws": terms.laws_year,
    }
    text = json.dumps(what, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{game_id}\n{text}".encode()).digest()


def link(prev: bytes, game_id: int, seq: int, at_us: int, body: str) -> bytes:
    """The hash of an event: SHA-256 over the one before, game, sequence, instant and body."""
    return hashlib.sha256(b"%s%d\n%d\n%d\n%s" % (prev, game_id, seq, at_us, body.encode())).digest()


def verify(game_id: int, terms: Terms, links: Iterable[Link], seq: int, head: bytes) -> None:
    """BrokenChain unless the events lead from the terms to the game's ``seq`` and ``head``."""
    last, count = genesis(game_id, terms), 0
    for event in links:
        count += 1
        if event.seq != count:
            raise BrokenChain(game_id, count, f"missing: the next one stored is {event.seq}")
        last = link(last, game_id, event.seq, event.at_us, event.body)
        if last != event.hash:
            raise BrokenChain(game_id, count, "its text, time or predecessor was changed")
    if (count, last) != (seq, head):
        raise BrokenChain(game_id, count, f"the ledger ends here, the game says {seq}")
