"""Who played a league game from which move (§ 6.7.4.3), and the day a game ended.

Readings: a reserve's first ply is that side's first one after the takeover; a game that was over
by then is the first player's alone. Not for asking for a reserve (league/reserving.py).
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Protocol

from sqlalchemy import Connection

from kskak.archive.game_pgn import Hand
from kskak.play.evolve import replay
from kskak.play.standing_events import in_force
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Side
from server.store.engine.types import from_us
from server.store.league.boards_taken_over import HandRow, hands
from server.store.play.games import EventRow, GameRow, events_of


def hands_in(
    conn: Connection, games: Sequence[GameRow], histories: Mapping[int, Sequence[EventRow]]
) -> dict[int, tuple[Hand, ...]]:
    """The hands of games in which a side had more than one; other games are left out."""
    by_side: dict[tuple[int, bool], list[HandRow]] = {}
    for row in hands(conn, [game.id for game in games]):
        by_side.setdefault((row.game_id, row.is_white), []).append(row)
    found: dict[int, tuple[Hand, ...]] = {}
    for game in games:
        for side in Side:
            rows = by_side.get((game.id, side is Side.WHITE), [])
            made = _hands(game, side, rows, histories[game.id])
            if len(made) > 1:
                found[game.id] = (*found.get(game.id, ()), *made)
    return found


def _hands(
    game: GameRow, side: Side, rows: Sequence[HandRow], history: Sequence[EventRow]
) -> list[Hand]:
    """A side's hands: the first has no ply, a later one that of its first possible move."""
    end = game.ended_us
    played = [row for row in rows[1:] if end is None or row.from_us <= end]
    first = [Hand(side, row.name) for row in rows[:1]]
    return first + [Hand(side, row.name, _ply(game, history, row.from_us) + 1) for row in played]


def _ply(game: GameRow, history: Sequence[EventRow], at_us: int) -> int:
    """The plies played before an instant."""
    stands = in_force(events_of(history))
    events = [event for place, event in stands if history[place].at_us < at_us]
    return replay(game.terms, events, is_decided=True).position.ply


class HasEnd(Protocol):
    """A game's row, whichever columns were selected."""

    @property
    def ended_us(self) -> int | None:
        """When it ended; None while it runs."""

    @property
    def zone(self) -> str:
        """The time zone whose days count."""


def end_day(game: HasEnd) -> date | None:
    """The local day on which the game ended; None while it runs."""
    return None if game.ended_us is None else local_day(from_us(game.ended_us), game.zone)
