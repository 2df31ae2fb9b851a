"""Choosing the pages' language when not signed in; the page about this site."""

from aiohttp import web

from mail.text.languages import LANGUAGES
from server.web.account.sign_in import wished_path
from server.web.frame.context import core
from server.web.frame.forms import form_of
from server.web.frame.language import COOKIE
from server.web.frame.pages import page

YEAR_S = 365 * 24 * 3600


async def choose_language(request: web.Request) -> web.Response:
    """Store the choice in a cookie, and go back."""
    form = await form_of(request)
    response = web.HTTPSeeOther(wished_path(form))
    lang = form.typed("lang")
    if lang in LANGUAGES:
        response.set_cookie(
            COOKIE,
            lang,
            max_age=YEAR_S,
            path="/",
            samesite="Lax",
            secure=core(request).settings.web.site.startswith("https:"),
        )
    raise response


async def about(request: web.Request) -> web.Response:
    """What this site is, and whose work it contains."""
    return page(request, "account/about.html")
