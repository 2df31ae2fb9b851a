"""How a game's result came about, where it was not played to its end: what a table marks.

Not for who has left a group, nor for its order (tables.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kskak.groups.group_table import How
from kskak.play.state import GameState
from kskak.regulation.quantities import Ending, Finding
from server.store.engine.connection import AsyncConnection
from server.store.play.games_together import TableRow
from server.usecases.play.by_head import ByHead

_TIME = (Finding.CLAIMED, Finding.CONTINUED)


@dataclass(frozen=True, slots=True)
class End:
    """What ended a game, and what was found about an overstep; None: nothing, or none."""

    ended: Ending | None = None
    overstep: Finding | None = None


def end_of(state: GameState) -> End:
    """What a game's state says of its end."""
    late = state.overstep
    return End(state.ended, None if late is None else late.finding)


_ENDS = ByHead(end_of)


def how_of(game_id: int, end: End, ruled: Mapping[int, How]) -> How | None:
    """How an ended game's result came about; ``ruled``: of standing decisions, by game."""
    if end.ended is Ending.RULING:
        return ruled.get(game_id, How.RULED)
    return How.TIME if end.overstep in _TIME else None


async def ends_of(conn: AsyncConnection, games: Iterable[TableRow]) -> dict[int, End]:
    """The ends of those of some games that have ended, by id."""
    return await _ENDS.of(conn, {row.id: row.head for row in games if row.result is not None})
