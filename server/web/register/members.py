"""The register's pages for officials: list, member, new member, clubs (§ 6.1, § 6.4.4).

Controller and administrators may change, leaders may read; the Board sees the page of a party in
its cases; 404 for everybody else. Not for files (files.py).
"""

from collections.abc import Mapping, Sequence

from aiohttp import web

from kskak.regulation.quantities import Channel
from mail.text.languages import DEFAULT_LANGUAGE
from server.store.register import members as rows
from server.store.register.members import RatingKind
from server.usecases.cases.person_record import Entry, person_record
from server.usecases.core import offices
from server.usecases.core.offices import NoSuch, NotAllowed, Rights
from server.usecases.rating.effect import Moved
from server.usecases.register.editing import RATINGS, Edit, edit_member, shown_cells
from server.usecases.register.facts import FACTS
from server.usecases.register.remove_rating import Removal, remove_rating
from server.usecases.register.report import Slip
from server.usecases.register.views import (
    MemberView,
    club_list,
    may_change,
    may_read,
    member_list,
    member_view,
)
from server.web.cases.words import case_words
from server.web.frame.context import core, one_look, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page
from server.web.register.words import RegisterWords

LONGEST = 300
_EMPTY = {"kind": "club", "lang": DEFAULT_LANGUAGE}


def register_words(request: web.Request) -> RegisterWords:
    """The register's texts in the reader's language."""
    return RegisterWords(words(request).words, core(request).settings.clock.zone)


async def frame_values(request: web.Request) -> dict[str, object]:
    """Values for every page of the register; 404 for those who may not read it."""
    held = await offices.rights(core(request), signed_in(request))
    if not may_read(held):
        raise web.HTTPNotFound
    return _values(request, held)


def _values(request: web.Request, held: Rights) -> dict[str, object]:
    return {"rights": held, "d": case_words(request), "r": register_words(request)}


@one_look
async def listed(request: web.Request) -> web.Response:
    """Search and list."""
    values = await frame_values(request)
    text, number = request.query.get("q", "")[:LONGEST].strip(), request.query.get("page", "1")
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 7 else 1
    found = await member_list(core(request), signed_in(request), text, wanted)
    return page(request, "register/members.html", status=200, found=found, **values)


async def clubs(request: web.Request) -> web.Response:
    """The clubs with their main districts."""
    values = await frame_values(request)
    lines = await club_list(core(request), signed_in(request))
    return page(request, "register/members_clubs.html", status=200, lines=lines, **values)


async def _record(request: web.Request) -> tuple[Entry, ...] | None:
    """What the register's officials and the Board are shown of a person's cases; None: nothing."""
    person_id = int(request.match_info["person"])
    return await person_record(core(request), signed_in(request), person_id)


async def _view(request: web.Request, *, by_case: bool = False) -> MemberView:
    person_id = int(request.match_info["person"])
    try:
        return await member_view(core(request), signed_in(request), person_id, by_case=by_case)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None


async def show(request: web.Request) -> web.Response:
    """One member with his ratings and record, and forms for those who may change them.

    The Board has no register, and sees this page of the parties in its cases.
    """
    held = await offices.rights(core(request), signed_in(request))
    by_case = not may_read(held) and await _record(request) is not None
    if not (by_case or may_read(held)):
        raise web.HTTPNotFound
    return await _member_page(request, await _view(request, by_case=by_case))


async def new(request: web.Request) -> web.Response:
    """An empty form."""
    return await _member_page(request, None)


async def _member_page(
    request: web.Request,
    view: MemberView | None,
    slips: Sequence[Slip] = (),
    typed: Mapping[str, str] | None = None,
    moves: Sequence[Moved] = (),
) -> web.Response:
    held = await offices.rights(core(request), signed_in(request))
    may = may_change(held)
    if view is None and not may:
        raise web.HTTPNotFound
    async with core(request).store.read() as conn:
        known = await rows.all_clubs(conn) if may else ()
        districts = await rows.all_districts(conn) if may else {}
    stands = dict(_EMPTY) if view is None else shown_cells(view.row)
    return page(
        request,
        "register/member.html",
        status=PROBLEM_STATUS if slips or moves else 200,
        view=view,
        record=None if view is None else await _record(request),
        may_list=may_read(held),
        moves=moves,
        may=may,
        slips=slips,
        got=dict.fromkeys((*FACTS, *RATINGS, "reason"), "") | stands | dict(typed or {}),
        clubs=known,
        districts=tuple(districts),
        saved="saved" in request.query,
        **_values(request, held),
    )


def _cells(form: Form) -> dict[str, str]:
    return {name: form.typed(name) for name in (*FACTS, *RATINGS) if name in form.fields}


async def _save(request: web.Request, person_id: int | None) -> web.Response:
    form = await form_of(request)
    cells, reason = _cells(form), form.text("reason", LONGEST)
    ticks = (form.is_ticked(name) for name in ("take_email", "seen", "ends_access"))
    edit = Edit(person_id, cells, reason, Channel.WEB.value, *ticks)
    try:
        done = await edit_member(core(request), signed_in(request), edit)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if done.person_id is None:
        view = None if person_id is None else await _view(request)
        typed = cells | {"reason": reason}
        return await _member_page(request, view, done.line.slips, typed, done.moves)
    raise web.HTTPSeeOther(f"/desk/members/{done.person_id}?saved=1")


@stands_on(show)
async def change(request: web.Request) -> web.Response:
    """Save the form, or show why not."""
    await frame_values(request)
    return await _save(request, int(request.match_info["person"]))


@stands_on(show)
async def remove(request: web.Request) -> web.Response:
    """Remove a rating from the register, or show why not; the field is «k 2026-11-20»."""
    await frame_values(request)
    form, person_id = await form_of(request), int(request.match_info["person"])
    kind, _, day = form.text("which", 20).partition(" ")
    if kind not in set(RatingKind):
        raise web.HTTPBadRequest
    reason = form.text("reason", LONGEST)
    asked = Removal(
        person_id, RatingKind(kind), day, reason, Channel.WEB.value, form.is_ticked("seen")
    )
    try:
        done = await remove_rating(core(request), signed_in(request), asked)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if isinstance(done, Slip):
        return await _member_page(request, await _view(request), (done,))
    if done is not None:
        return await _member_page(request, await _view(request), moves=done)
    raise web.HTTPSeeOther(f"/desk/members/{person_id}?saved=1")


@stands_on(new)
async def add(request: web.Request) -> web.Response:
    """Add a new member, or show why not."""
    await frame_values(request)
    return await _save(request, None)
