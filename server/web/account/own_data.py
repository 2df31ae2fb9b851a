"""One's own data: what is stored, a copy of it, and removing the account.

Copying and removing need a fresh sign-in. Not for what is stored or what removal means
(usecases/account/own_data.py).
"""

from aiohttp import web

from server.store.account.removal import Standing
from server.usecases.account import own_data
from server.usecases.account.own_data import copy_of
from server.web.account.sign_in import THROTTLE, TOO_OFTEN
from server.web.account.ways_in import account_words, is_fresh
from server.web.frame.context import core, signed_in
from server.web.frame.cookies import forget_session
from server.web.frame.form_faults import stands_on
from server.web.frame.forms import form_of
from server.web.frame.origin import client_address
from server.web.frame.pages import page

PATH = "/settings/data"


async def show(request: web.Request) -> web.Response:
    """The available actions, and what they mean."""
    return await _page(request)


async def _page(
    request: web.Request,
    *,
    where: str = "",
    problem: str = "",
    status: int = 200,
    standing: Standing | None = None,
    typed: str = "",
) -> web.Response:
    me, a = signed_in(request), account_words(request)
    found = standing or await own_data.standing(core(request), me)
    return page(
        request,
        "account/own_data.html",
        status=status,
        a=a,
        where=where,
        problem=a(f"problem.{problem}") if problem else "",
        is_fresh=is_fresh(request),
        standing=found,
        groups=sorted({row.name.rpartition("/")[0] for row in found.games}),
        word=a("removal.word"),
        typed=typed,
    )


async def give(request: web.Request) -> web.Response:
    """The zip, as a download."""
    me = signed_in(request)
    if not is_fresh(request):
        return await _page(request, where="copy", problem="not_fresh", status=403)
    if not request.app[THROTTLE].allows(client_address(request), core(request).clock.now()):
        return await _page(request, where="copy", problem="too_often", status=TOO_OFTEN)
    data = await copy_of(core(request), me)
    headers = {"Content-Disposition": 'attachment; filename="k-skak.zip"'}
    return web.Response(body=data, content_type="application/zip", headers=headers)


@stands_on(show)
async def remove(request: web.Request) -> web.Response:
    """Remove the account, if the word was typed and nobody is waiting for its owner."""
    me, form = signed_in(request), await form_of(request)
    if not is_fresh(request):
        return await _page(request, where="removal", problem="not_fresh", status=403)
    typed = form.text("word", 20)
    if typed.casefold() != account_words(request)("removal.word").casefold():
        return await _page(request, where="removal", problem="no_word", status=422, typed=typed)
    standing = await own_data.remove(core(request), me)
    if standing is not None:
        return await _page(request, where="removal", status=409, standing=standing, typed=typed)
    response = web.HTTPSeeOther(f"{PATH}/removed")
    forget_session(request, response)
    raise response


async def removed(request: web.Request) -> web.Response:
    """Confirmation for a person whose account is gone."""
    return page(request, "account/own_data_removed.html", a=account_words(request))
