"""Whether the server can do its work: the disk is writable, the clock is not behind the games.

Not for how that is reported (api/site.py).
"""

import asyncio
import errno
import logging
import os
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from sqlalchemy import Connection

from kskak.regulation.days import local_day, months_later
from mail.office_letters.case_letters import CaseWord
from server.store import register as register_rows
from server.store.account import retention as retention_rows
from server.store.account.retention import TournamentRetention, held_back, tournaments
from server.store.cases import cases as case_rows
from server.store.engine.connection import StoreError
from server.store.engine.rows import MINUTE_US, from_us, to_us
from server.store.engine.store import Store
from server.store.mail import batch as batch_rows
from server.store.mail import due_work as due_rows
from server.store.play import games as game_rows
from server.usecases.context import Core, poster_of
from server.usecases.games.case_hearers import officials_in
from server.usecases.games.case_opening import CaseNews, UnreadCase, notices, state_of
from server.usecases.games.game_units import start_of_day
from server.usecases.register import join_requests as joining

_log = logging.getLogger(__name__)

PROOF_S = 2.0
"""Seconds for which one write proves that the next one would succeed too."""
ROOM = 1 << 20
"""Octets that must be free for more to be taken in: some hundred moves, or a mail."""


@dataclass(slots=True, eq=False)
class WriteProof:
    """Proof of a durable write just now: one write serves all who ask within ``PROOF_S``.

    Anybody may ask, and must not be able to keep the disk busy that way.
    """

    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _until: float = 0.0
    _is_good: bool = False

    async def is_good(self, core: Core) -> bool:
        """True if the database can be written to."""
        clock = asyncio.get_running_loop().time
        async with self._turn:
            if clock() >= self._until:
                self._is_good = await _writes(core)
                self._until = clock() + PROOF_S
            return self._is_good


async def _writes(core: Core) -> bool:
    """Write a sign of life of this process, which is a new write each time.

    It takes the place of the last one; that there is room for more is proved beside the file.
    """
    store = core.store
    try:
        if store.path is not None:
            await asyncio.to_thread(_take_room, store.path.parent)
        await store.change(due_rows.sign, store.holder, core.now_us)
    except (StoreError, OSError):
        return False
    return True


def _take_room(folder: Path) -> None:
    """OSError when there is not so much room left; what was taken is given back."""
    with TemporaryFile(dir=folder) as file:
        try:
            os.posix_fallocate(file.fileno(), 0, ROOM)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
                raise  # those are of a file system that can't say


SLACK_US = MINUTE_US
"""How far the clocks of two machines may differ."""
NEWEST_S = 60.0
"""Seconds for which the newest event is cached, as it takes a search of all games."""


@dataclass(slots=True, eq=False)
class ClockWatch:
    """Whether the machine's clock is behind the newest event of all games.

    If so, it was set back, or was ahead when that event was entered.
    """

    _until: float = 0.0
    _newest_us: int | None = None

    async def behind_by(self, core: Core) -> timedelta | None:
        """By how much; None if it is not. StoreError when the games can't be read."""
        clock = asyncio.get_running_loop().time
        if clock() >= self._until:
            self._newest_us = await core.store.query(game_rows.newest_us)
            self._until = clock() + NEWEST_S
        newest, now = self._newest_us, core.now_us
        if newest is None or newest - SLACK_US <= now:
            return None
        return timedelta(microseconds=newest - now)


async def warn_of_clock(core: Core) -> None:
    """Log an error if the clock is behind; called at the start and every minute."""
    behind = await ClockWatch().behind_by(core)
    if behind is not None:
        _log.error("the machine's clock lies %s before the newest event: set it right", behind)


# What is kept for how long: enforced by the daily duty, and shown on a page and by a command.

RETENTION_MONTHS = 12
"""Months from the end of a tournament and its appeals."""
PORTION = 100
"""What is removed in one transaction, so that no move waits for it."""


@dataclass(frozen=True, slots=True)
class RetentionLine:
    """A tournament's retention. ``ended`` None: games or cases still run; ``until``: last day."""

    tournament: str
    ended: date | None
    until: date | None
    is_over: bool


def describe_retention(row: TournamentRetention, zone: str, today: date) -> RetentionLine:
    """How long a tournament's personal data is kept."""
    if row.running or row.open_cases:
        return RetentionLine(row.name, None, None, is_over=False)
    ended = local_day(from_us(row.last_us), zone)
    if row.objections_until is not None:
        ended = max(ended, date.fromisoformat(row.objections_until))
    until = months_later(ended, RETENTION_MONTHS)
    return RetentionLine(row.name, ended, until, is_over=today > until)


async def overview(store: Store, zone: str, today: date) -> tuple[RetentionLine, ...]:
    """Every tournament's retention."""
    found = await store.query(tournaments)
    return tuple(describe_retention(row, zone, today) for row in found)


@dataclass(frozen=True, slots=True)
class RetentionOutcome:
    """What one run removed."""

    mails: int
    scans: int
    people: int


async def daily(core: Core) -> RetentionOutcome:
    """Remove what has expired: found while nobody waits, removed a little at a time."""
    zone, seen_us = core.settings.clock.zone, core.now_us
    today = core.today(zone)
    before = months_later(today, -RETENTION_MONTHS)
    before_us = to_us(start_of_day(before, zone))
    async with core.store.read() as conn:
        found = [describe_retention(row, zone, today) for row in await tournaments(conn)]
        over = [one.tournament for one in found if one.is_over]
        loose = await retention_rows.loose_mails(conn, before_us)
        raw = (await retention_rows.raw_of(conn, over), loose)
        mails_over = await retention_rows.ended_mails(conn, before_us)
        lasting = [one.tournament for one in found if not one.is_over]
        idle: dict[str, Any] = {
            "kept": lasting, "seen_us": seen_us, "before_us": before_us,
            "left_before": before.isoformat(),
        }  # fmt: skip
        people = await retention_rows.idle_people(conn, **idle)
        times = core.now_us - joining.UNPROVED_US, core.now_us - joining.DECIDED_US
        letters = await register_rows.old_letters(conn, times[0])
    for portion in (part for one in raw for part in one.portions(PORTION)):
        await core.store.change(retention_rows.forget_raw, portion, core.now_us)
    for forget, some in (
        (register_rows.forget_letters, letters),
        (retention_rows.end_mails, mails_over),
    ):
        for at in range(0, len(some), PORTION):
            await core.store.change(forget, some[at : at + PORTION])
    await _notify_of_undecided_cases(core, before_us)
    async with core.store.write() as conn:
        await register_rows.forget(conn, *times, before_us)
        await retention_rows.forget_reserve_requests(conn, before_us)
        await retention_rows.forget_entry_statements(conn, before_us)
    for at in range(0, len(people), PORTION):
        async with core.store.write() as conn:
            # Whoever has entered, or is in a group, since it was looked is idle no more.
            still = await retention_rows.idle_people(conn, **idle, among=people[at : at + PORTION])
            await retention_rows.forget_contacts(conn, still)
    mails = sum(len(one.mails) + len(one.letters) for one in raw)
    return RetentionOutcome(mails, sum(len(one.scans) for one in raw), len(people))


async def _notify_of_undecided_cases(core: Core, before_us: int) -> None:
    """Tell who decides a case, once, that it alone keeps its tournament's personal data.

    All games ended more than ``RETENTION_MONTHS`` ago, and nothing is removed till the case is
    decided.
    """
    found = await core.store.query(held_back, before_us)
    for case_id in found:
        with suppress(UnreadCase):  # `kskak verify` names it; tried again the next day
            async with core.store.write() as conn:
                if await due_rows.take(conn, f"holds_data.{case_id}", "once", core.now_us):
                    await conn.run_sync(partial(_notify_decider, core, case_id))


def _notify_decider(core: Core, case_id: int, conn: Connection) -> None:
    case = case_rows.lock(conn, case_id)
    state = state_of(case_rows.history(conn, case_id))
    recipients = officials_in(conn, case, state, core.now_us)
    letters = notices(poster_of(core), case, CaseNews(CaseWord.HOLDS_DATA, None), recipients)
    batch_rows.write_outbox(conn, letters)
