"""Cards damaged in the post: they go to the leader within 3 days, who says when one has arrived.

§ 6.3.5. Costs nobody a day. Not for entering a card (cards.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.game.events import FaultySent
from kskak.ledger.stored_events import load_events, unread_entries
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Fault
from server.store.cases import cards as card_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import DAY_US, from_us
from server.store.mail import daily_duties as duty_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.offices import rights_in
from server.usecases.core.outbox_letters import Kind
from server.usecases.play.ask import NotYours
from server.usecases.postal.letters import send_by

LOOK_BACK_US = 60 * DAY_US
"""Older cards are no longer asked for."""


@dataclass(frozen=True, slots=True)
class Damaged:
    """A damaged card that the leader has not received; ``seq`` is its event's."""

    game: GameRow
    seq: int
    event: FaultySent
    send_by: date


def _name(game_id: int, seq: int) -> str:
    return f"damaged:{game_id}:{seq}"


async def damaged_open(conn: AsyncConnection, now_us: int) -> tuple[Damaged, ...]:
    """The damaged cards that are still on their way to the leader (§ 6.3.5)."""
    found: list[Damaged] = []
    for game_id, seq in await card_rows.since(conn, now_us - LOOK_BACK_US):
        if await duty_rows.last(conn, _name(game_id, seq)) is not None:
            continue
        game = await game_rows.load(conn, game_id)
        texts = [row.body for row in await game_rows.history(conn, game_id)]
        event = None if unread_entries(texts) else load_events(texts)[seq - 1]
        is_damaged = isinstance(event, FaultySent) and event.fault is Fault.DAMAGED_IN_POST
        if game is not None and is_damaged and isinstance(event, FaultySent):
            found.append(Damaged(game, seq, event, send_by(event.on)))
    return tuple(found)


async def remind(core: Core) -> None:
    """Remind the recipient on the last day, once per card (§ 6.3.5)."""
    async with core.store.read() as conn:
        found = await damaged_open(conn, core.now_us)
    now = from_us(core.now_us)
    due = [card for card in found if local_day(now, card.game.zone) >= card.send_by]
    if not due:
        return
    async with core.store.write() as conn:
        letters = []
        for card in due:
            if await duty_rows.last(conn, _name(card.game.id, card.seq)) is not None:
                continue  # the leader has it meanwhile
            at, params = (card.seq, card.game.ply), {"event": card.seq}
            letters.append(
                poster_of(core).about_game(
                    Kind.DAMAGED_DUE, card.game, card.event.by.other, at, dict(params)
                )
            )
        await outbox_rows.enqueue(conn, letters)


async def leader_has(core: Core, person: PersonRow, game_id: int, seq: int) -> bool:
    """Record that the leader has the card; False if it was recorded before. Raises NotYours."""
    async with core.store.write() as conn:
        game = await game_rows.load(conn, game_id)
        if game is None:
            raise NotYours
        held = await rights_in(conn, person, core.now_us)
        if not held.speaks_for(game.group_id):
            raise NotYours
        today = local_day(from_us(core.now_us), game.zone).isoformat()
        return await duty_rows.take(conn, _name(game_id, seq), today, core.now_us)
