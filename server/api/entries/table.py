"""The endpoints of entries, lists and past results; part of site/table.py (§ 6.4.4, § 6.5.3.2)."""

from server.api.entries import calls
from server.api.entries import desk_calls as entry_desk
from server.api.entries import models as answers
from server.api.entries import models as bodies
from server.api.frame.body import NothingBody
from server.api.frame.endpoints import Endpoint, Parameter
from server.api.frame.problems import Kind

PREFIX = "/api/v1"
_ENTRY = f"{PREFIX}/tournament-entries/{{id}}"
_LIST = f"{PREFIX}/entry-lists"
_PERSON = f"{PREFIX}/people/{{id}}"
_DESK = Parameter("desk", "string", "`1`: those on your lists", allowed=("0", "1"))
_DEED = (Kind.NOT_ALLOWED, Kind.ENTRY_REFUSED)

ENTRIES: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/classes", "classes", calls.own_classes,
        "Which classes you may enter, and why", answers.Classes, hides=True,
    ),
    Endpoint(
        "GET", f"{_PERSON}/classes", "classes_of", calls.classes_of,
        "Which classes a player may enter, and why", answers.Classes,
    ),
    Endpoint("GET", _LIST, "entry_lists", calls.lists, "The open lists", answers.Lists),
    Endpoint(
        "GET", f"{PREFIX}/tournament-entries", "entries", calls.entries,
        "Your entries, or those on your lists", answers.Entries, query=(_DESK,),
    ),
    Endpoint(
        "POST", f"{PREFIX}/tournament-entries", "enter", calls.entered, "Enter a tournament",
        answers.EntryMade, body=bodies.EnterBody, problems=(*_DEED, Kind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{_ENTRY}/fee", "entry_fee", calls.paid, "The leader has the fee",
        answers.EntryMade, body=bodies.FeeBody, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/proof", "entry_proof", calls.proved, "The proof has been seen",
        answers.EntryMade, body=NothingBody, is_body_optional=True, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/number", "entry_number", calls.numbered,
        "The membership number is confirmed", answers.EntryMade, body=bodies.NumberBody,
        problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/discretion", "entry_discretion", calls.let_in,
        "Give access by discretion", answers.EntryMade, body=bodies.DiscretionBody,
        problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/refusal", "entry_refuse", calls.turned_down, "Refuse an entry",
        answers.EntryMade, body=bodies.RefusalBody, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/withdrawal", "entry_withdraw", calls.withdrawn,
        "Take an entry back", answers.EntryMade, body=NothingBody, is_body_optional=True,
        problems=_DEED,
    ),
    Endpoint(
        "POST", _LIST, "entry_list_open", entry_desk.opened, "Open a list", answers.ListMade,
        body=bodies.ListBody, problems=(Kind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_LIST}/{{id}}", "entry_list_change", entry_desk.changed,
        "Close a list, open it, change its leader", answers.ListMade,
        body=bodies.ListChangeBody, problems=(Kind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_LIST}/{{id}}/start", "entry_list_start", entry_desk.started,
        "Start the list's next group", answers.GroupStarted, body=NothingBody,
        is_body_optional=True, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_PERSON}/results", "result_add", entry_desk.result, "Enter a past result",
        answers.ResultKept, body=bodies.ResultBody, problems=(Kind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_PERSON}/results/removal", "result_remove", entry_desk.removed,
        "Take a wrong result away", answers.ResultKept, body=bodies.RemovalBody,
        problems=(Kind.NOT_ALLOWED,),
    ),
)  # fmt: skip
