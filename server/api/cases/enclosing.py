"""A case's files in the API: upload and download (§ 6.3.3.5).

The same use case as the case's page. Not for statements (calls.py) or accepted formats (scans.py).
"""

from aiohttp import web

from kskak.cases.events import PaperKind
from kskak.cases.refusals import CaseRefusal
from kskak.ledger.ledger_out import JsonObject
from server.api.cases.bodies import PaperBody
from server.api.cases.calls import answered
from server.api.frame.body import parse
from server.api.frame.endpoints import Call
from server.api.frame.once import once
from server.api.frame.problems import Kind, Problem
from server.api.play.cards import MOST_BODY, scan_of
from server.store.cases.cases_and_events import UnknownCase
from server.usecases.cases.enclosing import Enclosure, enclose, paper_for

OCTETS = "application/octet-stream"


async def enclosed(call: Call) -> web.Response:
    """POST /cases/{id}/papers: a file from a party or an official."""
    raw = await call.body(MOST_BODY)
    body = parse(PaperBody, raw)
    scan = await scan_of(body.file, "/file")
    new = Enclosure(PaperKind(body.kind), body.title, scan.data, scan.media_type)
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        return answered(await enclose(core, person, case_id, new))

    return await once(call, raw, do)


async def paper(call: Call) -> web.Response:
    """GET /papers/{id}: a paper's octets; its media type is given in its case."""
    try:
        found = await paper_for(call.api.core, call.signed_in.person, call.path_id)
    except UnknownCase:
        raise Problem(Kind.NOT_FOUND) from None
    headers = {"Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff"}
    return web.Response(body=bytes(found.body or b""), content_type=OCTETS, headers=headers)
