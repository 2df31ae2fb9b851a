"""What if: other facts tried on a stored game, by an official of its case; nothing is saved.

§ 6.4.1, Kendelse 38, 59, 107. Not for what the facts do (kskak.whatif).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.carrying import Carried, effects_from
from kskak.comparing import Comparison
from kskak.whatif import Impossible, Supposition, what_if
from server.store import games as game_rows
from server.store.errors import UnknownGame
from server.store.games import GameRow
from server.store.people import PersonRow
from server.usecases.core import Core
from server.usecases.offices import rights_in


@dataclass(frozen=True, slots=True)
class Tried:
    """A game's account beside the supposed one, and the orders that would carry it in."""

    game: GameRow
    on: date
    comparison: Comparison
    carried: Carried


async def try_facts(
    core: Core,
    person: PersonRow,
    game_id: int,
    supposed: Sequence[Supposition],
    on: date | None = None,
) -> Tried | Impossible:
    """Try facts on a game as of a day (today). Raises UnknownGame for who is no official there.

    Officials of the group, and the Board, which has it before it; reading only.
    """
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        if game is None:
            raise UnknownGame(game_id)
        held = await rights_in(conn, person, core.now_us)
        plays = game.group_id in held.plays
        if plays or not (held.oversees(game.group_id) or held.is_board):
            raise UnknownGame(game_id)
        events = [row.event for row in await game_rows.history(conn, game_id)]
    day = on or core.today(game.zone)
    tried = what_if(game.terms, events, supposed, day)
    if isinstance(tried, Impossible):
        return tried
    return Tried(game, day, tried, effects_from(game.terms, events, supposed, tried, day))
