"""What others show and find: a game on another site, results as a feed, robots.txt and the map."""

import re
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from aiohttp import web

from kskak.archive.past_game import unpack_moves
from mail.looks.design import looks
from server.store import groups as group_rows
from server.store.groups import GroupRow
from server.store.play import game_lists
from server.store.play.game_lists import TableGameRow
from server.usecases.archive import archive_views
from server.usecases.context import Core
from server.usecases.play.game_views import game_view, restrict_view
from server.web.board.board_view import GameStepView, step_past_game
from server.web.frame.context import PageRoutes, core, get_words, or_404, read_only_page
from server.web.frame.page_texts import PageWords
from server.web.frame.pages import environment, page

routes = PageRoutes()

# A game on another site: a small page for a frame, and the oEmbed answer that says how.

_PAGE = re.compile(r"/(games|archive)/(\d{1,18})(?:[?#].*)?")
_WIDTH, _TEXT_HEIGHT = 360, 190
"""The frame's width in pixels, and how much higher than the board it is."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors *",
    )
)


@routes.get(r"/embed/{kind:games|archive}/{game:\d{1,18}}")
@read_only_page
async def show(request: web.Request) -> web.Response:
    """The page for a frame; 404 unless a stranger may see the game."""
    kind, number = request.match_info["kind"], int(request.match_info["game"])
    shown = or_404(await _find_game_step(request, kind, number))
    whole = core(request).url(f"/{kind}/{number}")
    answer = page(request, "sharing/embed.html", shown=shown, board=shown.picture(), whole=whole)
    answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


@routes.get("/oembed")
async def describe_game(request: web.Request) -> web.Response:
    """The oEmbed answer for a game's page (oembed.com, version 1.0), as JSON."""
    if request.query.get("format", "json") != "json":
        raise web.HTTPNotImplemented
    asked, site = request.query.get("url", ""), core(request).url("")
    found = _PAGE.fullmatch(asked.removeprefix(site)) if asked.startswith(site) else None
    shown = await _find_game_step(request, found[1], int(found[2])) if found else None
    if found is None or shown is None:
        raise web.HTTPNotFound
    most = request.query.get("maxwidth", "")
    width = min(_WIDTH, int(most)) if re.fullmatch("[0-9]{1,5}", most) else _WIDTH
    title = " – ".join(shown.names)
    iframe = environment().get_template("sharing/parts.html").module.iframe  # type: ignore[attr-defined]
    return web.json_response(
        {
            "type": "rich",
            "version": "1.0",
            "provider_name": looks().name,
            "provider_url": core(request).url("/"),
            "title": title,
            "width": width,
            "height": width + _TEXT_HEIGHT,
            "html": str(iframe(f"{site}/embed/{found[1]}/{found[2]}", title, width)),
        },
        headers={"Access-Control-Allow-Origin": "*"},
    )


async def _find_game_step(request: web.Request, kind: str, number: int) -> GameStepView | None:
    """The game with the ply in the address; None unless a stranger may see it."""
    if kind == "archive":
        row = await archive_views.game(core(request), number)
        if row is None:
            return None
        players = (row.game.white.name, row.game.black.name)
        fen, moves = row.game.fen, unpack_moves(row.game.moves)
    else:
        found = await game_view(core(request), number)
        view = None if found is None else await restrict_view(core(request), None, found)
        if view is None:
            return None
        players = (view.white.name, view.black.name)
        fen = view.account.terms.fen
        moves = tuple(row.move for row in view.account.rows)
    base = f"/embed/{kind}/{number}"
    return step_past_game(request, f"{kind}-{number}", base, players, fen, moves)


# A group's results as an Atom feed (RFC 4287), newest first.

MOST_ENTRIES = 50
"""Entries of a feed."""
_ATOM = "http://www.w3.org/2005/Atom"


@routes.get("/groups/{name:.+}/atom.xml")
async def show_group_feed(request: web.Request) -> web.Response:
    """The feed of the group in the address; 404 if there is none."""
    async with core(request).store.read() as conn:
        group = or_404(await group_rows.by_name(conn, request.match_info["name"]))
        names = {one.person_id: one.name for one in await group_rows.seats_of(conn, group.id)}
        rows = (await game_lists.in_tables(conn, [group.id]))[group.id]
    ended = [row for row in rows if row.result is not None and row.ended_us is not None]
    ended.sort(key=lambda row: (row.ended_us or 0, row.id), reverse=True)
    feed = _feed(core(request), group, ended, get_words(request))
    for row in ended[:MOST_ENTRIES]:
        _entry(feed, core(request), row, names, get_words(request))
    body = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return web.Response(body=body, content_type="application/atom+xml", charset="utf-8")


def _feed(core: Core, group: GroupRow, ended: list[TableGameRow], said: PageWords) -> ET.Element:
    feed = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": said.lang})
    address = core.url(f"/groups/{group.name}")
    _text(feed, "id", address)
    _text(feed, "title", f"{group.tournament}, {group.name}")
    _text(feed, "updated", _moment((ended[0].ended_us or 0) if ended else group.created_us))
    ET.SubElement(feed, "link", {"rel": "alternate", "href": address})
    ET.SubElement(feed, "link", {"rel": "self", "href": f"{address}/atom.xml"})
    _text(ET.SubElement(feed, "author"), "name", looks().name)
    return feed


def _entry(
    feed: ET.Element, core: Core, row: TableGameRow, names: dict[int, str], said: PageWords
) -> None:
    entry, address = ET.SubElement(feed, "entry"), core.url(f"/games/{row.id}")
    # Who has left the group since has no seat; the game still has its own address.
    white, black = (names.get(one, "?") for one in (row.white_id, row.black_id))
    _text(entry, "id", address)
    _text(entry, "title", f"{white} – {black} {said.result(row.result)}")
    _text(entry, "updated", _moment(row.ended_us or 0))
    ET.SubElement(entry, "link", {"rel": "alternate", "href": address})
    _text(entry, "summary", said.t("game.round", number=row.round))


def _text(above: ET.Element, name: str, text: str) -> None:
    ET.SubElement(above, name).text = text


def _moment(us: int) -> str:
    return datetime.fromtimestamp(us // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# What search engines may read, and where it is: robots.txt and the map of the site.

DISALLOWED_PATHS = (
    "/api/", "/c/", "/calendar/", "/desk", "/embed/", "/leave", "/login/", "/mailbox", "/next",
    "/settings", "/think/", "/unsubscribe/", "/xfcc",
)  # fmt: skip
"""What is one reader's own, or for programs."""
PAGES = (
    "/", "/about", "/archive", "/bulletins", "/clubs", "/cup", "/enter", "/help", "/league",
    "/players", "/ratings", "/titles",
)  # fmt: skip
MOST_ADDRESSES = 5_000
"""Groups of the map, newest first; a file of a map may have 50,000 addresses."""
_NAMES = "http://www.sitemaps.org/schemas/sitemap/0.9"


@routes.get("/robots.txt")
async def robots(request: web.Request) -> web.Response:
    """What a search engine is asked to leave alone (RFC 9309)."""
    lines = ["User-agent: *", *(f"Disallow: {one}" for one in DISALLOWED_PATHS)]
    lines.append(f"Sitemap: {core(request).url('/sitemap.xml')}")
    return web.Response(text="\n".join([*lines, ""]))


@routes.get("/sitemap.xml")
async def sitemap(request: web.Request) -> web.Response:
    """The public pages and the newest groups."""
    groups = await core(request).store.query(group_rows.newest, MOST_ADDRESSES)
    whole = ET.Element("urlset", {"xmlns": _NAMES})
    for path in (*PAGES, *(f"/groups/{name}" for name in groups)):
        ET.SubElement(ET.SubElement(whole, "url"), "loc").text = core(request).url(path)
    body = ET.tostring(whole, encoding="utf-8", xml_declaration=True)
    return web.Response(body=body, content_type="application/xml", charset="utf-8")
