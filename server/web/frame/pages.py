"""Rendering templates: one environment, escaped throughout, strict about missing values; and what
makes the site installable on phones and desktops: manifest, icons, worker, offline page.

The worker (static/sw.js) caches files with a digest in their address, and pages marked as keepable
for the person they were made for. Not for notifications (account/settings.py).
"""

import json
import re
import secrets
import struct
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import jinja2
from aiohttp import web
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup, escape

from kskak.regulation.editions import Regulation, rules_of
from mail.looks.design import looks
from mail.text.catalogue import DEFAULT_LANGUAGE, FACTS, LANGUAGES, Words, is_turning
from server.settings import UNNAMED
from server.store.play.people import Role
from server.usecases import workbook
from server.usecases.preferences import Preferences
from server.usecases.regulation import paragraphs
from server.web.board.board_view import sample, sprite
from server.web.frame import assets
from server.web.frame.assets import PATH
from server.web.frame.context import (
    PAGE_WORDS,
    SESSION,
    PageRoutes,
    core,
    get_words,
    is_here,
    mask_token,
    viewer,
)
from server.web.frame.forms import FAULTS, PROBLEM_STATUS, PROBLEMS, sent_again
from server.web.frame.page_texts import PageWords

routes = PageRoutes()

# Isolates user text in a page, so that it neither reorders nor widens what is around it.

LONGEST = 25
"""The longest unbreakable run of characters that fits a table on any phone."""
_LONG = re.compile(rf"[^\s\-/\u2010-\u2014]{{{LONGEST + 1}}}")
_RAW = frozenset({"code", "title", "textarea", "option", "script", "style", "svg"})
_LINKED = frozenset({"a", "button", "label", "summary"})
"""Elements that can hold no link."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)|<!--")


_LAW = re.compile(
    r"(?P<laws>\blovens |\blagarnas )?§[ \u00a0](?P<number>\d+(?:\.\d+)*)"
    r"(?P<of_laws> of the laws\b)?(?P<provisions> (?:i|of) 4\.1\b)?"
    r"|\b(?P<name>(?:FIDE|Kendelse) [A-G\d](?:[.\d]*\d)?)"
)
"""A paragraph as texts cite it (``Words.cite``)."""


def isolate_text(value: object) -> object:
    """A value isolated for a page's text, its paragraphs leading to their documents.

    Markup and other types are unchanged.
    """
    shown = isolate_name(value)
    if type(value) is not str or not _LAW.search(value):
        return shown
    return Markup(_LAW.sub(_link_paragraph, str(escape(shown))))


def _link_paragraph(found: re.Match[str]) -> str:
    section = "1.3." if found["laws"] or found["of_laws"] else "4.1." if found["provisions"] else ""
    law = paragraphs().get(f"{section}{found['number'] or found['name']}")
    return f'<a class="law" href="/regulation/{law.slug}">{found[0]}</a>' if law else found[0]


def isolate_name(value: object) -> object:
    """A value isolated for text in a link or button, where no other link may stand."""
    if type(value) is not str or (len(value) <= LONGEST and value.isascii()):
        return value
    if _LONG.search(value):
        return Markup('<bdi class="long">') + escape(value) + Markup("</bdi>")
    return Markup("<bdi>") + escape(value) + Markup("</bdi>") if is_turning(value) else value


class _Place:
    """Tracks whether the template's text is inside a tag or raw element."""

    def __init__(self) -> None:
        self._raw, self._quote, self._is_in_tag = "", "", False
        self._links = 0

    @property
    def is_text(self) -> bool:
        return not (self._raw or self._is_in_tag)

    @property
    def may_link(self) -> bool:
        return self._links <= 0

    def go_on(self, text: str) -> None:
        """Advance past some of the template's own text."""
        at = 0
        while at < len(text):
            at = self._past_tag(text, at) if self._is_in_tag else self._to_tag(text, at)

    def _to_tag(self, text: str, at: int) -> int:
        found = _TAG.search(text, at)
        if found is None:
            return len(text)
        name = (found[2] or "").lower()
        if name in _LINKED and not self._raw:
            self._links = max(self._links + (-1 if found[1] else 1), 0)
        if name and not self._raw:
            self._is_in_tag, self._raw = True, name if name in _RAW and not found[1] else ""
        elif name == self._raw and found[1]:
            self._is_in_tag, self._raw = True, ""
        return found.end()

    def _past_tag(self, text: str, at: int) -> int:
        if self._quote:
            end = text.find(self._quote, at)
            self._quote = "" if end >= 0 else self._quote
            return len(text) if end < 0 else end + 1
        if text[at] in "\"'":
            self._quote = text[at]
        self._is_in_tag = text[at] != ">"
        return at + 1


class IsolationExtension(Extension):
    """Applies ``isolate_text`` to every value that a template writes between its tags, and within
    links and buttons ``isolate_name``."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The template's tokens, with the filter added."""
        place, block, is_around, before = _Place(), False, False, ""
        for token in stream:
            if token.type == "data":
                place.go_on(token.value)
            elif token.type == "name" and token.value in ("title", "endblock"):
                block = before == "block" if token.value == "title" else False
            before = token.value if token.type == "name" else ""
            if token.type == "variable_end" and is_around:
                yield Token(token.lineno, "rparen", ")")
                yield Token(token.lineno, "pipe", "|")
                yield Token(token.lineno, "name", "apart" if place.may_link else "named")
            yield token
            if token.type == "variable_begin":
                is_around = place.is_text and not block
                if is_around:
                    yield Token(token.lineno, "lparen", "(")


# Rendering templates: one environment, escaped throughout, strict about missing values.

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
RECEIPT = Markup('role="status" tabindex="-1" autofocus')
"""Attributes of a refusal and of a receipt: the page opens with the first visible and focused."""


@cache
def environment() -> jinja2.Environment:
    """The templates, by area and name; an undefined value is an error, not blank."""
    folder = Path(__file__).parents[1] / "templates"
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        auto_reload=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[IsolationExtension],
    )
    # Keeps a paragraph sign and its number on one line.
    made.filters.update(apart=isolate_text, named=isolate_name)
    made.filters["tied"] = lambda text: text.replace("§ ", "§\N{NO-BREAK SPACE}")
    made.globals.update(asset=assets.address, sprite=sprite, languages=LANGUAGES, sample=sample)
    made.globals.update(tongues={code: facts.name for code, facts in FACTS.items()})
    made.globals.update(has_engine=assets.has_engine, minutes_ahead=_minutes_ahead)
    made.globals.update(rules_of=lambda name: rules_of(Regulation(name)))
    made.globals.update(alert=ALERT, receipt=RECEIPT, device_words=_write_device_texts, looks=looks)
    return made


def _minutes_ahead(zone: str, day: date) -> int:
    """How far a zone is from UTC at noon of a day, when a change of that day is done."""
    away = datetime.combine(day, time(12), ZoneInfo(zone)).utcoffset()
    return 0 if away is None else int(away.total_seconds()) // 60


@cache
def _write_device_texts(lang: str) -> str:
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


def _may_read_mail(request: web.Request) -> bool:
    """Whether the reader may open the mailbox page of a server that sends no mail."""
    person = viewer(request)
    return is_here(request) or (person is not None and person.role == Role.ADMIN)


def page(
    request: web.Request, template: str, *, status: int = 200, **values: object
) -> web.Response:
    """A page in the reader's language; 422 instead of success if its form has a fault."""
    if status < 400 and (request.get(FAULTS) or request.get(PROBLEMS)):
        status = PROBLEM_STATUS
    session = request.get(SESSION)
    said = get_words(request)
    settings = core(request).settings
    official = settings.official.name
    text = (
        environment()
        .get_template(template)
        .render(
            w=said,
            t=said.t,
            viewer=None if session is None else session.person,
            csrf=mask_token(session.session.csrf) if session else "",
            path=request.path,
            sent=sent_again(request, status),
            has_mailbox=not settings.mail.out.host and _may_read_mail(request),
            has_desk=session is not None and session.has_desk,
            preferences=_NOTHING_CHOSEN if session is None else session.preferences,
            official=said.words("letters.foot.unnamed") if official == UNNAMED else official,
            site=settings.web.site,
            source_url=settings.web.source_url or PATH,
            official_email=settings.responsible_email,
            **values,
        )
    )
    return answer_of(request, text, status, for_worker(request, template))


def table_response(raw: bytes, name: str, ending: str) -> web.Response:
    """A CSV file to be kept, or with the ending ``xlsx`` the same as a workbook."""
    kind = "text/csv"
    if ending == "xlsx":
        raw, kind = workbook.write_workbook(raw.decode("utf-8-sig")), workbook.MEDIA_TYPE
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"'}
    headers["Content-Type"] = f"{kind}; charset=utf-8" if kind == "text/csv" else kind
    return web.Response(body=raw, headers=headers)


def pdf_response(data: bytes, name: str) -> web.Response:
    """A PDF that the browser shows inline, with a plain ASCII file name."""
    plain = "".join(char if char.isascii() and char.isalnum() else "-" for char in name)
    headers = {"Content-Disposition": f'inline; filename="{plain}.pdf"'}
    return web.Response(body=data, content_type="application/pdf", headers=headers)


OFFLINE_TEMPLATES = frozenset({"play/my_games.html", "play/game.html"})
"""Pages that a browser may keep for the person they were made for, for offline reading."""


def for_worker(request: web.Request, template: str = "") -> dict[str, str]:
    """Headers saying whom the page is for, and whether it may be kept (static/sw.js)."""
    person = viewer(request)
    if person is None:
        return {"Kskak-Reader": ""}
    keeps = {"Kskak-Keep": "1"} if template in OFFLINE_TEMPLATES else {}
    return {"Kskak-Reader": str(person.id)} | keeps


# What makes the site installable: manifest, icons, worker, offline page.

ROUNDED = ' rx="4"'
"""The icon's rounded corners; systems that mask icons themselves get one without them."""
SIZES = (180, 192, 512)
FAVICON = 32
_ICO = struct.Struct("<3H4B2H2I")
"""An ICO file's header and only entry: sizes, colours, planes, depth, length, offset."""
A_DAY = "public, max-age=86400"


def _lang(request: web.Request) -> str:
    """The language in the address, since browsers fetch these files without credentials."""
    wanted = request.query.get("lang", "")
    return wanted if wanted in LANGUAGES else DEFAULT_LANGUAGE


@routes.get("/manifest.webmanifest")
async def manifest(request: web.Request) -> web.Response:
    """The app's name, look and start page."""
    said = Words.load(_lang(request))
    icons = [
        {"src": f"/icons/{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in SIZES
    ]
    whole = {"src": "/icons/whole-512.png", "sizes": "512x512", "type": "image/png"}
    return web.json_response(
        {
            "id": "/",
            "name": looks().name,
            "short_name": looks().name,
            "description": said("install.about"),
            "lang": said.lang,
            "dir": "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": looks().light["paper"],
            "theme_color": looks().light["paper"],
            "icons": [*icons, whole | {"purpose": "maskable"}],
        },
        content_type="application/manifest+json",
        headers={"Cache-Control": A_DAY},
    )


@cache
def _icon(drawing: str, size: int, *, is_whole: bool) -> bytes:
    import resvg_py

    if is_whole:
        drawing = drawing.replace(ROUNDED, "")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=size, height=size))


@routes.get(r"/icons/{kind:(whole-)?}{size:\d{2,4}}.png")
async def icon(request: web.Request) -> web.Response:
    """The icon in one size, drawn on first request."""
    kind, size = request.match_info["kind"], int(request.match_info["size"])
    if size not in SIZES:
        raise web.HTTPNotFound
    body = _icon(looks().icon, size, is_whole=bool(kind))
    return web.Response(body=body, content_type="image/png", headers={"Cache-Control": A_DAY})


@routes.get("/favicon.ico")
async def favicon(_request: web.Request) -> web.Response:
    """The icon for clients that request it without reading a page: an ICO with one PNG."""
    drawn = _icon(looks().icon, FAVICON, is_whole=False)
    head = _ICO.pack(0, 1, 1, FAVICON, FAVICON, 0, 0, 1, 32, len(drawn), _ICO.size)
    return web.Response(
        body=head + drawn, content_type="image/vnd.microsoft.icon", headers={"Cache-Control": A_DAY}
    )


@routes.get("/sw.js")
async def worker(_request: web.Request) -> web.Response:
    """The worker; its digest makes browsers take a new one when any file has changed."""
    body = f"// {assets.digest()}\n".encode() + assets.assets()["sw.js"].body
    headers = {"Cache-Control": "no-cache"}
    return web.Response(body=body, content_type="text/javascript", charset="utf-8", headers=headers)


@routes.get("/offline")
async def offline(request: web.Request) -> web.Response:
    """The page shown when neither the server nor a kept page is available; not personal."""
    request[PAGE_WORDS] = PageWords.of(_lang(request))
    return page(request, "frame/offline.html")
