"""The desks: what needs a leader, the controller or the Board today (§ 6.1.1-6.1.2, § 6.4.3).

Reading only; each desk is a fixed number of questions. Not for a single case (case_page.py).
"""

from dataclasses import dataclass, field
from datetime import date, timedelta

from server.store import cases as case_rows
from server.store import desk as desk_rows
from server.store import groups as group_rows
from server.store import offices as office_rows
from server.store import people as person_rows
from server.store.cases import CaseRow
from server.store.desk import GroupLine, Listed
from server.store.instants import DAY_US
from server.store.offices import NewOffice, Office, OfficeRow
from server.store.people import PersonRow
from server.usecases.core import Core
from server.usecases.desk_rights import Standing

NEAR_DAYS = 7
"""An overstep nearer than this is shown."""
QUIET_DAYS = 14
"""§ 6.3.4: after so long without a move the opponent may ask."""
LONG_MONTHS = 18
"""§ 6.2.7."""
BOARD = "board"


def months_before(today: date, months: int) -> date:
    """The day so many months earlier; the last of a month that has no such day."""
    whole = today.year * 12 + today.month - 1 - months
    first = date(whole // 12, whole % 12 + 1, 1)
    last = (date(first.year + first.month // 12, first.month % 12 + 1, 1) - first).days
    return first.replace(day=min(today.day, last))


@dataclass(frozen=True, slots=True)
class LeaderDesk:
    """A leader's day. ``long`` and ``unpublished`` are groups with something left in them."""

    today: date
    cases: tuple[CaseRow, ...]
    found: Listed
    near: Listed
    silent: Listed
    groups: tuple[GroupLine, ...]
    long: tuple[GroupLine, ...]
    unpublished: tuple[GroupLine, ...]
    held: int


async def leader_desk(core: Core, standing: Standing) -> LeaderDesk:
    """What a leader finds: eight questions, however many groups."""
    mine, today = standing.leads, core.today(core.settings.clock.zone)
    now, soon = today.isoformat(), (today + timedelta(days=NEAR_DAYS)).isoformat()
    async with core.store.read() as conn:
        found, near = await desk_rows.oversteps(conn, mine, now, soon)
        quiet = await desk_rows.silent(conn, mine, core.now_us - QUIET_DAYS * DAY_US)
        groups = await desk_rows.group_lines(conn, mine, now)
        cases = await case_rows.listed(conn, group_ids=mine, is_open=True)
        held = await desk_rows.held_mails(conn)
    since = months_before(today, LONG_MONTHS).isoformat()
    return LeaderDesk(
        today=today,
        cases=cases,
        found=found,
        near=near,
        silent=quiet,
        groups=groups,
        long=tuple(row for row in groups if row.start <= since and row.running),
        unpublished=tuple(row for row in groups if row.unpublished),
        held=held,
    )


@dataclass(frozen=True, slots=True)
class ControllerDesk:
    """The controller's view: appeals to him, every tournament, who holds which office."""

    today: date
    appeals: tuple[CaseRow, ...]
    cases: tuple[CaseRow, ...]
    groups: tuple[GroupLine, ...]
    open_cases: dict[int, int]
    offices: tuple[OfficeRow, ...]
    people: dict[int, PersonRow]
    group_names: dict[int, str] = field(default_factory=dict)


async def controller_desk(core: Core) -> ControllerDesk:
    """All tournaments at a glance, and what has come to the controller (§ 6.1.2, § 6.4.3)."""
    today = core.today(core.settings.clock.zone)
    async with core.store.read() as conn:
        cases = await case_rows.listed(conn, is_open=True)
        groups = await desk_rows.group_lines(conn, None, today.isoformat())
        counts = await desk_rows.cases_by_group(conn)
        offices = await office_rows.everyone(conn, core.now_us)
        people = await person_rows.by_ids(conn, {row.person_id for row in offices})
    mine = tuple(case for case in cases if case.instance == "kc" and case.state != "decided")
    return ControllerDesk(
        today=today,
        appeals=mine,
        cases=tuple(case for case in cases if case not in mine),
        groups=groups,
        open_cases=counts,
        offices=offices,
        people=people,
        group_names={row.group_id: row.name for row in groups},
    )


async def board_desk(core: Core) -> tuple[CaseRow, ...]:
    """The Board's cases, open ones first; no others (§ 6.4.3)."""
    async with core.store.read() as conn:
        return await case_rows.of_instance(conn, BOARD)


@dataclass(frozen=True, slots=True)
class Appointment:
    """Whom to appoint to what. ``group`` "" : everywhere."""

    office: Office
    email: str
    group: str


async def appoint(core: Core, standing: Standing, asked: Appointment) -> str | None:
    """Appoint somebody; a word for what is wrong, None when done (§ 6.1.1-6.1.2).

    The controller appoints leaders, deputies and captains; an operator the others as well.
    """
    if asked.office not in appointable(standing):
        return "not_yours"
    async with core.store.write() as conn:
        person = await person_rows.by_email(conn, asked.email)
        if person is None:
            return "no_person"
        group = await group_rows.by_name(conn, asked.group) if asked.group else None
        if asked.group and group is None:
            return "no_group"
        where = None if group is None else group.id
        held = await office_rows.of_person(conn, person.id, core.now_us)
        if (asked.office.value, where) in {(row.office, row.group_id) for row in held}:
            return None
        by = standing.person.id
        new = NewOffice(person.id, asked.office.value, where, core.now_us, by)
        await office_rows.add(conn, new)
    return None


async def dismiss(core: Core, standing: Standing, office_id: int) -> bool:
    """End an appointment; False when it is not his to end, or has ended."""
    async with core.store.write() as conn:
        row = await office_rows.find(conn, office_id)
        if row is None or row.office not in appointable(standing):
            return False
        return await office_rows.end(conn, office_id, core.now_us)


def appointable(standing: Standing) -> tuple[Office, ...]:
    """The offices a person may fill (§ 6.1.1-6.1.2)."""
    if standing.is_operator:
        return tuple(Office)
    return (Office.TL, Office.DEPUTY, Office.CAPTAIN) if standing.is_controller else ()
