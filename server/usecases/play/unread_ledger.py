"""A game whose ledger has an entry that can't be read: what its officials are shown of it.

Everything that can be read, and the texts that can't. Not for mending it (desks/repair.py).
"""

from dataclasses import dataclass

from kskak.ledger.ledger_out import JsonObject, JsonValue
from kskak.ledger.stored_events import unread_entries
from server.store.engine.types import from_us
from server.store.play import games as game_rows
from server.store.play.games import EventRow, GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import rights_in


@dataclass(frozen=True, slots=True)
class UnreadLedger:
    """A game, its entries as they are kept, and the numbers of those that can't be read."""

    game: GameRow
    entries: tuple[EventRow, ...]
    unread: tuple[int, ...]

    def as_json(self) -> JsonObject:
        """What the API answers in the game's place."""
        entries: list[JsonValue] = [
            {
                "seq": row.seq,
                "at": from_us(row.at_us).isoformat(),
                "channel": row.channel,
                "text": row.body,
            }
            for row in self.entries
        ]
        game = self.game
        said: JsonObject = {"id": game.id, "name": game.name, "unread": list(self.unread)}
        return said | {"white": game.white, "black": game.black, "entries": entries}


async def unread_ledger(core: Core, person: PersonRow | None, game_id: int) -> UnreadLedger | None:
    """The ledger for an official of the game's group; None for everybody else."""
    if person is None:
        return None
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        held = await rights_in(conn, person, core.now_us)
        if game is None or not held.oversees(game.group_id) or game.group_id in held.plays:
            return None
        rows = await game_rows.history(conn, game_id)
    return UnreadLedger(game, rows, unread_entries(row.body for row in rows))
