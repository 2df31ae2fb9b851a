"""A group's results as an Atom feed (RFC 4287), newest first.

Not for running games, whose moves are their players' own, nor for a player's calendar
(reflection/feeding.py).
"""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from aiohttp import web

from mail.looks.chosen import looks
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import CrossRow, GroupRow
from server.usecases.core.context import Core
from server.web.frame.context import core, words
from server.web.frame.words import PageWords

MOST = 50
"""Entries of a feed."""
_ATOM = "http://www.w3.org/2005/Atom"


async def of_group(request: web.Request) -> web.Response:
    """The feed of the group in the address; 404 if there is none."""
    async with core(request).store.read() as conn:
        group = await group_rows.by_name(conn, request.match_info["name"])
        if group is None:
            raise web.HTTPNotFound
        names = {one.person_id: one.name for one in await group_rows.seats_of(conn, group.id)}
        rows = await group_rows.crosstable(conn, group.id)
    ended = [row for row in rows if row.result is not None and row.ended_us is not None]
    ended.sort(key=lambda row: (row.ended_us or 0, row.game_id), reverse=True)
    feed = _feed(core(request), group, ended, words(request))
    for row in ended[:MOST]:
        _entry(feed, core(request), row, names, words(request))
    body = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return web.Response(body=body, content_type="application/atom+xml", charset="utf-8")


def _feed(core: Core, group: GroupRow, ended: list[CrossRow], said: PageWords) -> ET.Element:
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
    feed: ET.Element, core: Core, row: CrossRow, names: dict[int, str], said: PageWords
) -> None:
    entry, address = ET.SubElement(feed, "entry"), core.url(f"/games/{row.game_id}")
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
