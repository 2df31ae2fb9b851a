"""A page's language: the person's, else the one chosen here, else the browser's."""

from aiohttp import web

from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.web.frame.context import viewer

COOKIE = "lang"


def language(request: web.Request) -> str:
    """The language of the answer."""
    person = viewer(request)
    if person is not None and person.lang in LANGUAGES:
        return person.lang
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return preferred(request.headers.get("Accept-Language", ""))


def preferred(header: str) -> str:
    """The best of our languages for an Accept-Language header; Danish if none matches."""
    wishes: list[tuple[float, str]] = []
    for part in header[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            wishes.append((-float(weight or 1), name[:2].lower()))
        except ValueError:
            continue
    known = [name for _, name in sorted(wishes, key=lambda wish: wish[0]) if name in LANGUAGES]
    return known[0] if known else DEFAULT_LANGUAGE
