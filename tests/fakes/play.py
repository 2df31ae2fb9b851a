"""Games to play in tests of the store, and the smallest unit: one legal move.

Not a stand-in for the server's own commands.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import chess

from kskak.game.game_events import Event, MoveSent
from kskak.play.evolve_game import NeedsHistory, advance
from kskak.play.game_state import Terms
from kskak.regulation.editions import Regulation
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, from_us, one_of
from server.store.engine.store import Store
from server.store.groups import NewGroup
from server.store.mail import due_work
from server.store.mail.due_work import DeadlineRow, NewDeadline
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import NewGame
from server.store.play.people import NewPerson
from server.store.play.requests import IdempotencyKey
from server.store.tables.base import games
from server.usecases.games.game_units import LockedGame, Origin, Writes

START = date(2026, 9, 1)
NOW_US = 1_788_000_000_000_000
RUY = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6") + (
    "e1g1",
    "f8e7",
    "f1e1",
    "b7b5",
    "a4b3",
    "d7d6",
    "c2c3",
    "e8g8",
)
"""The main line of the Spanish game, closed, as uci."""

GROUP = NewGroup(
    name="K-26-01",
    tournament="K-skak-EMT 2026",
    class_="K",
    regulation="email",
    edition="2011",
    laws=2018,
    start=START.isoformat(),
    zone="Europe/Copenhagen",
    claims="player",
    is_double=False,
    is_drawn=True,
    seed="1",
    fen=None,
    post_days=0,
    regulation_url=None,
    tl_id=1,
    created_us=NOW_US,
    override=None,
    override_reason=None,
)


async def find_game_due_work(conn: AsyncConnection, game_id: int) -> DeadlineRow | None:
    """A game's due work; None when there is none."""
    query = due_work._SELECT.where(games.c.id == game_id, games.c.due_kind.is_not(None))
    return one_of(DeadlineRow, await conn.execute(query))


async def start_games(store: Store, count: int = 1) -> list[int]:
    """A group of White and Black with ``count`` games between them; the games' ids."""
    async with store.write() as conn:
        ids = [
            await person_rows.add_person(conn, NewPerson(name=name, email=mail, created_us=NOW_US))
            for name, mail in (("Hvid", "Hvid@example.org"), ("Sort", "sort@example.org"))
        ]
        group_id = await group_rows.add(conn, replace(GROUP, tl_id=ids[0]), ids)
        new = [
            NewGame(1000 + n, group_id, 1, ids[0], ids[1], terms(f"K-26-01/{n}"))
            for n in range(1, count + 1)
        ]
        await game_rows.begin(conn, new)
    return [game.id for game in new]


def terms(name: str) -> Terms:
    """The terms of a game of ``start_games``."""
    return Terms(name, Regulation.EMAIL, START, "Hvid", "Sort", None, 2018)


def _history(game: LockedGame) -> Sequence[Event]:
    if game.events is None:
        raise NeedsHistory
    return game.events


def appended(game: LockedGame, events: list[Event]) -> Writes:
    """What writes these events, with the state after them."""
    at_us = NOW_US + game.row.seq * DAY_US
    state = advance(game.state, events, game.row.seq, lambda: _history(game))
    return Writes(
        events=tuple(events), origin=Origin(from_us(at_us), game.row.white_id, "web"), state=state
    )


@dataclass(frozen=True, slots=True)
class Move:
    """The next move of the game as ``uci``, one day after the last, with a letter."""

    game_id: int
    uci: str
    inbox_id: int | None = None
    idempotency: IdempotencyKey | None = None
    changed: Callable[[Writes], Writes] = lambda writes: writes

    def run(self, game: LockedGame) -> tuple[Writes, object]:
        move, ply = chess.Move.from_uci(self.uci), game.row.ply + 1
        event = MoveSent(game.state.mover, (move,), START + timedelta(days=ply))
        writes = appended(game, [event])
        letter = NewOutbox(
            message_id=f"<{game.row.id}.{ply}@example.org>",
            kind="relay",
            to_addr="sort@example.org",
            created_us=NOW_US,
            due_us=NOW_US,
            game_id=game.row.id,
            seq=game.row.seq + 1,
        )
        due = NewDeadline("flag", NOW_US + 40 * DAY_US)
        return self.changed(replace(writes, outbox=(letter,), deadlines=(due,))), ply
