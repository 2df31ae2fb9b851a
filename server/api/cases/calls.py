"""Cases in the API: list, show, open, state, hear, suspend, close, appeal (§ 6.4.1-6.4.3).

The same use cases as the desk's pages. Not for decisions (deciding.py).
"""

from aiohttp import web

from kskak.cases.events import Deposit
from kskak.cases.refusals import CaseRefusal
from kskak.ledger.ledger_out import JsonObject
from server.api.cases import building as out
from server.api.cases.bodies import (
    AppealBody,
    CaseBody,
    CloseBody,
    DepositNoteBody,
    HearingBody,
    StatementBody,
    SuspensionBody,
    VoteBody,
    WidenBody,
)
from server.api.frame.body import EMPTY, bad_fields, parse
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import json_response
from server.api.frame.once import once, told
from server.api.frame.serving import words_of
from server.usecases.cases import appealing
from server.usecases.cases import board as board_deeds
from server.usecases.cases import deeds as cases
from server.usecases.cases.appealing import Lodging
from server.usecases.cases.lists import case_list
from server.usecases.cases.transaction import Done
from server.usecases.cases.views import case_view
from server.usecases.cases.widening import widen

_SWITCH = ("0", "1")


def _switch(call: Call, name: str) -> bool | None:
    value = call.request.query.get(name)
    if value is not None and value not in _SWITCH:
        raise bad_fields([(name, "not_allowed")])
    return None if value is None else value == "1"


async def listed(call: Call) -> web.Response:
    """GET /cases: the caller's; with ``desk=1`` those of his desk; ``open`` is 1 or 0."""
    desk, is_open = _switch(call, "desk") is True, _switch(call, "open")
    items = await case_list(call.api.core, call.signed_in.person, desk=desk, is_open=is_open)
    words = words_of(call)
    return json_response({"cases": [out.summary(item, words) for item in items]})


async def shown(call: Call) -> web.Response:
    """GET /cases/{id}: a case in full."""

    async def look() -> JsonObject:
        view = await case_view(call.api.core, call.signed_in.person, call.path_id)
        return out.detail(view, words_of(call))

    return json_response(await told(look))


def answered(done: Done | CaseRefusal) -> JsonObject | CaseRefusal:
    """A case as it stands after the action, or the refusal."""
    return done if isinstance(done, CaseRefusal) else out.made(done.case)


async def opened(call: Call) -> web.Response:
    """POST /cases: an objection or protest in a game, or a complaint about a person."""
    raw = await call.body()
    body = parse(CaseBody, raw)
    about = (body.group, body.person)
    if (body.game is None) is (None in about) or (body.game is not None and any(about)):
        raise bad_fields([("/game", "not_allowed")])
    core, person = call.api.core, call.signed_in.person

    async def do() -> JsonObject | CaseRefusal:
        if body.game is not None:
            asked = cases.Objection(body.game, body.kind, body.text)
            case = await cases.object_to(core, person, asked)
        else:
            group, about = body.group or 0, body.person or 0
            complaint = cases.Complaint(group, about, body.kind, body.text)
            case = await cases.complain(core, person, complaint)
        return case if isinstance(case, CaseRefusal) else out.made(case)

    return await once(call, raw, do)


async def said(call: Call) -> web.Response:
    """POST /cases/{id}/statements: a statement in the case; the others are notified."""
    raw = await call.body()
    body = parse(StatementBody, raw)
    if not body.text.strip():
        raise bad_fields([("/text", "string_too_short")])
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        return answered(await cases.speak(core, person, case_id, body.text, body.title))

    return await once(call, raw, do)


async def widened(call: Call) -> web.Response:
    """POST /cases/{id}/widen: add games and parties of the group."""
    raw = await call.body()
    body = parse(WidenBody, raw)
    if not (body.games or body.parties):
        raise bad_fields([("/games", "missing")])
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        games, parties = tuple(body.games), tuple(body.parties)
        return answered(await widen(core, person, case_id, games, parties))

    return await once(call, raw, do)


async def heard(call: Call) -> web.Response:
    """POST /cases/{id}/hearing: ask the parties, or close the hearing."""
    raw = await call.body()
    body = parse(HearingBody, raw)
    until = body.until
    if body.action == "ask" and until is None:
        raise bad_fields([("/until", "missing")])
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        if until is not None and body.action == "ask":
            return answered(
                await cases.ask_parties(core, person, case_id, until, tuple(body.asked))
            )
        return answered(await cases.close_hearing(core, person, case_id, body.reason))

    return await once(call, raw, do)


async def suspended(call: Call) -> web.Response:
    """POST /cases/{id}/suspension: stop the clock in games of the case, or let it run."""
    raw = await call.body()
    body = parse(SuspensionBody, raw)
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        if body.action == "suspend":
            return answered(await cases.suspend(core, person, case_id, tuple(body.games)))
        return answered(await cases.lift(core, person, case_id))

    return await once(call, raw, do)


async def closed(call: Call) -> web.Response:
    """POST /cases/{id}/close: settled by the official, or withdrawn by the claimant."""
    raw = await call.body()
    body = parse(CloseBody, raw)
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        if body.action == "settle":
            return answered(await cases.settle(core, person, case_id, body.note))
        return answered(await cases.withdraw(core, person, case_id))

    return await once(call, raw, do)


async def appealed(call: Call) -> web.Response:
    """POST /cases/{id}/appeal: lodge an appeal in writing, or withdraw it."""
    raw = await call.body()
    body = parse(AppealBody, raw or EMPTY)
    if body.action == "appeal" and not body.text.strip():
        raise bad_fields([("/text", "missing")])
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id
    if (body.by is None) is not (body.on is None):
        raise bad_fields([("/on" if body.on is None else "/by", "missing")])
    paid, lodging = body.deposit, Lodging(body.on, body.by)
    deposit = None if paid is None else Deposit(paid.amount, paid.on, paid.reference)

    async def do() -> JsonObject | CaseRefusal:
        if body.action == "take_back":
            return answered(await appealing.take_back(core, person, case_id))
        return answered(await appealing.appeal(core, person, case_id, body.text, deposit, lodging))

    return await once(call, raw, do)


async def voted(call: Call) -> web.Response:
    """POST /cases/{id}/vote: a member of the Board votes (§ 1.3.9)."""
    raw = await call.body()
    body = parse(VoteBody, raw or EMPTY)
    core, person, upholds = call.api.core, call.signed_in.person, tuple(body.upholds)

    async def do() -> JsonObject | CaseRefusal:
        return answered(await board_deeds.vote(core, person, call.path_id, upholds, body.text))

    return await once(call, raw, do)


async def deposit_noted(call: Call) -> web.Response:
    """POST /cases/{id}/deposit: a deposit was received or paid back (§ 6.4.3)."""
    raw = await call.body()
    body = parse(DepositNoteBody, raw)
    if body.action == "received" and body.amount is None:
        raise bad_fields([("/amount", "missing")])
    core, person, note = call.api.core, call.signed_in.person, body.reference
    came = Deposit(body.amount or 0, body.on, note)
    whose = (core, person, call.path_id, body.person)

    async def do() -> JsonObject | CaseRefusal:
        if body.action == "received":
            return answered(await board_deeds.receive(*whose, came))
        return answered(await board_deeds.pay_back(*whose, body.on, note))

    return await once(call, raw, do)
