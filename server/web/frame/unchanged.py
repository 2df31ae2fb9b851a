"""A page that a stranger has already is not sent again: an ETag, and 304 instead of the page.

Only for pages that are read and lead on no key of their own (`one_look`), and only while nobody is
signed in: what is a person's is stored nowhere on the way, and a link with a key least of all.
Not for files (assets.py), whose addresses change with them.
"""

import hashlib

from aiohttp import web

from server.web.frame.context import is_look, viewer

_LETTERS = 24


def unchanged(request: web.Request, answer: web.Response) -> web.Response:
    """The answer with the ETag of its page, or 304 where the browser says that it has it.

    Browsers keep it and ask each time; Cookie, as its language and who is signed in come by one.
    """
    if answer.status != web.HTTPOk.status_code or viewer(request) or not is_look(request):
        return answer
    assert isinstance(answer.body, bytes)
    tag = hashlib.sha256(answer.body).hexdigest()[:_LETTERS]
    if tag in {one.value for one in request.if_none_match or ()}:
        headers = {k: v for k, v in answer.headers.items() if not k.startswith("Content-")}
        answer = web.Response(status=web.HTTPNotModified.status_code, headers=headers)
    answer.headers["ETag"] = f'W/"{tag}"'
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return answer
