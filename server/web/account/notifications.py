"""``/settings/notifications``: turn notifications on in this browser, or off in any.

A script (static/push.js) puts the browser's push address into an ordinary form. Not for what is
sent (usecases/account/notifications.py).
"""

from dataclasses import dataclass
from datetime import date

from aiohttp import web

from kskak.regulation.days import local_day
from server.store.account.notifications import BrowserRow
from server.store.engine.types import from_us
from server.usecases.account import notifications
from server.usecases.account.notifications import BadBrowser
from server.web.account.sign_in import browser_of
from server.web.account.words import AccountWords
from server.web.frame.context import SESSION, SignInNeeded, core, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import page

PATH = "/settings/notifications"


@dataclass(frozen=True, slots=True)
class Shown:
    """A browser in the list."""

    id: int
    name: str
    since: date
    last: date | None
    is_here: bool


def _shown(request: web.Request, row: BrowserRow) -> Shown:
    def day(at_us: int) -> date:
        return local_day(from_us(at_us), core(request).settings.clock.zone)

    last = None if row.ok_us is None else day(row.ok_us)
    is_here = row.session == request[SESSION].session.digest
    name = AccountWords(words(request).words, core(request).settings.clock.zone).browser(
        row.browser
    )
    return Shown(row.id, name, day(row.created_us), last, is_here)


async def show(request: web.Request) -> web.Response:
    """The page: an explanation, the button, and the browsers where it is on."""
    return await _page(request)


async def _page(request: web.Request, *, is_bad: bool = False) -> web.Response:
    person = signed_in(request)
    return page(
        request,
        "account/notifications.html",
        status=PROBLEM_STATUS if is_bad else 200,
        is_bad=is_bad,
        browsers=[
            _shown(request, row) for row in await notifications.browsers(core(request), person.id)
        ],
        key=notifications.public_text(await notifications.signing_key(core(request))),
    )


@stands_on(show)
async def turn_on(request: web.Request) -> web.Response:
    """Enrol this browser with the data its script put into the form."""
    visitor, form = request.get(SESSION), await form_of(request)
    if visitor is None:
        raise SignInNeeded(PATH)
    keys = form.text("key", 200), form.text("auth", 200)
    name = browser_of(request)
    try:
        await notifications.enrol(core(request), visitor, form.text("endpoint", 2000), keys, name)
    except BadBrowser:
        return await _page(request, is_bad=True)
    raise web.HTTPSeeOther(PATH)


async def turn_off(request: web.Request) -> web.Response:
    """Turn notifications off in one of one's browsers, from anywhere; 404 for somebody else's."""
    person = signed_in(request)
    if not await notifications.leave(core(request), person.id, int(request.match_info["browser"])):
        raise web.HTTPNotFound
    raise web.HTTPSeeOther(PATH)


ROUTES = (
    web.get(PATH, show),
    web.post(PATH, turn_on),
    web.post(PATH + r"/{browser:\d{1,18}}/off", turn_off),
)
