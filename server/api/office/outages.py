"""Outages in the API: proposed pauses, granted or declined; one entered by hand (§ 6.8.5).

TL and KC decide, an administrator reads and enters; the use cases enforce it. Not for pages.
"""

from itertools import groupby
from operator import attrgetter

from aiohttp import web

from kskak.ledger.ledger_out import JsonObject
from server.api.frame.body import bad_fields, parse
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import json_response
from server.api.frame.once import once, told
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.api.office.models import OutageBody, SettleBody
from server.store.engine.types import from_us
from server.store.mail.outages import DECLINED, MAIL, PauseRow
from server.usecases.core.offices import NotAllowed, rights
from server.usecases.reflection import outages
from server.usecases.reflection.outages import MOST_DAYS, SERVER, HandOutage, Settling


def _pause(row: PauseRow) -> JsonObject:
    return {
        "group": row.group,
        "first": row.first,
        "last": row.last,
        "days": row.days,
        "games": row.games,
        "players": row.players,
        "decision": row.decision,
        "by": row.by,
        "word": row.word,
    }


async def listed(call: Call) -> web.Response:
    """GET /outages: what waits, and what was decided lately."""

    async def look() -> JsonObject:
        core = call.api.core
        held = await rights(core, call.signed_in.person)
        if not outages.has_part(held):
            raise NotAllowed
        found = await outages.proposals(core, held, decided=True)
        out: list[JsonObject] = []
        for number, some in groupby(found, attrgetter("outage_id")):
            rows = tuple(some)
            out.append(
                {
                    "id": number,
                    "reason": MAIL if rows[0].is_mail else SERVER,
                    "began": from_us(rows[0].from_us).isoformat(),
                    "ended": from_us(rows[0].to_us).isoformat(),
                    "pauses": [_pause(row) for row in rows],
                }
            )
        return {"outages": [*out]}

    return json_response(await told(look))


def _fault(call: Call, code: str) -> Problem:
    why = words_of(call)(f"outages.fault.{code}", most=MOST_DAYS)
    return Problem(Kind.NOT_SO, {"code": code}, values={"why": why})


async def entered(call: Call) -> web.Response:
    """POST /outages: record one by hand."""
    raw = await call.body()
    body = parse(OutageBody, raw)
    asked = HandOutage(body.began, body.ended, body.reason, body.groups)

    async def do() -> JsonObject:
        core, person = call.api.core, call.signed_in.person
        if code := outages.fault_of(asked, core.clock.now()):
            raise _fault(call, code)
        return {"groups": await outages.enter_by_hand(core, person, asked)}

    return await once(call, raw, do)


async def settled(call: Call) -> web.Response:
    """POST /outages/{id}/settle: grant or decline."""
    raw = await call.body()
    body = parse(SettleBody, raw)
    if body.decision == DECLINED and not body.word.strip():
        raise bad_fields([("/word", "missing")])
    asked = Settling(call.path_id, body.decision, body.word.strip(), body.groups)

    async def do() -> JsonObject:
        return {"groups": await outages.settle(call.api.core, call.signed_in.person, asked)}

    return await once(call, raw, do)
