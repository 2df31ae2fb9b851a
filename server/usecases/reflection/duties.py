"""What falls due: silence (due.py), and time that has run out (§ 6.3.3, § 6.8.7).

An overstep is found by the server, never acted on without a person: both and the leader are
warned. Where the tournament says so the server files the claim on its own.

Not for the poller (jobs).
"""

from kskak.game.commands import ClaimOverstep, Command, LookAtTime
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from server.store.engine.types import from_us
from server.store.mail import due_work as deadline_rows
from server.store.mail import outages as outage_rows
from server.store.mail.due_work import DeadlineRow
from server.store.play import games as game_rows
from server.usecases.core.context import Core
from server.usecases.core.due_work import OVERSTEP, SILENCE, due_after, near_of
from server.usecases.play.observed import tell_game
from server.usecases.reflection.due import do_silence


class UnknownDuty(ValueError):
    """A deadline row of a kind that this server does not know."""


async def do_due(core: Core, row: DeadlineRow) -> None:
    """Do what is due and wait for what comes after it. Raises for the poller to push it on."""
    if row.kind != OVERSTEP and row.kind not in SILENCE:
        raise UnknownDuty(row.kind)
    async with core.store.read() as conn:
        game = await game_rows.load(conn, row.game_id)
        is_out = await outage_rows.is_open(conn)
        missed = await outage_rows.between(conn, row.due_us, core.now_us)
    if game is None or is_out:
        # Nothing is found in a time that overlaps an open outage: looked at again later.
        return
    if row.kind in SILENCE:
        # What an outage delayed is done, and dated, when we are back: nobody loses a day by it.
        at = core.clock.now() if missed else from_us(row.due_us)
        await do_silence(core, row.kind, game, at)
    elif game.claims == "server":
        await tell_game(core, row.game_id, _file_claim, from_us(row.due_us))
    else:
        await tell_game(core, row.game_id, _look, from_us(row.due_us))
    async with core.store.write() as conn:
        game = await game_rows.load(conn, row.game_id)
        if game is not None:
            state = game.state()
            then = due_after(state, game.zone, game.post_days, row, near_of(game, state))
            await deadline_rows.done(conn, row, then)


def _look(state: GameState, _: Side | None) -> Command | None:
    return LookAtTime()


def _file_claim(state: GameState, to_move: Side | None) -> Command | None:
    return None if to_move is None else ClaimOverstep(to_move.other)
