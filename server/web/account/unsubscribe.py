"""Ending optional letters by the link in them: GET asks, POST does it, also from a mail program.

Word of moves ends by the button of the page alone: one press in a mail program, on an old letter,
is shown what would happen (the clock runs, and the opponent is told).

Not for the settings, which need a sign-in (settings.py).
"""

from aiohttp import web

from server.store.play.people import PersonRow
from server.usecases.letters.unsubscribing import Series, end, reader_of
from server.web.frame.context import core, words
from server.web.frame.forms import form_of
from server.web.frame.pages import page

GONE = 410


async def _asked(request: web.Request) -> tuple[Series, PersonRow] | None:
    person = await reader_of(core(request), request.match_info["token"])
    return None if person is None else (Series(request.match_info["series"]), person)


async def question(request: web.Request) -> web.Response:
    """The question; viewing it changes nothing."""
    asked = await _asked(request)
    return _page(request, None if asked is None else asked[0], is_done=False)


async def give(request: web.Request) -> web.Response:
    """End them now."""
    asked, form = await _asked(request), await form_of(request)
    is_sure = asked is not None and (asked[0] is not Series.MOVES or form.text("sure", 5) == "yes")
    if asked is not None and is_sure:
        await end(core(request), *asked)
    return _page(request, None if asked is None else asked[0], is_done=is_sure)


def _page(request: web.Request, series: Series | None, *, is_done: bool) -> web.Response:
    if series is None:
        return page(request, "play/confirm_dead.html", status=GONE)
    say = words(request).words
    return page(request, "account/unsubscribe.html", series=series, is_done=is_done, say=say)
