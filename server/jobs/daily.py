"""The daily duties, done once a day whatever the poller's hour; and the server's heartbeat.

A gap in the heartbeat is an outage, written down by the server itself when it is back. Not for
due dates of games (deadlines.py).
"""

import logging

from server.store.account import answered_pages, passkeys
from server.store.account import ways_in as access
from server.store.engine.types import DAY_US, MINUTE_US
from server.store.mail import daily_duties as duty_rows
from server.store.mail import outages as outage_rows
from server.store.play import idempotency
from server.store.play import questions as question_rows
from server.store.tables import settings as settings_table
from server.usecases.archive import own_games
from server.usecases.cases.appealing import keep_terms
from server.usecases.cases.silence import file_recent
from server.usecases.core.context import Core
from server.usecases.cup import duties as cup_duties
from server.usecases.desks import retention
from server.usecases.desks.readiness import warn_of_clock
from server.usecases.entries import deeds
from server.usecases.league import outbox as league_duties
from server.usecases.office import year
from server.usecases.postal import damaged_cards
from server.usecases.rating import computing
from server.usecases.reflection.reset_due_work import rearm
from server.usecases.results import bulletins
from server.usecases.results import publishing as results

_log = logging.getLogger(__name__)

HEARTBEAT = "heartbeat_us"
OUTAGE_US = 15 * MINUTE_US
"""A longer silence than this was an outage."""
KEEP_ANSWERS_US = 400 * DAY_US
"""Answers to repeated requests are kept for longer than a game's control takes."""


class DailyJob:
    """Heartbeat at every look, duties once a day."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def note_outage(self) -> None:
        """At the start: was the server away longer than a restart takes?"""
        now = self._core.now_us
        await warn_of_clock(self._core)
        async with self._core.store.write() as conn:
            last = await settings_table.get(conn, HEARTBEAT)
            if last is not None and now - int(last) > OUTAGE_US:
                await outage_rows.add(conn, int(last), now, "no heartbeat")
                _log.warning("the server was away for %s minutes", (now - int(last)) // MINUTE_US)

    async def work(self) -> bool:
        """Beat; clean up on a new day."""
        core = self._core
        await warn_of_clock(core)
        await rearm(core)
        today = core.today(core.settings.clock.zone).isoformat()
        async with core.store.write() as conn:
            await settings_table.put(conn, HEARTBEAT, str(core.now_us))
            if await duty_rows.take(conn, "clean-up", today, core.now_us):
                await access.forget_old(conn, core.now_us)
                await passkeys.forget_old(conn, core.now_us)
                await answered_pages.forget_old(conn, core.now_us)
                await question_rows.forget_old(conn, core.now_us - KEEP_ANSWERS_US)
                await idempotency.forget_old(conn, core.now_us - KEEP_ANSWERS_US)
        await self._keep_terms(today)
        await results.daily(core)
        await computing.daily(core)
        await bulletins.daily(core)
        await league_duties.daily(core)
        await cup_duties.daily(core)
        await damaged_cards.remind(core)
        await deeds.daily(core)
        await year.daily(core)
        await retention.daily(core)
        await own_games.rename(core)
        return False

    async def _keep_terms(self, today: str) -> None:
        """Both may be done again: a day counts as done after them, should a crash come between."""
        core, duty = self._core, "appeal-terms"
        async with core.store.read() as conn:
            if await duty_rows.last(conn, duty) == today:
                return
        await keep_terms(core)
        await file_recent(core)
        async with core.store.write() as conn:
            await duty_rows.take(conn, duty, today, core.now_us)
