"""From an outbox row to a duty's letter, with its facts (§ 6.4.5, § 6.1.2).

Not for which letters there are (publishing.py) nor for wording (mail.office_letters.duties).
"""

from datetime import date
from zoneinfo import ZoneInfo

from kskak.cup.course import CupStage
from kskak.office.year import Form, Step, season_plan
from kskak.regulation.days import local_day
from kskak.regulation.objections import transcripts_until
from mail.office_letters import duties as dl
from server.store.cases import publications as rows
from server.store.engine.types import from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.mail.outbox import OutboxRow
from server.store.play import offices as office_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter, leader, official
from server.usecases.core.letter_params import Params, day, text
from server.usecases.core.outbox_letters import Kind


async def _published(core: Core, params: Params) -> tuple[dl.Publication, GroupRow]:
    number = params.get("publication")
    async with core.store.read() as conn:
        row = await rows.find(conn, number) if isinstance(number, int) else None
        group = None if row is None else await group_rows.find(conn, row.group_id)
        tl = None if group is None else await person_rows.find(conn, group.tl_id)
    if row is None or group is None or tl is None:
        raise NoLetter("no such publication")
    until = row.prizes_until or row.objections_until
    told = dl.Publication(
        group=group.name,
        tournament=group.tournament,
        leader=leader(tl),
        zone=group.zone,
        url=core.url(f"/results/{group.name}"),
        day=date.fromisoformat(row.day),
        objections_until=date.fromisoformat(row.objections_until),
        prizes_until=date.fromisoformat(until),
    )
    return told, group


async def _group(core: Core, reader: PersonRow, params: Params, _: OutboxRow) -> dl.DutyLetter:
    told, group = await _published(core, params)
    kept = transcripts_until(group.class_, told.day)
    return dl.GroupPublished(reader.name, told, reader.id == group.tl_id, kept)


async def _prizes(core: Core, _: PersonRow, params: Params, __: OutboxRow) -> dl.DutyLetter:
    told, _group_row = await _published(core, params)
    return dl.PrizesDue(told)


async def _year(core: Core, reader: PersonRow, params: Params, letter: OutboxRow) -> dl.DutyLetter:
    """A step of the controller's year, counted from the day the letter was written (§ 6.1.2)."""
    form, step = Form(text(params, "form")), Step(text(params, "step"))
    season, on = params.get("season"), day(params, "day")
    if not isinstance(season, int):
        raise NoLetter("season")
    (item,) = (one for one in season_plan(form, season) if one.step is step)
    written = local_day(from_us(letter.created_us), core.settings.clock.zone)
    return dl.YearStep(
        reader=reader.name,
        form=form,
        step=step,
        season=season,
        day=on,
        days=(on - written).days,
        paragraph=item.paragraph,
        url=core.url(f"/desk/kc/year?year={on.year}"),
        official=official(core),
    )


async def _readdressed(core: Core, reader: PersonRow, _: Params, __: OutboxRow) -> dl.DutyLetter:
    return dl.Readdressed(reader.name, official(core))


async def _cup_round(core: Core, reader: PersonRow, params: Params, _: OutboxRow) -> dl.DutyLetter:
    """The cup's next round can be drawn (§ 6.6.3)."""
    cup, edition = params.get("cup"), params.get("edition")
    if not isinstance(cup, int) or not isinstance(edition, int):
        raise NoLetter("cup")
    stage, url = CupStage(text(params, "stage")), core.url(f"/desk/cups/{cup}")
    return dl.RoundReady(reader.name, edition, stage, day(params, "since"), url, official(core))


async def _office(core: Core, reader: PersonRow, params: Params, row: OutboxRow) -> dl.DutyLetter:
    """An appointment, or its end (§ 6.1.1)."""
    number, by = params.get("office"), params.get("by")
    async with core.store.read() as conn:
        held = await office_rows.find(conn, number) if isinstance(number, int) else None
        if held is None or not isinstance(by, int):
            raise NoLetter("office")
        people = await person_rows.by_ids(conn, [held.person_id, by])
        group = None if held.group_id is None else await group_rows.find(conn, held.group_id)
    return dl.OfficeChange(
        reader=reader.name,
        person=people[held.person_id].name,
        office=held.office,
        group=None if group is None else group.name,
        by=people[by].name,
        at=from_us(row.created_us).astimezone(ZoneInfo(core.settings.clock.zone)),
        is_end=params.get("is_end") is True,
        official=official(core),
    )


DUTIES = {
    Kind.PUBLISHED: _group,
    Kind.PRIZES_DUE: _prizes,
    Kind.YEAR_STEP: _year,
    Kind.CUP_ROUND: _cup_round,
    Kind.READDRESSED: _readdressed,
    Kind.OFFICE: _office,
}
