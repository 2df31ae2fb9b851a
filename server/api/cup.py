"""Cups, titles and theme groups in the API: the same use cases as the pages (§ 6.6, § 6.5.2).

Not for rights, which the use cases check.
"""

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from pydantic import Field

from kskak.cup import CupQualification, CupRefusal, CupStage, Seat, TieRefusal
from kskak.entries.entry import EntryRefusal
from kskak.groups.placing import Title
from kskak.ledger.ledger_files import JsonObject
from server.api.cases.case_models import PersonName
from server.api.entries import GroupStarted, build_refusal_problem
from server.api.frame.area import Area, Points, at
from server.api.frame.endpoints import Call
from server.api.frame.game_models import LONGEST_TEXT, ApiAnswer, ApiBody, answer_model, bad_fields
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.store.account.sign_in import TokenScope
from server.usecases.cup import cup_views as views
from server.usecases.cup.cup_rounds import (
    CupFault,
    CupRequest,
    CupRoundRequest,
    draw_round,
    open_cup,
)
from server.usecases.cup.cup_views import CupLine, CupView, Key, Round, RoundGroup
from server.usecases.cup.seat_swap import SwapRequest, swap_player
from server.usecases.entries.entry_actions import Theme, start_theme
from server.usecases.results import titles
from server.usecases.results.titles import OldTitle, TitleFault, share_title, start_playoff

Id = Annotated[int, Field(ge=1, le=2**53)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Year = Annotated[int, Field(ge=1, le=9999)]
area = Area("cup", "group", "title", scope=TokenScope.LEAD)

# Request and response models for cups and titles (§ 6.6, § 6.5.2).


class TitleSeen(ApiAnswer):
    """A title and its holder; `group` if it was won here, else `source`."""

    id: int
    title: Title
    edition: int
    person: int | None = at("person_id")
    name: str
    shared: bool = at("is_shared")
    group: str | None
    source: str
    paragraph: str
    day: date | None


Titles = answer_model("Titles", "Every title, the newest year first.", titles=list[TitleSeen])
TitleKept = answer_model("TitleKept", "The title that was entered or removed.", id=int)


class CupOpened(ApiAnswer):
    """The cup that was opened."""

    id: int
    edition: int
    name: str


class CupItem(CupOpened):
    """A cup in the list."""

    champions: list[TitleSeen]


Cups = answer_model("Cups", "All cups, the newest first.", cups=list[CupItem])


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
    points: Points
    withdrawn: bool
    goes_on: CupQualification | None
    paragraph: str | None


class CupGroupSeen(ApiAnswer):
    """A group of a round; `mean` is its mean strength as dealt (§ 6.6.1.2)."""

    id: int
    name: str
    mean: int | None
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


class CupSeen(CupOpened):
    """A cup with its rounds; the number of first-round `entries` decides the places in the DM."""

    leader: str
    entries: int
    rounds: list[CupRoundSeen]
    next: list[CupNext]
    champions: list[TitleSeen]


RoundDrawn = answer_model(
    "RoundDrawn", "The round that was drawn: the seed of the draw, and its groups.",
    stage=CupStage, seed=str, groups=list[GroupStarted],
)  # fmt: skip
TieSettled = answer_model("TieSettled", "The DM group whose title is shared.", group=int)


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


PlayerSwapped = answer_model("PlayerSwapped", "Who has the place now.", player=str)


class SwapBody(ApiBody):
    """Whose place, by the number in the group, goes to whom, and why (§ 6.6.1.3)."""

    number: Annotated[int, Field(ge=1, le=1000)]
    who: Annotated[str, Field(min_length=1, max_length=254)]
    """An address, or a name that only one person has."""
    reason: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class ThemeBody(ApiBody):
    """The theme position, the start day, and whether all meet twice (§ 1.1.22)."""

    fen: Annotated[str, Field(min_length=1, max_length=120)]
    start: date | None = None
    double: bool = False


_FIELDS = {CupFault.EDITION_TAKEN: "edition", TitleFault.TWICE: "edition"}
"""The field of a fault, where the two have different names."""


@area.refusal(CupFault, TitleFault)
def _fault(call: Call, fault: CupFault | TitleFault) -> ApiProblem:
    key = "fault" if isinstance(fault, CupFault) else "title_fault"
    said = load_words(call)(f"cup.{key}.{fault.value}")
    return bad_fields([(f"/{_FIELDS.get(fault, fault.value)}", "not_allowed")], said)


@area.refusal(CupRefusal, TieRefusal)
def _refused(call: Call, no: CupRefusal | TieRefusal) -> ApiProblem:
    """A draw or a settled tie that is refused, with the paragraph (§ 6.6.1, § 6.5.2)."""
    kind, key, places = ApiProblemKind.TIE_REFUSED, "cup.tie.problem", dict[str, object]()
    if isinstance(no, CupRefusal):
        kind, key = ApiProblemKind.CUP_REFUSED, "cup.problem"
        places = {"count": no.count, "who": no.who}
    why = load_words(call)(f"{key}.{no.problem.value}", paragraph=no.paragraph, **places)
    more: JsonObject = {"paragraph": no.paragraph, "code": no.problem.value}
    return ApiProblem(kind, more, values={"why": why})


area.refusal(EntryRefusal)(build_refusal_problem)


@area.get("/cups", "cups", Cups, is_open=True)
async def cups(call: Call) -> object:
    """All cups, the newest first."""
    return {"cups": [_item(one) for one in await views.cup_list(call.api.core)]}


def _item(one: CupLine) -> dict[str, object]:
    row = one.row
    return {"id": row.id, "edition": row.edition, "name": row.name, "champions": one.winners}


@area.get("/cups/{id}", "cup", CupSeen, is_open=True)
async def cup(call: Call) -> object:
    """A cup: rounds, groups, who goes on and why (§ 6.6)."""
    view = await views.cup_view(call.api.core, cup_id=call.path_id)
    facts, names = view.facts, view.names
    following = [
        {
            "stage": one.stage, "places": one.places, "lacking": one.lacking,
            "groups": one.groups, "final": one.final,
            "field": [
                _place(int(at.player), names[int(at.player)], at.way, at.group, at.place)
                for at in one.seats
            ],
        }
        for one in view.prospects
    ]  # fmt: skip
    return _item(CupLine(facts.row, view.winners)) | {
        "leader": view.leader.name,
        "entries": facts.entries,
        "rounds": [_round(view, one, index) for index, one in enumerate(facts.rounds)],
        "next": following,
    }


def _round(view: CupView, one: Round, index: int) -> dict[str, object]:
    going, draw = view.gone_on(index), one.draw
    field, declined = (
        [
            _place(at.person_id, at.player, CupQualification(at.way), at.from_group, at.from_place)
            for at in places
        ]
        for places in (one.places, one.declined)
    )
    return {
        "stage": draw.stage, "seed": draw.seed, "start": draw.start, "places": draw.places,
        "reason": draw.reason, "field": field, "declined": declined,
        "groups": [_group(group, going, view.names, one.mean_strengths) for group in one.groups],
    }  # fmt: skip


def _group(
    one: RoundGroup, going: Mapping[Key, Seat], names: Mapping[int, str], means: Mapping[str, int]
) -> dict[str, object]:
    rows = []
    for line in one.table.lines:
        person = one.people[line.player.number]
        seat = going.get((one.group.name, person))
        rows.append({
            "person": {"id": person, "name": names[person]}, "place": line.place,
            "points": line.points, "withdrawn": line.player.has_left,
            "goes_on": seat and seat.way, "paragraph": seat and seat.way.paragraph,
        })  # fmt: skip
    it = one.group
    return {"id": it.group_id, "name": it.name, "games": it.games, "finished": it.finished,
            "rows": rows, "mean": means.get(it.name)}  # fmt: skip


def _place(
    person: int, name: str, way: CupQualification, group: str | None, place: int | None
) -> dict[str, object]:
    return {"person": {"id": person, "name": name}, "way": way, "paragraph": way.paragraph,
            "from_group": group, "from_place": place}  # fmt: skip


@area.post("/cups", "cup_open", CupOpened, ApiProblemKind.NOT_ALLOWED, body=CupBody)
async def post_cup(call: Call, body: CupBody) -> object:
    """Open a cup on its waiting list (§ 6.1.2)."""
    asked = CupRequest(body.edition, body.list, body.semi_list)
    return await open_cup(*call.actor, asked)


@area.post(
    "/cups/{id}/rounds", "cup_draw", RoundDrawn, ApiProblemKind.NOT_ALLOWED,
    ApiProblemKind.CUP_REFUSED, body=RoundBody,
)  # fmt: skip
async def post_round(call: Call, body: RoundBody) -> object:
    """Draw a cup's next round (§ 6.6.1.1-6.6.1.6)."""
    choice = CupRoundRequest(**body.model_dump())
    return await draw_round(*call.action, choice)


@area.get("/titles", "titles", Titles, is_open=True)
async def all_titles(call: Call) -> object:
    """Who has borne which title."""
    found = await titles.all_titles(call.api.core)
    return {"titles": [row for rows in found.values() for row in rows]}


@area.post(
    "/titles", "title_enter", TitleKept, ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH,
    body=TitleBody,
)  # fmt: skip
async def enter_title(call: Call, body: TitleBody) -> object:
    """Enter a title from before the server."""
    asked = OldTitle(
        body.title, body.edition, body.source, body.person, body.name, is_shared=body.shared
    )
    done = await titles.enter_title(*call.actor, asked)
    return done if isinstance(done, TitleFault) else {"id": done}


@area.post("/titles/{id}/removal", "title_remove", TitleKept, ApiProblemKind.NOT_ALLOWED)
async def remove_title(call: Call, _: object) -> object:
    """Take an entered title away."""
    await titles.remove_title(*call.action)
    return {"id": call.path_id}


_TIE = (ApiProblemKind.NOT_ALLOWED, ApiProblemKind.TIE_REFUSED)


@area.post("/groups/{id}/playoff", "title_playoff", GroupStarted, *_TIE, body=PlayoffBody)
async def playoff(call: Call, body: PlayoffBody) -> object:
    """Start the play-off of a level DM (§ 6.5.2)."""
    return await start_playoff(*call.action, body.start)


@area.post(
    "/groups/{id}/swap", "group_swap", PlayerSwapped, ApiProblemKind.NOT_ALLOWED,
    ApiProblemKind.NO_SUCH, ApiProblemKind.HAS_BEGUN, body=SwapBody,
)  # fmt: skip
async def post_swap(call: Call, body: SwapBody) -> object:
    """Put another in a player's place before the first move (§ 6.6.1.3)."""
    return {"player": await swap_player(*call.action, SwapRequest(**body.model_dump()))}


@area.post("/groups/{id}/shared-title", "title_share", TieSettled, *_TIE, body=SharedBody)
async def post_shared_title(call: Call, body: SharedBody) -> object:
    """A level DM is shared by agreement (§ 6.5.2)."""
    no = await share_title(*call.action, body.reason)
    return {"group": call.path_id} if no is None else no


@area.post(
    "/entry-lists/{id}/theme-group", "theme_start", GroupStarted, ApiProblemKind.NOT_ALLOWED,
    ApiProblemKind.ENTRY_REFUSED, body=ThemeBody, hides=True,
)  # fmt: skip
async def theme(call: Call, body: ThemeBody) -> object:
    """Start a theme tournament's group (§ 1.1.22)."""
    asked = Theme(body.fen, body.start, body.double)
    return await start_theme(*call.action, asked)


CUPS = tuple(area.calls)
