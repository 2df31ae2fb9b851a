"""Rendering templates: one environment, escaped throughout, strict about missing values."""

import json
import secrets
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from aiohttp import web
from jinja2.utils import internalcode
from markupsafe import Markup

from mail.looks.chosen import looks
from mail.text.languages import FACTS, LANGUAGES
from mail.text.words import Words
from server.settings.model import UNNAMED
from server.store.play.people import Role
from server.usecases.core.preferences import Preferences
from server.web.board.pieces import sample, sprite
from server.web.frame import assets
from server.web.frame.context import SESSION, core, viewer, words
from server.web.frame.form_faults import FAULTS, PROBLEM_STATUS, sent_again
from server.web.frame.isolated_text import Apart, apart
from server.web.frame.origin import is_here
from server.web.frame.own_source import PATH as OWN_SOURCE
from server.web.frame.token_mask import masked
from server.web.frame.unchanged import unchanged
from server.web.frame.words import PageWords

WORTH = 2048
"""The size in octets from which compression pays off."""
AS_GZIP = 31
"""For zlib: gzip."""
_FAST = 2


def answer_of(
    request: web.Request, text: str, status: int, also: Mapping[str, str]
) -> web.Response:
    """The page as an answer, gzipped if the browser accepts it; ``also``: further headers."""
    body, headers = text.encode(), {"Vary": "Accept-Encoding", **also}
    if len(body) >= WORTH and "gzip" in request.headers.get("Accept-Encoding", ""):
        body = zlib.compress(body, _FAST, AS_GZIP)
        headers["Content-Encoding"] = "gzip"
    return web.Response(
        body=body, status=status, headers=headers, content_type="text/html", charset="utf-8"
    )


_NOTHING_CHOSEN = Preferences()
ALERT = Markup('role="alert" tabindex="-1" autofocus')
"""Attributes of a refusal: the page opens with the first one visible and focused."""


class Context(jinja2.runtime.Context):
    """A template's names. Jinja asks of whatever is called, three times, whether it wants the
    context: a fifth of the time of a page's template. Of ours none but macros does.
    """

    @internalcode
    def call(
        self,
        called: Callable[..., Any],
        /,
        *args: Any,
        _block_vars: object = None,
        _loop_vars: object = None,
        **places: Any,
    ) -> Any:
        if called.__class__ is jinja2.runtime.Macro:
            return called(self.eval_ctx, *args, **places)
        return called(*args, **places)


@cache
def environment() -> jinja2.Environment:
    """The templates, by area and name; an undefined value is an error, not blank."""
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
    made.context_class = Context
    # Keeps a paragraph sign and its number on one line.
    made.filters["apart"] = apart
    made.filters["tied"] = lambda text: text.replace("§ ", "§\N{NO-BREAK SPACE}")
    made.globals.update(asset=assets.address, sprite=sprite, languages=LANGUAGES)
    made.globals.update(tongues={code: facts.name for code, facts in FACTS.items()})
    made.globals.update(has_engine=assets.has_engine)
    made.globals.update(alert=ALERT, device_words=_device_words, looks=looks, sample=sample)
    return made


@cache
def _device_words(lang: str) -> str:
    """Texts about a move waiting on the reader's own device (static/device.js)."""
    words = Words.load(lang)
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
    """A key that makes submitting the same form twice harmless."""
    return secrets.token_urlsafe(18)


def _official(name: str, said: PageWords) -> str:
    """The person responsible for the server; a generic text if he is not named."""
    return said.words("letters.foot.unnamed") if name == UNNAMED else name


def _may_read_mail(request: web.Request) -> bool:
    """Whether the reader may open the mailbox page of a server that sends no mail."""
    person = viewer(request)
    return is_here(request) or (person is not None and person.role == Role.ADMIN)


def page(
    request: web.Request, template: str, *, status: int = 200, **values: object
) -> web.Response:
    """A page in the reader's language; 422 instead of success if its form has a fault."""
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
            viewer=None if session is None else session.person,
            csrf=masked(session.session.csrf) if session else "",
            path=request.path,
            sent=sent_again(request, status),
            has_mailbox=not settings.mail.out.host and _may_read_mail(request),
            has_desk=session is not None and session.has_desk,
            preferences=_NOTHING_CHOSEN if session is None else session.preferences,
            official=_official(settings.official.name, said),
            site=settings.web.site,
            source_url=settings.web.source_url or OWN_SOURCE,
            official_email=settings.responsible_email,
            **values,
        )
    )
    return unchanged(request, answer_of(request, text, status, for_worker(request, template)))


def pdf_response(data: bytes, name: str) -> web.Response:
    """A PDF that the browser shows inline, with a plain ASCII file name."""
    plain = "".join(char if char.isascii() and char.isalnum() else "-" for char in name)
    headers = {"Content-Disposition": f'inline; filename="{plain}.pdf"'}
    return web.Response(body=data, content_type="application/pdf", headers=headers)


KEPT = frozenset({"play/my_games.html", "play/game.html"})
"""Pages that a browser may keep for the person they were made for, for offline reading."""


def for_worker(request: web.Request, template: str = "") -> dict[str, str]:
    """Headers saying whom the page is for, and whether it may be kept (static/sw.js)."""
    person = viewer(request)
    if person is None:
        return {"Kskak-Reader": ""}
    keeps = {"Kskak-Keep": "1"} if template in KEPT else {}
    return {"Kskak-Reader": str(person.id)} | keeps
