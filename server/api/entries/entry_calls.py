"""Entries in the API: classes and lists, entering, and officials' actions on entries (§ 6.4.4).

The same use cases as the pages. What a caller may not see looks as if it did not exist. Not for
lists and past results (below).
"""

from collections.abc import Awaitable, Callable

from aiohttp import web

from kskak.entries.entry import EntryRefusal
from kskak.ledger.ledger_files import JsonObject
from kskak.regulation.editions import Regulation
from mail.office_letters.entry_letters import refusal_lines
from server.api.entries import entry_models
from server.api.entries.entry_models import (
    DiscretionBody,
    EnterBody,
    FeeBody,
    ListBody,
    ListChangeBody,
    NumberBody,
    RefusalBody,
    RemovalBody,
    ResultBody,
)
from server.api.frame.endpoints import Call, Endpoint, Parameter
from server.api.frame.game_models import EMPTY, NothingBody, bad_fields, json_response
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import call_use_case, load_words, respond_once
from server.store.player_entries import EntryRow, ListRow
from server.usecases.entries import entry_actions
from server.usecases.entries import entry_judging as judging
from server.usecases.entries import entry_views as views
from server.usecases.entries.entry_judging import EntryStatement, PastResultInput, ResultFault
from server.usecases.entries.player_entering import (
    EntryListRequest,
    EntryRequest,
    ListFault,
    change_list,
    enter,
    open_list,
)
from server.usecases.groups.group_file import StartedGroup
from server.usecases.rights import NoSuch, rights

_SWITCH = ("0", "1")


def build_refusal_problem(call: Call, refusal: EntryRefusal) -> ApiProblem:
    """The problem for a refused entry: each reason with its paragraph (§ 6.4.4)."""
    lines = refusal_lines(refusal, load_words(call))
    more: JsonObject = {
        "paragraph": refusal.paragraphs[0],
        "reasons": [
            {"code": reason.value, "paragraph": paragraph}
            for reason, paragraph in zip(refusal.reasons, refusal.paragraphs, strict=True)
        ],
    }
    return ApiProblem(ApiProblemKind.ENTRY_REFUSED, more, values={"lines": " ".join(lines)})


def answer_entry_action(call: Call, done: EntryRow | StartedGroup | EntryRefusal) -> JsonObject:
    """The result of an action. Raises Problem for a refusal."""
    match done:
        case EntryRefusal():
            raise build_refusal_problem(call, done)
        case StartedGroup():
            return entry_models.write_started_group(done)
        case EntryRow():
            return entry_models.write_entry(done)


async def unless_hidden(do: Awaitable[JsonObject]) -> JsonObject:
    """The answer. Raises Problem (not found) for what does not exist or the caller may not see."""
    try:
        return await do
    except NoSuch:
        raise ApiProblem(ApiProblemKind.NOT_FOUND) from None


async def own_classes(call: Call) -> web.Response:
    """GET /classes: which classes the caller may enter, and why."""
    return await _classes(call, call.signed_in.person.id)


async def classes_of(call: Call) -> web.Response:
    """GET /people/{id}/classes: the same for any player, for officials."""
    return await _classes(call, call.path_id)


async def _classes(call: Call, person_id: int) -> web.Response:
    async def look() -> JsonObject:
        view = await views.classes_view(call.api.core, call.signed_in.person, person_id)
        return entry_models.classes(view)

    return json_response(await unless_hidden(look()))


async def lists(call: Call) -> web.Response:
    """GET /entry-lists: the open lists."""
    found = await views.lists_view(call.api.core)
    return json_response({"lists": [entry_models.write_list_view(view) for view in found]})


async def entries(call: Call) -> web.Response:
    """GET /tournament-entries: the caller's own; with ``desk=1`` those open on his lists."""
    asked = call.request.query.get("desk", "0")
    if asked not in _SWITCH:
        raise bad_fields([("desk", "not_allowed")])
    core, person = call.api.core, call.signed_in.person
    if asked == "1":
        desk = await views.entry_desk(core, await rights(core, person))
        found = (*desk.waiting, *desk.valid)
    else:
        found = await views.entries_of(core, person.id)
    return json_response({"entries": [entry_models.write_entry_view(view) for view in found]})


async def enter_player(call: Call) -> web.Response:
    """POST /tournament-entries: enter oneself, or a player as an official (§ 6.4.4.1)."""
    raw, body = await call.parsed(EnterBody)
    person = call.signed_in.person
    stated = EntryStatement(
        body.member, body.club, body.born, body.otb_rating, body.k_rating, body.proof.strip()
    )
    asked = EntryRequest(
        body.list,
        stated,
        body.person,
        asks=body.asks,
        is_second=body.second,
        fee=body.fee,
        address=body.address,
    )

    async def do() -> JsonObject:
        return answer_entry_action(call, await enter(call.api.core, person, asked))

    return await respond_once(call, raw, do)


Deed = Callable[[], Awaitable[EntryRow | StartedGroup | EntryRefusal]]


async def run_entry_action(call: Call, raw: bytes, deed: Deed) -> web.Response:
    """Perform an action once and answer with the resulting state."""

    async def do() -> JsonObject:
        async def done() -> JsonObject:
            return answer_entry_action(call, await deed())

        return await call_use_case(lambda: unless_hidden(done()))

    return await respond_once(call, raw, do)


async def note_fee(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/fee: the leader has received it (§ 6.4.4.1)."""
    raw, body = await call.parsed(FeeBody)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await run_entry_action(
        call, raw, lambda: entry_actions.record_fee(core, by, entry, body.on)
    )


async def note_proof(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/proof: the leader has seen it (§ 6.5.3.2 b-d)."""
    raw, _ = await call.parsed(NothingBody, EMPTY)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await run_entry_action(call, raw, lambda: entry_actions.see_proof(core, by, entry))


async def confirm_number(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/number: an official confirms it (§ 6.4.4.1)."""
    raw, body = await call.parsed(NumberBody)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await run_entry_action(
        call, raw, lambda: entry_actions.confirm_number(core, by, entry, body.member)
    )


async def let_in(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/discretion: admit the player to the class (§ 6.5.3.2 e)."""
    raw, body = await call.parsed(DiscretionBody)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await run_entry_action(
        call, raw, lambda: entry_actions.let_in(core, by, entry, body.reason)
    )


async def turned_down(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/refusal: with paragraph and reason (§ 6.4.4)."""
    raw, body = await call.parsed(RefusalBody)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await run_entry_action(
        call, raw, lambda: entry_actions.refuse(core, by, entry, body.paragraph, body.reason)
    )


async def withdrawn(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/withdrawal: withdraw it before it becomes a place."""
    raw, _ = await call.parsed(NothingBody, EMPTY)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await run_entry_action(call, raw, lambda: entry_actions.withdraw(core, by, entry))


# Waiting lists and past results in the API, for controller and leaders (§ 6.1.1, § 6.5.3.2).

_FIELDS = {
    ListFault.NAME_TAKEN: "name",
    ListFault.PREFIX_TAKEN: "prefix",
    ListFault.NO_PAY: "how_to_pay",
    ResultFault.EVENT: "wish",
    ResultFault.SCORE: "halves",
    ResultFault.TWICE: "name",
}
"""The field of a fault, where the two have different names."""


def _write_outcome(done: ListRow | ListFault) -> JsonObject:
    if isinstance(done, ListFault):
        raise bad_fields([(f"/{_FIELDS.get(done, done.value)}", "not_allowed")])
    return entry_models.write_list(done)


async def post_list(call: Call) -> web.Response:
    """POST /entry-lists: open a list (§ 6.1.2)."""
    raw, body = await call.parsed(ListBody)
    fields = body.model_dump()
    asked = EntryListRequest(**{**fields, "regulation": Regulation(body.regulation)})

    async def do() -> JsonObject:
        return _write_outcome(await open_list(call.api.core, call.signed_in.person, asked))

    return await respond_once(call, raw, do)


async def post_list_change(call: Call) -> web.Response:
    """POST /entry-lists/{id}: close it, reopen it, change its leader or payment text (§ 6.1.1)."""
    raw, body = await call.parsed(ListChangeBody)
    core, by, number = call.api.core, call.signed_in.person, call.path_id
    leader, pay = body.leader or "", body.how_to_pay

    async def do() -> JsonObject:
        return _write_outcome(
            await change_list(core, by, number, is_open=body.open, leader=leader, how_to_pay=pay)
        )

    return await respond_once(call, raw, lambda: call_use_case(lambda: unless_hidden(do())))


async def start_next_group(call: Call) -> web.Response:
    """POST /entry-lists/{id}/start: start the next group now (§ 6.5.1.1)."""
    raw, _ = await call.parsed(NothingBody, EMPTY)
    core, by, number = call.api.core, call.signed_in.person, call.path_id
    return await run_entry_action(
        call, raw, lambda: entry_actions.start_by_leader(core, by, number)
    )


async def result(call: Call) -> web.Response:
    """POST /people/{id}/results: a past result with its source (§ 6.5.3.2)."""
    raw, body = await call.parsed(ResultBody)
    core, by, number = call.api.core, call.signed_in.person, call.path_id
    entered = PastResultInput(**body.model_dump())

    async def do() -> JsonObject:
        done = await judging.add_result(core, by, number, entered)
        if isinstance(done, ResultFault):
            raise bad_fields([(f"/{_FIELDS.get(done, done.value)}", "not_allowed")])
        return {"id": done}

    return await respond_once(call, raw, lambda: call_use_case(lambda: unless_hidden(do())))


async def remove_result(call: Call) -> web.Response:
    """POST /people/{id}/results/removal: remove a wrong one."""
    raw, body = await call.parsed(RemovalBody)
    core, by, number = call.api.core, call.signed_in.person, call.path_id

    async def do() -> JsonObject:
        await judging.remove_result(core, by, number, body.result)
        return {"id": body.result}

    return await respond_once(call, raw, lambda: call_use_case(lambda: unless_hidden(do())))


# The endpoints of entries, lists and past results; part of api/site.py (§ 6.4.4, § 6.5.3.2).

PREFIX = "/api/v1"
_ENTRY = f"{PREFIX}/tournament-entries/{{id}}"
_LIST = f"{PREFIX}/entry-lists"
_PERSON = f"{PREFIX}/people/{{id}}"
_DESK = Parameter("desk", "string", "`1`: those on your lists", allowed=("0", "1"))
_ACTION_PROBLEMS = (ApiProblemKind.NOT_ALLOWED, ApiProblemKind.ENTRY_REFUSED)

ENTRIES: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/classes", "classes", own_classes,
        "Which classes you may enter, and why", entry_models.Classes, hides=True,
    ),
    Endpoint(
        "GET", f"{_PERSON}/classes", "classes_of", classes_of,
        "Which classes a player may enter, and why", entry_models.Classes,
    ),
    Endpoint("GET", _LIST, "entry_lists", lists, "The open lists", entry_models.Lists),
    Endpoint(
        "GET", f"{PREFIX}/tournament-entries", "entries", entries,
        "Your entries, or those on your lists", entry_models.Entries, query=(_DESK,),
    ),
    Endpoint(
        "POST", f"{PREFIX}/tournament-entries", "enter", enter_player, "Enter a tournament",
        entry_models.EntryMade, body=entry_models.EnterBody, problems=(*_ACTION_PROBLEMS,
        ApiProblemKind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{_ENTRY}/fee", "entry_fee", note_fee, "The leader has the fee",
        entry_models.EntryMade, body=entry_models.FeeBody, problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/proof", "entry_proof", note_proof, "The proof has been seen",
        entry_models.EntryMade, body=NothingBody, is_body_optional=True, problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/number", "entry_number", confirm_number,
        "The membership number is confirmed", entry_models.EntryMade, body=entry_models.NumberBody,
        problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/discretion", "entry_discretion", let_in,
        "Give access by discretion", entry_models.EntryMade, body=entry_models.DiscretionBody,
        problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/refusal", "entry_refuse", turned_down, "Refuse an entry",
        entry_models.EntryMade, body=entry_models.RefusalBody, problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/withdrawal", "entry_withdraw", withdrawn,
        "Take an entry back", entry_models.EntryMade, body=NothingBody, is_body_optional=True,
        problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", _LIST, "entry_list_open", post_list, "Open a list", entry_models.ListMade,
        body=entry_models.ListBody, problems=(ApiProblemKind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_LIST}/{{id}}", "entry_list_change", post_list_change,
        "Close a list, open it, change its leader", entry_models.ListMade,
        body=entry_models.ListChangeBody, problems=(ApiProblemKind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_LIST}/{{id}}/start", "entry_list_start", start_next_group,
        "Start the list's next group", entry_models.GroupStarted, body=NothingBody,
        is_body_optional=True, problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_PERSON}/results", "result_add", result, "Enter a past result",
        entry_models.ResultKept, body=entry_models.ResultBody,
        problems=(ApiProblemKind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_PERSON}/results/removal", "result_remove", remove_result,
        "Take a wrong result away", entry_models.ResultKept, body=entry_models.RemovalBody,
        problems=(ApiProblemKind.NOT_ALLOWED,),
    ),
)  # fmt: skip
