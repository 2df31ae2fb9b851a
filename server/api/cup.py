"""Cups, titles and theme groups in the API: the same use cases as the pages (§ 6.6, § 6.5.2).

Not for rights, which the use cases check.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from typing import Annotated

from aiohttp import web
from pydantic import Field

from kskak.cup import CupQualification, CupRefusal, CupStage, Seat, TieRefusal
from kskak.groups.placing import Title, number
from kskak.ledger.ledger_files import JsonObject, JsonValue
from server.api.cases.case_models import PersonName
from server.api.entries.entry_calls import run_entry_action
from server.api.entries.entry_models import GroupStarted, write_started_group
from server.api.frame.endpoints import Call, Endpoint, Guard
from server.api.frame.game_models import (
    EMPTY,
    LONGEST_TEXT,
    ApiAnswer,
    ApiBody,
    NothingBody,
    bad_fields,
    json_response,
    text_response,
)
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words, respond_once
from server.store.cup import CupRow, PlaceRow
from server.store.group_results import TitleRow
from server.usecases.cup import cup_views as views
from server.usecases.cup.cup_facts import Prospect, Round, RoundGroup
from server.usecases.cup.cup_rounds import (
    CupFault,
    CupRequest,
    CupRoundRequest,
    DrawnRound,
    draw_round,
    open_cup,
)
from server.usecases.cup.cup_views import CupLine, CupView, Key
from server.usecases.entries.next_group import Theme, start_theme
from server.usecases.results import titles
from server.usecases.results.titles import OldTitle, TitleFault, share_title, start_playoff
from server.usecases.rights import NoSuch

# Request and response models for cups and titles (§ 6.6, § 6.5.2).


class TitleSeen(ApiAnswer):
    """A title and its holder; `group` if it was won here, else `source`."""

    id: int
    title: Title
    edition: int
    person: int | None
    name: str
    shared: bool
    group: str | None
    source: str
    paragraph: str
    day: date | None


class Titles(ApiAnswer):
    """Every title, the newest year first."""

    titles: list[TitleSeen]


class TitleKept(ApiAnswer):
    """The title that was entered or removed."""

    id: int


class CupItem(ApiAnswer):
    """A cup in the list."""

    id: int
    edition: int
    name: str
    champions: list[TitleSeen]


class Cups(ApiAnswer):
    """All cups, the newest first."""

    cups: list[CupItem]


class CupPlace(ApiAnswer):
    """A place in a round: whose it is, how it was earned and by which rule."""

    person: PersonName
    way: CupQualification
    paragraph: str
    from_group: str | None
    from_place: int | None


class CupGroupRow(ApiAnswer):
    """A player of a group; `goes_on` says how he qualified, if he did."""

    person: PersonName
    place: int
    points: float
    withdrawn: bool
    goes_on: CupQualification | None
    paragraph: str | None


class CupGroupSeen(ApiAnswer):
    """A group of a round."""

    id: int
    name: str
    games: int
    finished: int
    rows: list[CupGroupRow]


class CupRoundSeen(ApiAnswer):
    """A round: the seed of its draw, the leader's reason, groups, places, and who declined."""

    stage: CupStage
    seed: str
    start: date
    places: int
    reason: str
    groups: list[CupGroupSeen]
    field: list[CupPlace]
    declined: list[CupPlace]


class CupNext(ApiAnswer):
    """A round that could be drawn now under the rules; `lacking` places are still to be filled."""

    stage: CupStage
    places: int
    field: list[CupPlace]
    lacking: int
    groups: int
    final: int


class CupSeen(ApiAnswer):
    """A cup with its rounds; the number of first-round `entries` decides the places in the DM."""

    id: int
    edition: int
    name: str
    leader: str
    entries: int
    rounds: list[CupRoundSeen]
    next: list[CupNext]
    champions: list[TitleSeen]


class CupOpened(ApiAnswer):
    """The cup that was opened."""

    id: int
    edition: int
    name: str


class RoundDrawn(ApiAnswer):
    """The round that was drawn: the seed of the draw, and its groups."""

    stage: CupStage
    seed: str
    groups: list[GroupStarted]


class TieSettled(ApiAnswer):
    """The DM group whose title is shared."""

    group: int


Id = Annotated[int, Field(ge=1, le=2**53)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Year = Annotated[int, Field(ge=1, le=9999)]


class CupBody(ApiBody):
    """A cup to open on its waiting list; `semi_list` is for those who enter at the semi-final."""

    edition: Year
    list: Id
    semi_list: Id | None = None


class RoundBody(ApiBody):
    """A round to draw; all but `stage` and `start` is discretionary and needs a `reason`, as does a
    first round outside October to December (§ 6.6.3).
    """

    stage: CupStage
    places: Annotated[int, Field(ge=1, le=3, description="So many of each group go on")] | None = (
        None
    )
    take: Annotated[int, Field(ge=1, le=1000, description="So many entries")] | None = None
    added: Annotated[
        tuple[Annotated[str, Field(min_length=3, max_length=254)], ...],
        Field(max_length=24, description="Addresses of those who fill up (§ 6.6.1.6)"),
    ] = ()
    without: Annotated[tuple[Id, ...], Field(max_length=100, description="Who does not go on")] = ()
    start: date | None = None
    reason: Text = ""
    live: Annotated[
        bool, Field(description="Everybody may follow the games; as in the rounds before")
    ] = False


class TitleBody(ApiBody):
    """A title from before the server, with its source; held by a `person` here or a `name`."""

    title: Title
    edition: Year
    person: Id | None = None
    name: Annotated[str, Field(max_length=120)] = ""
    shared: bool = False
    source: Annotated[str, Field(min_length=1, max_length=1000)]


class PlayoffBody(ApiBody):
    """When the play-off of two games begins; by default a few days from now (§ 6.5.2)."""

    start: date | None = None


class SharedBody(ApiBody):
    """How it is known that those concerned agreed to share title and prize (§ 6.5.2)."""

    reason: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class ThemeBody(ApiBody):
    """The theme position, the start day, and whether all meet twice (§ 1.1.22)."""

    fen: Annotated[str, Field(min_length=1, max_length=120)]
    start: date | None = None
    double: bool = False


# Cups and titles as plain JSON values; the shapes are above. Not for who may see what.

Plain = dict[str, object]
"""A JSON object whose numbers may be halves."""


def title(row: TitleRow) -> JsonObject:
    """A title."""
    return {
        "id": row.id,
        "title": row.title,
        "edition": row.edition,
        "person": row.person_id,
        "name": row.name,
        "shared": row.is_shared,
        "group": row.group,
        "source": row.source,
        "paragraph": row.paragraph,
        "day": row.day,
    }


def opened_json(row: CupRow) -> JsonObject:
    """A cup that was opened."""
    return {"id": row.id, "edition": row.edition, "name": row.name}


def write_cup_line(one: CupLine) -> JsonObject:
    """A cup in the list."""
    return opened_json(one.row) | {"champions": [title(row) for row in one.winners]}


def drawn_json(made: DrawnRound) -> JsonObject:
    """A round that was drawn."""
    groups: list[JsonValue] = [write_started_group(group) for group in made.groups]
    return {"stage": made.stage.value, "seed": made.seed, "groups": groups}


def cup_json(view: CupView) -> Plain:
    """A cup with its rounds and what comes next."""
    facts = view.facts
    return {
        **opened_json(facts.row),
        "leader": view.leader.name,
        "entries": facts.entries,
        "rounds": [
            _round(one, view.gone_on(index), view.names) for index, one in enumerate(facts.rounds)
        ],
        "next": [_next(one, view.names) for one in view.prospects],
        "champions": [title(row) for row in view.winners],
    }


def _round(one: Round, going: Mapping[Key, Seat], names: Mapping[int, str]) -> Plain:
    return {
        "stage": one.stage.value,
        "seed": one.draw.seed,
        "start": one.draw.start,
        "places": one.draw.places,
        "reason": one.draw.reason,
        "groups": [_group(group, going, names) for group in one.groups],
        "field": [_write_place(place) for place in one.places],
        "declined": [_write_place(place) for place in one.declined],
    }


def _group(one: RoundGroup, going: Mapping[Key, Seat], names: Mapping[int, str]) -> Plain:
    rows = []
    for line in one.table.lines:
        person = one.people[line.player.number]
        seat = going.get((one.group.name, person))
        rows.append(
            {
                "person": {"id": person, "name": names[person]},
                "place": line.place,
                "points": number(line.points),
                "withdrawn": line.player.has_left,
                "goes_on": None if seat is None else seat.way.value,
                "paragraph": None if seat is None else seat.way.paragraph,
            }
        )
    head = {"id": one.group.group_id, "name": one.group.name, "games": one.group.games}
    return {**head, "finished": one.group.finished, "rows": rows}


def _write_place(place: PlaceRow) -> Plain:
    return {
        "person": {"id": place.person_id, "name": place.player},
        "way": place.way,
        "paragraph": CupQualification(place.way).paragraph,
        "from_group": place.from_group,
        "from_place": place.from_place,
    }


def _next(one: Prospect, names: Mapping[int, str]) -> Plain:
    return {
        "stage": one.stage.value,
        "places": one.places,
        "field": [
            {
                "person": {"id": int(seat.player), "name": names[int(seat.player)]},
                "way": seat.way.value,
                "paragraph": seat.way.paragraph,
                "from_group": seat.group,
                "from_place": seat.place,
            }
            for seat in one.seats
        ],
        "lacking": one.lacking,
        "groups": one.groups,
        "final": one.final,
    }


# Cups, titles and theme groups in the API: the same use cases as the pages (§ 6.6, § 6.5.2).

_FIELDS = {CupFault.EDITION_TAKEN: "edition", TitleFault.TWICE: "edition"}
"""The field of a fault, where the two have different names."""


def _fault(fault: CupFault | TitleFault) -> ApiProblem:
    name = _FIELDS.get(fault, fault.value)
    return bad_fields([(f"/{name}", "not_allowed")])


def _build_cup_refusal_problem(call: Call, refusal: CupRefusal) -> ApiProblem:
    """The problem of a refused draw, with the paragraph (§ 6.6.1)."""
    why = load_words(call)(
        f"cup.problem.{refusal.problem.value}",
        paragraph=refusal.paragraph,
        count=refusal.count,
        who=refusal.who,
    )
    more: JsonObject = {"paragraph": refusal.paragraph, "code": refusal.problem.value}
    return ApiProblem(ApiProblemKind.CUP_REFUSED, more, values={"why": why})


def _build_tie_refusal_problem(call: Call, refusal: TieRefusal) -> ApiProblem:
    """The problem of a tie for first place that can't be settled this way (§ 6.5.2)."""
    paragraph = refusal.paragraph
    why = load_words(call)(f"cup.tie.problem.{refusal.problem.value}", paragraph=paragraph)
    more: JsonObject = {"paragraph": refusal.paragraph, "code": refusal.problem.value}
    return ApiProblem(ApiProblemKind.TIE_REFUSED, more, values={"why": why})


async def _do(work: Callable[[], Awaitable[JsonObject]]) -> JsonObject:
    """The work's answer. Raises Problem (not found) when what the path names does not exist."""
    try:
        return await work()
    except NoSuch as error:
        if str(error) in ("cup", "group", "title"):
            raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
        raise


async def cups(call: Call) -> web.Response:
    """GET /cups: all cups. Public."""
    found = await views.cup_list(call.api.core)
    return json_response({"cups": [write_cup_line(one) for one in found]})


async def cup(call: Call) -> web.Response:
    """GET /cups/{id}: rounds, groups, who goes on and why. Public (CONTRACTS)."""
    try:
        view = await views.cup_view(call.api.core, cup_id=call.path_id)
    except NoSuch:
        raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
    return text_response(200, json.dumps(cup_json(view), ensure_ascii=False, separators=(",", ":")))


async def post_cup(call: Call) -> web.Response:
    """POST /cups: open a cup (§ 6.1.2)."""
    raw, body = await call.parsed(CupBody)
    asked = CupRequest(body.edition, body.list, body.semi_list)

    async def work() -> JsonObject:
        done = await open_cup(call.api.core, call.signed_in.person, asked)
        if isinstance(done, CupFault):
            raise _fault(done)
        return opened_json(done)

    return await respond_once(call, raw, work)


async def post_round(call: Call) -> web.Response:
    """POST /cups/{id}/rounds: draw the next round (§ 6.6.1.1-6.6.1.6)."""
    raw, body = await call.parsed(RoundBody)
    choice = CupRoundRequest(**body.model_dump())

    async def work() -> JsonObject:
        done = await draw_round(call.api.core, call.signed_in.person, call.path_id, choice)
        if isinstance(done, CupRefusal):
            raise _build_cup_refusal_problem(call, done)
        return drawn_json(done)

    return await respond_once(call, raw, lambda: _do(work))


async def all_titles(call: Call) -> web.Response:
    """GET /titles: who has held which title. Public."""
    found = await titles.all_titles(call.api.core)
    rows = [title(row) for rows in found.values() for row in rows]
    return json_response({"titles": list(rows)})


async def enter_title(call: Call) -> web.Response:
    """POST /titles: a title from before, with its source."""
    raw, body = await call.parsed(TitleBody)
    told = OldTitle(
        body.title, body.edition, body.source, body.person, body.name, is_shared=body.shared
    )

    async def work() -> JsonObject:
        done = await titles.enter_title(call.api.core, call.signed_in.person, told)
        if isinstance(done, TitleFault):
            raise _fault(done)
        return {"id": done}

    return await respond_once(call, raw, work)


async def remove_title(call: Call) -> web.Response:
    """POST /titles/{id}/removal: remove a wrong one."""
    raw, _ = await call.parsed(NothingBody, EMPTY)

    async def work() -> JsonObject:
        await titles.remove_title(call.api.core, call.signed_in.person, call.path_id)
        return {"id": call.path_id}

    return await respond_once(call, raw, lambda: _do(work))


async def playoff(call: Call) -> web.Response:
    """POST /groups/{id}/playoff: start the play-off of a tied DM (§ 6.5.2)."""
    raw, body = await call.parsed(PlayoffBody, EMPTY)

    async def work() -> JsonObject:
        person = call.signed_in.person
        done = await start_playoff(call.api.core, person, call.path_id, body.start)
        if isinstance(done, TieRefusal):
            raise _build_tie_refusal_problem(call, done)
        return write_started_group(done)

    return await respond_once(call, raw, lambda: _do(work))


async def post_shared_title(call: Call) -> web.Response:
    """POST /groups/{id}/shared-title: those tied share the title by agreement (§ 6.5.2)."""
    raw, body = await call.parsed(SharedBody)

    async def work() -> JsonObject:
        refusal = await share_title(call.api.core, call.signed_in.person, call.path_id, body.reason)
        if refusal is not None:
            raise _build_tie_refusal_problem(call, refusal)
        return {"group": call.path_id}

    return await respond_once(call, raw, lambda: _do(work))


async def theme(call: Call) -> web.Response:
    """POST /entry-lists/{id}/theme-group: start a theme tournament's group (§ 1.1.22)."""
    raw, body = await call.parsed(ThemeBody)
    core, by, number = call.api.core, call.signed_in.person, call.path_id
    asked = Theme(body.fen, body.start, body.double)
    return await run_entry_action(call, raw, lambda: start_theme(core, by, number, asked))


PREFIX = "/api/v1"
_CUP = f"{PREFIX}/cups/{{id}}"
_GROUP = f"{PREFIX}/groups/{{id}}"
_TIE = (ApiProblemKind.NOT_ALLOWED, ApiProblemKind.TIE_REFUSED)

CUPS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/cups", "cups", cups, "All cups, the newest first", Cups,
        guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", _CUP, "cup", cup, "A cup: rounds, groups, who goes on and why",
        CupSeen, guard=Guard.OPEN,
    ),
    Endpoint(
        "POST", f"{PREFIX}/cups", "cup_open", post_cup, "Open a cup on its waiting list",
        CupOpened, body=CupBody, problems=(ApiProblemKind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_CUP}/rounds", "cup_draw", post_round, "Draw a cup's next round",
        RoundDrawn, body=RoundBody,
        problems=(ApiProblemKind.NOT_ALLOWED, ApiProblemKind.CUP_REFUSED),
    ),
    Endpoint(
        "GET", f"{PREFIX}/titles", "titles", all_titles, "Who has borne which title",
        Titles, guard=Guard.OPEN,
    ),
    Endpoint(
        "POST", f"{PREFIX}/titles", "title_enter", enter_title,
        "Enter a title from before the server", TitleKept, body=TitleBody,
        problems=(ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{PREFIX}/titles/{{id}}/removal", "title_remove", remove_title,
        "Take an entered title away", TitleKept, body=NothingBody,
        is_body_optional=True, problems=(ApiProblemKind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_GROUP}/playoff", "title_playoff", playoff,
        "Start the play-off of a level DM", GroupStarted, body=PlayoffBody,
        is_body_optional=True, problems=_TIE,
    ),
    Endpoint(
        "POST", f"{_GROUP}/shared-title", "title_share", post_shared_title,
        "A level DM is shared by agreement", TieSettled, body=SharedBody,
        problems=_TIE,
    ),
    Endpoint(
        "POST", f"{PREFIX}/entry-lists/{{id}}/theme-group", "theme_start", theme,
        "Start a theme tournament's group", GroupStarted, body=ThemeBody,
        problems=(ApiProblemKind.NOT_ALLOWED, ApiProblemKind.ENTRY_REFUSED),
    ),
)  # fmt: skip
