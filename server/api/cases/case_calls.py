"""Cases in the API: list, show, open, state, hear, suspend, close, appeal, decide (§ 6.4.1-6.4.3).

Also offices (§ 6.1.1), and a player's leaving (§ 6.2.8). The same use cases as the desk's pages,
which check the rights.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields

from aiohttp import web
from pydantic import JsonValue

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases import what_if as what_if_rules
from kskak.cases.case import CaseReason, CaseRefusal
from kskak.ledger.ledger_files import JsonObject, LedgerError
from kskak.ledger.stored_events import CodecError, effect_json, from_json, load_effect, to_json
from kskak.regulation.editions import Side
from server.api.cases import case_models as models
from server.api.frame.area import Area
from server.api.frame.endpoints import Call, Parameter
from server.api.frame.game_models import bad_fields
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.api.play import MOST_BODY, scan_of
from server.store.account.sign_in import TokenScope
from server.store.cases.cases import CaseRow
from server.store.engine.rows import values_of
from server.store.play.people import Office
from server.usecases.cases import (
    appeals,
    case_actions,
    case_decisions,
    decision_preparing,
    expulsion,
)
from server.usecases.cases.case_actions import Outcome
from server.usecases.cases.case_views import CaseView, case_list, case_view, try_facts
from server.usecases.groups import leader_letter
from server.usecases.results.titles import pass_over
from server.usecases.rights import appoint, dismiss, holders

area = Area(scope=TokenScope.DECIDE)
led = area.opened_by(TokenScope.LEAD)
own = area.opened_by(TokenScope.PLAY)
_RIGHT = (
    CaseReason.NOT_YOUR_OFFICE, CaseReason.OWN_GROUP, CaseReason.OWN_DECISION,
    CaseReason.NOT_SEATED,
)  # fmt: skip
_OPEN_CASE = (
    CaseReason.NOT_OPEN, CaseReason.ALREADY_DECIDED, CaseReason.IMPOSSIBLE,
    CaseReason.CLAIM_UNDECIDED,
)  # fmt: skip
_DECIDING = (
    *_RIGHT, *_OPEN_CASE, CaseReason.WRONG_INSTANCE, CaseReason.NOT_HEARD, CaseReason.NO_REASONS,
    CaseReason.DATES, CaseReason.OTHER_GAME, CaseReason.OTHER_PERSON, CaseReason.BAD_TERM,
    CaseReason.UNKNOWN_DECISION, CaseReason.NO_QUORUM, CaseReason.AGAINST_VOTES,
    CaseReason.DEPOSIT_MISSING,
)  # fmt: skip
_FORBIDDEN = (ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH)

# Offices in the API: holders, appointments, dismissals (§ 6.1.1-6.1.2).


@area.get("/offices", "offices", models.Offices)
async def list_offices(call: Call) -> object:
    """Everybody in office."""
    return {"offices": await holders(call.api.core)}


@led.post("/offices", "appoint", models.OfficeHeld, *_FORBIDDEN, body=models.OfficeBody)
async def appoint_official(call: Call, body: models.OfficeBody) -> object:
    """Appoint somebody (§ 6.1.1)."""
    by, office = call.signed_in.person, Office(body.office)
    return await appoint(call.api.core, by, body.person, office, body.group)


@led.post("/offices/{id}/end", "dismiss", models.OfficeHeld, *_FORBIDDEN, body=models.DismissBody)
async def end_appointment(call: Call, _: object) -> object:
    """End an appointment."""
    return await dismiss(*call.action)


# Cases in the API: list, show, open, state, hear, suspend, close, appeal (§ 6.4.1-6.4.3).

_SWITCH = ("0", "1")
_DESK = Parameter("desk", "string", "`1`: the cases of your desk", allowed=_SWITCH)
_OPEN = Parameter("open", "string", "`1`: open ones, `0`: closed ones", allowed=_SWITCH)


def _switch(call: Call, name: str) -> bool | None:
    value = call.request.query.get(name)
    if value is not None and value not in _SWITCH:
        raise bad_fields([(name, "not_allowed")])
    return None if value is None else value == "1"


@area.get("/cases", "cases", models.CaseList, query=(_DESK, _OPEN))
async def list_cases(call: Call) -> object:
    """Your cases, or those of your desk."""
    desk, is_open = _switch(call, "desk") is True, _switch(call, "open")
    rows = await case_list(*call.actor, desk=desk, is_open=is_open)
    return models.CaseList.model_validate(
        {"cases": rows}, from_attributes=True, context=load_words(call)
    )


@area.get("/cases/{id}", "case", models.CaseDetail)
async def get_case(call: Call) -> object:
    """A case whole."""
    view = await case_view(*call.action)
    return models.CaseDetail.model_validate(
        _detail(view), from_attributes=True, context=load_words(call)
    )


def _detail(view: CaseView) -> dict[str, object]:
    state, can = view.state, view.can
    parts = (state.opened, state, view, view.case)
    return {name: value for one in parts for name, value in values_of(one).items()} | {
        "question": state.question,
        "people": list(view.people.values()),
        "panel": [values_in(one) for one in view.viewer.panel],
        "deposits": [values_in(one) for one in state.deposits],
        "decisions": [
            {**values_in(row.decision), "is_annulled": row.decision.ref in state.annulled}
            for row in state.decided
        ],
        "can": [name for name, holds in vars(can).items() if holds],
        "history": view.steps,
    }


def values_in(value: object) -> JsonObject:
    """The fields of a frozen value as JSON."""
    found = to_json(value)
    assert isinstance(found, dict)
    return found


def _case(done: Outcome) -> CaseRow | CaseRefusal:
    """A case as it stands after the action, or the refusal."""
    return done if isinstance(done, CaseRefusal) else done.case


async def _act(call: Call, command: case_commands.CaseCommand) -> CaseRow | CaseRefusal:
    return _case(await case_actions.act(*call.action, command))


@own.post(
    "/cases", "case_open", models.CaseMade, CaseReason.NOT_A_PARTY, CaseReason.NO_REASONS,
    *_FORBIDDEN, ApiProblemKind.NOT_FOUND, CaseReason.TAKEOVER_LATE, CaseReason.NOT_TAKEN_OVER,
    CaseReason.OBJECTION_LATE, CaseReason.CURRENT_DISPUTE, body=models.CaseBody,
)  # fmt: skip
async def open_case(call: Call, body: models.CaseBody) -> object:
    """Object or protest in a game, or put a question to the Board."""
    about = (body.group, body.person)
    if body.kind is case_events.CaseKind.QUESTION and about != (None, None):
        if body.group is None or body.person or body.game:
            raise bad_fields([("/group", "missing" if body.group is None else "not_allowed")])
        return await case_actions.ask_board(*call.actor, body.group, body.text)
    if (body.game is None) is (None in about) or (body.game is not None and any(about)):
        raise bad_fields([("/game", "not_allowed")])
    objection = (body.kind, body.text)
    if body.game is not None:
        return await case_actions.object_to(*call.actor, body.game, *objection)
    return await case_actions.complain(*call.actor, body.group or 0, body.person or 0, *objection)


@own.post(
    "/cases/{id}/statements", "case_say", models.CaseMade, CaseReason.NOT_A_PARTY,
    body=models.StatementBody,
)  # fmt: skip
async def add_statement(call: Call, body: models.StatementBody) -> object:
    """Say something in the case."""
    if not body.text.strip():
        raise bad_fields([("/text", "string_too_short")])
    return _case(await case_actions.speak(*call.action, body.text, body.title))


@area.post(
    "/cases/{id}/widen", "case_widen", models.CaseMade, *_RIGHT, *_OPEN_CASE,
    ApiProblemKind.NO_SUCH, body=models.WidenBody, is_needed=True,
)  # fmt: skip
async def widen_case(call: Call, body: models.WidenBody) -> object:
    """Take further games and parties into the case."""
    if not (body.games or body.parties):
        raise bad_fields([("/games", "missing")])
    return _case(await case_actions.widen(*call.action, body.games, body.parties))


@area.post(
    "/cases/{id}/hearing", "case_hear", models.CaseMade, *_RIGHT, *_OPEN_CASE,
    CaseReason.NOT_HEARD, CaseReason.DATES, CaseReason.OTHER_PERSON, body=models.HearingBody,
)  # fmt: skip
async def change_hearing(call: Call, body: models.HearingBody) -> object:
    """Ask the parties, or close the hearing."""
    if body.action == "close":
        return await _act(call, case_commands.CloseHearing(body.reason))
    if body.until is None:
        raise bad_fields([("/until", "missing")])
    return await _act(call, case_commands.AskParties(body.until, body.asked))


@area.post(
    "/cases/{id}/suspension", "case_suspend", models.CaseMade, *_RIGHT, *_OPEN_CASE,
    CaseReason.OTHER_GAME, body=models.SuspensionBody,
)  # fmt: skip
async def change_suspension(call: Call, body: models.SuspensionBody) -> object:
    """Stop time in games of the case, or let it run."""
    stops = body.action == "suspend"
    stop = case_commands.SuspendGames(body.games) if stops else case_commands.LiftSuspension()
    return await _act(call, stop)


@area.post(
    "/cases/{id}/close", "case_close", models.CaseMade, *_RIGHT, *_OPEN_CASE,
    CaseReason.NOT_A_PARTY, body=models.CloseBody,
)  # fmt: skip
async def close_case(call: Call, body: models.CloseBody) -> object:
    """Close the case without a decision."""
    settles = body.action == "settle"
    end = case_commands.SettleCase(body.note) if settles else case_commands.WithdrawCase()
    return await _act(call, end)


@own.post(
    "/cases/{id}/appeal", "case_appeal", models.CaseMade, CaseReason.NOT_A_PARTY,
    CaseReason.NOT_DECIDED, CaseReason.LATE, CaseReason.NO_DEPOSIT, CaseReason.LAST_WORD,
    CaseReason.IMPOSSIBLE, CaseReason.DATES, CaseReason.NOT_YOUR_OFFICE, CaseReason.OWN_GROUP,
    body=models.AppealBody,
)  # fmt: skip
async def change_appeal(call: Call, body: models.AppealBody) -> object:
    """Appeal, or take an appeal back."""
    if body.action == "appeal" and not body.text.strip():
        raise bad_fields([("/text", "missing")])
    if (body.by is None) is not (body.on is None):
        raise bad_fields([("/on" if body.on is None else "/by", "missing")])
    if body.action == "take_back":
        return await _act(call, case_commands.WithdrawAppeal())
    paid = body.deposit
    deposit = None if paid is None else case_events.Deposit(paid.amount, paid.on, paid.reference)
    case_id = call.path_id
    return _case(await appeals.appeal(*call.actor, case_id, body.text, deposit, body.on, body.by))


@area.post(
    "/cases/{id}/vote", "case_vote", models.CaseMade, *_RIGHT, CaseReason.WRONG_INSTANCE,
    CaseReason.NOT_HEARD, CaseReason.OTHER_PERSON, CaseReason.BOARD_FULL, body=models.VoteBody,
)  # fmt: skip
async def vote_on_appeal(call: Call, body: models.VoteBody) -> object:
    """Vote as a member of the Appeals Board (§ 1.3.9)."""
    return await _act(call, case_commands.CastVote(body.upholds, body.text))


@area.post(
    "/cases/{id}/excuse", "case_excuse", models.CaseMade, *_RIGHT, CaseReason.WRONG_INSTANCE,
    CaseReason.NOT_OPEN, CaseReason.NO_REASONS, body=models.ExcuseBody,
)  # fmt: skip
async def excuse_member(call: Call, body: models.ExcuseBody) -> object:
    """A member of the Board does not sit in the case; the next substitute does (§ 1.3.9)."""
    return await _act(call, case_commands.ExcuseMember(body.member, body.reason))


@area.post(
    "/cases/{id}/publish", "case_publish", models.CaseMade, CaseReason.NOT_SEATED,
    CaseReason.NOT_DECIDED, CaseReason.ALREADY_DECIDED, CaseReason.NO_REASONS,
    body=models.PublishBody,
)  # fmt: skip
async def publish_decision(call: Call, body: models.PublishBody) -> object:
    """Publish the Board's decision, to stand among the earlier rulings (§ 1.3.9)."""
    return await _act(call, case_commands.PublishDecision(body.facts, body.decided))


@area.post(
    "/cases/{id}/deposit", "case_deposit", models.CaseMade, CaseReason.NOT_YOUR_OFFICE,
    CaseReason.OTHER_PERSON, CaseReason.DATES, CaseReason.DEPOSIT_SHORT, CaseReason.NOT_OWED,
    CaseReason.DEPOSIT_UNKNOWN, body=models.DepositNoteBody,
)  # fmt: skip
async def note_deposit(call: Call, body: models.DepositNoteBody) -> object:
    """Note a deposit as received or paid back (§ 6.4.3)."""
    if body.action == "paid_back":
        return await _act(call, case_commands.PayDepositBack(body.person, body.on, body.reference))
    if body.amount is None:
        raise bad_fields([("/amount", "missing")])
    came = case_events.Deposit(body.amount, body.on, body.reference)
    return await _act(call, case_commands.ReceiveDeposit(body.person, came))


# A case's files in the API: upload and download (§ 6.3.3.5).

OCTETS = "application/octet-stream"


@own.post(
    "/cases/{id}/papers", "case_enclose", models.CaseMade, CaseReason.NOT_A_PARTY,
    CaseReason.NOT_OPEN, CaseReason.FULL, ApiProblemKind.NOT_ALLOWED, body=models.PaperBody,
    most=MOST_BODY,
)  # fmt: skip
async def enclose_paper(call: Call, body: models.PaperBody) -> object:
    """Put a file into the case."""
    scan, core, person = await scan_of(body.file, "/file"), *call.actor
    kind, about = case_events.PaperKind(body.kind), (body.title, scan.media_type)
    return _case(await case_actions.enclose(core, person, call.path_id, kind, scan.data, *about))


@area.get("/papers/{id}", "case_paper", OCTETS)
async def paper(call: Call) -> object:
    """A paper of a case as it was put in."""
    found = await case_actions.paper_for(*call.action)
    headers = {"Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff"}
    return web.Response(body=bytes(found.body or b""), content_type=OCTETS, headers=headers)


# Decisions in the API: draft, decide, try facts, withdrawals, calling in (§ 6.4.1, § 6.2.7).

_UNSIGNED: Mapping[str, JsonValue] = {"authority": "TL", "ref": ""}
_SIGNED = frozenset({"result", "correction"})


def _order(body: models.DecisionBody) -> decision_preparing.Order:
    """The decision in a body. Raises Problem pointing at an effect that can't be parsed."""
    games: list[case_events.GameOrder] = []
    for index, order in enumerate(body.games):
        value = dict(order.effect)
        if value.get("kind") in _SIGNED:
            value = {**_UNSIGNED, **value}
        try:
            games.append(case_events.GameOrder(order.game, load_effect(value)))
        except (LedgerError, CodecError):
            raise bad_fields([(f"/games/{index}/effect", "not_allowed")]) from None
    sanctions = (
        case_events.SanctionOrder(s.person, case_events.SanctionKind(s.kind), s.months)
        for s in body.sanctions
    )
    own = body.model_dump(exclude={"facts", "games", "sanctions", "appeal", "text"})
    return decision_preparing.Order(
        **own,
        games=tuple(games),
        sanctions=tuple(sanctions),
        facts=tuple(case_events.FactFound(fact.paragraph, fact.text) for fact in body.facts),
        appeal=body.appeal and case_events.AppealEnd(body.appeal),
    )


@area.post(
    "/cases/{id}/draft", "case_draft", models.Draft, ApiProblemKind.NOT_ALLOWED,
    CaseReason.NOT_OPEN, CaseReason.OTHER_GAME, CaseReason.OTHER_PERSON,
    CaseReason.UNKNOWN_DECISION, CaseReason.IMPOSSIBLE, CaseReason.CLAIM_UNDECIDED,
    body=models.DecisionBody,
)  # fmt: skip
async def draft_decision(call: Call, body: models.DecisionBody) -> object:
    """A decision's letter as it would be sent."""
    lang = call.signed_in.person.lang
    order = await pass_over(call.actor[0], _order(body))
    return await case_decisions.draft_letter(*call.action, order, lang)


@area.post(
    "/cases/{id}/decisions", "case_decide", models.CaseMade, *_DECIDING, body=models.DecisionBody
)
async def decide_case(call: Call, body: models.DecisionBody) -> object:
    """Decide the case."""
    order = await pass_over(call.actor[0], _order(body))
    return _case(await case_decisions.decide(*call.action, order, body.text))


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


@area.post(
    "/games/{id}/what-if", "what_if", models.WhatIfAnswer, ApiProblemKind.IMPOSSIBLE_FACTS,
    body=models.WhatIfBody,
)  # fmt: skip
async def compare_what_if(call: Call, body: models.WhatIfBody) -> object:
    """Try other facts on a game; nothing is saved."""
    facts: list[what_if_rules.Supposition] = []
    for index, value in enumerate(body.supposed):
        try:
            facts.append(supposition(value))
        except CodecError:
            raise bad_fields([(f"/supposed/{index}", "not_allowed")]) from None
    found = await try_facts(*call.action, facts, body.on)
    if isinstance(found, what_if_rules.Impossible):
        what = load_words(call)(f"misfits.{found.why.value}")
        raise ApiProblem(ApiProblemKind.IMPOSSIBLE_FACTS, values={"what": what})
    on, compared, carried = found
    changed = ((ply, pair) for ply, pair in enumerate(compared.rows, 1) if pair.differs)
    return {
        "on": on, "rows": [_change(ply, pair) for ply, pair in changed],
        "charges": [values_in(pair.charge) | {"mark": pair.mark} for pair in compared.charges],
        "white": compared.totals(Side.WHITE), "black": compared.totals(Side.BLACK),
        "outcome": compared.outcomes, "annuls": carried.annuls, "is_exact": carried.is_exact,
        "effects": [effect_json(effect) for effect in carried.effects], "clock": compared.after,
    }  # fmt: skip


def _change(ply: int, pair: what_if_rules.RowPair) -> dict[str, object]:
    """A ply that differs, before and after."""
    rows = (pair.before, pair.after)
    return {
        "ply": ply, "differs": sorted(pair.differs),
        "days": [None if row is None else row.dates.days for row in rows],
        "total": [None if row is None else row.total for row in rows],
    }  # fmt: skip


@own.post(
    "/groups/{id}/withdrawals", "withdraw", models.CaseMade, *_FORBIDDEN, CaseReason.NOT_A_PARTY,
    body=models.AnnounceBody,
)  # fmt: skip
async def announce_withdrawal(call: Call, body: models.AnnounceBody) -> object:
    """A player leaves the group (§ 6.2.8)."""
    core, person = call.actor
    player = body.player or person.id
    return await case_decisions.announce(core, person, call.path_id, player, body.text)


def _ruling(body: models.WithdrawalBody) -> case_decisions.WithdrawalRuling:
    return case_decisions.WithdrawalRuling(**body.model_dump(exclude={"text"}))


@area.post(
    "/cases/{id}/withdrawal/draft", "case_withdrawal_draft", models.Draft,
    ApiProblemKind.NOT_ALLOWED, CaseReason.NOT_OPEN, body=models.WithdrawalBody,
)  # fmt: skip
async def draft_withdrawal_ruling(call: Call, body: models.WithdrawalBody) -> object:
    """The letter of a ruling on a withdrawal as it would be sent."""
    _, order = await case_decisions.plan(*call.action, _ruling(body))
    lang = call.signed_in.person.lang
    return await case_decisions.draft_letter(*call.action, order, lang)


@area.post(
    "/cases/{id}/withdrawal", "case_withdrawal", models.Withdrawn, *_DECIDING,
    ApiProblemKind.NOT_ALLOWED, body=models.WithdrawalBody,
)  # fmt: skip
async def rule_on_withdrawal(call: Call, body: models.WithdrawalBody) -> object:
    """Rule on a withdrawal (§ 6.2.8)."""
    found = await case_decisions.rule(*call.action, _ruling(body), body.text)
    if isinstance(found, CaseRefusal):
        return found
    case, outcome, opened = found
    rest = {"loses_prize": outcome.loses_prize, "adjudications": opened}
    return values_of(case) | values_of(outcome) | rest


@led.post(
    "/groups/{id}/annul", "annul_start", models.GroupStartAnnulled, *_FORBIDDEN,
    ApiProblemKind.HAS_BEGUN, body=models.AnnulBody,
)  # fmt: skip
async def annul_start(call: Call, body: models.AnnulBody) -> object:
    """Take a group's start back before its first move."""
    return {"group": await case_decisions.annul_start(*call.action, body.reason)}


@led.post("/groups/{id}/live", "follow", models.LiveSet, *_FORBIDDEN, body=models.LiveBody)
async def switch_following(call: Call, body: models.LiveBody) -> object:
    """Let everybody follow the running games of the group's tournament, or nobody more."""
    names = await leader_letter.switch(*call.action, is_on=body.live)
    return {"groups": names, "live": body.live}


@led.post(
    "/groups/{id}/programs", "let_programs", models.ProgramsSet, *_FORBIDDEN,
    body=models.ProgramsBody,
)  # fmt: skip
async def let_programs(call: Call, body: models.ProgramsBody) -> object:
    """Let programs move in the group's tournament, or not (Kendelse 120)."""
    names = await leader_letter.let_programs(*call.action, may=body.programs)
    return {"groups": names, "programs": body.programs}


@area.get("/long-games", "long_games", models.LongGames, ApiProblemKind.NOT_ALLOWED)
async def long_games(call: Call) -> object:
    """Games of 18 months and more in your groups (§ 6.2.7)."""
    return {"games": await expulsion.long_running(*call.actor)}


@area.post(
    "/long-games", "call_in", models.CasesMade, ApiProblemKind.NOT_ALLOWED, *_RIGHT, *_OPEN_CASE,
    body=models.CallInBody,
)  # fmt: skip
async def call_in(call: Call, body: models.CallInBody) -> object:
    """Call games in for adjudication (§ 6.2.7)."""
    found = await expulsion.call_in(*call.actor, body.games)
    refused = next((case for case in found if isinstance(case, CaseRefusal)), None)
    return refused or {"cases": found}


CASES = tuple(area.calls)
