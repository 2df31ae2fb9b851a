"""Which browser a session is in, as far as its own word tells: for its owner to recognise it.

Not for deciding anything: a browser may say what it likes.
"""

from aiohttp import web

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
"""The first that is named is it: nearly all call themselves Safari, and many Chrome."""
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
    """«Firefox;Windows»; what is not known is left empty."""
    said = request.headers.get("User-Agent", "")[:500]
    return f"{_first(said, _BROWSERS)};{_first(said, _SYSTEMS)}"


def _first(said: str, known: tuple[tuple[str, str], ...]) -> str:
    return next((name for sign, name in known if sign in said), "")
