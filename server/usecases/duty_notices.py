"""From an outbox row to a letter about a finished group, with its facts (§ 6.4.5).

Not for which letters there are (results.py) nor for words (mail.writing.duties).
"""

from datetime import date

from kskak.publication import transcripts_until
from mail import duty_letters as dl
from server.store import groups as group_rows
from server.store import people as person_rows
from server.store import publications as rows
from server.store.groups import GroupRow
from server.store.outbox import OutboxRow
from server.store.people import PersonRow
from server.usecases.core import Core
from server.usecases.letter_facts import NoLetter, leader
from server.usecases.letter_params import Params
from server.usecases.posting import Kind


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


DUTIES = {Kind.PUBLISHED: _group, Kind.PRIZES_DUE: _prizes}
