"""What stands on the controller's desk beside cases and offices: year, accounts, quarantines.

§ 6.1.2, § 6.4.2. Reading only, a fixed number of questions. Not for the cases (overview.py).
"""

from dataclasses import dataclass
from datetime import date, timedelta

from kskak.office.books import Balance
from kskak.office.year import Item, plan_of_year
from server.store.cases import sanctions as sanction_rows
from server.store.cases.sanctions import InForce
from server.store.office import year as year_rows
from server.store.office.books import PrizesRow
from server.store.play.people import PersonRow
from server.store.register import join_requests as join_rows
from server.usecases.core.context import Core
from server.usecases.core.offices import NotAllowed, rights_in
from server.usecases.office.books import books_in
from server.usecases.office.year import deed_of, sees_year

AHEAD_DAYS = 92
"""So far ahead the desk shows the year; and what was not done so long ago."""
BEHIND_DAYS = 31


@dataclass(frozen=True, slots=True)
class Beside:
    """The next steps of the year, this year's accounts, prizes due, quarantines in force."""

    today: date
    steps: tuple[Item, ...]
    balances: tuple[Balance, ...]
    prizes: tuple[PrizesRow, ...]
    quarantines: tuple[InForce, ...]
    joining: int
    """Newcomers who wait for an answer."""


async def beside(core: Core) -> Beside:
    """What the controller finds; who may look is the caller's to know."""
    today = core.today(core.settings.clock.zone)
    first, last = today - timedelta(days=BEHIND_DAYS), today + timedelta(days=AHEAD_DAYS)
    async with core.store.read() as conn:
        deeds = [deed_of(row) for row in await year_rows.deeds(conn)]
        books = await books_in(conn, today)
        joining = await join_rows.waiting_count(conn)
        quarantines = await sanction_rows.quarantines(conn, today.isoformat())
    found = [
        item
        for year in range(first.year, last.year + 1)
        for item in plan_of_year(year, deeds)
        if item.day is not None and first <= item.day <= last
    ]
    return Beside(
        today=today,
        steps=tuple(item for item in found if not item.is_done),
        balances=tuple(one for one in books.balances if one.year == today.year),
        prizes=books.prizes,
        quarantines=quarantines,
        joining=joining,
    )


async def quarantines_for(core: Core, person: PersonRow) -> tuple[InForce, ...]:
    """The quarantines in force today. Raises NotAllowed for who may not see them (§ 6.4.2)."""
    today = core.today(core.settings.clock.zone)
    async with core.store.read() as conn:
        if not sees_year(await rights_in(conn, person, core.now_us)):
            raise NotAllowed
        return await sanction_rows.quarantines(conn, today.isoformat())
