"""What falls due: in a game, at its minute; the daily duties, once a day."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Column

from server.store.account import retention as retention_rows
from server.store.account import sign_in as access
from server.store.cases import papers as paper_rows
from server.store.engine.rows import DAY_US
from server.store.mail import due_work as due_rows
from server.store.play import requests as request_rows
from server.usecases.archive import game_import as games_in
from server.usecases.cases.appeals import keep_terms
from server.usecases.cases.case_letter_facts import file_recent
from server.usecases.context import Core, today_of
from server.usecases.cup import cup_rounds
from server.usecases.desks import readiness
from server.usecases.desks.readiness import warn_of_clock
from server.usecases.entries import entry_actions
from server.usecases.league import division_start as league_start
from server.usecases.mail import mail_desk
from server.usecases.mail import parsed_mail as opened_mail
from server.usecases.office import year
from server.usecases.play import delayed_moves
from server.usecases.postal import scans
from server.usecases.rating import computing
from server.usecases.reflection import outages
from server.usecases.reflection.silence import do_due, rearm
from server.usecases.results import bulletins, publishing

# The due-date job: rows claimed by a conditional update; one that fails is postponed.

_log = logging.getLogger(__name__)

BATCH = 256


class DeadlineJob:
    """Does what has fallen due."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def work(self) -> bool:
        """Do what is due; returns whether there may be more."""
        has_sent = await self._send_delayed()
        rows = await due_rows.claim(self._core.store, self._core.now_us, BATCH)
        for row in rows:
            try:
                await do_due(self._core, row)
            except Exception as error:
                _log.exception("deadline %s of game %s failed", row.kind, row.game_id)
                why = f"{type(error).__name__}: {error}"[:500]
                await self._core.store.change(due_rows.push, row, why, self._core.now_us)
        return bool(rows) or has_sent

    async def _send_delayed(self) -> bool:
        """Send the delayed moves that are due; returns whether there were any."""
        found = await self._core.store.query(request_rows.due, self._core.now_us, BATCH)
        for which in found:
            try:
                await delayed_moves.send(self._core, which)
            except Exception as error:
                _log.exception("the delayed move of game %s failed", which.game_id)
                why = f"{type(error).__name__}: {error}"[:500]
                await self._core.store.change(request_rows.push, which, why, self._core.now_us)
        return bool(found)


# The daily duties, done once a day whenever the poller runs.

PORTION = 500
"""Expired rows removed in one transaction."""
KEEP_ANSWERS_US = 400 * DAY_US
"""Answers for repeated requests are kept longer than a game's time control lasts."""


class DailyJob:
    """A look at every poll, duties once a day."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def work(self) -> bool:
        """Do the day's remaining duties, then whatever else has come up.

        Usually there is nothing to do, and two reads show that.
        """
        core = self._core
        await warn_of_clock(core)
        used = core.token_days.waiting()
        if used:
            await core.store.writing(partial(_note_used_tokens, core, used))
        core.token_days.recorded(used)
        await rearm(core)
        await _do(core, await core.store.reading(partial(_list_open_duties, core)))
        for work in await core.store.reading(partial(_come_up, core)):
            await work(core)
        return False


async def _clean_up(core: Core) -> None:
    """Delete what nothing needs any more, a little at a time."""
    now = core.now_us
    ages = [
        *((date, 0) for date in retention_rows.AT_ITS_DATE),
        *((date, KEEP_ANSWERS_US) for date in retention_rows.ANSWERS),
        (paper_rows.PUT_IN, paper_rows.PICTURE_RETENTION_US),
    ]
    left = await core.store.reading(partial(_left_over, core, ages, now))
    for date, before_us in left:
        gone = PORTION
        while gone == PORTION:
            gone = await core.store.change(retention_rows.forget_expired, date, before_us, PORTION)


async def _left_over(
    core: Core, ages: Sequence[tuple[Column[int], int]], now_us: int
) -> list[tuple[Column[int], int]]:
    """The kinds of which there is something to remove, each with the instant it is removed at."""
    async with core.store.read() as conn:
        return [
            (date, now_us - age_us)
            for date, age_us in ages
            if await retention_rows.has_expired(conn, date, now_us - age_us)
        ]


@dataclass(frozen=True, slots=True)
class DailyDuty:
    """Done once a day and then noted: it may be repeated, and done by two processes at once.

    It looks for what is due while nobody waits, and writes it in short transactions of its own,
    each of which asks again: every move waits for the one who writes.
    """

    name: str
    work: Callable[[Core], Awaitable[object]]


ONCE_A_DAY = (
    DailyDuty("clean-up", _clean_up),
    DailyDuty("appeal-terms", keep_terms),
    DailyDuty("case-files", file_recent),
    DailyDuty(publishing.DUTY, publishing.daily),
    DailyDuty("ratings", computing.compute),
    DailyDuty("damaged-cards", scans.remind),
    DailyDuty("entries", entry_actions.daily),
    DailyDuty("year", year.daily),
    DailyDuty("retention", readiness.daily),
    DailyDuty("mail-report", mail_desk.daily),
    DailyDuty("archive-names", games_in.rename),
    DailyDuty("pack-mails", opened_mail.daily),
)
"""In this order: ratings depend on the results published that day."""
AS_IT_COMES = (
    (bulletins.is_due, bulletins.daily),
    (league_start.is_due, league_start.daily),
    (cup_rounds.is_due, cup_rounds.daily),
    (mail_desk.is_due, mail_desk.report_held_mails),
    (outages.is_due, outages.enter),
)
"""Work that becomes due with the day, or through a leader during it: (is it due, do it)."""


async def _note_used_tokens(core: Core, used: Mapping[bytes, str]) -> None:
    """The days on which tokens were used."""
    await core.store.change(access.mark_tokens_used, used)


async def _do(core: Core, left: Sequence[DailyDuty]) -> None:
    """Do the duties in their order, and note those that were done, also if one fails.

    They count for the day on which they began, should they last past midnight.
    """
    today, done = today_of(core).isoformat(), list[str]()
    try:
        for duty in left:
            await duty.work(core)
            done.append(duty.name)
    finally:
        if done:
            await core.store.writing(partial(_note, core, done, today))


async def _note(core: Core, done: Sequence[str], today: str) -> None:
    async with core.store.write() as conn:
        for name in done:
            await due_rows.take(conn, name, today, core.now_us)


async def _list_open_duties(core: Core) -> list[DailyDuty]:
    """The duties not yet done today."""
    today = today_of(core).isoformat()
    done = await core.store.query(due_rows.days_done)
    return [duty for duty in ONCE_A_DAY if done.get(duty.name, "") < today]


async def _come_up(core: Core) -> list[Callable[[Core], Awaitable[object]]]:
    """The other work that is due."""
    return [work for is_due, work in AS_IT_COMES if await is_due(core)]
