"""The daily duties, done once a day whenever the poller runs.

Not for due dates of games (deadlines.py) nor for the server's heartbeat (presence.py).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Column

from server.store.account import expired
from server.store.account import ways_in as access
from server.store.cases import waiting_scans
from server.store.engine.types import DAY_US
from server.store.mail import daily_duties as duty_rows
from server.usecases.archive import own_games
from server.usecases.cases.appealing import keep_terms
from server.usecases.cases.silence import file_recent
from server.usecases.core.context import Core, today_of
from server.usecases.cup import duties as cup_duties
from server.usecases.desks import retention
from server.usecases.desks.readiness import warn_of_clock
from server.usecases.entries import deeds
from server.usecases.league import duties as league_duties
from server.usecases.mail import held_mail, mail_report, pack_mails
from server.usecases.office import year
from server.usecases.postal import damaged_cards
from server.usecases.rating import computing
from server.usecases.reflection import outages
from server.usecases.reflection.reset_due_work import rearm
from server.usecases.results import bulletins, publish_day

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
            await core.store.writing(partial(_note_used, core, used))
        core.token_days.recorded(used)
        await rearm(core)
        await _do(core, await core.store.reading(partial(_left, core)))
        for work in await core.store.reading(partial(_come_up, core)):
            await work(core)
        return False


async def _clean_up(core: Core) -> None:
    """Delete what nothing needs any more, a little at a time."""
    now = core.now_us
    ages = [
        *((date, 0) for date in expired.AT_ITS_DATE),
        *((date, KEEP_ANSWERS_US) for date in expired.ANSWERS),
        (waiting_scans.PUT_IN, waiting_scans.KEPT_US),
    ]
    left = await core.store.reading(partial(_left_over, core, ages, now))
    for date, before_us in left:
        gone = PORTION
        while gone == PORTION:
            async with core.store.write() as conn:
                gone = await expired.forget(conn, date, before_us, PORTION)


async def _left_over(
    core: Core, ages: Sequence[tuple[Column[int], int]], now_us: int
) -> list[tuple[Column[int], int]]:
    """The kinds of which there is something to remove, each with the instant it is removed at."""
    async with core.store.read() as conn:
        return [
            (date, now_us - age_us)
            for date, age_us in ages
            if await expired.found(conn, date, now_us - age_us)
        ]


@dataclass(frozen=True, slots=True)
class Duty:
    """Done once a day and then noted: it may be repeated, and done by two processes at once.

    It looks for what is due while nobody waits, and writes it in short transactions of its own,
    each of which asks again: every move waits for the one who writes.
    """

    name: str
    work: Callable[[Core], Awaitable[object]]


ONCE_A_DAY = (
    Duty("clean-up", _clean_up),
    Duty("appeal-terms", keep_terms),
    Duty("case-files", file_recent),
    Duty(publish_day.DUTY, publish_day.daily),
    Duty("ratings", computing.compute),
    Duty("damaged-cards", damaged_cards.remind),
    Duty("entries", deeds.daily),
    Duty("year", year.daily),
    Duty("retention", retention.daily),
    Duty("mail-report", mail_report.daily),
    Duty("archive-names", own_games.rename),
    Duty("pack-mails", pack_mails.daily),
)
"""In this order: ratings depend on the results published that day."""
AS_IT_COMES = (
    (bulletins.is_due, bulletins.daily),
    (league_duties.is_due, league_duties.daily),
    (cup_duties.is_due, cup_duties.daily),
    (held_mail.is_due, held_mail.tell),
    (outages.is_due, outages.enter),
)
"""Work that becomes due with the day, or through a leader during it: (is it due, do it)."""


async def _note_used(core: Core, used: Mapping[bytes, str]) -> None:
    """The days on which tokens were used."""
    async with core.store.write() as conn:
        await access.tokens_used(conn, used)


async def _do(core: Core, left: Sequence[Duty]) -> None:
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
            await duty_rows.take(conn, name, today, core.now_us)


async def _left(core: Core) -> list[Duty]:
    """The duties not yet done today."""
    today = today_of(core).isoformat()
    async with core.store.read() as conn:
        done = await duty_rows.done(conn)
    return [duty for duty in ONCE_A_DAY if done.get(duty.name, "") < today]


async def _come_up(core: Core) -> list[Callable[[Core], Awaitable[object]]]:
    """The other work that is due."""
    return [work for is_due, work in AS_IT_COMES if await is_due(core)]
