"""The public bulletins, as a list, as pages and as PDFs; subscribing by mail.

§ 6.4.5.1. Not for making one (bulletin_desk.py).
"""

import asyncio
from datetime import date

from aiohttp import web

from mail.office_letters.bulletin_facts import Bulletin
from mail.office_letters.bulletins import bulletin_page
from mail.outgoing.printed import letter_as_pdf
from server.usecases.results import bulletins as use
from server.web.frame.context import core, one_look, signed_in, viewer, words
from server.web.frame.forms import form_of
from server.web.frame.letter_blocks import named
from server.web.frame.pages import page, pdf_response


@one_look
async def listed(request: web.Request) -> web.Response:
    """Every issued bulletin, and whether the reader gets the next."""
    person = viewer(request)
    return page(
        request,
        "groups/bulletins.html",
        rows=await use.all_issued(core(request)),
        say=words(request).words,
        day_of=date.fromisoformat,
        gets=person is not None and await use.gets(core(request), person),
    )


async def want(request: web.Request) -> web.Response:
    """Subscribe to bulletins by mail, or unsubscribe."""
    person, form = signed_in(request), await form_of(request)
    if form.typed("act") not in ("get", "drop"):
        raise web.HTTPBadRequest
    await use.wants(core(request), person, it=form.typed("act") == "get")
    raise web.HTTPSeeOther("/bulletins")


async def _found(request: web.Request) -> Bulletin:
    found = await use.issued_one(core(request), int(request.match_info["number"]))
    if found is None:
        raise web.HTTPNotFound
    return found


@one_look
async def show(request: web.Request) -> web.Response:
    """One bulletin as issued."""
    found = await _found(request)
    written = bulletin_page(found, words(request).words)
    return page(
        request,
        "groups/bulletin.html",
        title=written.subject,
        blocks=named(written.blocks),
        number=found.number,
        say=words(request).words,
    )


async def as_file(request: web.Request) -> web.Response:
    """The same as a PDF."""
    found, said = await _found(request), words(request).words
    written = bulletin_page(found, said)
    dated = found.issued or found.last
    data = await asyncio.to_thread(letter_as_pdf, written, said.lang, written.subject, dated)
    return pdf_response(data, f"bulletin-{found.number}")
