"""Filling templates: one environment, escaped throughout, strict about what is missing."""

import json
import secrets
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import jinja2
from aiohttp import web
from markupsafe import Markup

from mail.text.words import LANGUAGES, Words
from server.settings.model import UNNAMED
from server.store.play.people import Role
from server.usecases.core.preferences import Preferences
from server.web.board.pieces import chosen_sprite
from server.web.frame import assets
from server.web.frame.context import HAS_DESK, PREFERENCES, SESSION, core, viewer, words
from server.web.frame.form_faults import FAULTS, PROBLEM_STATUS, sent_again
from server.web.frame.isolated_text import Apart, apart
from server.web.frame.origin import is_here
from server.web.frame.own_source import PATH as OWN_SOURCE
from server.web.frame.token_mask import masked
from server.web.frame.words import PageWords

WORTH = 2048
"""Octets from which packing gains more than it costs."""
AS_GZIP = 16 + zlib.MAX_WBITS
"""How zlib is told of gzip."""
_FAST = 1


def answer_of(
    request: web.Request, text: str, status: int, also: Mapping[str, str]
) -> web.Response:
    """The page as an answer, packed where the browser takes it; ``also``: further headers."""
    body, headers = text.encode(), {"Vary": "Accept-Encoding", **also}
    if len(body) >= WORTH and "gzip" in request.headers.get("Accept-Encoding", ""):
        packer = zlib.compressobj(_FAST, zlib.DEFLATED, AS_GZIP)
        body = packer.compress(body) + packer.flush()
        headers["Content-Encoding"] = "gzip"
    return web.Response(
        body=body, status=status, headers=headers, content_type="text/html", charset="utf-8"
    )


_NOTHING_CHOSEN = Preferences()
ALERT = Markup('role="alert" tabindex="-1" autofocus')
"""What makes a refusal be heard: the page opens with the first of them in sight and in focus."""


@cache
def environment() -> jinja2.Environment:
    """The templates, each by its area and name; an unknown one is an error, not an empty place."""
    folders = Path(__file__).parents[1].glob("*/templates")
    by_area = {one.parent.name: jinja2.FileSystemLoader(one) for one in folders}
    made = jinja2.Environment(
        loader=jinja2.PrefixLoader(by_area),
        autoescape=True,
        auto_reload=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[Apart],
    )
    # A paragraph's sign and its number stay on one line.
    made.filters["apart"] = apart
    made.filters["tied"] = lambda text: text.replace("§ ", "§\N{NO-BREAK SPACE}")
    made.globals.update(asset=assets.address, sprite=chosen_sprite, languages=LANGUAGES)
    made.globals.update(alert=ALERT, device_words=_device_words)
    return made


def _device_words(words: Words) -> str:
    """What is said of a move that waits on the reader's own device (static/device.js)."""
    found = {
        "keep": words("install.device.keep"),
        "single": words("install.device.single"),
        "waiting": words("install.device.waiting", move="{move}", game="{game}"),
        "sent": words("install.device.sent", move="{move}", game="{game}"),
        "stale": words("install.device.stale", move="{move}", game="{game}"),
        "refused": words("install.device.refused", move="{move}", game="{game}"),
        "open": words("install.device.open"),
        "remove": words("install.device.remove"),
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def new_key() -> str:
    """A key that makes sending the same form twice harmless."""
    return secrets.token_urlsafe(18)


def _official(name: str, said: PageWords) -> str:
    """Who answers for the server, in the reader's language where he is not named."""
    return said.words("letters.foot.unnamed") if name == UNNAMED else name


def _may_read_mail(request: web.Request) -> bool:
    """Whether the mailbox page of a server without a way out is his who reads."""
    person = viewer(request)
    return is_here(request) or (person is not None and person.role == Role.ADMIN)


def page(
    request: web.Request, template: str, *, status: int = 200, **values: object
) -> web.Response:
    """A page in the reader's language; with a fault in its form it is none that was asked for."""
    if status < 400 and request.get(FAULTS):
        status = PROBLEM_STATUS
    session = request.get(SESSION)
    said = words(request)
    settings = core(request).settings
    text = (
        environment()
        .get_template(template)
        .render(
            w=said,
            t=said.t,
            viewer=viewer(request),
            csrf=masked(session.session.csrf) if session else "",
            path=request.path,
            sent=sent_again(request, status),
            has_mailbox=not settings.mail.out.host and _may_read_mail(request),
            has_desk=request.get(HAS_DESK, False),
            preferences=request.get(PREFERENCES, _NOTHING_CHOSEN),
            official=_official(settings.official.name, said),
            source_url=settings.web.source_url or OWN_SOURCE,
            official_email=settings.responsible_email,
            **values,
        )
    )
    return answer_of(request, text, status, for_worker(request, template))


KEPT = frozenset({"play/my_games.html", "play/game.html"})
"""Pages that a browser may keep for the person they were made for, to be read offline."""


def for_worker(request: web.Request, template: str = "") -> dict[str, str]:
    """Whom the page was made for, and whether it may be kept for him (static/sw.js)."""
    person = viewer(request)
    if person is None:
        return {"Kskak-Reader": ""}
    keeps = {"Kskak-Keep": "1"} if template in KEPT else {}
    return {"Kskak-Reader": str(person.id)} | keeps
