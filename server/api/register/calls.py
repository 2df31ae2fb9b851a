"""Members, clubs and ratings in the API: lookup, changes, import and export (§ 6.1, § 6.4.4).

The same use cases as the desk's pages and the command line. Not for entries.
"""

import json

from aiohttp import web

from kskak.ledger.ledger_out import JsonObject
from server.api.frame.body import bad_fields, parse
from server.api.frame.endpoints import Call, Endpoint, Handler, Parameter
from server.api.frame.json_answer import HEADERS, json_response
from server.api.frame.once import once, told
from server.api.frame.problems import Kind
from server.api.frame.serving import words_of
from server.api.register import models as answers
from server.api.register import models as bodies
from server.api.register.models import MOST_FILE, MemberBody, RegisterFileBody
from server.store.engine.types import from_us
from server.store.register.members import ChangeRow, MemberRow, RatingRow
from server.usecases.register import wording
from server.usecases.register.editing import Edit, edit_member
from server.usecases.register.export import export
from server.usecases.register.facts import has_mail
from server.usecases.register.importing import import_file
from server.usecases.register.report import Doer, Rules, What
from server.usecases.register.views import MemberView, changing, club_list, member_list, member_view

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


def _change(row: ChangeRow) -> JsonObject:
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


async def listed(call: Call) -> web.Response:
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

    return json_response(await told(look))


async def shown(call: Call) -> web.Response:
    """GET /members/{id}: any member for officials, otherwise one's own data."""

    async def look() -> JsonObject:
        return _detail(await member_view(call.api.core, call.signed_in.person, call.path_id))

    return json_response(await told(look))


async def _saved(call: Call, person_id: int | None) -> web.Response:
    raw = await call.body()
    body, words = parse(MemberBody, raw), words_of(call)
    ticks = (body.take_email, body.seen, body.ends_access)
    edit = Edit(person_id, body.cells(), body.reason, _CHANNEL, *ticks)

    async def do() -> JsonObject:
        done = await edit_member(call.api.core, call.signed_in.person, edit)
        return {
            "done": done.person_id is not None,
            "id": done.person_id,
            "changes": [[c.field, c.before, c.after] for c in done.line.changes],
            "refused": [wording.slip_text(slip, words) for slip in done.line.slips],
            "moves": [one.group for one in done.moves],
        }

    return await once(call, raw, do)


async def changed(call: Call) -> web.Response:
    """POST /members/{id}: change a member, with a reason."""
    return await _saved(call, call.path_id)


async def added(call: Call) -> web.Response:
    """POST /members: a new member, with a reason."""
    return await _saved(call, None)


def importing(what: What) -> Handler:
    """POST /members/import and the like: import a file."""

    async def imported(call: Call) -> web.Response:
        raw = await call.body(MOST_FILE)
        body, words = parse(RegisterFileBody, raw), words_of(call)
        person = call.signed_in.person
        rules = Rules(body.dry_run, body.skip_bad, body.take_emails)

        async def do() -> JsonObject:
            held = await changing(call.api.core, person)
            doer = Doer(person.id, _CHANNEL, "import", held.is_admin)
            report = await import_file(call.api.core, what, body.csv.encode(), doer, rules)
            return wording.document(report, words)

        return await once(call, raw, do)

    return imported


def exporting(what: What) -> Handler:
    """GET /members/export and the like: the whole register as CSV."""

    async def exported(call: Call) -> web.Response:
        async def look() -> JsonObject:
            await changing(call.api.core, call.signed_in.person)
            return {}

        await told(look)
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

    return json_response(await told(look))


PREFIX = "/api/v1"
_RIGHT = (Kind.NOT_ALLOWED,)
_WORDS = Parameter("q", "string", "Words of the name or the club, or the number")
_PAGE = Parameter("page", "integer", "From 1 on, 50 members each")
_MEMBER = f"{PREFIX}/members/{{id}}"


def _files(what: What) -> tuple[Endpoint, Endpoint]:
    path, name = f"{PREFIX}/{what.value}", what.value
    return (
        Endpoint(
            "POST", f"{path}/import", f"{name}_import", importing(what),
            f"Import {name} from CSV, all or nothing", answers.RegisterImported,
            body=bodies.RegisterFileBody, problems=_RIGHT,
        ),
        Endpoint(
            "GET", f"{path}/export", f"{name}_export", exporting(what),
            f"All {name} as CSV", CSV, problems=_RIGHT,
        ),
    )  # fmt: skip


REGISTER: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/members", "members", listed, "Look members up",
        answers.MemberList, query=(_WORDS, _PAGE), problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/members", "member_add", added, "Add a member",
        answers.MemberSaved, body=bodies.MemberBody, problems=_RIGHT,
    ),
    Endpoint(
        "GET", _MEMBER, "member", shown, "One member, or your own data",
        answers.MemberDetail, problems=(*_RIGHT, Kind.NO_SUCH),
    ),
    Endpoint(
        "POST", _MEMBER, "member_change", changed, "Change a member, with a reason",
        answers.MemberSaved, body=bodies.MemberBody, problems=(*_RIGHT, Kind.NO_SUCH),
    ),
    Endpoint(
        "GET", f"{PREFIX}/clubs", "clubs", clubs, "The clubs",
        answers.ClubList, problems=_RIGHT,
    ),
    *_files(What.MEMBERS), *_files(What.CLUBS), *_files(What.RATINGS),
)  # fmt: skip
