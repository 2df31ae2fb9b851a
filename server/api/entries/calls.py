"""Entries in the API: classes and lists, entering, and officials' actions on entries (§ 6.4.4).

The same use cases as the pages. What a caller may not see looks as if it did not exist. Not for
lists and past results (desk_calls.py).
"""

from collections.abc import Awaitable, Callable

from aiohttp import web

from kskak.entries.admission import EntryRefusal
from kskak.ledger.ledger_out import JsonObject
from mail.office_letters.entries import refusal_lines
from server.api.entries import building as out
from server.api.entries.models import (
    DiscretionBody,
    EnterBody,
    FeeBody,
    NumberBody,
    RefusalBody,
)
from server.api.frame.body import EMPTY, NothingBody, bad_fields, parse
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import json_response
from server.api.frame.once import once, told
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.store.entries.of_players import EntryRow
from server.usecases.core.offices import NoSuch, rights
from server.usecases.entries import deeds, views
from server.usecases.entries.entering import Asking, enter
from server.usecases.entries.judging import Stated
from server.usecases.starts.start_group import StartedGroup

_SWITCH = ("0", "1")


def refused(call: Call, refusal: EntryRefusal) -> Problem:
    """The problem for a refused entry: each reason with its paragraph (§ 6.4.4)."""
    lines = refusal_lines(refusal, words_of(call))
    more: JsonObject = {
        "paragraph": refusal.paragraphs[0],
        "reasons": [
            {"code": reason.value, "paragraph": paragraph}
            for reason, paragraph in zip(refusal.reasons, refusal.paragraphs, strict=True)
        ],
    }
    return Problem(Kind.ENTRY_REFUSED, more, values={"lines": " ".join(lines)})


def answered(call: Call, done: EntryRow | StartedGroup | EntryRefusal) -> JsonObject:
    """The result of an action. Raises Problem for a refusal."""
    match done:
        case EntryRefusal():
            raise refused(call, done)
        case StartedGroup():
            return out.started(done)
        case EntryRow():
            return out.entry_made(done)


async def unless_hidden(do: Awaitable[JsonObject]) -> JsonObject:
    """The answer. Raises Problem (not found) for what does not exist or the caller may not see."""
    try:
        return await do
    except NoSuch:
        raise Problem(Kind.NOT_FOUND) from None


async def own_classes(call: Call) -> web.Response:
    """GET /classes: which classes the caller may enter, and why."""
    return await _classes(call, call.signed_in.person.id)


async def classes_of(call: Call) -> web.Response:
    """GET /people/{id}/classes: the same for any player, for officials."""
    return await _classes(call, call.path_id)


async def _classes(call: Call, person_id: int) -> web.Response:
    async def look() -> JsonObject:
        view = await views.classes_view(call.api.core, call.signed_in.person, person_id)
        return out.classes(view)

    return json_response(await unless_hidden(look()))


async def lists(call: Call) -> web.Response:
    """GET /entry-lists: the open lists."""
    found = await views.lists_view(call.api.core)
    return json_response({"lists": [out.list_seen(view) for view in found]})


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
    return json_response({"entries": [out.entry_seen(view) for view in found]})


async def entered(call: Call) -> web.Response:
    """POST /tournament-entries: enter oneself, or a player as an official (§ 6.4.4.1)."""
    raw = await call.body()
    body = parse(EnterBody, raw)
    person = call.signed_in.person
    stated = Stated(
        body.member, body.club, body.born, body.otb_rating, body.k_rating, body.proof.strip()
    )
    asked = Asking(
        body.list,
        stated,
        body.person,
        asks=body.asks,
        is_second=body.second,
        fee=body.fee,
        address=body.address,
    )

    async def do() -> JsonObject:
        return answered(call, await enter(call.api.core, person, asked))

    return await once(call, raw, do)


Deed = Callable[[], Awaitable[EntryRow | StartedGroup | EntryRefusal]]


async def carry(call: Call, raw: bytes, deed: Deed) -> web.Response:
    """Perform an action once and answer with the resulting state."""

    async def do() -> JsonObject:
        async def done() -> JsonObject:
            return answered(call, await deed())

        return await told(lambda: unless_hidden(done()))

    return await once(call, raw, do)


async def paid(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/fee: the leader has received it (§ 6.4.4.1)."""
    raw = await call.body()
    body = parse(FeeBody, raw)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await carry(call, raw, lambda: deeds.record_fee(core, by, entry, body.on))


async def proved(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/proof: the leader has seen it (§ 6.5.3.2 b-d)."""
    raw = await call.body()
    parse(NothingBody, raw or EMPTY)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await carry(call, raw, lambda: deeds.see_proof(core, by, entry))


async def numbered(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/number: an official confirms it (§ 6.4.4.1)."""
    raw = await call.body()
    body = parse(NumberBody, raw)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await carry(call, raw, lambda: deeds.confirm_number(core, by, entry, body.member))


async def let_in(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/discretion: admit the player to the class (§ 6.5.3.2 e)."""
    raw = await call.body()
    body = parse(DiscretionBody, raw)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await carry(call, raw, lambda: deeds.let_in(core, by, entry, body.reason))


async def turned_down(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/refusal: with paragraph and reason (§ 6.4.4)."""
    raw = await call.body()
    body = parse(RefusalBody, raw)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await carry(
        call, raw, lambda: deeds.refuse(core, by, entry, body.paragraph, body.reason)
    )


async def withdrawn(call: Call) -> web.Response:
    """POST /tournament-entries/{id}/withdrawal: withdraw it before it becomes a place."""
    raw = await call.body()
    parse(NothingBody, raw or EMPTY)
    core, by, entry = call.api.core, call.signed_in.person, call.path_id
    return await carry(call, raw, lambda: deeds.withdraw(core, by, entry))
