"""What is kept for how long: enforced by the daily duty, and shown on a page and by a command.

Contact data, raw mails and card pictures are removed 12 months after a tournament and its appeals
ended; names, events, transcripts and digests stay (REGULATION, "Personal data"; § 6.2.9). Not
for the statements themselves (store/account/retention.py).
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial

from sqlalchemy import Connection

from kskak.regulation.days import local_day, months_later
from server.clock import Clock
from server.store.account import retention as rows
from server.store.account.tournaments_kept import Tournament, held_back, tournaments
from server.store.cases import cases_and_events as case_rows
from server.store.engine.store import Store
from server.store.engine.types import from_us, to_us
from server.store.mail import batch
from server.store.mail import daily_duties as duty_rows
from server.store.register import join_requests as join_rows
from server.usecases.core.case_record import (
    CaseWord,
    Notice,
    UnreadCase,
    notices,
    officials_in,
    state_of,
)
from server.usecases.core.context import Core, poster_of
from server.usecases.core.due_work import start_of_day
from server.usecases.register import join_requests

KEPT_MONTHS = 12
"""Months from the end of a tournament and its appeals."""
PORTION = 100
"""What is removed in one transaction, so that no move waits for it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A tournament's retention. ``ended`` None: games or cases still run; ``until``: last day."""

    tournament: str
    ended: date | None
    until: date | None
    is_over: bool


def kept(row: Tournament, zone: str, today: date) -> Kept:
    """How long a tournament's personal data is kept."""
    if row.running or row.open_cases:
        return Kept(row.name, None, None, is_over=False)
    ended = local_day(from_us(row.last_us), zone)
    if row.objections_until is not None:
        ended = max(ended, date.fromisoformat(row.objections_until))
    until = months_later(ended, KEPT_MONTHS)
    return Kept(row.name, ended, until, is_over=today > until)


async def overview(store: Store, zone: str, today: date) -> tuple[Kept, ...]:
    """Every tournament's retention."""
    async with store.read() as conn:
        found = await tournaments(conn)
    return tuple(kept(row, zone, today) for row in found)


async def overview_now(store: Store, zone: str, clock: Clock) -> tuple[Kept, ...]:
    """Every tournament's retention as of today."""
    return await overview(store, zone, local_day(clock.now(), zone))


@dataclass(frozen=True, slots=True)
class Removed:
    """What one run removed."""

    mails: int
    scans: int
    people: int


async def daily(core: Core) -> Removed:
    """Remove what has expired: found while nobody waits, removed a little at a time."""
    zone, seen_us = core.settings.clock.zone, core.now_us
    today = core.today(zone)
    before = months_later(today, -KEPT_MONTHS)
    before_us = to_us(start_of_day(before, zone))
    async with core.store.read() as conn:
        found = [kept(row, zone, today) for row in await tournaments(conn)]
        over = [one.tournament for one in found if one.is_over]
        raw = (await rows.raw_of(conn, over), await rows.loose_mails(conn, before_us))
        mails_over = await rows.ended_mails(conn, before_us)
        lasting = [one.tournament for one in found if not one.is_over]
        idle = rows.Idle(lasting, seen_us, before.isoformat(), before_us)
        people = await rows.idle_people(conn, idle)
        times = join_requests.kept_since(core.now_us)
        letters = await join_rows.old_letters(conn, times[0])
    for portion in (part for one in raw for part in one.portions(PORTION)):
        async with core.store.write() as conn:
            await rows.forget_raw(conn, portion, core.now_us)
    for at in range(0, len(letters), PORTION):
        async with core.store.write() as conn:
            await join_rows.forget_letters(conn, letters[at : at + PORTION])
    for at in range(0, len(mails_over), PORTION):
        async with core.store.write() as conn:
            await rows.end_mails(conn, mails_over[at : at + PORTION])
    await _tell_of_undecided(core, before_us)
    async with core.store.write() as conn:
        await join_rows.forget(conn, *times, before_us)
        await rows.forget_asked(conn, before_us)
        await rows.forget_stated(conn, before_us)
    for at in range(0, len(people), PORTION):
        async with core.store.write() as conn:
            # Whoever has entered, or is in a group, since it was looked is idle no more.
            still = await rows.idle_people(conn, idle, people[at : at + PORTION])
            await rows.forget_contacts(conn, still)
    mails = sum(len(one.mails) + len(one.letters) for one in raw)
    return Removed(mails, sum(len(one.scans) for one in raw), len(people))


async def _tell_of_undecided(core: Core, before_us: int) -> None:
    """Tell who decides a case, once, that it alone keeps its tournament's personal data.

    All games ended more than ``KEPT_MONTHS`` ago, and nothing is removed till the case is decided.
    """
    async with core.store.read() as conn:
        found = await held_back(conn, before_us)
    for case_id in found:
        with suppress(UnreadCase):  # `kskak verify` names it; tried again the next day
            async with core.store.write() as conn:
                if await duty_rows.take(conn, f"holds_data.{case_id}", "once", core.now_us):
                    await conn.run_sync(partial(_tell, core, case_id))


def _tell(core: Core, case_id: int, conn: Connection) -> None:
    case = case_rows.lock(conn, case_id)
    state = state_of(case_rows.history(conn, case_id))
    told = officials_in(conn, case, state, core.now_us)
    letters = notices(poster_of(core), case, Notice(CaseWord.HOLDS_DATA, None), told)
    batch.write_outbox(conn, letters)
