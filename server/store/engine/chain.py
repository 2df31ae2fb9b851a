"""The hash chain of a game's ledger, or a case's: a changed or lost event can't go unnoticed.

Names are left out: they are personal data and may change. Not for the content of events.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from kskak.play.state import Terms


class BrokenChain(ValueError):
    """The chain does not hold; ``seq`` is the first wrong event (0: the game itself)."""

    def __init__(self, owner_id: int, seq: int, what: str, owner: str = "game") -> None:
        super().__init__(f"{owner} {owner_id}, event {seq}: {what}")
        self.owner_id = owner_id
        self.seq = seq


@dataclass(frozen=True, slots=True)
class Link:
    """What the chain covers of one event, and the hash stored beside it."""

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


def case_genesis(case_id: int, number: str, kind: str) -> bytes:
    """The head of a case without events: SHA-256 over its id, its number and its kind."""
    text = json.dumps({"case": number, "kind": kind}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{case_id}\n{text}".encode()).digest()


def link(prev: bytes, owner_id: int, seq: int, at_us: int, body: str) -> bytes:
    """An event's hash: SHA-256 over the previous hash, game or case, sequence, instant, body."""
    text = b"%s%d\n%d\n%d\n%s" % (prev, owner_id, seq, at_us, body.encode())
    return hashlib.sha256(text).digest()


def verify(game_id: int, terms: Terms, links: Iterable[Link], seq: int, head: bytes) -> None:
    """Raises BrokenChain unless the events lead from the terms to the game's ``seq`` and head."""
    _walk(("game", game_id), genesis(game_id, terms), links, (seq, head))


def verify_case(case_id: int, first: bytes, links: Iterable[Link], seq: int, head: bytes) -> None:
    """Raises BrokenChain unless the events lead from ``first`` to the case's ``seq`` and head."""
    _walk(("case", case_id), first, links, (seq, head))


def _walk(
    owner: tuple[str, int], first: bytes, links: Iterable[Link], end: tuple[int, bytes]
) -> None:
    name, owner_id = owner
    last, count = first, 0
    for event in links:
        count += 1
        if event.seq != count:
            what = f"missing: the next one stored is {event.seq}"
            raise BrokenChain(owner_id, count, what, name)
        last = link(last, owner_id, event.seq, event.at_us, event.body)
        if last != event.hash:
            raise BrokenChain(owner_id, count, "its text, time or predecessor was changed", name)
    if (count, last) != end:
        raise BrokenChain(owner_id, count, f"the ledger ends here, the {name} says {end[0]}", name)
