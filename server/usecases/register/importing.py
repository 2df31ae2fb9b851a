"""An import from beginning to end: read, compare with the register, write all or nothing.

One transaction, in which nobody else changes the register. Reading and planning are done in a
thread: the server keeps responding. Not for rights (the channels check ``may_change``).
"""

import asyncio
from dataclasses import replace

from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import StoreConflict
from server.store.play import offices as office_rows
from server.store.register import members as rows
from server.store.register import writing as writes
from server.usecases.core.context import Core
from server.usecases.rating.computing import settle
from server.usecases.register import clubs_in, members_in, ratings_in
from server.usecases.register.clubs_in import ClubDeed, ClubPlanner
from server.usecases.register.columns import BY_WHAT, NEEDED
from server.usecases.register.csv_table import BadFile, Row, Sheet, read_sheet
from server.usecases.register.known import Clubs, People, Ratings
from server.usecases.register.members_in import Deed, Planner, Register
from server.usecases.register.new_address import tell
from server.usecases.register.ratings_in import RatingDeed, RatingPlanner
from server.usecases.register.report import (
    Doer,
    Line,
    Progress,
    Report,
    Rules,
    Slip,
    What,
    no_progress,
)

STEP = 1000
"""Deeds written between two progress reports."""


async def import_file(
    core: Core, what: What, raw: bytes, doer: Doer, rules: Rules, progress: Progress = no_progress
) -> Report:
    """Import a file, or say what an import would do. Nothing is half-imported.

    Any line that can't be used stops the import, unless the rules skip such lines; ``is_done``
    says whether the register was written to.
    """
    try:
        sheet = await asyncio.to_thread(read_sheet, raw, BY_WHAT[what], NEEDED[what])
    except BadFile as bad:
        return Report(what, fault=bad.slip)
    job = _Job(core, what, sheet, doer, rules, progress)
    if rules.dry_run:
        async with core.store.read() as conn:
            return await job.planned(conn)
    try:
        async with core.store.write() as conn:
            await writes.hold(conn)
            report = await job.planned(conn)
            is_as_seen = rules.digest in ("", report.digest)
            if not (is_as_seen and (report.is_clean or rules.skip_bad)):
                return report
            await job.write(conn)
    except StoreConflict:
        return Report(what, unused=sheet.unused, fault=Slip("swapped"))
    await settle(core, doer.person_id)
    return replace(report, is_done=True)


class _Job:
    """One import in progress."""

    def __init__(
        self, core: Core, what: What, sheet: Sheet, doer: Doer, rules: Rules, progress: Progress
    ) -> None:
        self._core, self._what, self._sheet = core, what, sheet
        self._doer, self._rules, self._progress = doer, rules, progress
        self._clubs = Clubs.of((), {})
        self._members: list[Deed] = []
        self._ratings: list[RatingDeed] = []
        self._club_deeds: list[ClubDeed] = []

    async def planned(self, conn: AsyncConnection) -> Report:
        """A report of what the lines would do."""
        self._clubs = Clubs.of(await rows.all_clubs(conn), await rows.all_districts(conn))
        if self._what is What.CLUBS:
            lines = self._plan_clubs()
        else:
            people = People.of(await rows.everybody(conn))
            days = _days(self._sheet.rows)
            dated = await rows.ratings_between(conn, *days) if days else ()
            ratings = Ratings.of(await rows.latest_ratings(conn), dated)
            if self._what is What.MEMBERS:
                officials = await office_rows.in_office(conn, self._core.now_us)
                register = Register(people, self._clubs, ratings, officials, self._today)
                lines = await asyncio.to_thread(self._plan_members, register)
            else:
                lines = await asyncio.to_thread(self._plan_ratings, people, ratings)
        return Report(self._what, tuple(lines), self._sheet.unused)

    @property
    def _today(self) -> str:
        return self._core.today(self._core.settings.clock.zone).isoformat()

    def _plan_members(self, register: Register) -> list[Line]:
        plan = Planner(register, self._rules, self._doer).plan(self._sheet, self._progress)
        self._members = plan.deeds
        return plan.lines

    def _plan_clubs(self) -> list[Line]:
        planner = ClubPlanner(self._clubs, self._today)
        planner.plan(self._sheet, self._progress)
        self._club_deeds = planner.deeds
        return planner.lines

    def _plan_ratings(self, people: People, ratings: Ratings) -> list[Line]:
        planner = RatingPlanner(people, ratings, self._today, self._doer)
        planner.plan(self._sheet, self._progress)
        self._ratings = planner.deeds
        return planner.lines

    async def write(self, conn: AsyncConnection) -> None:
        """Write what was planned, in batches within one transaction."""
        now = self._core.now_us
        match self._what:
            case What.CLUBS:
                await clubs_in.write(conn, self._club_deeds, self._clubs)
            case What.MEMBERS:
                for first in range(0, len(self._members), STEP):
                    part = self._members[first : first + STEP]
                    await members_in.write(conn, part, self._clubs, self._doer, now)
                    self._progress("write", first + len(part), len(self._members))
                await tell(conn, self._core, members_in.moved(self._members))
            case What.RATINGS:
                for first in range(0, len(self._ratings), STEP):
                    some = self._ratings[first : first + STEP]
                    await ratings_in.write(conn, some, self._doer, now)
                    self._progress("write", first + len(some), len(self._ratings))


_ANY_DAY = ("0000-00-00", "9999-99-99")


def _days(lines: tuple[Row, ...]) -> tuple[str, str] | None:
    """The days whose ratings a file concerns: all, or None when no line names one."""
    names = ("k_date", "rating_date", "date")
    named = any(row.cells.get(name) for row in lines for name in names)
    return _ANY_DAY if named else None
