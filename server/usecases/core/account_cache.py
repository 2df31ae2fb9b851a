"""A game's account for views, computed once for the same ledger and day.

An account depends on the terms, the events and the day alone (kskak.statement.account), which
together are the cache key: an entry can't be out of date. A player opens a game, its statement,
the preview and the game again within minutes. Not for deciding: a move is judged from the ledger
itself (ask.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from kskak.game.events import Event
from kskak.ledger.stored_events import load_events
from kskak.play.state import Terms
from kskak.statement.account import Account, account
from server.memory import kept

KEPT = 2 << 20
"""Octets of accounts that are cached, the most recently used: fifty games of 30 moves."""


@dataclass(frozen=True, slots=True)
class Told:
    """A game's events and what follows from them."""

    events: tuple[Event, ...]
    account: Account


def told(terms: Terms, bodies: Iterable[str], on: date) -> Told:
    """The events of a ledger and their account on a day; the board in it is the caller's own.

    Raises EntryFault for events that can't have happened.
    """
    found = _told(terms, tuple(bodies), on)
    return Told(found.events, _own(found.account))


def weight(terms: Terms, bodies: tuple[str, ...], on: date) -> int:
    """About how many octets an account takes: 4 kB, and ten for each of its ledger's text."""
    return 4000 + 10 * sum(map(len, bodies))


@kept(KEPT, weight)
def _told(terms: Terms, bodies: tuple[str, ...], on: date) -> Told:
    events = load_events(bodies)
    return Told(events, account(terms, events, on, is_decided=True))


def _own(kept: Account) -> Account:
    """A copy with its own board: python-chess makes and unmakes moves in place."""
    position = kept.state.position
    board = position.board.copy(stack=False)
    return replace(kept, state=replace(kept.state, position=replace(position, board=board)))
