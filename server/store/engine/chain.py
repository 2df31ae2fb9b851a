"""The hash chain of a game's ledger, or a case's: a changed or lost event can't go unnoticed.

Covered with an event are who made it, by what channel, from which mail and what a player wrote
with it; with a game's terms, who plays and what its group said of time. What was chained before
the end of 2026 lacks both, and holds all the same. Names are left out: they are personal data and
may change. Not for the content of events.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kskak.play.game_state import Terms


class BrokenChain(ValueError):
    """The chain does not hold; ``seq`` is the first wrong event (0: the game itself)."""

    def __init__(self, owner_id: int, seq: int, what: str, owner: str = "game") -> None:
        super().__init__(f"{owner} {owner_id}, event {seq}: {what}")
        self.owner_id = owner_id
        self.seq = seq


@dataclass(frozen=True, slots=True)
class ChainLink:
    """What the chain covers of one event, and the hash stored beside it."""

    seq: int
    at_us: int
    body: str
    hash: bytes
    about: str = ""


@dataclass(frozen=True, slots=True)
class StartFacts:
    """What is covered of a game's start besides its terms; people by id."""

    white: int
    black: int
    group: int
    round: int
    zone: str
    post_days: int
    claims: str
    edition: str


def terms_text(terms: "Terms", facts: StartFacts | None = None) -> str:
    """What the first link covers, as canonical JSON; ``facts`` None: as before they were."""
    what: dict[str, object] = {
        "game": terms.game,
        "regulation": terms.regulation.value,
        "start": terms.start.isoformat(),
        "fen": terms.fen,
        "laws": terms.laws_year,
    }
    what |= {} if facts is None else asdict(facts)
    return json.dumps(what, sort_keys=True, separators=(",", ":"))


def genesis(game_id: int, terms: "Terms", facts: StartFacts | None = None) -> bytes:
    """The head of a game without events: SHA-256 over its id, its terms and its start's facts."""
    return hashlib.sha256(f"{game_id}\n{terms_text(terms, facts)}".encode()).digest()


def about(
    actor_id: int | None, channel: str, inbox_id: int | None, message: tuple[int, str] | None = None
) -> str:
    """Who, how, from which mail, and SHA-256 of the message's author and text; none is empty."""
    said = ""
    if message is not None:
        said = hashlib.sha256(f"{message[0]}\n{message[1]}".encode()).hexdigest()
    actor, mail = ("" if number is None else number for number in (actor_id, inbox_id))
    return f"{actor},{channel},{mail},{said}"


CASE = "case"
"""The channel in what is covered of a case's events, which have none of their own."""


def case_genesis(case_id: int, number: str, kind: str) -> bytes:
    """The head of a case without events: SHA-256 over its id, its number and its kind."""
    text = json.dumps({"case": number, "kind": kind}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{case_id}\n{text}".encode()).digest()


def link(prev: bytes, owner_id: int, seq: int, at_us: int, body: str, about: str = "") -> bytes:
    """An event's hash: SHA-256 over the previous hash, game or case, sequence, instant, body, and
    ``about`` where it is covered.
    """
    text = b"%s%d\n%d\n%d\n%s" % (prev, owner_id, seq, at_us, body.encode())
    return hashlib.sha256(text + b"\n" + about.encode() if about else text).digest()


def verify(
    game_id: int,
    terms: "Terms",
    links: Iterable[ChainLink],
    end: tuple[int, bytes],
    started: Iterable[StartFacts] = (),
) -> None:
    """Raises BrokenChain unless the events lead from the terms to the game's ``end``: seq and head.

    ``started``: what its start may have been, as a board in the league changes hands (§ 6.7.4.3).
    """
    known = tuple(links)
    first = genesis(game_id, terms, beginning(game_id, terms, started, known, end))
    _walk(("game", game_id), first, known, end)


def beginning(
    game_id: int,
    terms: "Terms",
    started: Iterable[StartFacts],
    links: tuple[ChainLink, ...],
    end: tuple[int, bytes],
) -> StartFacts | None:
    """Which of the possible starts the chain begins with; None for one that covers the terms alone,
    as before.
    """
    for facts in started:
        first = genesis(game_id, terms, facts)
        if (fits(first, game_id, links[0]) is not None) if links else first == end[1]:
            return facts
    return None


def fits(prev: bytes, owner_id: int, event: ChainLink) -> str | None:
    """What an event's hash covers besides its text: ``about``, or "" as before; None: neither."""
    for said in dict.fromkeys((event.about, "")):
        if link(prev, owner_id, event.seq, event.at_us, event.body, said) == event.hash:
            return said
    return None


def verify_case(
    case_id: int, first: bytes, links: Iterable[ChainLink], seq: int, head: bytes
) -> None:
    """Raises BrokenChain unless the events lead from ``first`` to the case's ``seq`` and head."""
    _walk(("case", case_id), first, links, (seq, head))


def verify_notes(owner_id: int, links: Iterable[ChainLink], end: tuple[int, bytes]) -> None:
    """Raises BrokenChain unless the notes lead from nothing to their ``end``."""
    _walk(("notes", owner_id), bytes(32), links, end)


def _walk(
    owner: tuple[str, int], first: bytes, links: Iterable[ChainLink], end: tuple[int, bytes]
) -> None:
    name, owner_id = owner
    last, count, is_full = first, 0, False
    for event in links:
        count += 1
        if event.seq != count:
            what = f"missing: the next one stored is {event.seq}"
            raise BrokenChain(owner_id, count, what, name)
        said = fits(last, owner_id, event)
        if said is None or (is_full and not said):
            what = "its text, time, author, channel, mail, message or predecessor was changed"
            raise BrokenChain(owner_id, count, what, name)
        last, is_full = event.hash, bool(said)
    if (count, last) != end:
        raise BrokenChain(owner_id, count, f"the ledger ends here, the {name} says {end[0]}", name)
