"""Rating lists by day, as page and CSV; a group's calculation with every step (§ 4.5).

Public (CONTRACTS). Not for the player's page (register/players_and_clubs.py) or the desk
(desk.py).
"""

import csv
import io
from datetime import date

from aiohttp import web

from kskak.values.spreadsheet import guarded
from server.usecases.rating.lists import RatingList, rating_list
from server.usecases.rating.views import calculation
from server.web.frame.context import core, one_look, words
from server.web.frame.form_faults import PROBLEM_STATUS
from server.web.frame.pages import page
from server.web.rating.words import RatingWords

PAGE = 200
"""Players per page of the list."""


def rating_words(request: web.Request) -> RatingWords:
    """The rating pages' texts in the reader's language."""
    return RatingWords(words(request).words, core(request).settings.clock.zone)


def _today(request: web.Request) -> date:
    return core(request).today(core(request).settings.clock.zone)


def _day(request: web.Request) -> date | None:
    """The requested day, by default today; None for an invalid or future day."""
    text, today = request.query.get("on", ""), _today(request)
    if not text:
        return today
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text and date.min < day <= today else None


def _number(request: web.Request) -> int:
    text = request.query.get("page", "1")
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 6 else 1


@one_look
async def listed(request: web.Request) -> web.Response:
    """The list on a day."""
    day, today = _day(request), _today(request)
    found = await rating_list(core(request), day or today)
    pages = max(1, -(-len(found.lines) // PAGE))
    number = min(max(_number(request), 1), pages)
    typed = request.query.get("on", "")[:50]
    return page(
        request,
        "rating/ratings.html",
        status=200 if day is not None else PROBLEM_STATUS,
        r=rating_words(request),
        found=found,
        lines=found.lines[(number - 1) * PAGE : number * PAGE],
        number=number,
        pages=pages,
        today=today,
        typed=typed if day is None else found.on.isoformat(),
        is_bad=day is None,
    )


async def as_csv(request: web.Request) -> web.Response:
    """The same as CSV."""
    day = _day(request)
    if day is None:
        raise web.HTTPNotFound
    found = await rating_list(core(request), day)
    headers = {"Content-Disposition": f'attachment; filename="rating-{day.isoformat()}.csv"'}
    text = csv_of(found, rating_words(request))
    return web.Response(
        body=text.encode("utf-8-sig"), content_type="text/csv", charset="utf-8", headers=headers
    )


def csv_of(found: RatingList, r: RatingWords) -> str:
    """A list as read by Danish spreadsheets; no cell can be a formula."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    names = ("rank", "name", "club", "rating", "status", "change", "games")
    writer.writerow([r(f"column.{name}") for name in names])
    for line in found.lines:
        writer.writerow(
            [
                line.rank,
                guarded(line.name),
                guarded(line.club or ""),
                line.rating,
                r.status(is_provisional=line.is_provisional),
                "" if line.change is None else line.change,
                line.games,
            ]
        )
    return out.getvalue()


@one_look
async def show(request: web.Request) -> web.Response:
    """A group's calculation with every step; also a page if there is none yet."""
    view = await calculation(core(request), name=request.match_info["name"])
    if view is None:
        raise web.HTTPNotFound
    return page(request, "rating/rating.html", r=rating_words(request), view=view)
