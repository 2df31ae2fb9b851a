"""Members, clubs and ratings in the API: lookup, changes, import and export (§ 6.1, § 6.4.4).

The same use cases as the desk's pages and the command line. Not for entries.
"""

import json
from dataclasses import asdict
from datetime import date
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import BeforeValidator, Field, create_model

from server.api.frame.area import Area, at
from server.api.frame.endpoints import Call, Parameter
from server.api.frame.game_models import HEADERS, ApiAnswer, ApiBody, answer_model, bad_fields
from server.api.frame.problems import ApiProblemKind
from server.api.frame.serving import load_words
from server.store.account.sign_in import TokenScope
from server.store.engine.rows import from_us
from server.store.members import MemberKind, MemberRow
from server.usecases.register import register_desk
from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.member_facts import FACTS, has_mail
from server.usecases.register.member_import import RATINGS, MemberEditRequest, edit_member
from server.usecases.register.register_desk import (
    club_list,
    export,
    import_file,
    member_list,
    member_view,
)
from server.usecases.rights import require_register_rights

# Request and response models for members, clubs and ratings.


class Rating(ApiAnswer):
    """A rating on a day; the latest of its kind is in force."""

    kind: Literal["k", "otb"]
    on: date = at("on_day")
    value: int
    provisional: bool = at("is_provisional")
    source: str


class MemberLine(ApiAnswer):
    """A member in the list; `email` and `birth` only for those who may see them."""

    id: int
    number: str | None
    name: str
    kind: MemberKind | None
    club: str | None
    district: str | None
    rating: int | None
    k_rating: int | None
    email: str | None
    birth: date | None


MemberList = answer_model(
    "MemberList", "A page of matching members; `count` is the total.",
    count=int, page=int, members=list[MemberLine],
)  # fmt: skip


class MemberChange(ApiAnswer):
    """What was changed, by whom (null for the operator) and why."""

    at: Annotated[str, BeforeValidator(lambda us: from_us(us).isoformat())] = Field(
        validation_alias="at_us"
    )
    by: str | None
    reason: str
    fields: Annotated[list[list[str | None]], BeforeValidator(json.loads)]


class MemberDetail(MemberLine):
    """One member, with the fields that the caller may see."""

    citizen: bool | None
    since: date | None
    until: date | None
    arrears: date | None
    lang: str
    ratings: list[Rating]
    changes: list[MemberChange]


class MemberSaved(ApiAnswer):
    """Whether a change was written; if not, `refused` says why and what to write instead.

    Or `moves` names the groups that a rating would affect (§ 4.5.4.1); resend it with `seen`.
    """

    done: bool
    id: int | None
    changes: list[list[str | None]]
    refused: list[str]
    moves: list[str]


class ImportedLine(ApiAnswer):
    """A line that changes something, is unusable, or has a note."""

    line: int
    name: str
    fate: Literal["added", "changed", "unchanged", "refused"]
    changes: list[list[str | None]]
    refused: list[str]
    notes: list[str]


class RegisterImported(ApiAnswer):
    """What an import did or would do; `done` is false when nothing was written."""

    format: Literal["kskak-import/1"]
    what: Literal["members", "clubs", "ratings"]
    done: bool
    fault: str | None
    counts: dict[str, int]
    unused: list[str]
    lines: list[ImportedLine]


class Club(ApiAnswer):
    """A club; `members` is the number of its members."""

    id: int
    number: str | None
    name: str
    district: str | None
    members: int


ClubList = answer_model("ClubList", "The clubs by name.", clubs=list[Club])


MOST_FILE = 4 * 1024 * 1024
"""Bytes of a call with a file in it: about 30 000 members."""
Cell = Annotated[str, Field(max_length=300)]


class RegisterFileBody(ApiBody):
    """A CSV file as text, and how it is to be imported."""

    csv: str = Field(min_length=1, max_length=MOST_FILE)
    dry_run: bool = Field(False, description="Say what would change, change nothing")
    skip_bad: bool = Field(False, description="Leave out lines that can't be used")
    take_emails: bool = Field(False, description="Change addresses that players use themselves")


class _MemberBody(ApiBody):
    """A member's fields as text; `""` clears a field, omitted fields are unchanged."""

    reason: Annotated[str, Field(min_length=1, max_length=300)]
    take_email: bool = Field(False, description="Change an address that the player uses himself")
    ends_access: bool = Field(
        False,
        description="A changed address ends sessions, tokens and passkeys; an official's always",
    )
    seen: bool = Field(False, description="Though a rating moves groups, named in `moves`")

    def cells(self) -> dict[str, str]:
        """The fields that were given."""
        given = {name: getattr(self, name) for name in (*FACTS, *RATINGS)}
        return {name: value for name, value in given.items() if value is not None}


_CELLS: dict[str, Any] = dict.fromkeys((*FACTS, *RATINGS), (Cell | None, None))
MemberBody = create_model("MemberBody", __base__=_MemberBody, __doc__=_MemberBody.__doc__, **_CELLS)


# The calls.

CSV = "text/csv"
_CHANNEL = "api"
_LONGEST = 100
_MOST_PAGES = 100_000
_RIGHT = ApiProblemKind.NOT_ALLOWED
_SEARCH_PARAMETER = Parameter("q", "string", "Words of the name or the club, or the number")
_PAGE = Parameter("page", "integer", "From 1 on, 50 members each")
area = Area(scope=TokenScope.LEAD)


def _member(row: MemberRow, *, sees_contact: bool) -> dict[str, object]:
    """A member without what the caller may not see."""
    is_shown = sees_contact and has_mail(row.email)
    return asdict(row) | {
        "email": row.email if is_shown else None,
        "birth": row.birth if sees_contact else None,
    }


@area.get("/members", "members", MemberList, _RIGHT, query=(_SEARCH_PARAMETER, _PAGE))
async def search_members(call: Call) -> object:
    """Look members up."""
    text, page = call.request.query.get("q", ""), call.request.query.get("page", "1")
    if not (page.isascii() and page.isdigit() and 0 < int(page[:9]) <= _MOST_PAGES):
        raise bad_fields([("page", "not_allowed")])
    if len(text) > _LONGEST:
        raise bad_fields([("q", "string_too_long")])
    found = await member_list(call.api.core, call.signed_in.person, text, int(page))
    rows = [_member(row, sees_contact=row.id in found.contact) for row in found.rows]
    return {"count": found.count, "page": found.page, "members": rows}


async def _edit(call: Call, body: _MemberBody, person_id: int | None) -> object:
    ticks = (body.take_email, body.seen, body.ends_access)
    edit = MemberEditRequest(person_id, body.cells(), body.reason, _CHANNEL, *ticks)
    done, words = await edit_member(call.api.core, call.signed_in.person, edit), load_words(call)
    return {
        "done": done.person_id is not None,
        "id": done.person_id,
        "changes": [[c.field, c.before, c.after] for c in done.line.changes],
        "refused": [register_desk.write_problem(problem, words) for problem in done.line.problems],
        "moves": [one.group for one in done.moves],
    }


@area.post("/members", "member_add", MemberSaved, _RIGHT, body=MemberBody)
async def add_member(call: Call, body: _MemberBody) -> object:
    """Add a member."""
    return await _edit(call, body, None)


@area.get("/members/{id}", "member", MemberDetail, _RIGHT, ApiProblemKind.NO_SUCH)
async def get_member(call: Call) -> object:
    """One member, or your own data."""
    view = await member_view(call.api.core, call.signed_in.person, call.path_id)
    member = _member(view.row, sees_contact=view.sees_contact)
    return member | {"ratings": view.ratings, "changes": view.changes}


@area.post(
    "/members/{id}", "member_change", MemberSaved, _RIGHT, ApiProblemKind.NO_SUCH, body=MemberBody
)
async def change_member(call: Call, body: _MemberBody) -> object:
    """Change a member, with a reason."""
    return await _edit(call, body, call.path_id)


@area.get("/clubs", "clubs", ClubList, _RIGHT)
async def clubs(call: Call) -> object:
    """The clubs."""
    found = await club_list(call.api.core, call.signed_in.person)
    return {"clubs": [asdict(club) | {"members": members} for club, members in found]}


def _declare_files(what: RegisterKind) -> None:
    """The two calls of a register's file."""

    async def imported(call: Call, body: RegisterFileBody) -> object:
        person = call.signed_in.person
        held = await require_register_rights(call.api.core, person)
        editor = RegisterEditor(person.id, _CHANNEL, "import", held.is_admin)
        rules = Rules(body.dry_run, body.skip_bad, body.take_emails)
        report = await import_file(call.api.core, what, body.csv.encode(), editor, rules)
        return register_desk.document(report, load_words(call))

    async def exported(call: Call) -> object:
        await require_register_rights(call.api.core, call.signed_in.person)
        raw = await export(call.api.core, what)
        return web.Response(body=raw, content_type=CSV, charset="utf-8", headers=HEADERS)

    imported.__doc__ = f"Import {what.value} from CSV, all or nothing."
    exported.__doc__ = f"All {what.value} as CSV."
    area.post(
        f"/{what.value}/import", f"{what.value}_import", RegisterImported, _RIGHT,
        body=RegisterFileBody, most=MOST_FILE,
    )(imported)  # fmt: skip
    area.get(f"/{what.value}/export", f"{what.value}_export", CSV, _RIGHT)(exported)


for _kind in RegisterKind:
    _declare_files(_kind)
REGISTER = tuple(area.calls)
