"""Offices in the API: holders, appointments, dismissals (§ 6.1.1-6.1.2). Not for rights."""

from aiohttp import web

from kskak.ledger.ledger_out import JsonObject
from server.api.cases.bodies import DismissBody, OfficeBody
from server.api.frame.body import EMPTY, parse
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import json_response
from server.api.frame.once import once
from server.store.groups import groups_and_seats as group_rows
from server.store.play import people as person_rows
from server.store.play.offices import Office, OfficeRow
from server.usecases.core.offices import OfficeHolder, appoint, dismiss, holders


def _held(holder: OfficeHolder) -> JsonObject:
    return {
        "id": holder.office_id,
        "person": {"id": holder.person.id, "name": holder.person.name},
        "office": holder.office.value,
        "group": holder.group,
    }


async def listed(call: Call) -> web.Response:
    """GET /offices: all office holders, as named in start letters."""
    return json_response({"offices": [_held(held) for held in await holders(call.api.core)]})


async def _row(call: Call, row: OfficeRow) -> JsonObject:
    async with call.api.core.store.read() as conn:
        person = await person_rows.find(conn, row.person_id)
        group = None if row.group_id is None else await group_rows.find(conn, row.group_id)
    assert person is not None
    name = None if group is None else group.name
    return _held(OfficeHolder(row.id, person, Office(row.office), row.group_id, name))


async def appointed(call: Call) -> web.Response:
    """POST /offices: appoint somebody (§ 6.1.1)."""
    raw = await call.body()
    body = parse(OfficeBody, raw)

    async def do() -> JsonObject:
        by, office = call.signed_in.person, Office(body.office)
        return await _row(call, await appoint(call.api.core, by, body.person, office, body.group))

    return await once(call, raw, do)


async def dismissed(call: Call) -> web.Response:
    """POST /offices/{id}/end: end an appointment."""
    raw = await call.body()
    parse(DismissBody, raw or EMPTY)

    async def do() -> JsonObject:
        return await _row(call, await dismiss(call.api.core, call.signed_in.person, call.path_id))

    return await once(call, raw, do)
