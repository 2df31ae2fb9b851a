"""Cups, titles and theme groups in the API: the same use cases as the pages (§ 6.6, § 6.5.2).

Not for rights, which the use cases check.
"""

import json
from collections.abc import Awaitable, Callable

from aiohttp import web

from kskak.cup.refusals import CupRefusal, TieRefusal
from kskak.ledger.ledger_out import JsonObject
from server.api.cup import building as out
from server.api.cup import models as answers
from server.api.cup import models as bodies
from server.api.cup.models import CupBody, PlayoffBody, RoundBody, SharedBody, ThemeBody, TitleBody
from server.api.entries.building import started
from server.api.entries.calls import carry
from server.api.entries.models import GroupStarted
from server.api.frame.body import EMPTY, NothingBody, bad_fields, parse
from server.api.frame.endpoints import Call, Endpoint, Guard
from server.api.frame.json_answer import json_response, text_response
from server.api.frame.once import once
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.usecases.core.offices import NoSuch
from server.usecases.cup import views
from server.usecases.cup.opening import CupFault, Opened, open_cup
from server.usecases.cup.rounds import Choice, draw_round
from server.usecases.entries.theme_groups import Theme, start_theme
from server.usecases.results import titles
from server.usecases.results.title_ties import share_title, start_playoff
from server.usecases.results.titles import OldTitle, TitleFault

_FIELDS = {CupFault.EDITION_TAKEN: "edition", TitleFault.TWICE: "edition"}
"""The field of a fault, where the two have different names."""


def _fault(fault: CupFault | TitleFault) -> Problem:
    name = _FIELDS.get(fault, fault.value)
    return bad_fields([(f"/{name}", "not_allowed")])


def _cup_refused(call: Call, refusal: CupRefusal) -> Problem:
    """The problem of a refused draw, with the paragraph (§ 6.6.1)."""
    why = words_of(call)(
        f"cup.problem.{refusal.problem.value}",
        paragraph=refusal.paragraph,
        count=refusal.count,
        who=refusal.who,
    )
    more: JsonObject = {"paragraph": refusal.paragraph, "code": refusal.problem.value}
    return Problem(Kind.CUP_REFUSED, more, values={"why": why})


def _tie_refused(call: Call, refusal: TieRefusal) -> Problem:
    """The problem of a tie for first place that can't be settled this way (§ 6.5.2)."""
    paragraph = refusal.paragraph
    why = words_of(call)(f"cup.tie.problem.{refusal.problem.value}", paragraph=paragraph)
    more: JsonObject = {"paragraph": refusal.paragraph, "code": refusal.problem.value}
    return Problem(Kind.TIE_REFUSED, more, values={"why": why})


async def _do(work: Callable[[], Awaitable[JsonObject]]) -> JsonObject:
    """The work's answer. Raises Problem (not found) when what the path names does not exist."""
    try:
        return await work()
    except NoSuch as error:
        if str(error) in ("cup", "group", "title"):
            raise Problem(Kind.NOT_FOUND) from None
        raise


async def cups(call: Call) -> web.Response:
    """GET /cups: all cups. Public."""
    found = await views.cup_list(call.api.core)
    return json_response({"cups": [out.line(one) for one in found]})


async def cup(call: Call) -> web.Response:
    """GET /cups/{id}: rounds, groups, who goes on and why. Public (CONTRACTS)."""
    try:
        view = await views.cup_view(call.api.core, cup_id=call.path_id)
    except NoSuch:
        raise Problem(Kind.NOT_FOUND) from None
    return text_response(200, json.dumps(out.cup(view), ensure_ascii=False, separators=(",", ":")))


async def opened(call: Call) -> web.Response:
    """POST /cups: open a cup (§ 6.1.2)."""
    raw = await call.body()
    body = parse(CupBody, raw)
    asked = Opened(body.edition, body.list, body.semi_list)

    async def work() -> JsonObject:
        done = await open_cup(call.api.core, call.signed_in.person, asked)
        if isinstance(done, CupFault):
            raise _fault(done)
        return out.opened(done)

    return await once(call, raw, work)


async def drawn(call: Call) -> web.Response:
    """POST /cups/{id}/rounds: draw the next round (§ 6.6.1.1-6.6.1.6)."""
    raw = await call.body()
    body = parse(RoundBody, raw)
    choice = Choice(**body.model_dump())

    async def work() -> JsonObject:
        done = await draw_round(call.api.core, call.signed_in.person, call.path_id, choice)
        if isinstance(done, CupRefusal):
            raise _cup_refused(call, done)
        return out.drawn(done)

    return await once(call, raw, lambda: _do(work))


async def all_titles(call: Call) -> web.Response:
    """GET /titles: who has held which title. Public."""
    found = await titles.all_titles(call.api.core)
    rows = [out.title(row) for rows in found.values() for row in rows]
    return json_response({"titles": list(rows)})


async def entered(call: Call) -> web.Response:
    """POST /titles: a title from before, with its source."""
    raw = await call.body()
    body = parse(TitleBody, raw)
    told = OldTitle(
        body.title, body.edition, body.source, body.person, body.name, is_shared=body.shared
    )

    async def work() -> JsonObject:
        done = await titles.enter_title(call.api.core, call.signed_in.person, told)
        if isinstance(done, TitleFault):
            raise _fault(done)
        return {"id": done}

    return await once(call, raw, work)


async def removed(call: Call) -> web.Response:
    """POST /titles/{id}/removal: remove a wrong one."""
    raw = await call.body()
    parse(NothingBody, raw or EMPTY)

    async def work() -> JsonObject:
        await titles.remove_title(call.api.core, call.signed_in.person, call.path_id)
        return {"id": call.path_id}

    return await once(call, raw, lambda: _do(work))


async def playoff(call: Call) -> web.Response:
    """POST /groups/{id}/playoff: start the play-off of a tied DM (§ 6.5.2)."""
    raw = await call.body()
    body = parse(PlayoffBody, raw or EMPTY)

    async def work() -> JsonObject:
        person = call.signed_in.person
        done = await start_playoff(call.api.core, person, call.path_id, body.start)
        if isinstance(done, TieRefusal):
            raise _tie_refused(call, done)
        return started(done)

    return await once(call, raw, lambda: _do(work))


async def shared(call: Call) -> web.Response:
    """POST /groups/{id}/shared-title: those tied share the title by agreement (§ 6.5.2)."""
    raw = await call.body()
    body = parse(SharedBody, raw)

    async def work() -> JsonObject:
        refusal = await share_title(call.api.core, call.signed_in.person, call.path_id, body.reason)
        if refusal is not None:
            raise _tie_refused(call, refusal)
        return {"group": call.path_id}

    return await once(call, raw, lambda: _do(work))


async def theme(call: Call) -> web.Response:
    """POST /entry-lists/{id}/theme-group: start a theme tournament's group (§ 1.1.22)."""
    raw = await call.body()
    body = parse(ThemeBody, raw)
    core, by, number = call.api.core, call.signed_in.person, call.path_id
    asked = Theme(body.fen, body.start, body.double)
    return await carry(call, raw, lambda: start_theme(core, by, number, asked))


PREFIX = "/api/v1"
_CUP = f"{PREFIX}/cups/{{id}}"
_GROUP = f"{PREFIX}/groups/{{id}}"
_TIE = (Kind.NOT_ALLOWED, Kind.TIE_REFUSED)

CUPS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/cups", "cups", cups, "All cups, the newest first", answers.Cups,
        guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", _CUP, "cup", cup, "A cup: rounds, groups, who goes on and why",
        answers.CupSeen, guard=Guard.OPEN,
    ),
    Endpoint(
        "POST", f"{PREFIX}/cups", "cup_open", opened, "Open a cup on its waiting list",
        answers.CupOpened, body=bodies.CupBody, problems=(Kind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_CUP}/rounds", "cup_draw", drawn, "Draw a cup's next round",
        answers.RoundDrawn, body=bodies.RoundBody,
        problems=(Kind.NOT_ALLOWED, Kind.CUP_REFUSED),
    ),
    Endpoint(
        "GET", f"{PREFIX}/titles", "titles", all_titles, "Who has borne which title",
        answers.Titles, guard=Guard.OPEN,
    ),
    Endpoint(
        "POST", f"{PREFIX}/titles", "title_enter", entered,
        "Enter a title from before the server", answers.TitleKept, body=bodies.TitleBody,
        problems=(Kind.NOT_ALLOWED, Kind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{PREFIX}/titles/{{id}}/removal", "title_remove", removed,
        "Take an entered title away", answers.TitleKept, body=NothingBody,
        is_body_optional=True, problems=(Kind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_GROUP}/playoff", "title_playoff", playoff,
        "Start the play-off of a level DM", GroupStarted, body=bodies.PlayoffBody,
        is_body_optional=True, problems=_TIE,
    ),
    Endpoint(
        "POST", f"{_GROUP}/shared-title", "title_share", shared,
        "A level DM is shared by agreement", answers.TieSettled, body=bodies.SharedBody,
        problems=_TIE,
    ),
    Endpoint(
        "POST", f"{PREFIX}/entry-lists/{{id}}/theme-group", "theme_start", theme,
        "Start a theme tournament's group", GroupStarted, body=bodies.ThemeBody,
        problems=(Kind.NOT_ALLOWED, Kind.ENTRY_REFUSED),
    ),
)  # fmt: skip
