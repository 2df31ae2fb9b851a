"""Games that come with their history: stored whole, events included, in a few statements.

Not for starting a game here (play/games.py) nor for what a move writes (mail/batch.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import insert

from kskak.game.events import Event
from kskak.ledger.stored_events import proven_text
from kskak.play.state import GameState
from server.store.engine.chain import about, link
from server.store.engine.connection import AsyncConnection
from server.store.play.games import NewGame, first_heads, standing
from server.store.tables.base import events, games

CHANNEL = "import"
_AT_ONCE = 1000
"""Event rows per statement."""


@dataclass(frozen=True, slots=True)
class PastEvent:
    """An event and the instant it is stored under, which is on the event's own day."""

    event: Event
    at_us: int


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game with its history and the ``state`` after it. ``ended_us``: when it ended, if over."""

    new: NewGame
    events: tuple[PastEvent, ...]
    state: GameState
    ended_us: int | None


async def keep(conn: AsyncConnection, past: Iterable[PastGame]) -> None:
    """Store games with their events. StoreConflict when an id or name is taken."""
    kept = list(past)
    if not kept:
        return
    heads = await first_heads(conn, [game.new for game in kept])
    chains = [_chain(game, head) for game, head in zip(kept, heads, strict=True)]
    await conn.execute(
        insert(games),
        [_row(game, rows, head) for game, rows, head in zip(kept, chains, heads, strict=True)],
    )
    everything = [row for rows in chains for row in rows]
    for at in range(0, len(everything), _AT_ONCE):
        await conn.execute(insert(events), everything[at : at + _AT_ONCE])


def _row(game: PastGame, rows: Sequence[dict[str, object]], head: bytes) -> dict[str, object]:
    new = game.new
    return {
        "id": new.id,
        "group_id": new.group_id,
        "name": new.terms.game,
        "round": new.round,
        "white_id": new.white_id,
        "black_id": new.black_id,
        "seq": len(rows),
        "head": rows[-1]["hash"] if rows else head,
        **standing(game.state, new.white_id, new.black_id),
        "ended_us": game.ended_us,
        "last_us": max((event.at_us for event in game.events), default=None),
    }


def _chain(game: PastGame, head: bytes) -> list[dict[str, object]]:
    """The chained rows of a game's events, from its first head on."""
    rows: list[dict[str, object]] = []
    said = about(None, CHANNEL, None)
    for seq, past in enumerate(game.events, 1):
        body = proven_text(past.event)
        head = link(head, game.new.id, seq, past.at_us, body, said)
        rows.append(
            {
                "game_id": game.new.id,
                "seq": seq,
                "at_us": past.at_us,
                "actor_id": None,
                "channel": CHANNEL,
                "inbox_id": None,
                "body": body,
                "hash": head,
            }
        )
    return rows
