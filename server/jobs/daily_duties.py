"""What falls due: in a game, at its minute; the duties, each when its declaration says."""

import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from server.store.account import retention as retention_rows
from server.store.cases import papers as paper_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US
from server.store.mail import due_work as due_rows
from server.store.mail.due_work import DeadlineRow
from server.store.play import requests as request_rows
from server.store.play.requests import DueMove
from server.usecases import office
from server.usecases.archive import archive_views
from server.usecases.cases.appeals import keep_terms
from server.usecases.cases.case_letter_facts import file_recent
from server.usecases.context import Core, today_of
from server.usecases.cup import cup_views
from server.usecases.desks import desk_overview, readiness
from server.usecases.desks.readiness import warn_of_clock
from server.usecases.entries import entry_actions, player_entering
from server.usecases.league import division_start as league_start
from server.usecases.mail import mail_desk
from server.usecases.mail import parsed_mail as opened_mail
from server.usecases.play import private_side
from server.usecases.postal import scans
from server.usecases.rating import computing
from server.usecases.reflection import silence_and_outages
from server.usecases.reflection.silence_and_outages import do_due, rearm
from server.usecases.results import bulletins, publishing
from server.usecases.season import team_entering
from server.usecases.starts import friends

# What falls due in games, claimed by a conditional update; what fails is postponed.

_log = logging.getLogger(__name__)

BATCH = 256
Row = TypeVar("Row", DeadlineRow, DueMove)


class DeadlineJob:
    """Sends the delayed moves that are due, and does what has fallen due."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def work(self) -> bool:
        """Do what is due; returns whether there may be more."""
        core = self._core
        moves = await core.store.query(request_rows.due, core.now_us, BATCH)
        await self._each(moves, private_side.send, request_rows.push)
        rows = await due_rows.claim(core.store, core.now_us, BATCH)
        await self._each(rows, do_due, due_rows.push)
        return bool(moves or rows)

    async def _each(
        self,
        rows: Sequence[Row],
        do: Callable[[Core, Row], Awaitable[object]],
        push: Callable[[AsyncConnection, Row, str, int], Coroutine[Any, Any, None]],
    ) -> None:
        for row in rows:
            try:
                await do(self._core, row)
            except Exception as error:
                _log.exception("due work of game %s failed: %r", row.game_id, row)
                why = f"{type(error).__name__}: {error}"[:500]
                await self._core.store.change(push, row, why, self._core.now_us)


# What nothing needs any more is deleted, a little at a time.

PORTION = 500
"""Expired rows removed in one transaction."""
KEEP_ANSWERS_US = 400 * DAY_US
"""Answers for repeated requests are kept longer than a game's time control lasts."""
_KEPT_FOR = (
    *((date, 0) for date in retention_rows.AT_ITS_DATE),
    *((date, KEEP_ANSWERS_US) for date in retention_rows.ANSWERS),
    (paper_rows.PUT_IN, paper_rows.PICTURE_RETENTION_US),
)


async def _clean_up(core: Core) -> None:
    store, now = core.store, core.now_us
    for date, age_us in _KEPT_FOR:
        is_any = await store.query(retention_rows.has_expired, date, now - age_us)
        gone = PORTION if is_any else 0
        while gone == PORTION:
            gone = await store.change(retention_rows.forget_expired, date, now - age_us, PORTION)


# The duties: declared once, looked at whenever the poller runs.


@dataclass(frozen=True, slots=True)
class Duty:
    """What is done when ``is_due`` says so; None: once a day, which is then noted.

    It may be repeated, and done by two processes at once. It looks for what is due while nobody
    waits, and writes it in short transactions of its own, each of which asks again: every move
    waits for the one who writes.
    """

    name: str
    do: Callable[[Core], Awaitable[object]]
    is_due: Callable[[Core], Awaitable[bool]] | None = None


DUTIES = (
    Duty("clean-up", _clean_up),
    Duty("appeal-terms", keep_terms),
    Duty("case-files", file_recent),
    Duty(publishing.DUTY, publishing.daily),
    Duty("ratings", computing.compute),
    Duty("damaged-cards", scans.remind),
    Duty("entries", entry_actions.daily),
    Duty("rights", player_entering.remind_of_rights),
    Duty("team-entries", team_entering.daily),
    Duty("year", office.daily),
    Duty("retention", readiness.daily),
    Duty("mail-report", mail_desk.daily),
    Duty("archive-names", archive_views.rename),
    Duty("pack-mails", opened_mail.daily),
    Duty("followed", friends.daily),
    Duty("week-letters", desk_overview.send_weeks),
    Duty("bulletin", bulletins.daily, bulletins.is_due),
    Duty("division-letters", league_start.daily, league_start.is_due),
    Duty("cup-rounds", cup_views.daily, cup_views.is_due),
    Duty("held-mails", mail_desk.report_held_mails, mail_desk.is_due),
    Duty("outage-pauses", silence_and_outages.enter, silence_and_outages.is_due),
)
"""In this order: ratings depend on the results published that day. The last become due with the
day, or through a leader during it."""


class DailyJob:
    """A look at every poll, each duty when it is due."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def work(self) -> bool:
        """Do what is due; usually there is nothing, and a few reads show that."""
        core = self._core
        await warn_of_clock(core)
        await rearm(core)
        await do_duties(core)
        return False


async def do_duties(core: Core) -> None:
    """Do the duties that are due, in their order; those before one that fails count.

    They count for the day on which they began, should they last past midnight.
    """
    today = today_of(core).isoformat()
    done = await core.store.query(due_rows.days_done)
    for duty in DUTIES:
        if duty.is_due is not None:
            if await duty.is_due(core):
                await duty.do(core)
        elif done.get(duty.name, "") < today:
            await duty.do(core)
            await core.store.change(due_rows.take, duty.name, today, core.now_us)
