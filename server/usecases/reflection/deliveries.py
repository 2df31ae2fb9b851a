"""A relay delayed on its way out: the move counts as received when it arrived (§ 6.8.2).

By the delivery record: the day the next server accepted it, if that is later than the day after
the sending. From the second day on the leader is told. Not for bounced letters (mail/bounces.py).
"""

from kskak.game.commands import Command, ReportReceived
from kskak.play.state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Side
from server.store.engine.types import DAY_US, from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.play.observed import tell_game


async def note_delivered(core: Core, letter: OutboxRow, at_us: int) -> None:
    """A letter was delivered: a relay that took days is received only now."""
    if letter.kind != Kind.RELAY or letter.game_id is None or at_us - letter.created_us < DAY_US:
        return
    async with core.store.read() as conn:
        game = await game_rows.load(conn, letter.game_id)
    if game is None or letter.person_id != game.to_move_id:
        return
    on = local_day(from_us(at_us), game.zone)

    def build(state: GameState, to_move: Side | None) -> Command | None:
        """Nothing once the game has moved on; the day after the sending is no news."""
        is_same = to_move is not None and game.person_of(to_move) == letter.person_id
        return ReportReceived(to_move, on) if is_same and to_move is not None else None

    await tell_game(core, game.id, build, from_us(at_us))


async def note_delayed(core: Core, letter: OutboxRow, at_us: int, reason: str) -> None:
    """A relay has been undelivered for more than a day: tell the leader once."""
    if letter.kind != Kind.RELAY or letter.game_id is None or at_us - letter.created_us < DAY_US:
        return
    async with core.store.read() as conn:
        game = await game_rows.load(conn, letter.game_id)
        person = await person_rows.find(conn, letter.person_id or 0)
    if game is None or person is None:
        return
    since = local_day(from_us(letter.created_us), game.zone).isoformat()
    params: dict[str, object] = {"player": person.id, "games": [game.name], "since": since}
    params |= {"reason": reason, "is_trying": True}
    unique = f"{person.id}.{since}.delayed"
    notice = poster_of(core).to_person(Kind.TROUBLE, game.tl_id, unique, params)
    async with core.store.write() as conn:
        await outbox_rows.enqueue(conn, [notice])
