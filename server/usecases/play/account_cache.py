"""The account of a game as views ask for it, worked out once for the same ledger and day.

An account follows from the terms, the events and the day alone (kskak.statement.account), and those
together are the key here: what is kept can't be out of date. A player opens his game, its
statement, the preview and the game again within minutes. Not for deciding: a move is judged
from the ledger itself (ask.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from kskak.game.events import Event
from kskak.ledger.stored_events import load_event
from kskak.play.state import Terms
from kskak.statement.account import Account, account
from server.store.play.games import EventRow

KEPT = 256
"""Games' accounts that are kept, those last asked for."""


@dataclass(frozen=True, slots=True)
class Told:
    """A game's events and what follows from them."""

    events: tuple[Event, ...]
    account: Account


def told(terms: Terms, rows: Sequence[EventRow], on: date) -> Told:
    """The events of a ledger and their account on a day; the board in it is the caller's own.

    Raises EntryFault for events that can't have happened.
    """
    found = _told(terms, tuple(row.body for row in rows), on)
    return Told(found.events, _own(found.account))


@lru_cache(maxsize=KEPT)
def _told(terms: Terms, bodies: tuple[str, ...], on: date) -> Told:
    events = tuple(load_event(body) for body in bodies)
    return Told(events, account(terms, events, on))


def _own(kept: Account) -> Account:
    """A copy whose board is nobody else's: python-chess plays moves back and forth on one."""
    position = kept.state.position
    board = position.board.copy(stack=False)
    return replace(kept, state=replace(kept.state, position=replace(position, board=board)))
