"""What is kept of a player and only he can change: his postal address (§ 6.2.1, § 6.8.5).

Not for names, clubs and ratings, which the controller keeps.
"""

from aiohttp import web

from server.usecases import addresses
from server.usecases.addresses import AddressTooLong
from server.web.context import core, signed_in, words
from server.web.forms import form_of
from server.web.pages import page

PROBLEM_STATUS = 422


async def show(request: web.Request) -> web.Response:
    """The form with what is kept now."""
    text = await addresses.own(core(request), signed_in(request))
    return _page(request, text)


def _page(request: web.Request, text: str, *, problem: str = "") -> web.Response:
    return page(
        request,
        "settings.html",
        status=PROBLEM_STATUS if problem else 200,
        text=text,
        problem=problem,
        is_done="done" in request.query,
        longest=addresses.LONGEST,
    )


async def do(request: web.Request) -> web.Response:
    """Keep the address, or say what is wrong with it."""
    person, form = signed_in(request), await form_of(request)
    text = form.text("address", 2 * addresses.LONGEST)
    try:
        await addresses.keep(core(request), person, text)
    except AddressTooLong:
        places = {"lines": addresses.MOST_LINES, "characters": addresses.LONGEST}
        return _page(request, text, problem=words(request).t("settings.too_long", **places))
    raise web.HTTPSeeOther("/settings?done=1")
