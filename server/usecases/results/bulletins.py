"""The bulletin: drafted for a period, edited by the controller, sent once, kept (§ 6.4.5.1).

One draft at a time, with no gap after the previous bulletin. What goes out is what was
previewed: its facts are frozen with it. Reading of § 6.4.5.1: the bulletin is the publication
that the text means, so what it reports may be objected to for 14 days from it, even if the
server had shown the result before; but a term that has run out is not reopened. Not for what
happened (below).
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from hashlib import sha256

from pydantic import TypeAdapter

from kskak.cases.case_events import Decision
from kskak.groups.crosstables import LeagueTable
from kskak.office.year import Period, next_period, objections_until
from kskak.regulation.days import ONE_DAY, local_day
from mail.office_letters.bulletins import (
    Bulletin,
    BulletinDue,
    BulletinMail,
    DecisionNote,
    FinalStanding,
    FinishedGroup,
    GroupName,
    PeriodResult,
    RunningGroupFacts,
    StartedGroupFacts,
)
from server.store import desk_lists as desk_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.desk_lists import BulletinRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import dump_json, from_us, to_us
from server.store.groups import GroupRow
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core, poster_of
from server.usecases.cup.cup_views import advance_of
from server.usecases.games.case_opening import readable
from server.usecases.games.game_units import start_of_day
from server.usecases.groups.group_tables import (
    TableView,
    list_decisions_in_force,
    read_final_standing,
    tables_in,
)
from server.usecases.league.divisions import divisions_in
from server.usecases.letter_facts import NoLetter, Params, day, loads, number, official
from server.usecases.office import controllers
from server.usecases.rights import NotAllowed, rights

# What happened in a bulletin's period, from stored data; frozen to text and back (§ 6.4.5.1).


@cache
def _bulletins() -> TypeAdapter[Bulletin]:
    return TypeAdapter(Bulletin)


def freeze_bulletin(bulletin: Bulletin) -> str:
    """A bulletin as text, always the same for the same bulletin."""
    value = _bulletins().dump_python(bulletin, mode="json")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def thaw_bulletin(text: str) -> Bulletin:
    """A bulletin from its frozen text. Raises ValueError for any other text."""
    return _bulletins().validate_json(text)


def load_chosen(text: str) -> dict[int, str]:
    """The official's words for each chosen case, from stored text."""
    return {one["case"]: one["text"] for one in json.loads(text)}


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
    published = await desk_rows.list_results_published(conn, row.first, row.last)
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
            RunningGroupFacts(
                _named(core, group),
                view.table,
                _list_period_results(view, results[group.id]),
                divisions.get(group.id),
            )
            for group, view in sorted(views.values(), key=lambda one: one[0].name)
            if group.id in results and not (group.id in finished and view.table.is_finished)
        ),
        decisions=await _decisions(conn, load_chosen(row.chosen)),
    )


async def _views(
    conn: AsyncConnection, groups: Iterable[int]
) -> tuple[dict[int, tuple[GroupRow, TableView]], dict[int, LeagueTable]]:
    """The groups' tables, and the team tables of the divisions among them (§ 6.7.4.5)."""
    found = await group_rows.with_ids(conn, groups)
    tables = await tables_in(conn, found)
    return {group.id: (group, tables[group.id]) for group in found}, await divisions_in(conn, found)


async def _results(conn: AsyncConnection, period: Period) -> dict[int, dict[int, date]]:
    """The games that ended on the period's days, by group: each with its day."""
    found: dict[int, dict[int, date]] = {}
    for group_id, game_id, us, zone in await desk_rows.list_games_ended(conn, *_instants(period)):
        day = local_day(from_us(us), zone)
        if period.holds(day):
            found.setdefault(group_id, {})[game_id] = day
    return found


def _named(core: Core, group: GroupRow) -> GroupName:
    url = core.url(f"/groups/{group.name}")
    return GroupName(group.name, group.tournament, group.class_, url)


def _list_period_results(view: TableView, ended: dict[int, date]) -> tuple[PeriodResult, ...]:
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


async def _started(
    conn: AsyncConnection, core: Core, row: BulletinRow
) -> tuple[StartedGroupFacts, ...]:
    begun = await desk_rows.list_groups_begun(conn, row.first, row.last)
    seats = await group_rows.seats_of_all(conn, [group.id for group in begun])
    leaders = await person_rows.by_ids(conn, {group.tl_id for group in begun})
    return tuple(
        StartedGroupFacts(
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
    divisions: dict[int, LeagueTable],
) -> tuple[FinishedGroup, ...]:
    found = []
    for group, view in views:
        standing = await read_standing(core, conn, group, view)
        if standing is not None:  # else a result was taken back meanwhile: play goes on
            results_told = _list_period_results(view, results.get(group.id, {}))
            division = divisions.get(group.id)
            found.append(FinishedGroup(_named(core, group), standing, results_told, division))
    return tuple(found)


async def read_standing(
    core: Core, conn: AsyncConnection, group: GroupRow, view: TableView
) -> FinalStanding | None:
    """A finished group's outcome, with who goes on in the cup; None while it is played."""
    standing = await read_final_standing(conn, group, view)
    return standing and replace(standing, advance=await advance_of(core, conn, group))


async def _decisions(conn: AsyncConnection, chosen: Mapping[int, str]) -> tuple[DecisionNote, ...]:
    """The chosen cases in the official's words; one since overturned is left out."""
    found = []
    for case_id, text in chosen.items():
        case = await case_rows.load(conn, case_id)
        decided = () if case is None else await _list_decisions_in_force(conn, case)
        if case is not None and decided:
            found.append(DecisionNote(case.number, decided[-1].paragraphs, text))
    return tuple(found)


async def _list_decisions_in_force(conn: AsyncConnection, case: CaseRow) -> tuple[Decision, ...]:
    state = readable(await case_rows.list_events(conn, case.id))
    return () if state is None else list_decisions_in_force(state)


BulletinCandidate = tuple[CaseRow, Decision]
"""A case whose decision may be reported."""


async def candidates(conn: AsyncConnection, period: Period) -> tuple[BulletinCandidate, ...]:
    """The cases decided in the period, whose decisions stand (§ 6.4.5.1)."""
    found = []
    for case_id in await desk_rows.list_cases_touched(conn, *_instants(period)):
        case = await case_rows.load(conn, case_id)
        assert case is not None
        decided = await _list_decisions_in_force(conn, case)
        if decided and period.holds(decided[-1].on):
            found.append((case, decided[-1]))
    return tuple(found)


# The bulletin: drafted for a period, edited by the controller, sent once, kept (§ 6.4.5.1).

DUTY = "bulletin"
"""The duty of writing that a period is over; it is taken for the period's last day."""


class BulletinFault(StrEnum):
    """Why a draft is not saved or not sent."""

    BAD_PERIOD = "bad_period"
    NO_TEXT = "no_text"
    TOO_EARLY = "too_early"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class BulletinDraftView:
    """The draft as the desk shows it. ``seal`` tells what was previewed from what is now."""

    row: BulletinRow
    period: Period
    is_first: bool
    is_saved: bool
    candidates: tuple[BulletinCandidate, ...]
    chosen: dict[int, str]
    bulletin: Bulletin
    seal: str
    readers: int


def _seal(bulletin: Bulletin) -> str:
    return sha256(freeze_bulletin(bulletin).encode()).hexdigest()[:32]


async def draft(core: Core, person: PersonRow) -> BulletinDraftView:
    """The next bulletin to be made, whether begun or not. Raises NotAllowed."""
    await _check(core, person)
    async with core.store.read() as conn:
        row, is_saved = await _row(conn, core, person)
        period = period_of(row)
        bulletin = await gather(conn, core, row)
        return BulletinDraftView(
            row=row,
            period=period,
            is_first=await desk_rows.find(conn, row.number - 1) is None,
            is_saved=is_saved,
            candidates=await candidates(conn, period),
            chosen=load_chosen(row.chosen),
            bulletin=bulletin,
            seal=_seal(bulletin),
            readers=len(await desk_rows.readers(conn)),
        )


async def _check(core: Core, person: PersonRow) -> None:
    if not (await rights(core, person)).is_kc:
        raise NotAllowed


async def _row(conn: AsyncConnection, core: Core, person: PersonRow) -> tuple[BulletinRow, bool]:
    """The stored draft, or a fresh one for the next period."""
    newest = await desk_rows.newest(conn)
    if newest is not None and newest.issued_us is None:
        return newest, True
    period = _next(core, newest, await desk_rows.first_start(conn))
    days = period.first.isoformat(), period.last.isoformat()
    number = 1 if newest is None else newest.number + 1
    fresh = BulletinRow(number, *days, "", "[]", person.id, core.now_us, None, None, None, None)
    return fresh, False


def _next(core: Core, newest: BulletinRow | None, start: str | None) -> Period:
    """The period after the newest bulletin's; ``start``: the very first group's day (ISO)."""
    last = None if newest is None else date.fromisoformat(newest.last)
    begun = core.today(core.settings.clock.zone) if start is None else date.fromisoformat(start)
    return next_period(last, begun)


@dataclass(frozen=True, slots=True)
class BulletinEditRequest:
    """The controller's edit; ``number``: of the draft being edited."""

    number: int
    first: date
    last: date
    foreword: str
    chosen: Mapping[int, str]
    """The words for each case."""


async def save(core: Core, person: PersonRow, edit: BulletinEditRequest) -> BulletinFault | None:
    """Save the draft as edited. Raises NotAllowed."""
    await _check(core, person)
    if not all(map(str.strip, edit.chosen.values())):
        return BulletinFault.NO_TEXT
    async with core.store.deciding() as conn:
        row, _ = await _row(conn, core, person)
        if row.number != edit.number:
            return BulletinFault.GONE
        before = await desk_rows.find(conn, row.number - 1)
        if edit.last < edit.first or (before is not None and edit.first.isoformat() != row.first):
            return BulletinFault.BAD_PERIOD
        kept = replace(
            row,
            first=edit.first.isoformat(),
            last=edit.last.isoformat(),
            foreword=edit.foreword,
            chosen=dump_json([{"case": n, "text": words} for n, words in edit.chosen.items()]),
        )
        return None if await desk_rows.put_draft(conn, kept) else BulletinFault.GONE


async def issue(core: Core, person: PersonRow, number: int, seal: str) -> Bulletin | BulletinFault:
    """Issue the draft as previewed: public from now, mailed once to everyone who wants it.

    Raises NotAllowed. ``seal``: the draft's when it was shown.
    """
    await _check(core, person)
    today = core.today(core.settings.clock.zone)
    async with core.store.deciding() as conn:
        row = await desk_rows.find(conn, number)
        if row is None or row.issued_us is not None:
            return BulletinFault.GONE
        if not period_of(row).is_over(today):
            return BulletinFault.TOO_EARLY
        seen = await gather(conn, core, row)
        if _seal(seen) != seal:
            return BulletinFault.CHANGED
        until = objections_until(today)
        out = replace(seen, issued=today, objections_until=until)
        day = until.isoformat()
        if not await desk_rows.issue_draft(
            conn, number, person.id, core.now_us, day, freeze_bulletin(out)
        ):
            return BulletinFault.GONE
        await _open_to_objections(conn, out)
        poster, about = poster_of(core), {"bulletin": number}
        readers = await desk_rows.readers(conn)
        letters = [poster.to_person(BulletinMail, who, str(number), {**about}) for who in readers]
        await outbox_rows.enqueue(conn, letters)
    return out


async def _open_to_objections(conn: AsyncConnection, out: Bulletin) -> None:
    """Open what the bulletin reports to objections for 14 days from it (§ 6.4.5.1).

    Except what could be objected to before and no longer can: its term is over.
    """
    assert out.objections_until is not None
    groups = [one.group for one in out.finished] + [one.group for one in out.running]
    found = [await group_rows.by_name(conn, group.name) for group in groups]
    ids = [group.id for group in found if group is not None]
    days = out.first.isoformat(), out.last.isoformat()
    assert out.issued is not None
    term = out.issued.isoformat(), out.objections_until.isoformat()
    await desk_rows.extend(conn, ids, days, term)


async def list_issued(core: Core) -> tuple[BulletinRow, ...]:
    """Every issued bulletin, the newest first: public."""
    return await core.store.query(desk_rows.list_issued_bulletins)


async def issued_one(core: Core, number: int) -> Bulletin | None:
    """An issued bulletin; None if there is none: a draft is not public."""
    row = await core.store.query(desk_rows.find, number)
    return None if row is None or row.facts is None else thaw_bulletin(row.facts)


async def wants(core: Core, person: PersonRow, *, it: bool) -> None:
    """Start or stop mailing a person each new bulletin."""
    async with core.store.deciding() as conn:
        if it:
            await desk_rows.add_reader(conn, person.id, core.now_us)
        else:
            await desk_rows.drop_reader(conn, person.id)


async def gets(core: Core, person: PersonRow) -> bool:
    """Whether a person gets each new bulletin by mail."""
    return await core.store.query(desk_rows.is_reader, person.id)


async def due(conn: AsyncConnection, core: Core) -> Period | None:
    """The period whose bulletin is now due: it is over, and no bulletin went out for it.

    None before anything was ever played.
    """
    return await due_since(conn, core, await desk_rows.first_start(conn))


async def due_since(conn: AsyncConnection, core: Core, start: str | None) -> Period | None:
    """The same for callers that know the day (ISO) on which the very first group began."""
    newest = await desk_rows.newest(conn)
    if newest is not None and newest.issued_us is None:
        period = period_of(newest)
    elif newest is None and start is None:
        return None
    else:
        period = _next(core, newest, start)
    return period if period.is_over(core.today(core.settings.clock.zone)) else None


async def is_due(core: Core) -> bool:
    """Whether the controllers must be told that a period is over."""
    async with core.store.read() as conn:
        period = await due(conn, core)
        done = await due_rows.last(conn, DUTY) or ""
    return period is not None and done < period.last.isoformat()


async def daily(core: Core) -> None:
    """Tell the controllers once, when a period is over (§ 6.4.5.1)."""
    async with core.store.deciding() as conn:
        period = await due(conn, core)
        if period is None:
            return
        last = period.last.isoformat()
        if not await due_rows.take(conn, DUTY, last, core.now_us):
            return
        days: dict[str, object] = {"first": period.first.isoformat(), "last": last}
        poster = poster_of(core)
        await outbox_rows.enqueue(
            conn,
            [
                poster.to_person(BulletinDue, who, last, dict(days))
                for who in await controllers(conn, core.now_us)
            ],
        )


# From an outbox row to a letter about a bulletin, with its facts (§ 6.4.5.1).


@loads(BulletinMail)
async def _bulletin(core: Core, _: PersonRow, params: Params) -> BulletinMail:
    row = await core.store.query(desk_rows.find, number(params, "bulletin"))
    if row is None or row.facts is None:
        raise NoLetter("no such bulletin")
    pdf = core.url(f"/bulletins/{row.number}.pdf")
    return BulletinMail(thaw_bulletin(row.facts), pdf, core.url("/bulletins"))


@loads(BulletinDue)
async def _due(core: Core, reader: PersonRow, params: Params) -> BulletinDue:
    period = Period(day(params, "first"), day(params, "last"))
    days, url = (period.first, period.last, period.due), core.url("/desk/bulletin")
    return BulletinDue(reader.name, official(core), *days, url)
