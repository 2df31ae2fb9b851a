"""Decisions in the API: draft, decide, try facts, withdrawals, calling in (§ 6.4.1, § 6.2.7).

The same use cases as the desk's pages. Not for what leads up to a decision (calls.py).
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields

from aiohttp import web
from pydantic import JsonValue

from kskak.cases import what_if as wi
from kskak.cases.decisions import AppealEnd, FactFound, GameOrder, SanctionKind, SanctionOrder
from kskak.cases.refusals import CaseRefusal
from kskak.ledger.ledger_in import LedgerError
from kskak.ledger.ledger_out import JsonObject
from kskak.ledger.stored_events import load_effect
from kskak.ledger.stored_values import CodecError, from_json, to_json
from server.api.cases import building as out
from server.api.cases.bodies import (
    AnnounceBody,
    AnnulBody,
    CallInBody,
    DecisionBody,
    LiveBody,
    WhatIfBody,
    WithdrawalBody,
)
from server.api.cases.calls import answered
from server.api.frame.body import bad_fields, parse
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import json_response
from server.api.frame.once import once, told
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.usecases.cases import adjudication, withdrawals
from server.usecases.cases.deciding import decide, draft_letter
from server.usecases.cases.order import Order
from server.usecases.cases.what_if import try_facts
from server.usecases.groups import following

_UNSIGNED: Mapping[str, JsonValue] = {"authority": "TL", "ref": ""}
_SIGNED = frozenset({"result", "correction"})


def _order(body: DecisionBody) -> Order:
    """The decision in a body. Raises Problem pointing at an effect that can't be parsed."""
    games: list[GameOrder] = []
    for index, order in enumerate(body.games):
        value = dict(order.effect)
        if value.get("kind") in _SIGNED:
            value = {**_UNSIGNED, **value}
        try:
            games.append(GameOrder(order.game, load_effect(value)))
        except (LedgerError, CodecError):
            raise bad_fields([(f"/games/{index}/effect", "not_allowed")]) from None
    return Order(
        paragraphs=tuple(body.paragraphs),
        reasons=body.reasons,
        facts=tuple(FactFound(fact.paragraph, fact.text) for fact in body.facts),
        games=tuple(games),
        sanctions=tuple(
            SanctionOrder(order.person, SanctionKind(order.kind), order.months)
            for order in body.sanctions
        ),
        annuls=tuple(body.annuls),
        restores=tuple(body.restores),
        grants=tuple(body.grants),
        prizes_lost=tuple(body.prizes_lost),
        appeal=body.appeal and AppealEnd(body.appeal),
    )


async def drafted(call: Call) -> web.Response:
    """POST /cases/{id}/draft: the letter as it would be sent; nothing is saved."""
    raw = await call.body()
    order = _order(parse(DecisionBody, raw))
    person = call.signed_in.person

    async def do() -> JsonObject | CaseRefusal:
        draft = await draft_letter(call.api.core, person, call.path_id, order, person.lang)
        return draft if isinstance(draft, CaseRefusal) else {"text": draft.text}

    return await once(call, raw, do)


async def decided(call: Call) -> web.Response:
    """POST /cases/{id}/decisions: decide the case."""
    raw = await call.body()
    body = parse(DecisionBody, raw)
    order = _order(body)

    async def do() -> JsonObject | CaseRefusal:
        core, person = call.api.core, call.signed_in.person
        return answered(await decide(core, person, call.path_id, order, body.text))

    return await once(call, raw, do)


_FACTS: dict[str, type[wi.Supposition]] = {
    "sent_on": wi.SentOn,
    "received_on": wi.ReceivedOn,
    "turn_received_on": wi.TurnReceivedOn,
    "spoiled_by_post": wi.SpoiledByPost,
    "entry_out": wi.EntryOut,
    "ruling_out": wi.RulingOut,
    "notice_given": wi.NoticeGiven,
    "leave_granted": wi.LeaveGranted,
    "time_stood": wi.TimeStood,
    "days_counted": wi.DaysCounted,
    "totals_counted": wi.TotalsCounted,
    "claim_made": wi.ClaimMade,
}


def supposition(value: Mapping[str, JsonValue]) -> wi.Supposition:
    """A supposition: ``kind`` and the fields of its class; those with a default are optional.

    Raises CodecError.
    """
    kind = _FACTS.get(str(value.get("kind")))
    if kind is None:
        raise CodecError("kind: must be one of " + ", ".join(_FACTS))
    given: dict[str, object] = {name: item for name, item in value.items() if name != "kind"}
    for field in fields(kind):
        if field.default is not MISSING:
            given.setdefault(field.name, to_json(field.default))
    return from_json(kind, given)


async def supposed(call: Call) -> web.Response:
    """POST /games/{id}/what-if: the account compared with the one that other facts would give."""
    raw = await call.body()
    body = parse(WhatIfBody, raw)
    facts: list[wi.Supposition] = []
    for index, value in enumerate(body.supposed):
        try:
            facts.append(supposition(value))
        except CodecError:
            raise bad_fields([(f"/supposed/{index}", "not_allowed")]) from None

    async def do() -> JsonObject:
        person = call.signed_in.person
        found = await try_facts(call.api.core, person, call.path_id, facts, body.on)
        if isinstance(found, wi.Impossible):
            what = words_of(call)(f"misfits.{found.why.value}")
            raise Problem(Kind.IMPOSSIBLE_FACTS, values={"what": what})
        return out.tried(found)

    return await once(call, raw, do)


async def announced(call: Call) -> web.Response:
    """POST /groups/{id}/withdrawals: a player leaves the group (§ 6.2.8)."""
    raw = await call.body()
    body = parse(AnnounceBody, raw)
    person = call.signed_in.person

    async def do() -> JsonObject | CaseRefusal:
        player = body.player or person.id
        case = await withdrawals.announce(call.api.core, person, call.path_id, player, body.text)
        return case if isinstance(case, CaseRefusal) else out.made(case)

    return await once(call, raw, do)


def _ruling(body: WithdrawalBody) -> withdrawals.WithdrawalRuling:
    months = body.quarantine_months
    return withdrawals.WithdrawalRuling(body.has_reason, body.reasons, body.is_silent, months)


async def ruling_drafted(call: Call) -> web.Response:
    """POST /cases/{id}/withdrawal/draft: the letter as it would be sent; nothing is saved."""
    raw = await call.body()
    ruling = _ruling(parse(WithdrawalBody, raw))
    core, person = call.api.core, call.signed_in.person

    async def do() -> JsonObject | CaseRefusal:
        draft = await withdrawals.draft_letter(core, person, call.path_id, ruling, person.lang)
        return draft if isinstance(draft, CaseRefusal) else {"text": draft.text}

    return await once(call, raw, do)


async def ruled(call: Call) -> web.Response:
    """POST /cases/{id}/withdrawal: the ruling on a withdrawal (§ 6.2.8)."""
    raw = await call.body()
    body = parse(WithdrawalBody, raw)

    async def do() -> JsonObject | CaseRefusal:
        core, person = call.api.core, call.signed_in.person
        found = await withdrawals.rule(core, person, call.path_id, _ruling(body), body.text)
        return found if isinstance(found, CaseRefusal) else out.withdrawn(found)

    return await once(call, raw, do)


async def annulled(call: Call) -> web.Response:
    """POST /groups/{id}/annul: undo a start before the first move."""
    raw = await call.body()
    body = parse(AnnulBody, raw)

    async def do() -> JsonObject:
        person = call.signed_in.person
        name = await withdrawals.annul_start(call.api.core, person, call.path_id, body.reason)
        return {"group": name}

    return await once(call, raw, do)


async def followed(call: Call) -> web.Response:
    """POST /groups/{id}/live: whether anybody may follow its running games (CONTRACTS)."""
    raw = await call.body()
    body = parse(LiveBody, raw)

    async def do() -> JsonObject:
        person = call.signed_in.person
        names = await following.switch(call.api.core, person, call.path_id, is_on=body.live)
        return {"groups": list(names), "live": body.live}

    return await once(call, raw, do)


async def long_games(call: Call) -> web.Response:
    """GET /long-games: games in the caller's groups that have lasted 18 months (§ 6.2.7)."""

    async def look() -> JsonObject:
        found = await adjudication.long_running(call.api.core, call.signed_in.person)
        return {
            "games": [
                {
                    "game": item.game.id,
                    "name": item.game.name,
                    "start": item.start.isoformat(),
                    "since": item.since.isoformat(),
                    "case": None if item.case is None else item.case.number,
                }
                for item in found
            ]
        }

    return json_response(await told(look))


async def called_in(call: Call) -> web.Response:
    """POST /long-games: call games in for adjudication (§ 6.2.7)."""
    raw = await call.body()
    body = parse(CallInBody, raw)

    async def do() -> JsonObject | CaseRefusal:
        person = call.signed_in.person
        found = await adjudication.call_in(call.api.core, person, body.games)
        refused = [case for case in found if isinstance(case, CaseRefusal)]
        if refused:
            return refused[0]
        return {"cases": [out.made(case) for case in found if not isinstance(case, CaseRefusal)]}

    return await once(call, raw, do)
