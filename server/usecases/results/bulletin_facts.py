"""What happened in a bulletin's period, from stored data; frozen to text and back (§ 6.4.5.1).

Read-only. Not for the draft's life (bulletins.py) nor for wording (mail.office_letters.bulletins).
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from pydantic import TypeAdapter

from kskak.cases.decisions import Decision
from kskak.groups.division_table import DivisionTable
from kskak.office.bulletin_periods import Period
from kskak.regulation.days import ONE_DAY, local_day
from mail.office_letters.bulletin_facts import (
    Bulletin,
    DecisionNote,
    FinishedGroup,
    GroupName,
    PeriodResult,
    RunningGroup,
    StartedGroup,
)
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us, to_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.office import bulletins as rows
from server.store.office.bulletins import BulletinRow
from server.store.play import people as person_rows
from server.usecases.core.case_record import readable
from server.usecases.core.context import Core
from server.usecases.core.due_work import start_of_day
from server.usecases.core.letter_facts import official
from server.usecases.groups.tables import (
    TableView,
    standing_decisions,
    standing_in,
    tables_in,
)
from server.usecases.league.division_tables import divisions_in


@dataclass(frozen=True, slots=True)
class Chosen:
    """A case chosen by the official, and the official's words for it."""

    case: int
    text: str


@cache
def _bulletins() -> TypeAdapter[Bulletin]:
    return TypeAdapter(Bulletin)


@cache
def _chosen() -> TypeAdapter[tuple[Chosen, ...]]:
    return TypeAdapter(tuple[Chosen, ...])


def frozen(bulletin: Bulletin) -> str:
    """A bulletin as text, always the same for the same bulletin."""
    value = _bulletins().dump_python(bulletin, mode="json")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def thawed(text: str) -> Bulletin:
    """A bulletin from its frozen text. Raises ValueError for any other text."""
    return _bulletins().validate_json(text)


def dump_chosen(chosen: Sequence[Chosen]) -> str:
    """The chosen cases as stored text."""
    return _chosen().dump_json(tuple(chosen)).decode()


def load_chosen(text: str) -> tuple[Chosen, ...]:
    """The chosen cases from stored text."""
    return _chosen().validate_json(text)


def period_of(row: BulletinRow) -> Period:
    """The days that a bulletin covers."""
    return Period(date.fromisoformat(row.first), date.fromisoformat(row.last))


def _instants(period: Period) -> tuple[int, int]:
    """The period with an extra day at either end: games' zones differ, their own days decide."""
    first = start_of_day(period.first - ONE_DAY, "UTC")
    return to_us(first), to_us(start_of_day(period.last + timedelta(days=2), "UTC"))


async def gather(conn: AsyncConnection, core: Core, row: BulletinRow) -> Bulletin:
    """Everything in the period, as of now; a draft has no day of issue yet."""
    period = period_of(row)
    results = await _results(conn, period)
    published = await rows.published(conn, row.first, row.last)
    finished = {one.group_id: one for one in published}
    views, divisions = await _views(conn, dict.fromkeys([*finished, *results]))
    return Bulletin(
        number=row.number,
        first=period.first,
        last=period.last,
        issued=None,
        objections_until=None,
        official=official(core),
        url=core.url(f"/bulletins/{row.number}"),
        foreword=row.foreword,
        started=await _started(conn, core, row),
        finished=await _finished(conn, core, [views[g] for g in finished], results, divisions),
        running=tuple(
            RunningGroup(
                _named(core, group),
                view.table,
                _told(view, results[group.id]),
                divisions.get(group.id),
            )
            for group, view in sorted(views.values(), key=lambda one: one[0].name)
            if group.id in results and not (group.id in finished and view.table.is_finished)
        ),
        decisions=await _decisions(conn, load_chosen(row.chosen)),
    )


async def _views(
    conn: AsyncConnection, groups: Iterable[int]
) -> tuple[dict[int, tuple[GroupRow, TableView]], dict[int, DivisionTable]]:
    """The groups' tables, and the team tables of the divisions among them (§ 6.7.4.5)."""
    found = await group_rows.with_ids(conn, groups)
    tables = await tables_in(conn, found)
    return {group.id: (group, tables[group.id]) for group in found}, await divisions_in(conn, found)


async def _results(conn: AsyncConnection, period: Period) -> dict[int, dict[int, date]]:
    """The games that ended on the period's days, by group: each with its day."""
    found: dict[int, dict[int, date]] = {}
    for group_id, game_id, us, zone in await rows.ended(conn, *_instants(period)):
        day = local_day(from_us(us), zone)
        if period.holds(day):
            found.setdefault(group_id, {})[game_id] = day
    return found


def _named(core: Core, group: GroupRow) -> GroupName:
    url = core.url(f"/groups/{group.name}")
    return GroupName(group.name, group.tournament, group.class_, url)


def _told(view: TableView, ended: dict[int, date]) -> tuple[PeriodResult, ...]:
    games = {row.id: row for row in view.games}
    names = {seat.person_id: seat.name for seat in view.seats}
    return tuple(
        PeriodResult(
            names[games[game].white_id], names[games[game].black_id], result, view.how[game], day
        )
        for game, day in sorted(
            ended.items(), key=lambda one: (one[1], games[one[0]].round, one[0])
        )
        if (result := games[game].result) is not None
    )


async def _started(conn: AsyncConnection, core: Core, row: BulletinRow) -> tuple[StartedGroup, ...]:
    begun = await rows.begun(conn, row.first, row.last)
    seats = await group_rows.seats_of_all(conn, [group.id for group in begun])
    leaders = await person_rows.by_ids(conn, {group.tl_id for group in begun})
    return tuple(
        StartedGroup(
            _named(core, group),
            date.fromisoformat(group.start),
            leaders[group.tl_id].name,
            tuple(seat.name for seat in seats[group.id]),
        )
        for group in begun
    )


async def _finished(
    conn: AsyncConnection,
    core: Core,
    views: list[tuple[GroupRow, TableView]],
    results: dict[int, dict[int, date]],
    divisions: dict[int, DivisionTable],
) -> tuple[FinishedGroup, ...]:
    found = []
    for group, view in views:
        standing = await standing_in(conn, group, view)
        if standing is not None:  # else a result was taken back meanwhile: play goes on
            told = _told(view, results.get(group.id, {}))
            division = divisions.get(group.id)
            found.append(FinishedGroup(_named(core, group), standing, told, division))
    return tuple(found)


async def _decisions(conn: AsyncConnection, chosen: Sequence[Chosen]) -> tuple[DecisionNote, ...]:
    """The chosen cases in the official's words; one since overturned is left out."""
    found = []
    for one in chosen:
        case = await case_rows.load(conn, one.case)
        decided = () if case is None else await _standing(conn, case)
        if case is not None and decided:
            found.append(DecisionNote(case.number, decided[-1].paragraphs, one.text))
    return tuple(found)


async def _standing(conn: AsyncConnection, case: CaseRow) -> tuple[Decision, ...]:
    state = readable(await case_rows.events_of(conn, case.id))
    return () if state is None else standing_decisions(state)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A decision in the period that may be reported: what it cites and the reasons given."""

    case: CaseRow
    paragraphs: tuple[str, ...]
    reasons: str


async def candidates(conn: AsyncConnection, period: Period) -> tuple[Candidate, ...]:
    """The cases decided in the period, whose decisions stand (§ 6.4.5.1)."""
    found = []
    for case_id in await rows.cases_touched(conn, *_instants(period)):
        case = await case_rows.load(conn, case_id)
        assert case is not None
        decided = await _standing(conn, case)
        if decided and period.holds(decided[-1].on):
            found.append(Candidate(case, decided[-1].paragraphs, decided[-1].reasons))
    return tuple(found)
