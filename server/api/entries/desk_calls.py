"""Waiting lists and past results in the API, for controller and leaders (§ 6.1.1, § 6.5.3.2).

Not for entries (calls.py).
"""

from aiohttp import web

from kskak.ledger.ledger_out import JsonObject
from kskak.regulation.quantities import Regulation
from server.api.entries import building as out
from server.api.entries.calls import carry, unless_hidden
from server.api.entries.models import ListBody, ListChangeBody, RemovalBody, ResultBody
from server.api.frame.body import EMPTY, NothingBody, bad_fields, parse
from server.api.frame.endpoints import Call
from server.api.frame.once import once, told
from server.store.entries.lists import ListRow
from server.usecases.entries import deeds
from server.usecases.entries import past_results as past
from server.usecases.entries.lists import ListFault, Opening, change_list, open_list
from server.usecases.entries.past_results import Entered, ResultFault

_FIELDS = {
    ListFault.NAME_TAKEN: "name",
    ListFault.PREFIX_TAKEN: "prefix",
    ListFault.NO_PAY: "how_to_pay",
    ResultFault.EVENT: "wish",
    ResultFault.SCORE: "halves",
    ResultFault.TWICE: "name",
}
"""The field of a fault, where the two have different names."""


def _made(done: ListRow | ListFault) -> JsonObject:
    if isinstance(done, ListFault):
        raise bad_fields([(f"/{_FIELDS.get(done, done.value)}", "not_allowed")])
    return out.list_made(done)


async def opened(call: Call) -> web.Response:
    """POST /entry-lists: open a list (§ 6.1.2)."""
    raw = await call.body()
    body = parse(ListBody, raw)
    fields = body.model_dump()
    asked = Opening(**{**fields, "regulation": Regulation(body.regulation)})

    async def do() -> JsonObject:
        return _made(await open_list(call.api.core, call.signed_in.person, asked))

    return await once(call, raw, do)


async def changed(call: Call) -> web.Response:
    """POST /entry-lists/{id}: close it, reopen it, change its leader or payment text (§ 6.1.1)."""
    raw = await call.body()
    body = parse(ListChangeBody, raw)
    core, by, number = call.api.core, call.signed_in.person, call.path_id
    leader, pay = body.leader or "", body.how_to_pay

    async def do() -> JsonObject:
        return _made(
            await change_list(core, by, number, is_open=body.open, leader=leader, how_to_pay=pay)
        )

    return await once(call, raw, lambda: told(lambda: unless_hidden(do())))


async def started(call: Call) -> web.Response:
    """POST /entry-lists/{id}/start: start the next group now (§ 6.5.1.1)."""
    raw = await call.body()
    parse(NothingBody, raw or EMPTY)
    core, by, number = call.api.core, call.signed_in.person, call.path_id
    return await carry(call, raw, lambda: deeds.start_by_leader(core, by, number))


async def result(call: Call) -> web.Response:
    """POST /people/{id}/results: a past result with its source (§ 6.5.3.2)."""
    raw = await call.body()
    body = parse(ResultBody, raw)
    core, by, number = call.api.core, call.signed_in.person, call.path_id
    entered = Entered(**body.model_dump())

    async def do() -> JsonObject:
        done = await past.add_result(core, by, number, entered)
        if isinstance(done, ResultFault):
            raise bad_fields([(f"/{_FIELDS.get(done, done.value)}", "not_allowed")])
        return {"id": done}

    return await once(call, raw, lambda: told(lambda: unless_hidden(do())))


async def removed(call: Call) -> web.Response:
    """POST /people/{id}/results/removal: remove a wrong one."""
    raw = await call.body()
    body = parse(RemovalBody, raw)
    core, by, number = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject:
        await past.remove_result(core, by, number, body.result)
        return {"id": body.result}

    return await once(call, raw, lambda: told(lambda: unless_hidden(do())))
