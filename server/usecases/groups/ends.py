"""How a game's result came about, where it was not played to its end: what a table marks.

What ended a game is in its state, and stays with the ledger's last hash: it is read once, not each
time that a table is shown. Not for who has left a group, nor for its order (tables.py).
"""

from collections.abc import Iterable, Mapping

from kskak.groups.group_table import How
from kskak.play.state import GameState
from kskak.regulation.quantities import Ending, Finding
from kskak.values.quick_values import dataclass
from server.store.engine.connection import AsyncConnection
from server.store.play import games as game_rows
from server.store.play.games_together import TableRow
from server.usecases.play.game_views import seen_state

_TIME = (Finding.CLAIMED, Finding.CONTINUED)
_MOST = 8192
"""How many ends are kept: those of some years' games."""


@dataclass(frozen=True, slots=True)
class End:
    """What ended a game, and what was found about an overstep; None: nothing, or none."""

    ended: Ending | None = None
    overstep: Finding | None = None


_RUNNING = End()
_kept: dict[bytes, End] = {}
"""By the last hash of an ended game's ledger."""


def end_of(state: GameState) -> End:
    """What a game's state says of its end."""
    late = state.overstep
    return End(state.ended, None if late is None else late.finding)


def how_of(game_id: int, end: End, ruled: Mapping[int, How]) -> How | None:
    """How an ended game's result came about; ``ruled``: of standing decisions, by game."""
    if end.ended is Ending.RULING:
        return ruled.get(game_id, How.RULED)
    return How.TIME if end.overstep in _TIME else None


async def ends_of(conn: AsyncConnection, games: Iterable[TableRow]) -> dict[int, End]:
    """The ends of some games, by id; an empty one for those that run."""
    rows = tuple(games)
    known = {row.id: _RUNNING if row.result is None else _kept.get(row.head) for row in rows}
    new = [row_id for row_id, end in known.items() if end is None]
    if len(_kept) + len(new) > _MOST:
        _kept.clear()
    for game in await game_rows.load_many(conn, new) if new else ():
        known[game.id] = _kept[game.head] = end_of(seen_state(game))
    return {row_id: end or _RUNNING for row_id, end in known.items()}
