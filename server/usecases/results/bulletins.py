"""The bulletin: drafted for a period, edited by the controller, sent once, kept (§ 6.4.5.1).

One draft at a time, with no gap after the previous bulletin. What goes out is what was
previewed: its facts are frozen with it. Reading of § 6.4.5.1: the bulletin is the publication
that the text means, so what it reports may be objected to for 14 days from it, even if the
server had shown the result before; but a term that has run out is not reopened. Not for what
happened (bulletin_facts.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from hashlib import sha256

from kskak.office.bulletin_periods import Period, next_period, objections_until
from mail.office_letters.bulletin_facts import Bulletin
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.mail import daily_duties as duty_rows
from server.store.mail import outbox as outbox_rows
from server.store.office import bulletins as rows
from server.store.office.bulletins import BulletinRow
from server.store.play import offices as office_rows
from server.store.play import people as person_rows
from server.store.play.offices import Office
from server.store.play.people import PersonRow, Role
from server.usecases.core.context import Core, poster_of
from server.usecases.core.offices import NotAllowed, Rights, rights
from server.usecases.core.outbox_letters import Kind
from server.usecases.results.bulletin_facts import (
    Candidate,
    Chosen,
    candidates,
    dump_chosen,
    frozen,
    gather,
    load_chosen,
    period_of,
    thawed,
)

DUTY = "bulletin"
"""The duty of writing that a period is over; it is taken for the period's last day."""


class Wrong(StrEnum):
    """Why a draft is not saved or not sent."""

    BAD_PERIOD = "bad_period"
    NO_TEXT = "no_text"
    TOO_EARLY = "too_early"
    CHANGED = "changed"
    GONE = "gone"


def may_make(held: Rights) -> bool:
    """Whether somebody may make the bulletin: the controller publishes (§ 6.1.2)."""
    return held.is_kc


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft as the desk shows it. ``seal`` tells what was previewed from what is now."""

    row: BulletinRow
    period: Period
    is_first: bool
    is_saved: bool
    candidates: tuple[Candidate, ...]
    chosen: dict[int, str]
    bulletin: Bulletin
    seal: str
    readers: int


def _seal(bulletin: Bulletin) -> str:
    return sha256(frozen(bulletin).encode()).hexdigest()[:32]


async def draft(core: Core, person: PersonRow) -> Draft:
    """The next bulletin to be made, whether begun or not. Raises NotAllowed."""
    await _check(core, person)
    async with core.store.read() as conn:
        row, is_saved = await _row(conn, core, person)
        period = period_of(row)
        bulletin = await gather(conn, core, row)
        return Draft(
            row=row,
            period=period,
            is_first=await _before(conn, row.number) is None,
            is_saved=is_saved,
            candidates=await candidates(conn, period),
            chosen={one.case: one.text for one in load_chosen(row.chosen)},
            bulletin=bulletin,
            seal=_seal(bulletin),
            readers=len(await rows.readers(conn)),
        )


async def _check(core: Core, person: PersonRow) -> None:
    if not may_make(await rights(core, person)):
        raise NotAllowed


async def _before(conn: AsyncConnection, number: int) -> BulletinRow | None:
    return await rows.find(conn, number - 1)


async def _row(conn: AsyncConnection, core: Core, person: PersonRow) -> tuple[BulletinRow, bool]:
    """The stored draft, or a fresh one for the next period."""
    newest = await rows.newest(conn)
    if newest is not None and newest.issued_us is None:
        return newest, True
    period = _next(core, newest, await rows.first_start(conn))
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
class Edit:
    """The controller's edit; ``number``: of the draft being edited."""

    number: int
    first: date
    last: date
    foreword: str
    chosen: tuple[Chosen, ...]


async def save(core: Core, person: PersonRow, edit: Edit) -> Wrong | None:
    """Save the draft as edited. Raises NotAllowed."""
    await _check(core, person)
    if any(not one.text.strip() for one in edit.chosen):
        return Wrong.NO_TEXT
    async with core.store.deciding() as conn:
        row, _ = await _row(conn, core, person)
        if row.number != edit.number:
            return Wrong.GONE
        before = await _before(conn, row.number)
        if edit.last < edit.first or (before is not None and edit.first.isoformat() != row.first):
            return Wrong.BAD_PERIOD
        kept = replace(
            row,
            first=edit.first.isoformat(),
            last=edit.last.isoformat(),
            foreword=edit.foreword,
            chosen=dump_chosen(edit.chosen),
        )
        return None if await rows.put_draft(conn, kept) else Wrong.GONE


async def issue(core: Core, person: PersonRow, number: int, seal: str) -> Bulletin | Wrong:
    """Issue the draft as previewed: public from now, mailed once to everyone who wants it.

    Raises NotAllowed. ``seal``: the draft's when it was shown.
    """
    await _check(core, person)
    today = core.today(core.settings.clock.zone)
    async with core.store.deciding() as conn:
        row = await rows.find(conn, number)
        if row is None or row.issued_us is not None:
            return Wrong.GONE
        if not period_of(row).is_over(today):
            return Wrong.TOO_EARLY
        seen = await gather(conn, core, row)
        if _seal(seen) != seal:
            return Wrong.CHANGED
        until = objections_until(today)
        out = replace(seen, issued=today, objections_until=until)
        day = until.isoformat()
        if not await rows.set_issued(conn, number, person.id, core.now_us, day, frozen(out)):
            return Wrong.GONE
        await _open_to_objections(conn, out)
        await _mail(conn, core, number)
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
    await rows.extend(conn, ids, days, term)


async def _mail(conn: AsyncConnection, core: Core, number: int) -> None:
    poster = poster_of(core)
    readers = await rows.readers(conn)
    params: dict[str, object] = {"bulletin": number}
    letters = [poster.to_person(Kind.BULLETIN, who, str(number), params) for who in readers]
    await outbox_rows.enqueue(conn, letters)


async def all_issued(core: Core) -> tuple[BulletinRow, ...]:
    """Every issued bulletin, the newest first: public."""
    async with core.store.read() as conn:
        return await rows.issued(conn)


async def issued_one(core: Core, number: int) -> Bulletin | None:
    """An issued bulletin; None if there is none: a draft is not public."""
    async with core.store.read() as conn:
        row = await rows.find(conn, number)
    return None if row is None or row.facts is None else thawed(row.facts)


async def wants(core: Core, person: PersonRow, *, it: bool) -> None:
    """Start or stop mailing a person each new bulletin."""
    async with core.store.deciding() as conn:
        if it:
            await rows.add_reader(conn, person.id, core.now_us)
        else:
            await rows.drop_reader(conn, person.id)


async def gets(core: Core, person: PersonRow) -> bool:
    """Whether a person gets each new bulletin by mail."""
    async with core.store.read() as conn:
        return await rows.is_reader(conn, person.id)


async def due(conn: AsyncConnection, core: Core) -> Period | None:
    """The period whose bulletin is now due: it is over, and no bulletin went out for it.

    None before anything was ever played.
    """
    return await due_since(conn, core, await rows.first_start(conn))


async def due_since(conn: AsyncConnection, core: Core, start: str | None) -> Period | None:
    """The same for callers that know the day (ISO) on which the very first group began."""
    newest = await rows.newest(conn)
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
        told = await duty_rows.last(conn, DUTY) or ""
    return period is not None and told < period.last.isoformat()


async def daily(core: Core) -> None:
    """Tell the controllers once, when a period is over (§ 6.4.5.1)."""
    async with core.store.deciding() as conn:
        period = await due(conn, core)
        if period is None:
            return
        last = period.last.isoformat()
        if not await duty_rows.take(conn, DUTY, last, core.now_us):
            return
        days: dict[str, object] = {"first": period.first.isoformat(), "last": last}
        poster = poster_of(core)
        await outbox_rows.enqueue(
            conn,
            [
                poster.to_person(Kind.BULLETIN_DUE, who, last, dict(days))
                for who in await _controllers(conn, core)
            ],
        )


async def _controllers(conn: AsyncConnection, core: Core) -> Sequence[int]:
    by_role = await person_rows.everybody(conn, Role.KC)
    offices = await office_rows.everyone(conn, core.now_us)
    held = [row.person_id for row in offices if row.office == Office.KC]
    return tuple(dict.fromkeys([*(person.id for person in by_role), *held]))
