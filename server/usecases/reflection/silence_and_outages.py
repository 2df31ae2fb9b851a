"""What passes while nobody moves: silence, each step on its day, late letters and cards; outages.

An outage of the server or its mail is recorded, a pause proposed, granted or declined (§ 6.8.5).
Readings: the days that ended in it are lost; a pause is proposed in every e-mail group with running
games, and TL or KC grants it; a game that is over, or whose claim waits for its case, gets none.
Until it is settled no overstep is found in those groups (play/game_requests.py). Not for how the
process notices that it was away (jobs/runner.py, jobs/mail_jobs.py).
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from kskak.cases.case_events import CaseKind
from kskak.game.game_commands import (
    ClaimOverstep,
    Command,
    LookAtTime,
    Remind,
    ReportReceived,
    StopTime,
    TellLeader,
)
from kskak.game.game_events import GamePaused
from kskak.play.game_state import GameState
from kskak.reflection import open_pause
from kskak.regulation.days import local_day
from kskak.regulation.editions import PauseReason, Regulation, Side
from mail.game_letters.letter_parts import Letter
from mail.game_letters.move_letters import Relay
from mail.game_letters.time_letters import ControlWarning, OfflineReport, ThinkWarning
from mail.office_letters.service_letters import (
    DeliveryTrouble,
    GroupPause,
    LeaderLetter,
    PauseProposal,
)
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, AnyRow, from_us, to_us
from server.store.mail import due_work as due_rows
from server.store.mail import outages as outage_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.due_work import DeadlineRow, Due, NewDeadline
from server.store.mail.outages import GRANTED, MAIL, OUTAGE_US, PauseRow
from server.store.mail.outbox import NewOutbox, OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.game_lists import running_ids
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.tables import base as base_tables
from server.usecases.context import Core, poster_of
from server.usecases.games.game_units import (
    CONTROL_WARNING,
    LEADER_REPORTED,
    OFFLINE,
    OVERSTEP,
    REMINDER,
    SILENCE,
    THINK_WARNING,
    LockedGame,
    NewClaim,
    PlainUnit,
    Writes,
    due_after,
    due_days,
    due_of,
    near_of,
    start_of_day,
)
from server.usecases.games.outbox_letters import Poster, make_unique
from server.usecases.letter_facts import NoLetter, Params, loads, official
from server.usecases.play.game_requests import submit_observation
from server.usecases.rights import NoSuch, NotAllowed, Rights, holders_in, rights_in

_TOGETHER = 32
"""Games changed together: so few that a move beside them hardly waits."""

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
        pause = open_pause(state.bookings, PauseReason.BOUNCE)
        if pause is not None and isinstance(pause.booked, GamePaused):
            params["since"] = pause.booked.first.isoformat()
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
"""Raised when games/game_units.py learns another kind of work: one digit, compared as text."""


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


HEARTBEAT = "heartbeat_us"
SERVER = "server"
MOST_DAYS = 92
"""The longest outage that may be entered by hand, and how long ago it may have ended."""
LISTED_US = 30 * DAY_US
"""How long what was decided is shown."""


async def beat(core: Core, conn: AsyncConnection) -> None:
    """A sign of life of any process; a gap between two was an outage of them all."""
    now, last = core.now_us, await base_tables.get(conn, HEARTBEAT)
    if last is not None and now - int(last) > OUTAGE_US:
        await record(core, conn, (int(last), now), SERVER)
    await base_tables.put_value(conn, HEARTBEAT, str(now))


async def mail_stops(core: Core, part: str = MAIL) -> bool:
    """The mail's way out is closed, or its mailbox: an outage begins, unless one is open.

    Whether it is long already.
    """
    async with core.store.write() as conn:
        since_us, now_us = await outage_rows.open_since(conn, part), core.now_us
        if since_us is not None:
            return now_us - since_us > OUTAGE_US
        while await outage_rows.add(conn, now_us, None, part) is None:
            now_us += 1  # another outage began at the same instant
    return False


async def mail_runs(core: Core, part: str = MAIL) -> None:
    """The way is open: its outage ends. One of the way out counts if no process could send; who
    else reads the mailbox has ended one of the mailbox long ago.
    """
    async with core.store.read() as conn:
        if await outage_rows.open_since(conn, part) is None:
            return
    async with core.store.write() as conn:
        for one in await outage_rows.take_open(conn, part):
            is_long = core.now_us - one.from_us > OUTAGE_US
            if is_long and not (part == MAIL and await outage_rows.has_sent(conn, one.from_us)):
                await record(core, conn, (one.from_us, core.now_us), part)


async def record(
    core: Core,
    conn: AsyncConnection,
    stretch: tuple[int, int],
    reason: str,
    by: PersonRow | None = None,
    groups: Collection[int] | None = None,
    *,
    by_post: bool = False,
) -> int:
    """Keep an outage, propose its pause where it cost a day, tell who decides; in how many groups.

    ``groups``: only in these, None: in all; in postal ones only if ``by_post``: the post goes on.
    What another outage has proposed for all its days already is not proposed again.
    """
    outage_id = await outage_rows.add(conn, *stretch, reason, None if by is None else by.id)
    if outage_id is None:
        return 0
    known = await outage_rows.known_days(conn)
    found = []
    for group in await outage_rows.running_groups(conn):
        is_meant = groups is None or group.id in groups
        is_meant &= by_post or group.regulation == Regulation.EMAIL
        days = outage_rows.days_within(group.zone, group.start, stretch) if is_meant else None
        if days is None:
            continue
        first, last = map(str, days)
        if not any(of == group.id and a <= first and last <= z for of, a, z in known):
            found.append((group.id, *days))
    await outage_rows.propose(conn, outage_id, found)
    if found:
        await _notify_deciders(core, conn, outage_id, {group for group, *_ in found}, by)
    return len(found)


async def _notify_deciders(
    core: Core, conn: AsyncConnection, outage_id: int, groups: set[int], by: PersonRow | None
) -> None:
    """Write to all who may settle it in one of the groups, but not to who has entered it."""
    people = {one.person.id: one.person for one in await holders_in(conn, core.now_us)}
    unique, poster, letters = f"outage.{outage_id}.proposed", poster_of(core), []
    for person in people.values():
        held = await rights_in(conn, person, core.now_us)
        if person != by and any(map(held.speaks_for, groups)):
            params: dict[str, object] = {"outage": outage_id}
            letters.append(poster.to_person(PauseProposal, person.id, unique, params))
    await outbox_rows.enqueue(conn, letters)


@loads(PauseProposal)
async def _proposal_letter(core: Core, reader: PersonRow, params: Params) -> PauseProposal:
    """The letter of an outage's proposed pauses to who may settle them. Raises NoLetter."""
    async with core.store.read() as conn:
        held = await rights_in(conn, reader, core.now_us)
        listed = await outage_rows.pauses(conn, sees(held), 0)
    asked = [one for one in listed if one.outage_id == params.get("outage")]
    mine = [one for one in asked if held.speaks_for(one.group_id)]
    if not mine:
        raise NoLetter("no such proposal")
    zone = ZoneInfo(core.settings.clock.zone)
    return PauseProposal(
        reader=reader.name,
        part=MAIL if mine[0].is_mail else SERVER,
        began=from_us(mine[0].from_us).astimezone(zone),
        ended=from_us(mine[0].to_us).astimezone(zone),
        pauses=tuple(
            GroupPause(
                group=one.group,
                first=date.fromisoformat(one.first),
                last=date.fromisoformat(one.last),
                games=one.games,
                players=one.players,
            )
            for one in mine
        ),
        url=core.url("/desk/outages"),
        official=official(core),
    )


def has_part(held: Rights) -> bool:
    """Whether outages are any business of this person."""
    return sees(held) != frozenset()


def sees(held: Rights) -> frozenset[int] | None:
    """The groups whose outages a person sees: his own, or all (None)."""
    return None if held.is_kc or held.is_admin or held.leads_all else held.led - held.barred


async def proposals(core: Core, held: Rights, *, decided: bool = False) -> tuple[PauseRow, ...]:
    """The pauses that wait for a decision in a person's groups; also those ``decided`` lately."""
    since = core.now_us - LISTED_US if decided else None
    return await core.store.query(outage_rows.pauses, sees(held), since)


async def decide_pauses(
    core: Core,
    by: PersonRow,
    outage_id: int,
    decision: str,
    word: str = "",
    groups: Sequence[str] | None = None,
) -> int:
    """Grant an outage's pauses or decline them; how many now: none if it was done before.

    ``word``: why it is declined; ``groups`` by name, None: all that he may decide on.

    Granted, it is told to all who play in the group, and stands in their games when this returns.
    Raises NotAllowed; NoSuch for an outage or group in which the person sees no proposal.
    """
    now_us, count = core.now_us, 0
    async with core.store.write() as conn:
        held = await rights_in(conn, by, now_us)
        if not has_part(held):
            raise NotAllowed
        listed = await outage_rows.pauses(conn, sees(held), 0)
        seen = [one for one in listed if one.outage_id == outage_id]
        if not seen:
            raise NoSuch("outage")
        if groups is not None and not {one.group for one in seen}.issuperset(groups):
            raise NoSuch("group")
        mine = [one for one in seen if held.speaks_for(one.group_id)]
        if groups is not None:
            is_his = all(one in mine for one in seen if one.group in groups)
            mine = [one for one in mine if one.group in groups] if is_his else []
        if not mine:
            raise NotAllowed
        for one in mine:
            is_new = await outage_rows.decide(conn, one.id, decision, by.id, word, now_us)
            count += is_new
            if is_new and decision == GRANTED:
                await _notify_group(core, conn, one, by)
    await enter(core)
    return count


async def _notify_group(core: Core, conn: AsyncConnection, pause: PauseRow, by: PersonRow) -> None:
    """Tell the group's players and its leader which days do not count."""
    group = await group_rows.the_group(conn, pause.group_id)
    players = await outage_rows.players_of(conn, pause.group_id)
    readers = {*players, group.tl_id} if players else set()
    params: dict[str, object] = {
        "group": group.name,
        "by": by.id,
        "outage": MAIL if pause.is_mail else SERVER,
    }
    params |= {"first": pause.first, "last": pause.last}
    poster, unique = poster_of(core), f"outage.{pause.id}"
    letters = [poster.to_person(LeaderLetter, one, unique, params) for one in sorted(readers)]
    await outbox_rows.enqueue(conn, letters)


async def is_due(core: Core) -> bool:
    """Whether a pause was granted and not entered in all its games, as after a crash."""
    async with core.store.read() as conn:
        return bool(await outage_rows.list_granted_pauses(conn))


async def enter(core: Core) -> None:
    """Enter the pauses that were granted in their games, each once."""
    waiting = await core.store.query(outage_rows.list_granted_pauses)
    for pause in waiting:
        games = await core.store.query(running_ids, pause.group_id)
        stop, at = partial(_stop, pause), core.clock.now()
        for start in range(0, len(games), _TOGETHER):
            some = games[start : start + _TOGETHER]
            await asyncio.gather(
                *(submit_observation(core, one, stop, at, pause.by_id) for one in some)
            )
        await core.store.change(outage_rows.mark_pause_entered, pause.id, core.now_us)


def _stop(pause: AnyRow, state: GameState, _: Side | None) -> Command | None:
    """The pause, unless the game has it already."""
    days = (date.fromisoformat(pause.first), date.fromisoformat(pause.last))
    stop = GamePaused(*days, PauseReason.OUTAGE)
    if any(one.booked == stop for one in state.bookings):
        return None
    return StopTime(*days, PauseReason.OUTAGE)


def find_outage_fault(first: datetime, last: datetime, now: datetime) -> str | None:
    """What is wrong with its instants: ``backwards``, ``ahead``, ``too_long`` or ``too_old``."""
    if last <= first:
        return "backwards"
    if last > now:
        return "ahead"
    if (last - first).days > MOST_DAYS:
        return "too_long"
    return "too_old" if (now - last).days > MOST_DAYS else None


async def record_manual_outage(
    core: Core,
    by: PersonRow,
    first: datetime,
    last: datetime,
    reason: str,
    groups: Sequence[str] | None = None,
) -> int:
    """Record an outage that the server did not notice; in how many groups it proposes a pause.

    ``groups`` by name, None: all that are his. The same again proposes nothing. Raises
    NotAllowed, NoSuch for an unknown group.
    """
    first_us, last_us = to_us(first), to_us(last)
    async with core.store.write() as conn:
        held = await rights_in(conn, by, core.now_us)
        if not has_part(held):
            raise NotAllowed
        mine = sees(held)
        chosen: set[int] | None = None if mine is None else set(mine)
        if groups is not None:
            named = {one.name: one.id for one in await outage_rows.running_groups(conn)}
            if not named.keys() >= set(groups):
                raise NoSuch("group")
            chosen = {named[name] for name in groups}
            if chosen & held.barred or not (mine is None or chosen <= mine):
                raise NotAllowed
        while any(
            one.from_us == first_us for one in await outage_rows.between(conn, 0, first_us + 1)
        ):
            first_us += 1  # another outage began at the same instant
        named_ones, stretch = groups is not None, (first_us, last_us)
        return await record(core, conn, stretch, reason, by, chosen, by_post=named_ones)
