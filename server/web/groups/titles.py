"""Titles and their holders, and the controller's form for earlier ones (§ 6.5.2).

Public except for the form. Not for a tied first place (tie_desk.py).
"""

from aiohttp import web

from kskak.groups.honours import Title
from server.store.play import people as person_rows
from server.usecases.core.offices import NoSuch, NotAllowed, rights
from server.usecases.results.titles import (
    OldTitle,
    TitleFault,
    all_titles,
    enter_title,
    remove_title,
)
from server.web.cup.words import cup_words
from server.web.frame.context import core, one_look, signed_in, viewer
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page

_FIELDS = ("title", "edition", "email", "name", "source")
LONGEST = 1000


@one_look
async def show(request: web.Request) -> web.Response:
    """Every title with its holders, the newest year first."""
    return await _page(request)


async def _page(request: web.Request, problem: str = "", typed: Form | None = None) -> web.Response:
    person = viewer(request)
    held = None if person is None else await rights(core(request), person)
    sent = typed or Form({})
    return page(
        request,
        "groups/titles.html",
        status=PROBLEM_STATUS if problem else 200,
        c=cup_words(request),
        found=await all_titles(core(request)),
        may_enter=held is not None and held.is_kc,
        titles=[one.value for one in Title],
        problem=problem,
        typed={name: sent.typed(name) for name in _FIELDS},
        is_shared=sent.is_ticked("shared"),
    )


@stands_on(show)
async def enter(request: web.Request) -> web.Response:
    """Enter a title from before the server, with its source."""
    by, form, c = signed_in(request), await form_of(request), cup_words(request)
    email = form.text("email", 254)
    async with core(request).store.read() as conn:
        person = await person_rows.by_email(conn, email) if email else None
    if email and person is None:
        raise Fault("email", c("title_fault.name"))
    try:
        told = OldTitle(
            Title(form.text("title", 20)),
            form.number("edition") or 0,
            form.text("source", LONGEST),
            None if person is None else person.id,
            form.text("name", 200),
            is_shared=form.is_ticked("shared"),
        )
        done = await enter_title(core(request), by, told)
    except ValueError:
        raise web.HTTPBadRequest from None
    except NotAllowed:
        raise web.HTTPForbidden from None
    if isinstance(done, TitleFault):
        raise Fault(
            done.value if done.value in _FIELDS else "title", c(f"title_fault.{done.value}")
        )
    raise web.HTTPSeeOther("/titles")


async def remove(request: web.Request) -> web.Response:
    """Remove an entered title; it stays on record."""
    try:
        await remove_title(core(request), signed_in(request), int(request.match_info["title"]))
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    raise web.HTTPSeeOther("/titles")
