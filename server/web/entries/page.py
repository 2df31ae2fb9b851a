"""The player's entry page: open classes and why, his entries, the form (§ 6.4.4, § 6.5.3.2).

Not for what officials do with entries (desk.py, entry_desk.py).
"""

from aiohttp import web

from kskak.entries.admission import EntryRefusal
from server.store.play.people import PersonRow
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.entries import deeds, views
from server.usecases.entries.entering import Asking, enter
from server.usecases.postal import addresses
from server.usecases.season.views import enters_for_clubs
from server.web.entries.form import EntryForm
from server.web.entries.words import EntryWords
from server.web.frame.context import core, one_look, signed_in, viewer, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import new_key, page

_NOTICES = {"taken": "enter.taken", "back": "enter.back"}


def entry_words(request: web.Request) -> EntryWords:
    """The entry texts in the reader's language."""
    return EntryWords(words(request).words)


@one_look
async def show(request: web.Request) -> web.Response:
    """Everything; without sign-in, the open lists and how to enter."""
    person = viewer(request)
    if person is None:
        lists = await views.lists_view(core(request))
        return page(request, "entries/index.html", e=entry_words(request), lists=lists)
    return await _enter_page(request, person)


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Enter, or give every reason for refusal with its paragraph, storing nothing."""
    person = signed_in(request)
    typed = EntryForm.of(await form_of(request))
    e = entry_words(request)
    problem = typed.problem(core(request).today(core(request).settings.clock.zone))
    if problem is not None:
        raise Fault(problem[0], e(f"enter.{problem[1]}"))
    got = typed.fields
    asked = Asking(
        typed.list_id,
        typed.stated(),
        asks=bool(got["asks"]),
        is_second=bool(got["second"]),
        key=got["key"][:80] or None,
        address=got["address"],
    )
    try:
        done = await enter(core(request), person, asked)
    except NoSuch:
        raise Fault("list", e("enter.bad_list")) from None
    if isinstance(done, EntryRefusal):
        return await _enter_page(request, person, typed, e.refused(done))
    raise web.HTTPSeeOther("/enter?done=taken#own")


async def withdraw(request: web.Request) -> web.Response:
    """Withdraw an entry before it becomes a place."""
    person = signed_in(request)
    entry_id = int(request.match_info["entry"])
    try:
        done = await deeds.withdraw(core(request), person, entry_id)
    except (NoSuch, NotAllowed):
        raise web.HTTPNotFound from None
    if isinstance(done, EntryRefusal):
        lines = entry_words(request).refused(done)
        return await _enter_page(request, person, None, lines)
    raise web.HTTPSeeOther("/enter?done=back#own")


async def _enter_page(
    request: web.Request,
    person: PersonRow,
    sent: EntryForm | None = None,
    problems: tuple[str, ...] = (),
) -> web.Response:
    e = entry_words(request)
    view = await views.classes_view(core(request), person, person.id)
    typed = sent or EntryForm.told(view.told, await addresses.own(core(request), person))
    own = await views.entries_of(core(request), person.id)
    on = {one.row.list_id for one in own}
    entered = await views.lists_view(core(request), only_open=False, ids=on)
    key = _NOTICES.get(request.query.get("done", ""))
    return page(
        request,
        "entries/entry.html",
        status=PROBLEM_STATUS if problems else 200,
        e=e,
        view=view,
        lists=await views.lists_view(core(request)),
        own=own,
        lists_of={one.row.id: one for one in entered},
        has_club=await enters_for_clubs(core(request), person),
        typed=typed.fields,
        problems=problems,
        notice=e(key) if key and not problems else "",
        key=typed.fields["key"] or new_key(),
    )
