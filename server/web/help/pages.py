"""The help pages: first steps, play here and by mail, the rules by counted examples, cases.

Every number and date on them comes from the regulation's functions
(kskak/statement/worked_examples.py). Not for the letter that answers «hjælp», nor for reading the
lines shown (examples.py).
"""

from datetime import date

from aiohttp import web

from kskak.regulation.days import holidays
from kskak.regulation.editions import DISPUTES, EMAIL, POSTAL
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

PAGES = ("first", "play", "mail", "rules", "notation", "officials")
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
"""What is done on the page of a game or because of one, in the order of need."""
LINKS = {
    "undo": "/settings/moves",
    "mails": "/settings/letters",
    "notifications": "/settings/notifications",
    "calendar": "/leave#calendar",
    "programs": "/settings/access#xfcc",
}
"""Where what is told of is done."""
LABELS = {
    "move": "web.game.move",
    "preview": "web.game.to_preview",
    "more": "web.game.more",
    "undo": "delay.undo",
    "statement": "web.statement.link",
    "wait": "web.timeline.if_title",
    "offer": "web.draw.offer",
    "accept": "web.draw.accept",
    "decline": "web.draw.decline",
    "end": "web.end.title",
    "resign": "web.end.resign",
    "claim_draw": "web.end.claim_draw",
    "claim_time": "web.end.claim_time",
    "propose": "board.series.start",
    "try": "board.trying.start",
    "save_line": "board.trying.save",
    "taking": "board.taking.title",
    "private": "private.title",
    "thread": "thread.title",
    "begin": "mygames.begin",
}
"""What is written on the pages, by the name that the texts give it: it is never written twice."""
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
    """What there is to read."""
    return _page(request, "index")


async def first(request: web.Request) -> web.Response:
    """The first steps, as text."""
    return _page(request, "first", steps=STEPS)


async def play(request: web.Request) -> web.Response:
    """What the page of a game can do, and where it is."""
    said = words(request).words
    labels = {name: said(key) for name, key in LABELS.items()}
    return _page(request, "play", deeds=DEEDS, links=LINKS, labels=labels)


async def officials(request: web.Request) -> web.Response:
    """How a leader decides a case (§ 6.4)."""
    return _page(request, "officials", steps=OFFICIALS_STEPS)


async def mail(request: web.Request) -> web.Response:
    """How to play by mail: lines, and what the server makes of them."""
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
    """Time, leave and series, by examples that are counted now (§ 6.2.5, § 6.3, § 6.8)."""
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


def _free_days(today: date) -> tuple[tuple[date, date], ...]:
    """The obligatory holidays of this year and the next ones (§ 6.3.6.2)."""
    years = range(today.year, today.year + _YEARS)
    return tuple((span.first, span.last) for year in years for span in holidays(year))


NICKNAME = "KSKAK"
"""Without a hyphen: Scid takes a game's name apart at the first."""


async def show(request: web.Request) -> web.Response:
    """What to type where; with the reader's own user name when he is signed in."""
    me = viewer(request)
    return page(
        request,
        "help/xfcc.html",
        a=account_words(request),
        url=core(request).url("/xfcc/XfccBasic.asmx"),
        user=xfcc_user(me.id) if me else "",
        nickname=NICKNAME,
    )
