"""Cases in the API: list, show, open, state, hear, suspend, close, appeal (§ 6.4.1-6.4.3).

The same use cases as the desk's pages. Not for decisions (below).
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields

from aiohttp import web
from pydantic import JsonValue

from kskak.cases import what_if as what_if_rules
from kskak.cases.case import CaseRefusal
from kskak.cases.case_events import (
    AppealEnd,
    Deposit,
    FactFound,
    GameOrder,
    PaperKind,
    SanctionKind,
    SanctionOrder,
)
from kskak.ledger.ledger_files import JsonObject, LedgerError
from kskak.ledger.stored_events import CodecError, from_json, load_effect, to_json
from server.api.cases import case_models
from server.api.cases.case_models import (
    AnnounceBody,
    AnnulBody,
    AppealBody,
    CallInBody,
    CaseBody,
    CloseBody,
    DecisionBody,
    DepositNoteBody,
    DismissBody,
    HearingBody,
    LiveBody,
    OfficeBody,
    PaperBody,
    StatementBody,
    SuspensionBody,
    VoteBody,
    WhatIfBody,
    WidenBody,
    WithdrawalBody,
)
from server.api.frame.endpoints import Call
from server.api.frame.game_models import EMPTY, bad_fields, json_response, parse
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import call_use_case, load_words, respond_once
from server.api.play import MOST_BODY, scan_of
from server.store import groups as group_rows
from server.store.cases.cases import UnknownCase
from server.store.play import people as person_rows
from server.store.play.people import Office, OfficeRow
from server.usecases.cases import appeals as appealing
from server.usecases.cases import case_actions, expulsion, withdrawals
from server.usecases.cases.appeals import Lodging
from server.usecases.cases.case_actions import Enclosure, enclose, paper_for, widen
from server.usecases.cases.case_decisions import Order, decide, draft_letter
from server.usecases.cases.case_transaction import CaseOutcome
from server.usecases.cases.case_views import case_list, case_view, try_facts
from server.usecases.groups import leader_letter as group_leading
from server.usecases.rights import OfficeHolder, appoint, dismiss, holders

# Offices in the API: holders, appointments, dismissals (§ 6.1.1-6.1.2). Not for rights.


def _write_holder(holder: OfficeHolder) -> JsonObject:
    return {
        "id": holder.office_id,
        "person": {"id": holder.person.id, "name": holder.person.name},
        "office": holder.office.value,
        "group": holder.group,
    }


async def listed_offices(call: Call) -> web.Response:
    """GET /offices: all office holders, as named in start letters."""
    return json_response(
        {"offices": [_write_holder(held) for held in await holders(call.api.core)]}
    )


async def _row(call: Call, row: OfficeRow) -> JsonObject:
    async with call.api.core.store.read() as conn:
        person = await person_rows.find_person(conn, row.person_id)
        group = None if row.group_id is None else await group_rows.find(conn, row.group_id)
    assert person is not None
    name = None if group is None else group.name
    return _write_holder(OfficeHolder(row.id, person, Office(row.office), row.group_id, name))


async def appoint_official(call: Call) -> web.Response:
    """POST /offices: appoint somebody (§ 6.1.1)."""
    raw, body = await call.parsed(OfficeBody)

    async def do() -> JsonObject:
        by, office = call.signed_in.person, Office(body.office)
        return await _row(call, await appoint(call.api.core, by, body.person, office, body.group))

    return await respond_once(call, raw, do)


async def end_appointment(call: Call) -> web.Response:
    """POST /offices/{id}/end: end an appointment."""
    raw, _ = await call.parsed(DismissBody, EMPTY)

    async def do() -> JsonObject:
        return await _row(call, await dismiss(call.api.core, call.signed_in.person, call.path_id))

    return await respond_once(call, raw, do)


# Cases in the API: list, show, open, state, hear, suspend, close, appeal (§ 6.4.1-6.4.3).

_SWITCH = ("0", "1")


def _switch(call: Call, name: str) -> bool | None:
    value = call.request.query.get(name)
    if value is not None and value not in _SWITCH:
        raise bad_fields([(name, "not_allowed")])
    return None if value is None else value == "1"


async def list_cases(call: Call) -> web.Response:
    """GET /cases: the caller's; with ``desk=1`` those of his desk; ``open`` is 1 or 0."""
    desk, is_open = _switch(call, "desk") is True, _switch(call, "open")
    items = await case_list(call.api.core, call.signed_in.person, desk=desk, is_open=is_open)
    words = load_words(call)
    return json_response({"cases": [case_models.summary(item, words) for item in items]})


async def get_case(call: Call) -> web.Response:
    """GET /cases/{id}: a case in full."""

    async def look() -> JsonObject:
        view = await case_view(call.api.core, call.signed_in.person, call.path_id)
        return case_models.detail(view, load_words(call))

    return json_response(await call_use_case(look))


def answer_action(done: CaseOutcome | CaseRefusal) -> JsonObject | CaseRefusal:
    """A case as it stands after the action, or the refusal."""
    return done if isinstance(done, CaseRefusal) else case_models.write_case_after_call(done.case)


async def open_case(call: Call) -> web.Response:
    """POST /cases: an objection or protest in a game, or a complaint about a person."""
    raw, body = await call.parsed(CaseBody)
    about = (body.group, body.person)
    if (body.game is None) is (None in about) or (body.game is not None and any(about)):
        raise bad_fields([("/game", "not_allowed")])
    core, person = call.api.core, call.signed_in.person

    async def do() -> JsonObject | CaseRefusal:
        if body.game is not None:
            asked = case_actions.Objection(body.game, body.kind, body.text)
            case = await case_actions.object_to(core, person, asked)
        else:
            group, about = body.group or 0, body.person or 0
            complaint = case_actions.Complaint(group, about, body.kind, body.text)
            case = await case_actions.complain(core, person, complaint)
        return case if isinstance(case, CaseRefusal) else case_models.write_case_after_call(case)

    return await respond_once(call, raw, do)


async def add_statement(call: Call) -> web.Response:
    """POST /cases/{id}/statements: a statement in the case; the others are notified."""
    raw, body = await call.parsed(StatementBody)
    if not body.text.strip():
        raise bad_fields([("/text", "string_too_short")])
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        return answer_action(await case_actions.speak(core, person, case_id, body.text, body.title))

    return await respond_once(call, raw, do)


async def widen_case(call: Call) -> web.Response:
    """POST /cases/{id}/widen: add games and parties of the group."""
    raw, body = await call.parsed(WidenBody)
    if not (body.games or body.parties):
        raise bad_fields([("/games", "missing")])
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        games, parties = tuple(body.games), tuple(body.parties)
        return answer_action(await widen(core, person, case_id, games, parties))

    return await respond_once(call, raw, do)


async def change_hearing(call: Call) -> web.Response:
    """POST /cases/{id}/hearing: ask the parties, or close the hearing."""
    raw, body = await call.parsed(HearingBody)
    until = body.until
    if body.action == "ask" and until is None:
        raise bad_fields([("/until", "missing")])
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        if until is not None and body.action == "ask":
            return answer_action(
                await case_actions.ask_parties(core, person, case_id, until, tuple(body.asked))
            )
        return answer_action(await case_actions.close_hearing(core, person, case_id, body.reason))

    return await respond_once(call, raw, do)


async def change_suspension(call: Call) -> web.Response:
    """POST /cases/{id}/suspension: stop the clock in games of the case, or let it run."""
    raw, body = await call.parsed(SuspensionBody)
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        if body.action == "suspend":
            return answer_action(
                await case_actions.suspend(core, person, case_id, tuple(body.games))
            )
        return answer_action(await case_actions.lift(core, person, case_id))

    return await respond_once(call, raw, do)


async def close_case(call: Call) -> web.Response:
    """POST /cases/{id}/close: settled by the official, or withdrawn by the claimant."""
    raw, body = await call.parsed(CloseBody)
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        if body.action == "settle":
            return answer_action(await case_actions.close_case(core, person, case_id, body.note))
        return answer_action(await case_actions.withdraw(core, person, case_id))

    return await respond_once(call, raw, do)


async def change_appeal(call: Call) -> web.Response:
    """POST /cases/{id}/appeal: lodge an appeal in writing, or withdraw it."""
    raw, body = await call.parsed(AppealBody, EMPTY)
    if body.action == "appeal" and not body.text.strip():
        raise bad_fields([("/text", "missing")])
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id
    if (body.by is None) is not (body.on is None):
        raise bad_fields([("/on" if body.on is None else "/by", "missing")])
    paid, lodging = body.deposit, Lodging(body.on, body.by)
    deposit = None if paid is None else Deposit(paid.amount, paid.on, paid.reference)

    async def do() -> JsonObject | CaseRefusal:
        if body.action == "take_back":
            return answer_action(await appealing.take_back(core, person, case_id))
        return answer_action(
            await appealing.appeal(core, person, case_id, body.text, deposit, lodging)
        )

    return await respond_once(call, raw, do)


async def vote_on_appeal(call: Call) -> web.Response:
    """POST /cases/{id}/vote: a member of the Board votes (§ 1.3.9)."""
    raw, body = await call.parsed(VoteBody, EMPTY)
    core, person, upholds = call.api.core, call.signed_in.person, tuple(body.upholds)

    async def do() -> JsonObject | CaseRefusal:
        return answer_action(await appealing.vote(core, person, call.path_id, upholds, body.text))

    return await respond_once(call, raw, do)


async def note_deposit(call: Call) -> web.Response:
    """POST /cases/{id}/deposit: a deposit was received or paid back (§ 6.4.3)."""
    raw, body = await call.parsed(DepositNoteBody)
    if body.action == "received" and body.amount is None:
        raise bad_fields([("/amount", "missing")])
    core, person, note = call.api.core, call.signed_in.person, body.reference
    came = Deposit(body.amount or 0, body.on, note)
    whose = (core, person, call.path_id, body.person)

    async def do() -> JsonObject | CaseRefusal:
        if body.action == "received":
            return answer_action(await appealing.receive(*whose, came))
        return answer_action(await appealing.pay_back(*whose, body.on, note))

    return await respond_once(call, raw, do)


# A case's files in the API: upload and download (§ 6.3.3.5).

OCTETS = "application/octet-stream"


async def enclose_paper(call: Call) -> web.Response:
    """POST /cases/{id}/papers: a file from a party or an official."""
    raw = await call.body(MOST_BODY)
    body = parse(PaperBody, raw)
    scan = await scan_of(body.file, "/file")
    new = Enclosure(PaperKind(body.kind), body.title, scan.data, scan.media_type)
    core, person, case_id = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject | CaseRefusal:
        return answer_action(await enclose(core, person, case_id, new))

    return await respond_once(call, raw, do)


async def paper(call: Call) -> web.Response:
    """GET /papers/{id}: a paper's octets; its media type is given in its case."""
    try:
        found = await paper_for(call.api.core, call.signed_in.person, call.path_id)
    except UnknownCase:
        raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
    headers = {"Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff"}
    return web.Response(body=bytes(found.body or b""), content_type=OCTETS, headers=headers)


# Decisions in the API: draft, decide, try facts, withdrawals, calling in (§ 6.4.1, § 6.2.7).

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


async def draft_decision(call: Call) -> web.Response:
    """POST /cases/{id}/draft: the letter as it would be sent; nothing is saved."""
    raw = await call.body()
    order = _order(parse(DecisionBody, raw))
    person = call.signed_in.person

    async def do() -> JsonObject | CaseRefusal:
        draft = await draft_letter(call.api.core, person, call.path_id, order, person.lang)
        return draft if isinstance(draft, CaseRefusal) else {"text": draft.text}

    return await respond_once(call, raw, do)


async def decide_case(call: Call) -> web.Response:
    """POST /cases/{id}/decisions: decide the case."""
    raw, body = await call.parsed(DecisionBody)
    order = _order(body)

    async def do() -> JsonObject | CaseRefusal:
        core, person = call.api.core, call.signed_in.person
        return answer_action(await decide(core, person, call.path_id, order, body.text))

    return await respond_once(call, raw, do)


_FACTS: dict[str, type[what_if_rules.Supposition]] = {
    "sent_on": what_if_rules.SentOn,
    "received_on": what_if_rules.ReceivedOn,
    "turn_received_on": what_if_rules.TurnReceivedOn,
    "spoiled_by_post": what_if_rules.SpoiledByPost,
    "entry_out": what_if_rules.EntryOut,
    "ruling_out": what_if_rules.RulingOut,
    "notice_given": what_if_rules.NoticeGiven,
    "leave_granted": what_if_rules.LeaveGranted,
    "time_stood": what_if_rules.TimeStood,
    "days_counted": what_if_rules.DaysCounted,
    "totals_counted": what_if_rules.TotalsCounted,
    "claim_made": what_if_rules.ClaimMade,
}


def supposition(value: Mapping[str, JsonValue]) -> what_if_rules.Supposition:
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


async def compare_what_if(call: Call) -> web.Response:
    """POST /games/{id}/what-if: the account compared with the one that other facts would give."""
    raw, body = await call.parsed(WhatIfBody)
    facts: list[what_if_rules.Supposition] = []
    for index, value in enumerate(body.supposed):
        try:
            facts.append(supposition(value))
        except CodecError:
            raise bad_fields([(f"/supposed/{index}", "not_allowed")]) from None

    async def do() -> JsonObject:
        person = call.signed_in.person
        found = await try_facts(call.api.core, person, call.path_id, facts, body.on)
        if isinstance(found, what_if_rules.Impossible):
            what = load_words(call)(f"misfits.{found.why.value}")
            raise ApiProblem(ApiProblemKind.IMPOSSIBLE_FACTS, values={"what": what})
        return case_models.write_comparison(found)

    return await respond_once(call, raw, do)


async def announce_withdrawal(call: Call) -> web.Response:
    """POST /groups/{id}/withdrawals: a player leaves the group (§ 6.2.8)."""
    raw, body = await call.parsed(AnnounceBody)
    person = call.signed_in.person

    async def do() -> JsonObject | CaseRefusal:
        player = body.player or person.id
        case = await withdrawals.announce(call.api.core, person, call.path_id, player, body.text)
        return case if isinstance(case, CaseRefusal) else case_models.write_case_after_call(case)

    return await respond_once(call, raw, do)


def _ruling(body: WithdrawalBody) -> withdrawals.WithdrawalRuling:
    months = body.quarantine_months
    return withdrawals.WithdrawalRuling(body.has_reason, body.reasons, body.is_silent, months)


async def draft_withdrawal_ruling(call: Call) -> web.Response:
    """POST /cases/{id}/withdrawal/draft: the letter as it would be sent; nothing is saved."""
    raw = await call.body()
    ruling = _ruling(parse(WithdrawalBody, raw))
    core, person = call.api.core, call.signed_in.person

    async def do() -> JsonObject | CaseRefusal:
        draft = await withdrawals.draft_letter(core, person, call.path_id, ruling, person.lang)
        return draft if isinstance(draft, CaseRefusal) else {"text": draft.text}

    return await respond_once(call, raw, do)


async def rule_on_withdrawal(call: Call) -> web.Response:
    """POST /cases/{id}/withdrawal: the ruling on a withdrawal (§ 6.2.8)."""
    raw, body = await call.parsed(WithdrawalBody)

    async def do() -> JsonObject | CaseRefusal:
        core, person = call.api.core, call.signed_in.person
        found = await withdrawals.rule(core, person, call.path_id, _ruling(body), body.text)
        return found if isinstance(found, CaseRefusal) else case_models.withdrawn(found)

    return await respond_once(call, raw, do)


async def annul_start(call: Call) -> web.Response:
    """POST /groups/{id}/annul: undo a start before the first move."""
    raw, body = await call.parsed(AnnulBody)

    async def do() -> JsonObject:
        person = call.signed_in.person
        name = await withdrawals.annul_start(call.api.core, person, call.path_id, body.reason)
        return {"group": name}

    return await respond_once(call, raw, do)


async def switch_following(call: Call) -> web.Response:
    """POST /groups/{id}/live: whether anybody may follow its running games (CONTRACTS)."""
    raw, body = await call.parsed(LiveBody)

    async def do() -> JsonObject:
        person = call.signed_in.person
        names = await group_leading.switch(call.api.core, person, call.path_id, is_on=body.live)
        return {"groups": list(names), "live": body.live}

    return await respond_once(call, raw, do)


async def long_games(call: Call) -> web.Response:
    """GET /long-games: games in the caller's groups that have lasted 18 months (§ 6.2.7)."""

    async def look() -> JsonObject:
        found = await expulsion.long_running(call.api.core, call.signed_in.person)
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

    return json_response(await call_use_case(look))


async def called_in(call: Call) -> web.Response:
    """POST /long-games: call games in for adjudication (§ 6.2.7)."""
    raw, body = await call.parsed(CallInBody)

    async def do() -> JsonObject | CaseRefusal:
        person = call.signed_in.person
        found = await expulsion.call_in(call.api.core, person, body.games)
        refused = [case for case in found if isinstance(case, CaseRefusal)]
        if refused:
            return refused[0]
        return {
            "cases": [
                case_models.write_case_after_call(case)
                for case in found
                if not isinstance(case, CaseRefusal)
            ]
        }

    return await respond_once(call, raw, do)
