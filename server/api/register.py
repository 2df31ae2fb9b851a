"""Members, clubs and ratings in the API: lookup, changes, import and export (§ 6.1, § 6.4.4).

The same use cases as the desk's pages and the command line. Not for entries.
"""

import json
from datetime import date
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from kskak.ledger.ledger_files import JsonObject
from server.api.frame.endpoints import Call, Endpoint, Handler, Parameter
from server.api.frame.game_models import (
    HEADERS,
    ApiAnswer,
    ApiBody,
    bad_fields,
    json_response,
    parse,
)
from server.api.frame.problems import ApiProblemKind
from server.api.frame.serving import call_use_case, load_words, respond_once
from server.store.engine.rows import from_us
from server.store.members import MemberChangeRow, MemberRow, RatingRow
from server.usecases.register import register_import
from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.member_editing import MemberEditRequest, edit_member
from server.usecases.register.member_facts import has_mail
from server.usecases.register.register_import import import_file
from server.usecases.register.register_views import (
    MemberView,
    club_list,
    export,
    member_list,
    member_view,
    require_change_rights,
)

# Request and response models for members, clubs and ratings.


class Rating(ApiAnswer):
    """A rating on a day; the latest of its kind is in force."""

    kind: Literal["k", "otb"]
    on: date
    value: int
    provisional: bool
    source: str


class MemberLine(ApiAnswer):
    """A member in the list; `email` and `birth` only for those who may see them."""

    id: int
    number: str | None
    name: str
    kind: Literal["club", "individual", "none"] | None
    club: str | None
    district: str | None
    rating: int | None
    k_rating: int | None
    email: str | None
    birth: date | None


class MemberList(ApiAnswer):
    """A page of matching members; `count` is the total."""

    count: int
    page: int
    members: list[MemberLine]


class MemberChange(ApiAnswer):
    """What was changed, by whom (null for the operator) and why."""

    at: str
    by: str | None
    reason: str
    fields: list[list[str | None]]


class MemberDetail(MemberLine):
    """One member, with the fields that the caller may see."""

    citizen: bool | None
    since: date | None
    until: date | None
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


class ClubList(ApiAnswer):
    """The clubs by name."""

    clubs: list[Club]


MOST_FILE = 4 * 1024 * 1024
"""Bytes of a call with a file in it: about 30 000 members."""
Cell = Annotated[str, Field(max_length=300)]


class RegisterFileBody(ApiBody):
    """A CSV file as text, and how it is to be imported."""

    csv: str = Field(min_length=1, max_length=MOST_FILE)
    dry_run: bool = Field(False, description="Say what would change, change nothing")
    skip_bad: bool = Field(False, description="Leave out lines that can't be used")
    take_emails: bool = Field(False, description="Change addresses that players use themselves")


class MemberBody(ApiBody):
    """A member's fields as text; `""` clears a field, omitted fields are unchanged."""

    reason: Annotated[str, Field(min_length=1, max_length=300)]
    take_email: bool = Field(False, description="Change an address that the player uses himself")
    ends_access: bool = Field(
        False,
        description="A changed address ends sessions, tokens and passkeys; an official's always",
    )
    seen: bool = Field(False, description="Though a rating moves groups, named in `moves`")
    number: Cell | None = None
    name: Cell | None = None
    email: Cell | None = None
    birth: Cell | None = None
    kind: Cell | None = None
    club: Cell | None = None
    district: Cell | None = None
    citizen: Cell | None = None
    since: Cell | None = None
    until: Cell | None = None
    lang: Cell | None = None
    k_rating: Cell | None = None
    k_status: Cell | None = None
    k_date: Cell | None = None
    k_source: Cell | None = None
    rating: Cell | None = None
    rating_date: Cell | None = None
    rating_source: Cell | None = None

    def cells(self) -> dict[str, str]:
        """The fields that were given."""
        given = self.model_dump(
            exclude={"reason", "take_email", "seen", "ends_access"}, exclude_none=True
        )
        return {name: str(value) for name, value in given.items()}


# Members, clubs and ratings in the API: lookup, changes, import and export (§ 6.1, § 6.4.4).

CSV = "text/csv"
_CHANNEL = "api"
_LONGEST = 100
_MOST_PAGES = 100_000


def _member(row: MemberRow, *, sees_contact: bool) -> JsonObject:
    return {
        "id": row.id,
        "number": row.number,
        "name": row.name,
        "kind": row.kind,
        "club": row.club,
        "district": row.district,
        "rating": row.rating,
        "k_rating": row.k_rating,
        "email": row.email if sees_contact and has_mail(row.email) else None,
        "birth": row.birth if sees_contact else None,
    }


def _rating(row: RatingRow) -> JsonObject:
    return {
        "kind": row.kind,
        "on": row.on_day,
        "value": row.value,
        "provisional": row.is_provisional,
        "source": row.source,
    }


def _change(row: MemberChangeRow) -> JsonObject:
    return {
        "at": from_us(row.at_us).isoformat(),
        "by": row.by,
        "reason": row.reason,
        "fields": json.loads(row.fields),
    }


def _detail(view: MemberView) -> JsonObject:
    row = view.row
    return _member(row, sees_contact=view.sees_contact) | {
        "citizen": row.citizen,
        "since": row.since,
        "until": row.until,
        "lang": row.lang,
        "ratings": [_rating(one) for one in view.ratings],
        "changes": [_change(one) for one in view.changes],
    }


async def search_members(call: Call) -> web.Response:
    """GET /members: those whose name, club or number matches ``q``."""
    text, page = call.request.query.get("q", ""), call.request.query.get("page", "1")
    if not (page.isascii() and page.isdigit() and 0 < int(page[:9]) <= _MOST_PAGES):
        raise bad_fields([("page", "not_allowed")])
    if len(text) > _LONGEST:
        raise bad_fields([("q", "string_too_long")])

    async def look() -> JsonObject:
        found = await member_list(call.api.core, call.signed_in.person, text, int(page))
        rows = [_member(row, sees_contact=row.id in found.contact) for row in found.rows]
        return {"count": found.count, "page": found.page, "members": list(rows)}

    return json_response(await call_use_case(look))


async def get_member(call: Call) -> web.Response:
    """GET /members/{id}: any member for officials, otherwise one's own data."""

    async def look() -> JsonObject:
        return _detail(await member_view(call.api.core, call.signed_in.person, call.path_id))

    return json_response(await call_use_case(look))


async def _respond_with_member(call: Call, person_id: int | None) -> web.Response:
    (raw, body), words = await call.parsed(MemberBody), load_words(call)
    ticks = (body.take_email, body.seen, body.ends_access)
    edit = MemberEditRequest(person_id, body.cells(), body.reason, _CHANNEL, *ticks)

    async def do() -> JsonObject:
        done = await edit_member(call.api.core, call.signed_in.person, edit)
        return {
            "done": done.person_id is not None,
            "id": done.person_id,
            "changes": [[c.field, c.before, c.after] for c in done.line.changes],
            "refused": [register_import.write_problem(slip, words) for slip in done.line.slips],
            "moves": [one.group for one in done.moves],
        }

    return await respond_once(call, raw, do)


async def changed(call: Call) -> web.Response:
    """POST /members/{id}: change a member, with a reason."""
    return await _respond_with_member(call, call.path_id)


async def added(call: Call) -> web.Response:
    """POST /members: a new member, with a reason."""
    return await _respond_with_member(call, None)


def importing(what: RegisterKind) -> Handler:
    """POST /members/import and the like: import a file."""

    async def imported(call: Call) -> web.Response:
        raw = await call.body(MOST_FILE)
        body, words = parse(RegisterFileBody, raw), load_words(call)
        person = call.signed_in.person
        rules = Rules(body.dry_run, body.skip_bad, body.take_emails)

        async def do() -> JsonObject:
            held = await require_change_rights(call.api.core, person)
            doer = RegisterEditor(person.id, _CHANNEL, "import", held.is_admin)
            report = await import_file(call.api.core, what, body.csv.encode(), doer, rules)
            return register_import.document(report, words)

        return await respond_once(call, raw, do)

    return imported


def exporting(what: RegisterKind) -> Handler:
    """GET /members/export and the like: the whole register as CSV."""

    async def exported(call: Call) -> web.Response:
        async def look() -> JsonObject:
            await require_change_rights(call.api.core, call.signed_in.person)
            return {}

        await call_use_case(look)
        raw = await export(call.api.core, what)
        return web.Response(body=raw, content_type=CSV, charset="utf-8", headers=HEADERS)

    return exported


async def clubs(call: Call) -> web.Response:
    """GET /clubs: the clubs with their member counts."""

    async def look() -> JsonObject:
        found = await club_list(call.api.core, call.signed_in.person)
        return {
            "clubs": [
                {
                    "id": line.club.id,
                    "number": line.club.number,
                    "name": line.club.name,
                    "district": line.club.district,
                    "members": line.members,
                }
                for line in found
            ]
        }

    return json_response(await call_use_case(look))


PREFIX = "/api/v1"
_RIGHT = (ApiProblemKind.NOT_ALLOWED,)
_SEARCH_PARAMETER = Parameter("q", "string", "Words of the name or the club, or the number")
_PAGE = Parameter("page", "integer", "From 1 on, 50 members each")
_MEMBER = f"{PREFIX}/members/{{id}}"


def _files(what: RegisterKind) -> tuple[Endpoint, Endpoint]:
    path, name = f"{PREFIX}/{what.value}", what.value
    return (
        Endpoint(
            "POST", f"{path}/import", f"{name}_import", importing(what),
            f"Import {name} from CSV, all or nothing", RegisterImported,
            body=RegisterFileBody, problems=_RIGHT,
        ),
        Endpoint(
            "GET", f"{path}/export", f"{name}_export", exporting(what),
            f"All {name} as CSV", CSV, problems=_RIGHT,
        ),
    )  # fmt: skip


REGISTER: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/members", "members", search_members, "Look members up",
        MemberList, query=(_SEARCH_PARAMETER, _PAGE), problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/members", "member_add", added, "Add a member",
        MemberSaved, body=MemberBody, problems=_RIGHT,
    ),
    Endpoint(
        "GET", _MEMBER, "member", get_member, "One member, or your own data",
        MemberDetail, problems=(*_RIGHT, ApiProblemKind.NO_SUCH),
    ),
    Endpoint(
        "POST", _MEMBER, "member_change", changed, "Change a member, with a reason",
        MemberSaved, body=MemberBody, problems=(*_RIGHT, ApiProblemKind.NO_SUCH),
    ),
    Endpoint(
        "GET", f"{PREFIX}/clubs", "clubs", clubs, "The clubs",
        ClubList, problems=_RIGHT,
    ),
    *_files(RegisterKind.MEMBERS), *_files(RegisterKind.CLUBS), *_files(RegisterKind.RATINGS),
)  # fmt: skip
