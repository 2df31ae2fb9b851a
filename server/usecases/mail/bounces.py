"""A bounced letter: the recipient's time is stopped and the leader is told (§ 6.8.2).

Only a return path that we signed counts; any other bounce is kept and changes nothing. Not for
temporary notices («delayed»), which are only kept.
"""

from dataclasses import replace

from kskak.game.commands import Command, StopTime
from kskak.play.state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.quantities import PauseReason, Side
from mail.incoming.guard import bounced_addresses
from server.store.engine.types import from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxRow
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.letter_params import told_in
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.reply_keys import read_bounce_token
from server.usecases.play.observed import tell_game

_RELAYS = frozenset({Kind.RELAY, Kind.REMINDER, Kind.DIGEST})
__all__ = ["note_bounce", "note_undeliverable"]


async def note_bounce(core: Core, row: InboxRow, token: str | None) -> None:
    """Act on a bounced letter."""
    outbox_id = None if token is None else read_bounce_token(core.secret, token)
    if outbox_id is None or not bounced_addresses(row.raw).permanent:
        return
    async with core.store.read() as conn:
        letter = await outbox_rows.find(conn, outbox_id)
    if letter is not None:
        await note_undeliverable(core, letter, row.received_us, "bounce")


async def note_undeliverable(core: Core, letter: OutboxRow, at_us: int, reason: str) -> None:
    """Act on an undeliverable letter: tell the leader once a day, stop the time.

    A daily letter counts as the relay of each of its games.
    """
    if letter.kind == Kind.DIGEST:
        for game_id in told_in(letter):
            await _note(core, replace(letter, game_id=game_id), at_us, reason)
    else:
        await _note(core, letter, at_us, reason)


async def _note(core: Core, letter: OutboxRow, at_us: int, reason: str) -> None:
    if letter.person_id is None or letter.game_id is None:
        return
    async with core.store.read() as conn:
        game = await game_rows.load(conn, letter.game_id)
        person = await person_rows.find(conn, letter.person_id)
        running = await game_rows.of_person(conn, letter.person_id, running=True)
    if game is None or person is None or letter.person_id == game.tl_id:
        return
    today = local_day(from_us(at_us), game.zone)
    names = sorted({game.name, *(row.name for row in running if row.tl_id == game.tl_id)})
    params: dict[str, object] = {"player": person.id, "games": names, "reason": reason}
    params["since"] = today.isoformat()
    notice = poster_of(core).to_person(Kind.TROUBLE, game.tl_id, f"{person.id}.{today}", params)
    async with core.store.write() as conn:
        await outbox_rows.enqueue(conn, [notice])
    await _stop_time(core, game, letter, at_us)


async def _stop_time(core: Core, game: GameRow, letter: OutboxRow, at_us: int) -> None:
    """Stop the recipient's time while a relay bounces (reading of § 6.8.2).

    A pause is set once, if the relay was for the player to move; it stays open until the leader
    ends it.
    """
    if letter.kind not in _RELAYS or game.to_move_id != letter.person_id:
        return
    day = local_day(from_us(letter.created_us), game.zone)

    def build(state: GameState, _: Side | None) -> Command | None:
        stands_still = any(
            getattr(booking.booked, "reason", None) is PauseReason.BOUNCE
            and getattr(booking.booked, "last", None) is None
            for booking in state.bookings
        )
        return None if stands_still else StopTime(day, None, PauseReason.BOUNCE)

    await tell_game(core, game.id, build, from_us(at_us))
