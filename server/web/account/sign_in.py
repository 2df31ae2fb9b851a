"""Signing in with a mailed link or a passkey, and signing out.

The link shows a page with a button: programs that scan mails open links and must not use them
up (reading W5 of the threat list). A passkey is quicker but needs script; the link does not.
"""

import secrets

from aiohttp import web

from server.usecases.account import passkeys, signin
from server.usecases.account.passkeys import NotProved
from server.web.frame.context import SESSION, core, viewer
from server.web.frame.cookies import (
    asking,
    forget_session,
    keep_asking,
    keep_session,
    session_cookie,
)
from server.web.frame.form_faults import stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.origin import client_address
from server.web.frame.pages import page
from server.web.frame.throttle import Throttle

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
"""The first match wins: nearly all browsers also claim to be Safari, and many Chrome."""
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def browser_of(request: web.Request) -> str:
    """«Firefox;Windows»; unknown parts are left empty."""
    said = request.headers.get("User-Agent", "")[:500]
    return f"{_first(said, _BROWSERS)};{_first(said, _SYSTEMS)}"


def _first(said: str, known: tuple[tuple[str, str], ...]) -> str:
    return next((name for sign, name in known if sign in said), "")


THROTTLE = web.AppKey("throttle", Throttle)
TOO_OFTEN = 429
LONGEST_PATH = 300


def wished_path(form: Form) -> str:
    """Where the form leads; the front page for a path longer than any of ours."""
    path = form.typed("next")
    return signin.own_path(path) if 0 < len(path) <= LONGEST_PATH else "/"


async def ask_page(request: web.Request) -> web.Response:
    """The form asking for an e-mail address."""
    if viewer(request) is not None:
        raise web.HTTPSeeOther("/")
    return _asked(request, request.query.get("next", "/"))


def _asked(
    request: web.Request,
    wished: str,
    *,
    email: str = "",
    problem: str = "",
    key_problem: str = "",
    status: int = 200,
) -> web.Response:
    return page(
        request,
        "account/sign_in.html",
        status=status,
        next_path=signin.own_path(wished),
        email=email,
        problem=problem,
        key_problem=key_problem,
        has_passkeys=passkeys.party_of(core(request).settings.web.site) is not None,
    )


def _may_try(request: web.Request) -> bool:
    return request.app[THROTTLE].allows(client_address(request), core(request).clock.now())


@stands_on(ask_page)
async def ask(request: web.Request) -> web.Response:
    """Mail a link if the address is known; the answer is the same if it is not."""
    form = await form_of(request)
    email, wished = form.text("email", 254), wished_path(form)
    if email.count("@") != 1 or " " in email:
        return _asked(request, wished, email=email, problem="signin.bad_address", status=422)
    if not _may_try(request):
        return _asked(request, wished, email=email, problem="signin.too_often", status=TOO_OFTEN)
    await signin.request_link(core(request), email, wished)
    return page(request, "account/sign_in_sent.html", email=email)


async def link_page(request: web.Request) -> web.Response:
    """Whose link it is, and a button; viewing it does not use it up."""
    person = await signin.open_link(core(request), request.match_info["token"])
    if person is None:
        return page(request, "account/link_dead.html", status=410)
    return page(request, "account/link.html", person=person)


async def use_link(request: web.Request) -> web.Response:
    """Sign in, ending any previous session of this browser."""
    token = request.match_info["token"]
    made = await signin.use_link(core(request), token, browser_of(request))
    if made is None:
        return page(request, "account/link_dead.html", status=410)
    await _end_here(request)
    response = web.HTTPSeeOther(signin.own_path(made.next_path))
    keep_session(request, response, made.secret)
    raise response


async def _end_here(request: web.Request) -> None:
    if SESSION in request:
        await signin.sign_out(core(request), request.cookies.get(session_cookie(request), ""))


async def passkey_challenge(request: web.Request) -> web.Response:
    """For the script: what the browser needs to sign in, bound to it by a separate cookie."""
    if not _may_try(request):
        raise web.HTTPTooManyRequests
    secret = secrets.token_urlsafe(24)
    try:
        text = await passkeys.challenge(core(request), secret)
    except NotProved:
        raise web.HTTPNotFound from None
    response = web.Response(text=text, content_type="application/json")
    keep_asking(request, response, secret)
    return response


@stands_on(ask_page)
async def use_passkey(request: web.Request) -> web.Response:
    """Sign in with the browser's proof; without script the page says what is needed."""
    form = await form_of(request)
    wished = wished_path(form)
    answer = form.text("answer", passkeys.LONGEST_ANSWER)
    if not _may_try(request):
        return _asked(request, wished, key_problem="problem.too_often", status=TOO_OFTEN)
    if not answer:
        return _asked(request, wished, key_problem="problem.no_script", status=422)
    secret = asking(request)
    try:
        made = await passkeys.sign_in(core(request), secret, answer, wished, browser_of(request))
    except NotProved:
        return _asked(request, wished, key_problem="problem.not_proved", status=422)
    await _end_here(request)
    response = web.HTTPSeeOther(made.next_path)
    keep_session(request, response, made.secret)
    raise response


async def sign_out(request: web.Request) -> web.Response:
    """End the session, here and in the database."""
    response = web.HTTPSeeOther("/")
    if SESSION in request:
        await _end_here(request)
        forget_session(request, response)
    raise response
