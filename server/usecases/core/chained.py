"""What the hash chain covers of a stored game: each event with who, how and what was said with it.

Not for walking the chain (store/engine/chain.py).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from kskak.game.events import Event
from kskak.play.standing_events import is_swapped
from server.store.engine.chain import Link, StartFacts, about
from server.store.league.boards_taken_over import HandRow
from server.store.play.games import EventRow, GameRow, is_turning
from server.store.play.messages import MessageRow


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


def _turning(rows: Iterable[EventRow]) -> Iterator[Event]:
    """The events that set the game back or annul a ruling; one that can't be read does neither."""
    for row in rows:
        if is_turning(row.body):
            with suppress(ValueError, RecursionError):
                yield row.event


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
    if is_swapped(list(_turning(rows))):
        whites, blacks = blacks, whites
    pairs = dict.fromkeys(product(whites, blacks))
    return tuple(StartFacts(white, black, *fixed) for white, black in pairs)
