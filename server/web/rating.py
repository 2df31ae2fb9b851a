"""Rating lists by day, as page and CSV; a group's calculation with every step (§ 4.5).

Public (CONTRACTS). Not for the player's page (web/register.py) or the desk
(below).
"""

import csv
import io
from dataclasses import dataclass
from datetime import date

from aiohttp import web

from kskak.regulation.days import local_day
from kskak.values import guard_formula
from mail.text.catalogue import decimal, halves, hundredths
from mail.text.explanations import step_lines
from server.store.engine.rows import from_us
from server.usecases.context import today_of
from server.usecases.desks.desk_overview import compute, desk
from server.usecases.rating.computing import GroupRatingGame
from server.usecases.rating.rating_views import (
    CalculationView,
    PlayerSteps,
    RatingListView,
    calculation,
    rating_list,
)
from server.usecases.rights import NotAllowed, rights
from server.web.cases.case_texts import load_case_words
from server.web.frame.context import PageRoutes, core, get_words, or_404, read_only_page, signed_in
from server.web.frame.forms import PROBLEM_STATUS, form_of
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import page, table_response

routes = PageRoutes()

# Texts of the rating pages: lists, histories, a calculation's steps with their paragraphs.


@dataclass(frozen=True, slots=True)
class RatingWords(SubjectWords):
    """One language for the rating pages. ``zone`` applies to their days."""

    subject = "ratings"
    zone: str

    def day(self, day: date | str) -> str:
        return self.words.day(date.fromisoformat(day) if isinstance(day, str) else day)

    def at(self, us: int) -> str:
        """The day of an instant."""
        return self.words.day(local_day(from_us(us), self.zone))

    def change(self, value: int | None) -> str:
        """«+12», «−3», «0»; «ny» for a player without a previous rating."""
        if value is None:
            return self("fresh")
        return f"+{value}" if value > 0 else str(value).replace("-", "\N{MINUS SIGN}")

    def status(self, *, is_provisional: bool) -> str:
        """Final, or provisional (§ 6.7.6.2)."""
        return self("provisional" if is_provisional else "final")

    def cells(self, player: PlayerSteps) -> tuple[str, ...]:
        """Games, score, expected score, bonus and K as printed in the calculation's table."""
        row = player.calculation
        return (
            str(row.games),
            halves(row.score),
            hundredths(row.expected.score, self.words),
            decimal(row.bonus, self.words),
            str(row.k),
        )

    def headline(self, player: PlayerSteps) -> str:
        """The change from the previously registered rating to the current one."""
        row = player.calculation
        if player.rating is None:
            return self("of.unplayed", name=row.name, before=row.before)
        return self("of.result", name=row.name, before=player.registered, rating=player.rating)

    def steps(self, player: PlayerSteps) -> tuple[str, ...]:
        """Every step from the start, each with its paragraph (§ 4.5.2, § 4.5.4.1)."""
        row = player.calculation
        lines = [self(f"basis.{player.basis.value}", rating=row.before)]
        lines += [line.strip() for line in step_lines(row, self.words)[1:]]
        if player.rating is not None and player.registered != row.before:
            places = {"registered": player.registered, "rating": player.rating}
            lines.append(self("of.registered", **places))
        return tuple(lines)

    def unrated(self, game: GroupRatingGame, view: CalculationView) -> str:
        """A game that is not rated, and why (§ 4.5.4.2)."""
        assert game.unrated is not None
        names = {"white": view.names[game.white], "black": view.names[game.black]}
        return self(f"unrated.{game.unrated.value}", **names)

    def turned(self, game: GroupRatingGame, view: CalculationView) -> str:
        """A game that is rated even though it was lost by a withdrawal (§ 6.2.8, § 4.5.4.2)."""
        return self("of.turned_game", white=view.names[game.white], black=view.names[game.black])


# Rating lists by day, as page and CSV; a group's calculation with every step (§ 4.5).

PAGE = 200
"""Players per page of the list."""


def load_rating_words(request: web.Request) -> RatingWords:
    """The rating pages' texts in the reader's language."""
    return RatingWords(get_words(request).words, core(request).settings.clock.zone)


def _day(request: web.Request) -> date | None:
    """The requested day, by default today; None for an invalid or future day."""
    text, today = request.query.get("on", ""), today_of(core(request))
    if not text:
        return today
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text and date.min < day <= today else None


@routes.get("/ratings")
@read_only_page
async def show_rating_list(request: web.Request) -> web.Response:
    """The list on a day."""
    day, today = _day(request), today_of(core(request))
    found = await rating_list(core(request), day or today)
    pages = max(1, -(-len(found.lines) // PAGE))
    asked = request.query.get("page", "1")
    is_number = asked.isascii() and asked.isdigit() and 0 < len(asked) < 6
    number = min(max(int(asked) if is_number else 1, 1), pages)
    typed = request.query.get("on", "")[:50]
    return page(
        request,
        "rating/ratings.html",
        status=200 if day is not None else PROBLEM_STATUS,
        r=load_rating_words(request),
        found=found,
        lines=found.lines[(number - 1) * PAGE : number * PAGE],
        number=number,
        pages=pages,
        today=today,
        typed=typed if day is None else found.on.isoformat(),
        is_bad=day is None,
    )


@routes.get("/ratings.{ending:csv|xlsx}")
async def as_table(request: web.Request) -> web.Response:
    """The same as CSV or a workbook."""
    day = or_404(_day(request))
    found = await rating_list(core(request), day)
    text = csv_of(found, load_rating_words(request)).encode("utf-8-sig")
    return table_response(text, f"rating-{day.isoformat()}", request.match_info["ending"])


def csv_of(found: RatingListView, r: RatingWords) -> str:
    """A list as read by Danish spreadsheets; no cell can be a formula."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    names = ("rank", "name", "club", "rating", "status", "change", "games")
    writer.writerow([r(f"column.{name}") for name in names])
    for line in found.lines:
        who = guard_formula(line.name), guard_formula(line.club or "")
        status = r.status(is_provisional=line.is_provisional)
        change = "" if line.change is None else line.change
        writer.writerow([line.rank, *who, line.rating, status, change, line.games])
    return out.getvalue()


@routes.get("/ratings/{name:.+}")
@read_only_page
async def show(request: web.Request) -> web.Response:
    """A group's calculation with every step; also a page if there is none yet."""
    view = or_404(await calculation(core(request), name=request.match_info["name"]))
    return page(request, "rating/rating.html", r=load_rating_words(request), view=view)


# The ratings desk: pending calculations, the button for them, and the latest ones.

HERE = "/desk/ratings"


@routes.get("/desk/ratings")
async def show_desk(request: web.Request) -> web.Response:
    """Pending and recent calculations."""
    person = signed_in(request)
    try:
        found = await desk(core(request), person)
    except NotAllowed:
        raise web.HTTPNotFound from None
    done = request.query.get("done", "")
    return page(
        request,
        "rating/desk.html",
        r=load_rating_words(request),
        d=load_case_words(request),
        rights=await rights(core(request), person),
        desk=found,
        done=int(done) if done.isascii() and done.isdigit() and len(done) < 7 else None,
    )


@routes.post("/desk/ratings")
async def do(request: web.Request) -> web.Response:
    """Calculate what is pending, or everything anew."""
    person, form = signed_in(request), await form_of(request)
    try:
        done = await compute(core(request), person, everything=form.text("act", 10) == "all")
    except NotAllowed:
        raise web.HTTPNotFound from None
    raise web.HTTPSeeOther(f"{HERE}?done={len(done)}")
