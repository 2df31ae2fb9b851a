"""Postal addresses in the API: the caller's own, and a game's players' (§ 6.2.1, § 6.8.5).

The same as the pages show. Not for who may see which (usecases/postal/addresses.py).
"""

from aiohttp import web

from kskak.ledger.ledger_out import JsonValue
from server.api.frame.body import AddressBody, bad_fields, parse
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import json_response
from server.api.frame.problems import Kind, Problem
from server.api.play.reads import view_of
from server.usecases.core.offices import rights
from server.usecases.postal import addresses
from server.usecases.postal.addresses import AddressTooLong


async def own(call: Call) -> web.Response:
    """GET /address: the caller's stored address."""
    text = await addresses.own(call.api.core, call.signed_in.person)
    return json_response({"lines": list(text.splitlines())})


async def keep(call: Call) -> web.Response:
    """PUT /address: change it and notify opponents and leaders; no lines remove it."""
    body = parse(AddressBody, await call.body())
    try:
        await addresses.keep(call.api.core, call.signed_in.person, "\n".join(body.lines))
    except AddressTooLong:
        raise bad_fields([("/lines", "string_too_long")]) from None
    return await own(call)


async def of_game(call: Call) -> web.Response:
    """GET /games/{id}/addresses: the opponent's while the game runs; both for officials."""
    core, view = call.api.core, await view_of(call)
    if view.is_onlooker:
        raise Problem(Kind.NOT_FOUND)
    held = await rights(core, call.signed_in.person)
    listed: list[JsonValue] = [
        {
            "person": person.id,
            "name": person.name,
            "lines": list(lines),
            "since": None if day is None else day.isoformat(),
        }
        for person, lines, day in await addresses.shown(core, view, held)
    ]
    return json_response({"addresses": listed})
