"""The controller's year: the current plan, changes to it, and reminders ahead of each step.

§ 6.1.2, § 6.5.2, § 6.6.3, § 6.7.1.2. Not for the proposed days (kskak.office.year) nor for the
letter's facts (results/publishing.py).
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from kskak.office.books import to_single_line
from kskak.office.year import (
    REMINDERS,
    ReminderStage,
    SeasonListKind,
    SeasonStep,
    SeenList,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
    YearFault,
    YearProgress,
    done_by,
    find_year_fault,
    merge_observed_steps,
    plan_of_year,
    read_year_in_names,
    season_plan,
    stage_of,
)
from kskak.regulation.days import local_day
from mail.office_letters.service_letters import YearStepFacts
from server.store import books as book_rows
from server.store import player_entries as entry_rows
from server.store.books import DeedRow, YearReminderRow
from server.store.engine.connection import FEDERATION, AsyncConnection
from server.store.engine.rows import from_us, values_of
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox, collect_stored_letters
from server.store.play import people as person_rows
from server.store.play.people import Office, PersonRow, Role
from server.usecases.context import Core, poster_of
from server.usecases.letter_facts import Params, day, loads, number, official, text
from server.usecases.rights import NotAllowed, Rights, require_kc, rights_in

# Reads what the server has seen of the controller's year: lists, groups, rounds, divisions.

DM = "DM"
_STAGES = {
    "preliminary": TournamentKind.CUP,
    "semi": TournamentKind.SEMIFINAL,
    "final": TournamentKind.FINAL,
}


async def read_progress(conn: AsyncConnection) -> YearProgress:
    """What has happened in all seasons."""
    lists = [
        SeenList(SeasonListKind(row.event, row.wish), season, row.is_open)
        for row in await entry_rows.everything(conn)
        if (season := read_year_in_names((row.name, row.tournament), row.prefix)) is not None
    ]
    found = await book_rows.read_season_evidence(conn, DM)
    begun = {(_STAGES[stage], edition) for edition, stage in found.drawn}
    begun |= {(TournamentKind.DM, date.fromisoformat(start).year) for start in found.starts}
    begun |= {(TournamentKind.LEAGUE, season) for season in found.started}
    return YearProgress(
        tuple(lists), frozenset(begun), found.composed, found.started - found.waiting
    )


# The controller's year: the current plan, changes to it, and reminders ahead of each step.

FIRST_YEAR, LAST_YEAR = 2000, 2200
"""The years for which a plan is shown."""


def sees_year(held: Rights) -> bool:
    """Whether somebody may see the controller's year: controller, administrator (§ 6.1.2)."""
    return held.is_kc or held.is_admin


@dataclass(frozen=True, slots=True)
class Year:
    """A year's plan, and the changes made to the seasons in it, newest first."""

    year: int
    today: date
    items: tuple[SeasonStep, ...]
    history: tuple[DeedRow, ...]


def to_year_action(row: DeedRow) -> YearAction:
    """A stored deed in the form the rules use."""
    day = None if row.day is None else date.fromisoformat(row.day)
    form, step, kind = TournamentKind(row.form), TournamentStep(row.step), YearActionKind(row.kind)
    return YearAction(form, row.season, step, kind, day, row.reason)


async def list_year_actions(conn: AsyncConnection) -> list[YearAction]:
    """What was done with the years' steps, by the controller and before the server's eyes."""
    return _merge_actions(await book_rows.list_actions(conn), await read_progress(conn))


def _merge_actions(kept: Iterable[DeedRow], seen: YearProgress) -> list[YearAction]:
    return merge_observed_steps([to_year_action(row) for row in kept], done_by(seen))


async def steps_between(conn: AsyncConnection, first: date, last: date) -> tuple[SeasonStep, ...]:
    """The steps to be done from one day to another."""
    deeds = await list_year_actions(conn)
    return tuple(
        item
        for year in range(first.year, last.year + 1)
        for item in plan_of_year(year, deeds)
        if item.day is not None and first <= item.day <= last and not item.is_done
    )


async def year_in(conn: AsyncConnection, year: int, today: date) -> Year:
    """A year's plan within a transaction."""
    items = plan_of_year(year, await list_year_actions(conn))
    named = {(item.form.value, item.season) for item in items}
    history = tuple(
        row
        for row in reversed(await book_rows.list_actions(conn))
        if (row.form, row.season) in named
    )
    return Year(year, today, items, history)


async def year_of(core: Core, person: PersonRow, year: int) -> Year:
    """A year's plan. Raises NotAllowed for anyone but the controller and administrators."""
    async with core.store.read() as conn:
        if not sees_year(await rights_in(conn, person, core.now_us)):
            raise NotAllowed
        return await year_in(conn, year, core.today(core.settings.clock.zone))


async def change(core: Core, person: PersonRow, new: YearAction) -> SeasonStep | YearFault:
    """Change a step: move it, call it off, mark it done; the step afterwards, or why not.

    Raises NotAllowed for anyone but the controller: an administrator may only read (§ 6.1.2).
    """
    async with core.store.deciding() as conn:
        await require_kc(conn, person, core.now_us)
        return await change_in(core, conn, person, new)


async def change_in(
    core: Core, conn: AsyncConnection, person: PersonRow, new: YearAction
) -> SeasonStep | YearFault:
    """The same in the transaction of a caller who has looked at the rights."""
    new = replace(new, reason=to_single_line(new.reason))
    kept = await list_year_actions(conn)
    fault = find_year_fault(kept, new)
    if fault is not None:
        return fault
    day = None if new.day is None else new.day.isoformat()
    await book_rows.add_step(
        conn, form=new.form.value, season=new.season, step=new.step.value, kind=new.kind.value,
        day=day, reason=new.reason, by_id=person.id, at_us=core.now_us,
    )  # fmt: skip
    plan = season_plan(new.form, new.season, (*kept, new))
    return next(item for item in plan if item.step is new.step)


async def controllers(conn: AsyncConnection, now_us: int) -> tuple[int, ...]:
    """Everybody who is now controller, by role or by office."""
    by_role = [person.id for person in await person_rows.everybody(conn, Role.KC)]
    by_office = [row.person_id for row in await person_rows.holders(conn, Office.KC, now_us)]
    return tuple(dict.fromkeys([*by_role, *by_office]))


async def daily(core: Core) -> None:
    """Remind the controller of coming steps; looked for first, so that nobody waits for it.

    What was sent is recorded with the letters, so that an outage or a second server repeats
    nothing; without a controller nothing counts as sent.
    """
    today = core.today(core.settings.clock.zone)
    async with core.store.read() as conn:
        readers = await controllers(conn, core.now_us)
        if not readers or not await _due(conn, today):
            return
    async with core.store.deciding() as conn:
        due = await _due(conn, today)
        letters = [_letter(core, item, stage, who) for item, stage in due for who in readers]
        await outbox_rows.enqueue(conn, letters)
        await book_rows.add_reminders(
            conn, [_build_reminder(item, stage) for item, stage in due], core.now_us
        )


async def _due(conn: AsyncConnection, today: date) -> list[tuple[SeasonStep, ReminderStage]]:
    """The steps with a reminder due today."""
    first = today - timedelta(days=REMINDERS.late)
    last = today + timedelta(days=REMINDERS.ahead)
    deeds = await list_year_actions(conn)
    said = await book_rows.list_reminders(conn, first.isoformat())
    found = []
    for year in range(first.year, last.year + 1):
        for item in plan_of_year(year, deeds):
            if item.day is None or item.is_done:
                continue
            told = {stage for stage in ReminderStage if _build_reminder(item, stage) in said}
            stage = stage_of(item.day, today, told)
            if stage is not None:
                found.append((item, stage))
    return found


def _build_reminder(item: SeasonStep, stage: ReminderStage) -> YearReminderRow:
    assert item.day is not None
    form, step = item.form.value, item.step.value
    return YearReminderRow(form, item.season, step, item.day.isoformat(), stage.value)


def _letter(core: Core, item: SeasonStep, stage: ReminderStage, person_id: int) -> NewOutbox:
    params = values_of(_build_reminder(item, stage))
    unique = ".".join(str(value) for value in params.values())
    return poster_of(core).to_person(YearStepFacts, person_id, unique, params)


# The same deed on several things: rehearsed to tell the letters it sends, then done one by one.

MOST = 40
"""Deeds at once: while they are rehearsed on SQLite, nobody else writes."""
Deed = Callable[[], Awaitable[None]]
"""Raises Refused when it is not to be done."""


class ActionRefusedError(Exception):
    """Why a deed is not done, in the reader's words; whatever it had written is undone."""


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """A deed that was done or rehearsed, and its letters; or why not, ``refusal``."""

    letters: tuple[NewOutbox, ...] = ()
    refusal: str = ""


class _Over(Exception):
    """The rehearsal is over: roll back."""


async def preview_actions(core: Core, deeds: Sequence[Deed]) -> list[ActionOutcome]:
    """What the deeds would do, one after the other; nothing is kept."""
    found: list[ActionOutcome] = []
    try:
        async with core.writer.together(FEDERATION) as conn:
            for deed in deeds:
                found.append(await _carried(conn, deed, found))
            raise _Over
    except _Over:
        return found


async def run_actions(core: Core, deeds: Sequence[Deed]) -> list[ActionOutcome]:
    """Do them, each in a transaction of its own; a refused one leaves the others."""
    found: list[ActionOutcome] = []
    for deed in deeds:
        async with core.writer.together(FEDERATION) as conn:
            found.append(await _carried(conn, deed, found))
    return found


async def _carried(
    conn: AsyncConnection, deed: Deed, before: Sequence[ActionOutcome]
) -> ActionOutcome:
    known = {letter.message_id for one in before for letter in one.letters}
    try:
        async with conn.begin_nested():
            with collect_stored_letters() as letters:
                await deed()
    except ActionRefusedError as refused:
        return ActionOutcome(refusal=str(refused))
    fresh = {one.message_id: one for one in letters if one.message_id not in known}
    return ActionOutcome(tuple(fresh.values()))  # the same letter twice is sent once


@loads(YearStepFacts)
async def _step_letter(core: Core, reader: PersonRow, params: Params) -> YearStepFacts:
    """A step of the controller's year, counted from the day the letter was written (§ 6.1.2)."""
    form, step = TournamentKind(text(params, "form")), TournamentStep(text(params, "step"))
    season, on = number(params, "season"), day(params, "day")
    (item,) = (one for one in season_plan(form, season) if one.step is step)
    written = local_day(from_us(params.row.created_us), core.settings.clock.zone)
    return YearStepFacts(
        reader=reader.name,
        official=official(core),
        form=form,
        step=step,
        season=season,
        day=on,
        days=(on - written).days,
        paragraph=item.paragraph,
        url=core.url(f"/desk/kc/year?year={on.year}"),
    )
