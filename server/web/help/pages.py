"""The help pages: first steps, playing here and by mail, rules with computed examples, cases.

Every number and date on them comes from the regulation's functions
(kskak/statement/worked_examples.py). Not for the letter that answers «hjælp» or for parsing the
lines shown (examples.py).
"""

import re
from datetime import date
from functools import cache
from pathlib import Path

from aiohttp import web

from kskak.regulation.days import holidays
from kskak.regulation.editions import DISPUTES, EMAIL, POSTAL
from kskak.regulation.paragraphs import PARAGRAPHS
from kskak.regulation.quantities import Side
from kskak.statement import worked_examples as examples
from kskak.statement.timeline import timeline
from server.usecases.account.own_keys import xfcc_user
from server.web.account.ways_in import account_words
from server.web.board.picture import picture
from server.web.frame.context import core, viewer, words
from server.web.frame.pages import page
from server.web.help.examples import (
    KEYWORDS,
    HelpWords,
    answer_lines,
    numbered,
    opening_lines,
    written_moves,
)
from server.web.reflection.day_calendar import calendar_of

READINGS = Path(__file__).parents[3] / "docs" / "readings.md"
"""In a checkout, as every server is set up from one; a wheel has no docs, and so no such page."""
_PAGES = ("first", "play", "mail", "rules", "notation", "officials", "readings")
PAGES = _PAGES if READINGS.is_file() else _PAGES[:-1]
_READING = re.compile(r"^(?:## (?P<part>.+)|- \*\*(?P<cited>.+?)\*\* (?P<text>(?:.|\n  )+))$", re.M)
STEPS = ("enter", "letter", "sign_in", "move", "days", "leave", "end", "wrong")
OFFICIALS_STEPS = (
    "comes",
    "evidence",
    "hear",
    "suspend",
    "what_if",
    "decide",
    "letter",
    "appeal",
)
DEEDS = (
    "move",
    "undo",
    "days",
    "draw",
    "end",
    "series",
    "lines",
    "notes",
    "talk",
    "next",
    "mails",
    "notifications",
    "calendar",
    "programs",
)
"""What can be done on a game's page or because of a game, in the order needed."""
LINKS = {
    "undo": "/settings/moves",
    "mails": "/settings/letters",
    "notifications": "/settings/notifications",
    "calendar": "/leave#calendar",
    "programs": "/settings/access#xfcc",
}
"""The pages where these things are done."""
LABELS = {
    "move": "web.game.move",
    "preview": "web.game.to_preview",
    "more": "web.game.more",
    "undo": "delay.undo",
    "statement": "web.statement.link",
    "account": "web.game.tab.account",
    "wait": "web.timeline.if_title",
    "offer": "web.draw.offer",
    "accept": "web.draw.accept",
    "decline": "web.draw.decline",
    "end": "web.game.tab.more",
    "resign": "web.end.resign",
    "claim_draw": "web.end.claim_draw",
    "claim_time": "web.end.claim_time",
    "propose": "board.series.start",
    "try": "board.trying.start",
    "plan": "board.trying.plan",
    "taking": "board.taking.title",
    "private": "web.game.tab.analysis",
    "thread": "thread.title",
    "begin": "mygames.begin",
}
"""Labels used on the pages, by the names used in the help texts, so none is written twice."""
_YEARS = 3
DAYS_A_WEEK = 7


def _page(request: web.Request, name: str, **values: object) -> web.Response:
    others = tuple(one for one in PAGES if one != name)
    h = HelpWords(words(request).words)
    return page(
        request,
        f"help/{name}.html",
        status=200,
        h=h,
        email=EMAIL,
        postal=POSTAL,
        weeks=DISPUTES.appeal_days // DAYS_A_WEEK,
        others=others,
        **values,
    )


async def index(request: web.Request) -> web.Response:
    """The table of contents."""
    return _page(request, "index")


async def first(request: web.Request) -> web.Response:
    """The first steps, as text."""
    return _page(request, "first", steps=STEPS)


async def play(request: web.Request) -> web.Response:
    """What a game's page can do, and where."""
    said = words(request).words
    labels = {name: said(key) for name, key in LABELS.items()}
    return _page(request, "play", deeds=DEEDS, links=LINKS, labels=labels)


async def officials(request: web.Request) -> web.Response:
    """How a leader decides a case (§ 6.4)."""
    return _page(request, "officials", steps=OFFICIALS_STEPS)


async def mail(request: web.Request) -> web.Response:
    """How to play by mail: lines, and how the server understands them."""
    said = words(request)
    return _page(
        request,
        "mail",
        board=picture(examples.before_series().state.board, Side.WHITE),
        written=opening_lines(said),
        answers=answer_lines(said),
        keywords=KEYWORDS[said.lang],
    )


async def notation(request: web.Request) -> web.Response:
    """How a move is written (§ 6.2.2)."""
    return _page(request, "notation", squares=numbered(), moves=written_moves())


async def rules(request: web.Request) -> web.Response:
    """Time, leave and series, with examples computed on the fly (§ 6.2.5, § 6.3, § 6.8)."""
    said, story = words(request), examples.one_game()
    series = examples.with_series()
    return _page(
        request,
        "rules",
        sent_on=examples.by_email()[0].sent,
        by_email=examples.by_email(),
        by_post=examples.by_post(),
        over_leave=examples.over_leave(),
        notice=examples.notice(),
        silence=examples.silence(),
        story=story,
        used=tuple(story.state.clock(side).total for side in Side),
        calendar=calendar_of(timeline(story), said),
        free=_free_days(core(request).today(core(request).settings.clock.zone)),
        board=picture(series.state.board, Side.WHITE, series.rows[-1].move),
        proposed=opening_lines(said)[-1],
        answered=answer_lines(said)[-1],
        series_postal=examples.series_limits(POSTAL),
        series_email=examples.series_limits(EMAIL),
    )


async def readings(request: web.Request) -> web.Response:
    """How the regulation is read where it leaves room, paragraph by paragraph, in English."""
    if not READINGS.is_file():
        raise web.HTTPNotFound
    return _page(request, "readings", parts=read_readings())


@cache
def read_readings() -> dict[str, dict[tuple[str, str], list[str]]]:
    """docs/readings.md: by part, and by paragraphs cited with the first one's title, the texts."""
    parts: dict[str, dict[tuple[str, str], list[str]]] = {}
    for found in _READING.finditer(READINGS.read_text(encoding="utf-8")):
        if found["part"]:
            part = parts.setdefault(found["part"], {})
            continue
        row = PARAGRAPHS[found["cited"].split(", ")[0].removeprefix("§ ")]
        words = " ".join(re.sub("[`*]", "", found["text"]).split())
        part.setdefault((found["cited"], row.title), []).append(words)
    return parts


def _free_days(today: date) -> tuple[tuple[date, date], ...]:
    """The obligatory holidays of this year and the next ones (§ 6.3.6.2)."""
    years = range(today.year, today.year + _YEARS)
    return tuple((span.first, span.last) for year in years for span in holidays(year))


NICKNAME = "KSKAK"
"""Without a hyphen: Scid splits a game's name at the first one."""


async def show(request: web.Request) -> web.Response:
    """What to type where, with the reader's own user name if signed in."""
    me = viewer(request)
    return page(
        request,
        "help/xfcc.html",
        a=account_words(request),
        url=core(request).url("/xfcc/XfccBasic.asmx"),
        user=xfcc_user(me.id) if me else "",
        nickname=NICKNAME,
    )
