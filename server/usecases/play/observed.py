"""What the server itself observes about a game: time, deliveries, outages.

Like a player's request, in one transaction, but by nobody. Not for rulings, which people make.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from kskak.game.commands import Command
from kskak.game.refusals import Refusal
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from server.usecases.core.context import Core, poster_of
from server.usecases.core.game_work import LockedGame, PlainUnit, Writes
from server.usecases.core.outbox_letters import Poster
from server.usecases.play.ask import Extra, Origin, carry_out, writes_of

Observe = Callable[[GameState, Side | None], Command | None]


@dataclass(frozen=True, slots=True)
class ObserveUnit(PlainUnit):
    """An observation as the writer runs it; ``build`` returns None when there is nothing to do."""

    game_id: int
    build: Observe
    at: datetime
    poster: Poster
    by: int | None = None

    def run(self, locked: LockedGame) -> tuple[Writes, bool]:
        """Whether something happened."""
        command = self.build(locked.state, locked.state.to_move)
        if command is None:
            return Writes(), False
        origin = Origin(self.at, self.by, "server" if self.by is None else "web")
        done = carry_out(locked, command, origin)
        if isinstance(done, Refusal) or not done[0]:
            return Writes(), False
        events, after = done
        return writes_of(locked, events, after, origin, self.poster, Extra()), True


async def tell_game(
    core: Core, game_id: int, build: Observe, at: datetime, by: int | None = None
) -> bool:
    """Tell a game what was observed; whether it changed anything. ``by``: the official who did."""
    done = await core.writer.submit(ObserveUnit(game_id, build, at, poster_of(core), by))
    return done is True
