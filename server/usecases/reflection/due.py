"""What the server does about a silent player, each step on its day (§ 6.3.4, § 6.8.1, § 6.8.3).

A reminder and the report to the leader are events of the game, by the player who waits: the
server's reminder counts as his (reading of § 6.3.4). The report opens the leader's case, and so
does an absence of more than 30 days. Warnings change nothing in the game: they
are letters, each written once whatever happens meanwhile. Not for when they are due
(core/due_work.py) nor for rulings on silence, which people make.
"""

from dataclasses import dataclass
from datetime import date, datetime

from kskak.cases.events import CaseKind
from kskak.game.commands import ClaimOverstep, Command, LookAtTime, Remind, TellLeader
from kskak.game.events import Paused
from kskak.play.state import GameState
from kskak.reflection.leave import open_pause
from kskak.regulation.days import local_day
from kskak.regulation.quantities import PauseReason, Side
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.mail import due_work as deadline_rows
from server.store.mail import outages as outage_rows
from server.store.mail.due_work import DeadlineRow
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.due_work import (
    CONTROL_WARNING,
    LEADER_TOLD,
    OFFLINE,
    OVERSTEP,
    REMINDER,
    SILENCE,
    THINK_WARNING,
    due_after,
    due_days,
    near_of,
)
from server.usecases.core.game_work import LockedGame, NewClaim, PlainUnit, Writes
from server.usecases.core.outbox_letters import Kind, Poster, said_once
from server.usecases.play.observed import tell_game

_LETTERS = {
    THINK_WARNING: Kind.THINK_WARNING,
    CONTROL_WARNING: Kind.CONTROL_WARNING,
    OFFLINE: Kind.OFFLINE,
}


async def do_silence(core: Core, kind: str, game: GameRow, at: datetime) -> None:
    """Do what is due in a game, if it still is; ``at`` is the instant of record."""

    def remind(_: GameState, __: Side | None) -> Command:
        return Remind(game.post_days)

    def tell_leader(_: GameState, __: Side | None) -> Command:
        return TellLeader()

    if kind == REMINDER:
        await tell_game(core, game.id, remind, at)
    elif kind == LEADER_TOLD:
        await tell_game(core, game.id, tell_leader, at)
    else:
        await core.writer.submit(WarnUnit(game.id, kind, core.clock.now(), poster_of(core)))


@dataclass(frozen=True, slots=True)
class WarnUnit(PlainUnit):
    """A warning as the writer runs it: a letter if it is still due, no event.

    The letter's Message-ID tells whether it was already written.
    """

    game_id: int
    kind: str
    now: datetime
    poster: Poster

    def run(self, locked: LockedGame) -> tuple[Writes, bool]:
        """Whether somebody was warned, now or before."""
        row, today = locked.row, local_day(self.now, locked.row.zone)
        days = due_days(locked.state, self.kind, row.post_days, near_of(row, locked.state))
        due = [day for day in days if day <= today]
        if not due:
            return Writes(), False
        letter = self._letter(locked, due[-1])
        if self.kind != OFFLINE:
            return Writes(outbox=(letter,)), True
        late, kind = locked.state.mover, CaseKind.OFFLINE
        absent = NewClaim(locked.row, None, late, self.now, self.poster, kind)
        return Writes(outbox=(letter,), claims=(absent,)), True

    def _letter(self, locked: LockedGame, due: date) -> NewOutbox:
        state = locked.state
        at = (locked.row.seq, state.position.ply)
        reader = None if self.kind == OFFLINE else state.mover
        params: dict[str, object] = {}
        standing = open_pause(state.bookings, PauseReason.BOUNCE)
        if standing is not None and isinstance(standing.booked, Paused):
            params["since"] = standing.booked.first.isoformat()
        letter = self.poster.about_game(_LETTERS[self.kind], locked.row, reader, at, params)
        return said_once(letter, f"{state.position.ply}.{due}")


class UnknownDuty(ValueError):
    """A deadline row of a kind that this server does not know."""


async def do_due(core: Core, row: DeadlineRow) -> None:
    """Do what is due, then schedule what comes next. Raises for the poller to postpone it."""
    if row.kind != OVERSTEP and row.kind not in SILENCE:
        raise UnknownDuty(row.kind)
    async with core.store.read() as conn:
        game = await game_rows.load(conn, row.game_id)
        is_out = await outage_rows.is_open(conn) or await _awaits(conn, row, game)
        missed = await outage_rows.between(conn, row.due_us, core.now_us)
    if game is None or is_out:
        # Nothing is concluded in an open outage or one not settled: looked at again later.
        return
    if row.kind in SILENCE:
        # What an outage delayed is done and dated now that we are back: nobody loses a day by it.
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


async def _awaits(conn: AsyncConnection, row: DeadlineRow, game: GameRow | None) -> bool:
    """Whether days that count for this are those of an outage whose pause is not decided on."""
    if game is None:
        return False
    days = await conn.run_sync(outage_rows.unsettled, game.group_id)
    since = game.state().settled
    return any(row.kind == OVERSTEP or last >= since for _, last in days)


def _look(state: GameState, _: Side | None) -> Command | None:
    return LookAtTime()


def _file_claim(state: GameState, to_move: Side | None) -> Command | None:
    return None if to_move is None else ClaimOverstep(to_move.other)
