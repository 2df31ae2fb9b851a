"""What a list shows of games' states: read once, and kept by the ledger's last hash.

A state is made from a snapshot, which takes longer than all else that a list reads of a game, and
stays as it is until the next event, which has another hash. Not for what changes with the day
alone, nor for deciding: that is done from the ledger itself (ask.py).
"""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from kskak.play.state import GameState
from server.store.engine.connection import AsyncConnection
from server.store.play import games as game_rows
from server.usecases.play.game_views import seen_state

T = TypeVar("T")
_MOST = 8192
"""How many games' facts are kept."""


class ByHead(Generic[T]):
    """A few facts of each game, as ``told`` finds them in its state."""

    def __init__(self, told: Callable[[GameState], T]) -> None:
        self._told = told
        self._kept: dict[bytes, T] = {}

    async def of(self, conn: AsyncConnection, heads: Mapping[int, bytes]) -> dict[int, T]:
        """Of games by id, each with the last hash of its ledger; those that exist."""
        kept = self._kept
        found = {number: kept[head] for number, head in heads.items() if head in kept}
        if len(found) == len(heads):
            return found
        new = [number for number in heads if number not in found]
        if len(kept) + len(new) > _MOST:
            self._kept = kept = {}
        for game in await game_rows.load_many(conn, new):
            found[game.id] = kept[game.head] = self._told(seen_state(game))
        return found
