"""What the server does about a silent player, each step on its day; late letters and cards."""

import asyncio
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from kskak.cases.case_events import CaseKind
from kskak.game.game_commands import (
    ClaimOverstep,
    Command,
    LookAtTime,
    Remind,
    ReportReceived,
    TellLeader,
)
from kskak.game.game_events import GamePaused
from kskak.play.game_state import GameState
from kskak.reflection import open_pause
from kskak.regulation.days import local_day
from kskak.regulation.editions import PauseReason, Side
from mail.game_letters.letter_parts import Letter
from mail.game_letters.move_letters import Relay
from mail.game_letters.time_letters import (
    ControlWarning,
    OfflineReport,
    ThinkWarning,
)
from mail.office_letters.service_letters import DeliveryTrouble
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, from_us, to_us
from server.store.mail import due_work as due_rows
from server.store.mail import outages as outage_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.due_work import DeadlineRow, Due, NewDeadline
from server.store.mail.outbox import NewOutbox, OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.game_lists import running_ids
from server.store.play.games import GameRow
from server.usecases.context import Core, poster_of
from server.usecases.games.due_work import (
    CONTROL_WARNING,
    LEADER_REPORTED,
    OFFLINE,
    OVERSTEP,
    REMINDER,
    SILENCE,
    THINK_WARNING,
    due_after,
    due_days,
    due_of,
    near_of,
    start_of_day,
)
from server.usecases.games.game_units import LockedGame, NewClaim, PlainUnit, Writes
from server.usecases.games.outbox_letters import Poster, make_unique
from server.usecases.play.game_requests import submit_observation

# What the server does about a silent player, each step on its day (§ 6.3.4, § 6.8.1, § 6.8.3).

_LETTERS: dict[str, type[Letter]] = {
    THINK_WARNING: ThinkWarning,
    CONTROL_WARNING: ControlWarning,
    OFFLINE: OfflineReport,
}


async def do_silence(core: Core, kind: str, game: GameRow, at: datetime) -> None:
    """Do what is due in a game, if it still is; ``at`` is the instant of record."""

    if kind == REMINDER:
        await submit_observation(core, game.id, lambda *_: Remind(game.post_days), at)
    elif kind == LEADER_REPORTED:
        await submit_observation(core, game.id, lambda *_: TellLeader(), at)
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
        absent = NewClaim(locked.row, None, self.now, self.poster, late, kind)
        return Writes(outbox=(letter,), claims=(absent,)), True

    def _letter(self, locked: LockedGame, due: date) -> NewOutbox:
        state = locked.state
        at = (locked.row.seq, state.position.ply)
        reader = None if self.kind == OFFLINE else state.mover
        params: dict[str, object] = {}
        standing = open_pause(state.bookings, PauseReason.BOUNCE)
        if standing is not None and isinstance(standing.booked, GamePaused):
            params["since"] = standing.booked.first.isoformat()
        letter = self.poster.about_game(_LETTERS[self.kind], locked.row, reader, at, params)
        return make_unique(letter, f"{state.position.ply}.{due}")


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
        await submit_observation(core, row.game_id, _file_claim, from_us(row.due_us))
    else:
        await submit_observation(core, row.game_id, lambda *_: LookAtTime(), from_us(row.due_us))
    async with core.store.write() as conn:
        game = await game_rows.load(conn, row.game_id)
        if game is not None:
            state = game.state()
            then = due_after(state, game.zone, game.post_days, row, near_of(game, state))
            await due_rows.finish_due_work(conn, row, then)


async def _awaits(conn: AsyncConnection, row: DeadlineRow, game: GameRow | None) -> bool:
    """Whether days that count for this are those of an outage whose pause is not decided on."""
    if game is None:
        return False
    days = await conn.run_sync(outage_rows.list_undecided_outage_days, game.group_id)
    since = game.state().settled
    return any(row.kind == OVERSTEP or last >= since for _, last in days)


def _file_claim(state: GameState, to_move: Side | None) -> Command | None:
    return None if to_move is None else ClaimOverstep(to_move.other)


# A relay delayed on its way out: the move counts as received when it arrived (§ 6.8.2).


def _is_late_relay(letter: OutboxRow, at_us: int) -> bool:
    is_relay = letter.kind == Relay.kind and letter.game_id is not None
    return is_relay and at_us - letter.created_us >= DAY_US


async def record_delivery(core: Core, letter: OutboxRow, at_us: int) -> None:
    """A letter was delivered: a relay that took days is received only now."""
    if not _is_late_relay(letter, at_us):
        return
    game = await core.store.query(game_rows.load, letter.game_id or 0)
    if game is None or letter.person_id != game.to_move_id:
        return
    on = local_day(from_us(at_us), game.zone)

    def build(state: GameState, to_move: Side | None) -> Command | None:
        """Nothing once the game has moved on; the day after the sending is no news."""
        is_same = to_move is not None and game.person_of(to_move) == letter.person_id
        return ReportReceived(to_move, on) if is_same and to_move is not None else None

    await submit_observation(core, game.id, build, from_us(at_us))


async def report_delayed_relay(core: Core, letter: OutboxRow, at_us: int, reason: str) -> None:
    """A relay has been undelivered for more than a day: tell the leader once."""
    if not _is_late_relay(letter, at_us):
        return
    async with core.store.read() as conn:
        game = await game_rows.load(conn, letter.game_id or 0)
        person = await person_rows.find_person(conn, letter.person_id or 0)
    if game is None or person is None:
        return
    since = local_day(from_us(letter.created_us), game.zone).isoformat()
    params: dict[str, object] = {"player": person.id, "games": [game.name], "since": since}
    params |= {"reason": reason, "is_trying": True}
    unique = f"{person.id}.{since}.delayed"
    notice = poster_of(core).to_person(DeliveryTrouble, game.tl_id, unique, params)
    await core.store.change(outbox_rows.enqueue, [notice])


# Cards entered late: nobody is reminded or warned before the next one can be entered.

CATCH_UP_DAYS = 2
"""Days from the entry of a card to the first work that was due before it was entered."""
_BY_WEIGHT = (OVERSTEP, REMINDER, CONTROL_WARNING)
"""What stands for all past work: after an event the rest is found again, after a warning not."""


def held_back(due: Due, state: GameState, row: GameRow, entered: date) -> Due:
    """A game's due work after a card was entered on a day; ``state``: after the card."""
    day = entered + timedelta(days=CATCH_UP_DAYS)
    at_us = to_us(start_of_day(day, row.zone))
    if not due or due[0].due_us >= at_us or due[0].kind == OFFLINE:
        return due
    near = near_of(row, state)
    found = ((kind, due_days(state, kind, row.post_days, near)) for kind in _BY_WEIGHT)
    past = (kind for kind, days in found if days and days[0] < day)
    return (NewDeadline(next(past, REMINDER), at_us),)


# Resetting due work for all running games, once after an upgrade that adds kinds of it.

DUTY = "deadlines"
EDITION = "3"
"""Raised when games/due_work.py learns another kind of work: one digit, compared as text."""
_TOGETHER = 32
"""So few at a time that a move beside them hardly waits."""


@dataclass(frozen=True, slots=True)
class RearmUnit(PlainUnit):
    """One game's due work as the writer sets it."""

    game_id: int

    def run(self, locked: LockedGame) -> tuple[Writes, bool]:
        """The rows of the game as it stands."""
        return Writes(deadlines=due_of(locked.row, locked.state)), True


async def rearm(core: Core) -> int:
    """Reset all due work if this edition has not done so; return the number of games."""
    async with core.store.read() as conn:
        if (await due_rows.last(conn, DUTY) or "") >= EDITION:
            return 0
        rows = await running_ids(conn)
    for at in range(0, len(rows), _TOGETHER):
        batch = rows[at : at + _TOGETHER]
        await asyncio.gather(*(core.writer.submit(RearmUnit(game_id)) for game_id in batch))
    await core.store.change(due_rows.take, DUTY, EDITION, core.now_us)
    return len(rows)
