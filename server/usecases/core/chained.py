"""What the hash chain covers of a stored game: each event with who, how and what was said with it.

Not for walking the chain (store/engine/chain.py).
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import product

from kskak.game.events import Event, GameSetBack, Ruled, RulingAnnulled
from kskak.ledger.stored_events import RULING_ANNULLED, SWAPS
from kskak.play.standing_events import is_swapped
from server.store.engine.chain import Link, StartFacts, about
from server.store.league.boards_taken_over import HandRow
from server.store.play.games import EventRow, GameRow, turning
from server.store.play.messages import MessageRow

_RULING = re.compile(r'"ruling":"([^"]+)"')


def links_of(rows: Iterable[EventRow], messages: Iterable[MessageRow]) -> tuple[Link, ...]:
    """A game's events as links, each with the message that went with it."""
    said = {message.seq: (message.author_id, message.text) for message in messages}
    return tuple(
        Link(
            row.seq,
            row.at_us,
            row.body,
            bytes(row.hash),
            about(row.actor_id, row.channel, row.inbox_id, said.get(row.seq)),
        )
        for row in rows
    )


def turns_of(rows: Iterable[EventRow]) -> tuple[Event, ...]:
    """The events that set the game back or annul a ruling, but for entries that are annulled."""
    return tuple(event for row in turning(rows) if (event := _turn(row)) is not None)


def _turn(row: EventRow) -> Event | None:
    """The event; of one that can't be read what it did to the players' sides, as its text says."""
    with suppress(ValueError, RecursionError):
        return row.event
    named = _RULING.search(row.body)
    ruling = "" if named is None else named[1]
    if SWAPS in row.body:
        return Ruled(ruling, GameSetBack(0, swaps_colours=True))
    return RulingAnnulled(ruling) if ruling and RULING_ANNULLED in row.body else None


def row_at(game: GameRow, rows: Sequence[EventRow], seq: int) -> GameRow:
    """The game with its players on the sides they had after an entry (FIDE 7.3); ``rows``: all."""
    now = is_swapped(turns_of(rows))
    then = is_swapped(turns_of(row for row in rows if row.seq <= seq))
    return game if now is then else game.with_colours_changed()


def starts_of(
    game: GameRow, hands: Sequence[HandRow], rows: Iterable[EventRow]
) -> tuple[StartFacts, ...]:
    """What the game's start may have been: who plays, or who had its boards first (§ 6.7.4.3).

    ``rows`` are the game's events: by them the players may have changed colours (FIDE 7.3).
    """
    whites, blacks = (
        [*(hand.person_id for hand in hands if hand.is_white is is_white), plays]
        for is_white, plays in ((True, game.white_id), (False, game.black_id))
    )
    fixed = (game.group_id, game.round, game.zone, game.post_days, game.claims, game.edition)
    if is_swapped(turns_of(rows)):
        whites, blacks = blacks, whites
    pairs = dict.fromkeys(product(whites, blacks))
    return tuple(StartFacts(white, black, *fixed) for white, black in pairs)
