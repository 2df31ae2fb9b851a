"""The help pages: first steps, playing here and by mail, writing moves, cases.

Not for the rules (regulation.py), nor for the letter that answers «hjælp».
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial

import chess
from aiohttp import web

from kskak.board.notation import parse_numeric
from kskak.board.shapes import in_danish
from kskak.game.game_events import MoveSent
from kskak.play.game_state import Terms
from kskak.regulation.editions import DEFAULT_LAWS, DISPUTES, EMAIL, POSTAL, Regulation, Side
from kskak.statement.account import Account, account
from mail.text.catalogue import FACTS, Words
from mail.text.letter_facts import move_texts
from server.store.desk_lists import promise_figures
from server.store.engine.rows import HOUR_US
from server.usecases.account.signin import xfcc_user
from server.usecases.play.game_requests import parse_player_text
from server.web.account.sign_in import load_account_words
from server.web.board.board_view import TILE, Square, picture
from server.web.frame.context import PageRoutes, core, get_words, read_only_page, viewer
from server.web.frame.forms import Handler
from server.web.frame.page_texts import PageWords, SubjectWords
from server.web.frame.pages import page

routes = PageRoutes()

# Examples on the help pages: lines of mail, moves, squares, as the server reads or writes them.

KEYWORDS = {code: facts.keywords for code, facts in FACTS.items()}
"""What a line may say besides moves, in each language, and its meaning (keyword_lines.py)."""

OPENING_LINES = ("b5", "12. b4-b5", "2425", "12. 2425 01625 13. 1118 2718 14. 4244")
ANSWER_LINES = ("axb5", "12. 2425 1625 13. 1118 4818")
_CASTLES = "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
MOVES = (
    ("pawn", chess.STARTING_FEN, "5254"),
    ("knight", chess.STARTING_FEN, "7163"),
    ("capture", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "5445"),
    ("castle", _CASTLES, "5171"),
    ("promote", "8/4P1k1/8/8/8/8/6K1/8 w - - 0 60", "5758(1)"),
)


_MIDDLE = "r2q1rk1/1bpp1ppp/p1n1pn2/8/1PB5/2N2N2/3P1PPP/R1BQ1RK1 w - - 0 12"
"""White to move in a position in which the series of § 6.2.5 is lawful."""
_START = date(2026, 9, 1)
_TERMS = Terms("H-1", Regulation.EMAIL, _START, "Anna", "Bent", _MIDDLE, DEFAULT_LAWS)


def before_series() -> Account:
    """The game of § 6.2.5 before White's 12th move."""
    return account(_TERMS, ())


def with_series() -> Account:
    """The same after White has sent 12. 2425 and proposed 01625 13. 1118, 2718 14. 4244."""
    moves = tuple(map(parse_numeric, ("2425", "1625", "1118", "2718", "4244")))
    return account(_TERMS, (MoveSent(Side.WHITE, moves[:1], _START, _START, proposes=moves[1:]),))


class HelpWords(SubjectWords):
    """One language for these pages."""

    subject = "help"


def explain_line(account: Account, side: Side, text: str, said: PageWords) -> tuple[str, str]:
    """A line of mail and what it means in a game, found by the parser used for mails.

    Raises ValueError when no move is found: every example must contain one.
    """
    state, h = account.state, HelpWords(said.words)
    reading = parse_player_text(state, side, text, lang=said.lang, today=account.terms.start)
    if not reading.moves:
        raise ValueError(f"no move in the example {text!r}")
    board = state.board.copy(stack=False)
    key = "mail.moves" if len(reading.moves) == 1 else "mail.follows"
    parts = [h(key, moves=said.line(move_texts(board, reading.moves)))]
    if reading.proposes:
        for move in reading.moves:
            board.push(move)
        parts.append(h("mail.proposes", moves=said.line(move_texts(board, reading.proposes))))
    return text, " ".join(parts)


def written_moves() -> dict[str, tuple[str, str, str]]:
    """Moves in digits, Danish and English letters, generated from the move itself (§ 6.2.2)."""
    boards = {what: (chess.Board(fen), parse_numeric(digits)) for what, fen, digits in MOVES}
    english = {what: board.san(move) for what, (board, move) in boards.items()}
    return {what: (d, in_danish(english[what]), english[what]) for what, _, d in MOVES}


def list_numbered_squares() -> list[tuple[Square, str, int, int]]:
    """An empty board's squares, each with its number (§ 6.2.2) and where that is written."""
    middle = TILE // 2
    return [
        (
            one,
            f"{'abcdefgh'.index(one.name[0]) + 1}{one.name[1]}",
            one.x + middle,
            one.y + middle + 5,
        )
        for one in picture(chess.Board(None), Side.WHITE).squares
    ]


# The help pages: first steps, playing here and by mail, writing moves, cases.

PAGES = ("first", "play", "mail", "notation", "officials")
STEPS = ("enter", "letter", "sign_in", "move", "days", "leave", "end", "wrong")
OFFICIALS_STEPS = ("comes", "evidence", "hear", "suspend", "what_if", "decide", "letter", "appeal")
HELP_TOPICS = (
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
DAYS_A_WEEK = 7


def _page(request: web.Request, name: str, **values: object) -> web.Response:
    others = tuple(one for one in PAGES if one != name)
    h, weeks = HelpWords(get_words(request).words), DISPUTES.appeal_days // DAYS_A_WEEK
    values |= {"h": h, "weeks": weeks, "others": others, "email": EMAIL, "postal": POSTAL}
    return page(request, f"help/{name}.html", status=200, **values)


def _text_page(name: str, **values: object) -> Handler:
    """A page of text alone."""

    async def show_text(request: web.Request) -> web.Response:
        return _page(request, name, **values)

    return show_text


@routes.get("/help/play")
async def play(request: web.Request) -> web.Response:
    """What a game's page can do, and where."""
    said = get_words(request).words
    labels = {name: said(key) for name, key in LABELS.items()}
    return _page(request, "play", topics=HELP_TOPICS, links=LINKS, labels=labels)


@routes.get("/help/mail")
async def mail(request: web.Request) -> web.Response:
    """How to play by mail: lines, and how the server understands them."""
    said, before, after = get_words(request), before_series(), with_series()
    return _page(
        request,
        "mail",
        board=picture(before.state.board, Side.WHITE),
        written=[explain_line(before, Side.WHITE, text, said) for text in OPENING_LINES],
        answers=[explain_line(after, Side.BLACK, text, said) for text in ANSWER_LINES],
        keywords=KEYWORDS[said.lang],
    )


@routes.get("/help/notation")
async def notation(request: web.Request) -> web.Response:
    """How a move is written (§ 6.2.2)."""
    return _page(request, "notation", squares=list_numbered_squares(), moves=written_moves())


@routes.get("/help/{old:rules|readings}")
async def moved(_request: web.Request) -> web.Response:
    """What was told here stands in the regulation's documents."""
    raise web.HTTPMovedPermanently("/regulation")


# What the server promises: sentence, figure as it is now, and the test that holds it (template).

PROMISES_S = 600.0
"""Seconds for which the figures are shown again: whoever asks must not keep the disk busy."""
FIGURES = web.AppKey("figures", dict[str, tuple[float, Mapping[str, int | None]]])


@routes.get("/promises")
@read_only_page
async def promises(request: web.Request) -> web.Response:
    """What the server promises, for everybody to hold it to."""
    kept, time = request.app[FIGURES], asyncio.get_running_loop().time()
    if "all" not in kept or kept["all"][0] < time:
        found = await core(request).store.look(partial(promise_figures, core(request).now_us))
        kept["all"] = (time + PROMISES_S, found)
    facts = dict(kept["all"][1])
    proved = facts.pop("proved_us")
    facts["hours"] = None if proved is None else max(0, core(request).now_us - proved) // HOUR_US
    return page(request, "help/promises.html", facts=facts)


NICKNAME = "KSKAK"
"""Without a hyphen: Scid splits a game's name at the first one."""


async def show(request: web.Request) -> web.Response:
    """What to type where, with the reader's own user name if signed in."""
    me = viewer(request)
    return page(
        request,
        "help/xfcc.html",
        a=load_account_words(request),
        url=core(request).url("/xfcc/XfccBasic.asmx"),
        user=xfcc_user(me.id) if me else "",
        nickname=NICKNAME,
    )


routes.get("/help")(_text_page("index"))
routes.get("/help/first")(_text_page("first", steps=STEPS))
routes.get("/help/officials")(_text_page("officials", steps=OFFICIALS_STEPS))


# For those who write programs: the API with examples, and what each of its problems means.

ProblemText = tuple[str, int, str, str, str]
"""A problem's address, status, title, meaning with … where it says more, and paragraph or ""."""


@dataclass(frozen=True, slots=True)
class ProblemTable:
    """Every problem of the API, as ``explain`` tells it in a language.

    The API is beside the pages, so the server hands it on.
    """

    explain: Callable[[Words], Iterable[ProblemText]] = lambda _: ()


PROBLEMS = web.AppKey("problems", ProblemTable)
_TOKEN = '-H "Authorization: Bearer $TOKEN"'
_SENDS = '-H "Content-Type: application/json"'
API_EXAMPLES = {
    "me": f"curl {_TOKEN} $SITE/api/v1/me",
    "games": f"curl {_TOKEN} $SITE/api/v1/games",
    "game": f"curl {_TOKEN} $SITE/api/v1/games/$GAME",
    "move": f'curl {_TOKEN} {_SENDS} -H "Idempotency-Key: first-move"'
    """ -d '{"text": "e4", "ply": 0}' $SITE/api/v1/games/$GAME/moves""",
    "ledger": f'curl {_TOKEN} -H "If-None-Match: $ETAG" $SITE/api/v1/games/$GAME/ledger',
    "leave": f"curl {_TOKEN} {_SENDS}"
    """ -d '{"from": "$FIRST", "to": "$LAST"}' $SITE/api/v1/leave""",
    "events": f"curl -N {_TOKEN} $SITE/events",
    "webhook": f"curl {_TOKEN} {_SENDS}"
    """ -d '{"url": "https://bot.example/kskak"}' $SITE/api/v1/webhooks""",
    "board": f"curl {_TOKEN} $SITE/api/account/playing",
    "groups": "curl $SITE/api/v1/groups",
}
"""What a program asks first, each by its words; ``tests/server/web/help`` runs them all."""


@routes.get("/api")
async def api(request: web.Request) -> web.Response:
    """How a program plays here, with examples."""
    site = core(request).settings.web.site
    shown = {name: text.replace("$SITE", site) for name, text in API_EXAMPLES.items()}
    return _page(request, "api", examples=shown, origin=site)


@routes.get("/problems")
@routes.get("/problems/{slug:[a-z0-9-]{1,60}}")
async def problems(request: web.Request) -> web.Response:
    """What a problem of the API means, and what to do about it; or all of them."""
    slug = request.match_info.get("slug", "")
    table = request.app.get(PROBLEMS, ProblemTable())
    found = [one for one in table.explain(get_words(request).words) if slug in ("", one[0])]
    if not found:
        raise web.HTTPNotFound
    return _page(request, "problems", found=found, is_one=bool(slug))
