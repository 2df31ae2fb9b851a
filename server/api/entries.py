"""Entries in the API: classes and lists, entering, officials' actions, past results (§ 6.4.4).

The same use cases as the pages. What a caller may not see looks as if it did not exist.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from kskak.entries.entry import EntryRefusal
from kskak.ledger.ledger_files import JsonObject
from kskak.regulation.editions import Regulation
from mail.office_letters.entry_letters import refusal_lines
from server.api.cases.case_models import PersonName
from server.api.frame.area import Area, at
from server.api.frame.endpoints import Call, Parameter
from server.api.frame.game_models import (
    LONGEST_TEXT,
    ApiAnswer,
    ApiBody,
    Line,
    answer_model,
    bad_fields,
)
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.store.account.sign_in import TokenScope
from server.store.entries import PastResult
from server.usecases.entries import entry_actions, player_entering
from server.usecases.entries import entry_judging as judging
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import (
    EntryListRequest,
    EntryRequest,
    ListFault,
    ResultFault,
    change_list,
    enter,
    open_list,
)
from server.usecases.rights import rights

Id = Annotated[int, Field(ge=1, le=2**53)]
Rating = Annotated[int, Field(ge=0, le=4000)]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
State = Literal["waiting", "valid", "placed", "withdrawn", "refused"]
area = Area(scope=TokenScope.LEAD)
own = area.opened_by(TokenScope.PLAY)


# Request and response models for entries: the schemas in openapi.json (§ 6.4.4).


class ByRule(ApiAnswer):
    """A rule that opens a class, the results it is based on, and its last day."""

    paragraph: str
    until: date | None
    results: list[int]


class AgainstRule(ApiAnswer):
    """A rule that closes a class, and the results it is based on."""

    paragraph: str
    results: list[int]


class ClassOpen(ApiAnswer):
    """Whether a class of the championship is open to a player (§ 6.5.3.2)."""

    allowed: bool = at("is_allowed")
    by: list[ByRule]
    against: list[AgainstRule]


class RecordLine(ApiAnswer):
    """A participation, scored in half points; `id` for a past result, `group` if played here."""

    number: int = at("result", "number")
    name: str
    event: Annotated[str, BeforeValidator(lambda one: getattr(one, "stage", one))] = at(
        "result", "event"
    )
    finished: date | None = at("result", "finished")
    halves: Annotated[int, BeforeValidator(lambda points: int(2 * points))] = at(
        "result", "score", "points"
    )
    games: int = at("result", "score", "games")
    unfinished: int = at("result", "score", "unfinished")
    place: int | None = at("result", "score", "place")
    source: str
    group: str | None
    id: int | None = at("past_id")


class Classes(ApiAnswer):
    """Which classes a player may enter, and why."""

    on: date
    person: PersonName
    classes: dict[Literal["DM", "M", "K", "Å"], ClassOpen] = at("answers")
    record: list[RecordLine]


class ListSeen(ApiAnswer):
    """A waiting list; `fee` in øre; `wanted` valid entries start a group; if 0, the leader does."""

    id: int = at("row", "id")
    name: str = at("row", "name")
    event: str = at("row", "event")
    wish: str = at("row", "wish")
    tournament: str = at("row", "tournament")
    regulation: str = at("row", "regulation")
    leader: PersonName
    fee: int | None = at("row", "fee")
    how_to_pay: str = at("row", "how_to_pay")
    open: bool = at("row", "is_open")
    valid: int
    waiting: int
    wanted: int


Lists = answer_model("Lists", "The waiting lists.", lists=list[ListSeen])
ListMade = answer_model(
    "ListMade", "A list as it stands after the call.", id=int, name=str, open=(bool, at("is_open"))
)


class EntrySeen(ApiAnswer):
    """An entry; `place` is its position among the `valid` ones on the list, 0 if none."""

    id: int = at("row", "id")
    list_id: int = at("row", "list_id")
    list_name: str = at("row", "list_name")
    person: PersonName = at("row")
    state: State = at("row", "state")
    entered: date = at("row", "entered_day")
    fee: date | None = at("row", "fee_day")
    faults: list[str]
    waits: list[str]
    place: int
    valid: int
    wanted: int
    paragraph: str | None = at("row", "paragraph")
    reason: str | None = at("row", "reason")
    group: str | None = at("row", "group")


Entries = answer_model(
    "Entries", "The caller's own entries, or those of the desk.", entries=list[EntrySeen]
)
EntryMade = answer_model(
    "EntryMade", "An entry as it stands after the call.", id=int, state=State, group=str | None
)


class GroupStarted(ApiAnswer):
    """The group that a list started; `seed` is the seed of the draw (§ 6.5.2.1)."""

    id: int
    name: str
    seed: str | None
    players: list[str]
    games: int


ResultKept = answer_model("ResultKept", "The number of a past result.", id=int)


class EnterBody(ApiBody):
    """An entry to a list; only an official of the list may set `person` and `fee` (§ 6.4.4.1)."""

    list: Id
    person: Id | None = None
    member: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    club: Line | None = None
    born: date | None = None
    otb_rating: Rating | None = None
    k_rating: Rating | None = None
    proof: str = Field("", max_length=LONGEST_TEXT, description="What gives access to the class")
    asks: bool = Field(False, description="Let the leader decide if no rule opens the class")
    second: bool = Field(False, description="One more group, though he stands on the list")
    fee: date | None = Field(None, description="The day the leader received the fee")
    address: str = Field("", max_length=300, description="Postal; for a list played by post")


class FeeBody(ApiBody):
    """The day on which the leader received the fee (§ 6.4.4.1)."""

    on: date


class NumberBody(ApiBody):
    """The player's membership number, confirmed by an official of the list (§ 6.4.4.1)."""

    member: Annotated[str, Field(min_length=1, max_length=40)]


class DiscretionBody(ApiBody):
    """Why the player is let in by discretion (§ 6.5.3.2 e, § 6.5.2.2 f; a non-member: § 6.1)."""

    reason: Text


class RefusalBody(ApiBody):
    """Why the entry is refused, with the paragraph; the player is told both."""

    paragraph: Annotated[str, Field(min_length=1, max_length=20)]
    reason: Text


class ListBody(ApiBody):
    """A waiting list to open; `fee` in øre, `leader` an e-mail address (§ 6.1.2)."""

    name: Line
    event: Literal["emt", "cup", "league", "theme"]
    wish: Annotated[str, Field(min_length=1, max_length=12)]
    tournament: Line
    regulation: Literal["email", "postal"]
    prefix: Annotated[str, Field(min_length=1, max_length=40)]
    leader: Line
    fee: Annotated[int, Field(ge=0, le=10_000_000)] | None = None
    how_to_pay: str = Field("", max_length=500, description="Where the fee is paid; public")


class ListChangeBody(ApiBody):
    """Close a list, reopen it, change its leader, or say how its fee is paid (§ 6.1.1)."""

    open: bool | None = None
    leader: Line | None = None
    how_to_pay: Annotated[str, Field(max_length=500)] | None = None


class ResultBody(ApiBody):
    """A player's past result; without `finished` it is still being played elsewhere (§ 6.5.3.2)."""

    event: Literal["emt", "cup", "iccf"]
    wish: Annotated[str, Field(min_length=1, max_length=16)]
    name: Line
    finished: date | None = None
    halves: Annotated[int, Field(ge=0, le=2000, description="Half points")]
    games: Annotated[int, Field(ge=1, le=1000)]
    unfinished: Annotated[int, Field(ge=0, le=1000)] = 0
    place: Annotated[int, Field(ge=1, le=1000)] | None = None
    entries: Annotated[int, Field(ge=0, le=100_000)] = 0
    semi_held: bool = True
    source: Annotated[str, Field(min_length=1, max_length=1000)]


class RemovalBody(ApiBody):
    """Which result is wrong."""

    result: Id


# Classes and lists, entering, and officials' actions on entries (§ 6.4.4).


@area.refusal(EntryRefusal)
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


@area.get("/classes", "classes", Classes, hides=True)
async def own_classes(call: Call) -> object:
    """Which classes you may enter, and why."""
    person = call.signed_in.person
    return await judging.classes_view(call.api.core, person, person.id)


@area.get("/people/{id}/classes", "classes_of", Classes, hides=True)
async def classes_of(call: Call) -> object:
    """Which classes a player may enter, and why (§ 6.5.3.2)."""
    return await judging.classes_view(*call.action)


@area.get("/entry-lists", "entry_lists", Lists)
async def lists(call: Call) -> object:
    """The open lists."""
    return {"lists": await judging.lists_view(call.api.core)}


_DESK = Parameter("desk", "string", "`1`: those on your lists", allowed=("0", "1"))


@area.get("/tournament-entries", "entries", Entries, query=(_DESK,))
async def entries(call: Call) -> object:
    """Your entries, or those on your lists."""
    asked = call.request.query.get("desk", "0")
    if asked not in _DESK.allowed:
        raise bad_fields([("desk", "not_allowed")])
    core, person = call.api.core, call.signed_in.person
    if asked == "0":
        return {"entries": await judging.entries_of(core, person.id)}
    desk = await judging.entry_desk(core, await rights(core, person))
    return {"entries": (*desk.waiting, *desk.valid)}


_ACTION = (ApiProblemKind.NOT_ALLOWED, ApiProblemKind.ENTRY_REFUSED)


@own.post(
    "/tournament-entries", "enter", EntryMade, *_ACTION, ApiProblemKind.NO_SUCH, body=EnterBody
)
async def enter_player(call: Call, body: EnterBody) -> object:
    """Enter a tournament (§ 6.4.4.1)."""
    stated = EntryStatement(
        body.member, body.club, body.born, body.otb_rating, body.k_rating, body.proof.strip()
    )
    asked = EntryRequest(
        body.list, stated, body.person, asks=body.asks, is_second=body.second, fee=body.fee,
        address=body.address,
    )  # fmt: skip
    return await enter(*call.actor, asked)


@area.post(
    "/tournament-entries/{id}/fee", "entry_fee", EntryMade, *_ACTION, body=FeeBody, hides=True
)
async def note_fee(call: Call, body: FeeBody) -> object:
    """The leader has the fee (§ 6.4.4.1)."""
    return await entry_actions.record_fee(*call.action, body.on)


@area.post("/tournament-entries/{id}/proof", "entry_proof", EntryMade, *_ACTION, hides=True)
async def note_proof(call: Call, _: object) -> object:
    """The proof has been seen (§ 6.5.3.2 b-d)."""
    return await entry_actions.see_proof(*call.action)


@area.post(
    "/tournament-entries/{id}/number", "entry_number", EntryMade, *_ACTION, body=NumberBody,
    hides=True,
)  # fmt: skip
async def confirm_number(call: Call, body: NumberBody) -> object:
    """The membership number is confirmed (§ 6.4.4.1)."""
    return await entry_actions.confirm_number(*call.action, body.member)


@area.post(
    "/tournament-entries/{id}/discretion", "entry_discretion", EntryMade, *_ACTION,
    body=DiscretionBody, hides=True,
)  # fmt: skip
async def let_in(call: Call, body: DiscretionBody) -> object:
    """Give access by discretion (§ 6.5.3.2 e); a non-member's again, by the controller (§ 6.1)."""
    return await entry_actions.let_in(*call.action, body.reason)


@area.post(
    "/tournament-entries/{id}/refusal", "entry_refuse", EntryMade, *_ACTION, body=RefusalBody,
    hides=True,
)  # fmt: skip
async def refuse(call: Call, body: RefusalBody) -> object:
    """Refuse an entry (§ 6.4.4)."""
    return await entry_actions.refuse(*call.action, body.paragraph, body.reason)


@own.post("/tournament-entries/{id}/withdrawal", "entry_withdraw", EntryMade, *_ACTION, hides=True)
async def withdraw(call: Call, _: object) -> object:
    """Take an entry back."""
    return await entry_actions.withdraw(*call.action)


# Waiting lists and past results, for controller and leaders (§ 6.1.1, § 6.5.3.2).

_FIELDS = {
    ListFault.NAME_TAKEN: "name",
    ListFault.PREFIX_TAKEN: "prefix",
    ListFault.NO_PAY: "how_to_pay",
    ResultFault.EVENT: "wish",
    ResultFault.SCORE: "halves",
    ResultFault.TWICE: "name",
}
"""The field of a fault, where the two have different names."""


@area.refusal(ListFault, ResultFault)
def _fault(call: Call, fault: ListFault | ResultFault) -> ApiProblem:
    return bad_fields([(f"/{_FIELDS.get(fault, fault.value)}", "not_allowed")])


@area.post("/entry-lists", "entry_list_open", ListMade, ApiProblemKind.NOT_ALLOWED, body=ListBody)
async def post_list(call: Call, body: ListBody) -> object:
    """Open a list (§ 6.1.2)."""
    fields = body.model_dump() | {"regulation": Regulation(body.regulation)}
    return await open_list(*call.actor, EntryListRequest(**fields))


@area.post(
    "/entry-lists/{id}", "entry_list_change", ListMade, ApiProblemKind.NOT_ALLOWED,
    body=ListChangeBody, is_needed=True, hides=True,
)  # fmt: skip
async def post_list_change(call: Call, body: ListChangeBody) -> object:
    """Close a list, open it, change its leader (§ 6.1.1)."""
    return await change_list(
        *call.action, is_open=body.open,
        leader=body.leader or "", how_to_pay=body.how_to_pay,
    )  # fmt: skip


@area.post("/entry-lists/{id}/start", "entry_list_start", GroupStarted, *_ACTION, hides=True)
async def start_next_group(call: Call, _: object) -> object:
    """Start the list's next group (§ 6.5.1.1)."""
    return await entry_actions.start_by_leader(*call.action)


@area.post(
    "/people/{id}/results", "result_add", ResultKept, ApiProblemKind.NOT_ALLOWED,
    body=ResultBody, hides=True,
)  # fmt: skip
async def add_result(call: Call, body: ResultBody) -> object:
    """Enter a past result (§ 6.5.3.2)."""
    entered = PastResult(**body.model_dump())
    done = await player_entering.add_result(*call.action, entered)
    return done if isinstance(done, ResultFault) else {"id": done}


@area.post(
    "/people/{id}/results/removal", "result_remove", ResultKept, ApiProblemKind.NOT_ALLOWED,
    body=RemovalBody, hides=True,
)  # fmt: skip
async def remove_result(call: Call, body: RemovalBody) -> object:
    """Take a wrong result away."""
    await player_entering.remove_result(*call.action, body.result)
    return {"id": body.result}


ENTRIES = tuple(area.calls)
