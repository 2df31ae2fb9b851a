"""GET /calendar/<key>.ics: a person's calendar for his own calendar program. Not for pages."""

from aiohttp import web

from server.usecases.account.calendar_feed import calendar_of_key
from server.web.frame.context import core

_HEADERS = {"Cache-Control": "private, max-age=900", "X-Content-Type-Options": "nosniff"}


async def calendar(request: web.Request) -> web.Response:
    """The feed; 404 for a key that opens nothing (any more)."""
    text = await calendar_of_key(core(request), request.match_info["key"])
    if text is None:
        return web.Response(status=404, text="404\n")
    return web.Response(body=text, content_type="text/calendar", charset="utf-8", headers=_HEADERS)
