"""One's own games: running ones by days left, finished ones and search results by page, the next.

Works without script: the search is a GET form, and links lead from game to game. Not for one
game (game_page.py) or another's games (register/players_and_clubs.py).
"""

from dataclasses import dataclass
from datetime import date

from aiohttp import web
from markupsafe import Markup

from kskak.board.printing import Writing
from kskak.regulation.quantities import Side
from server.memory import kept
from server.store.play import beside_games
from server.usecases.core.preferences import Preferences
from server.usecases.mail.bounces import unreached_name
from server.usecases.mail.unreached import unreached_on
from server.usecases.people.ended_games import ended as ended_games
from server.usecases.people.ended_games import last_ended, search
from server.usecases.people.my_games import (
    OwnGame,
    OwnGames,
    from_the_top,
    next_game,
    own_games,
    pass_over,
)
from server.usecases.play.delayed_moves import waiting_of
from server.usecases.play.open_pages import cursor_of
from server.web.board.picture import small_board
from server.web.cases.words import CaseWords
from server.web.frame.context import core, one_look, signed_in, viewer, words
from server.web.frame.form_faults import beside, too_long
from server.web.frame.forms import TooLong
from server.web.frame.pages import page
from server.web.frame.time_left import last_in_time
from server.web.frame.words import PageWords
from server.web.play.front_page import front_page
from server.web.reflection.my_games_words import Mark, MineWords

LONGEST = 80
"""The most characters in a search."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """One of the reader's running games in the list.

    ``last_day`` to answer in time, unless ``left`` says it: a page kept on a device is read later.
    """

    id: int
    opponent: str
    group: str
    side: Side
    is_my_move: bool
    days_left: int | None
    left: str
    last_day: date | None
    last_move: str
    board: Markup
    marks: tuple[Mark, ...]


def mine_words(request: web.Request) -> MineWords:
    """The texts of these pages in the reader's language."""
    return MineWords(words(request).words)


def listed(one: OwnGame, said: PageWords) -> ListedGame:
    """A line in the list."""
    return _listed(one, said.lang, said.words.writing)


@kept(2 << 20, lambda one, lang, writing: 9000 + 2 * len(one.summary.game.snapshot))
def _listed(one: OwnGame, lang: str, writing: Writing) -> ListedGame:
    """Kept: a line depends on nothing else, and is read more often than a move is made."""
    said = PageWords.of(lang, Preferences(writing=writing))
    item, played, last = one.summary, one.summary.last, last_in_time(one.summary.flag_on)
    return ListedGame(
        id=item.game.id,
        opponent=item.opponent,
        group=item.game.name,
        side=item.side,
        is_my_move=item.is_my_move,
        days_left=item.days_left,
        left=said.time.left(item),
        last_day=last if item.is_my_move and item.days_left and last != item.today else None,
        last_move=said.played(played) if played is not None else "",
        board=small_board(one.board, item.side, played.move if played is not None else None),
        marks=MineWords(said.words).marks(one),
    )


def silent_since(found: OwnGames) -> dict[int, date]:
    """For each case about the side to move in a running game: since when he has had the move."""
    running = {one.summary.game.id: one.summary for one in found.games}
    return {
        case.case.id: told.since
        for case in found.cases
        if case.case.game_id is not None
        and (told := running.get(case.case.game_id)) is not None
        and told.since is not None
        and told.game.to_move_id == case.case.person_id
    }


@one_look
async def front(request: web.Request) -> web.Response:
    """The reader's games; the front page if not signed in."""
    person = viewer(request)
    if person is None:
        return await front_page(request)
    async with core(request).store.read() as conn:
        duty = unreached_name(person)
        there = await beside_games.beside(conn, person.id, core(request).now_us, duty)
    delayed = await waiting_of(core(request), person.id) if there.has_delayed else ()
    held = {wait.game.id for wait in delayed if wait.why is None}
    found = await own_games(core(request), person, held, has_case=there.has_case)
    said = words(request)
    games = [listed(one, said) for one in found.games]
    return page(
        request,
        "play/my_games.html",
        heard=cursor_of(found.known),
        m=mine_words(request),
        d=CaseWords(words(request).words),
        cases=found.cases,
        silent_since=silent_since(found),
        own_leave=mine_words(request).own_leave(found.games),
        mine=[game for game in games if game.is_my_move],
        free=sum(game.is_my_move and game.id not in held for game in games),
        theirs=[game for game in games if not game.is_my_move],
        ended=await last_ended(core(request), person.id),
        delayed=delayed,
        lost=await unreached_on(core(request), person, there.done_for),
    )


def number_of(request: web.Request, name: str) -> int:
    """A number in the address; 0 for anything else."""
    text = request.query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else 0


async def all_mine(request: web.Request) -> web.Response:
    """The finished games, or those matching a search, a page at a time."""
    person = signed_in(request)
    text = " ".join(request.query.get("q", "").split())
    number = number_of(request, "page")
    is_long = len(text) > LONGEST
    if is_long:
        beside(request, "q", too_long(request, TooLong("q", len(text), LONGEST)))
    if text and not is_long:
        found = await search(core(request), person.id, text, number)
    else:
        found = await ended_games(core(request), person.id, number)
    asked = "" if is_long else text
    return page(
        request,
        "play/my_games_found.html",
        m=mine_words(request),
        found=found,
        asked=asked,
        typed=text,
    )


async def go_on(request: web.Request) -> web.Response:
    """Go to the most urgent waiting game, skipping the one just left (``after``).

    If none is waiting, a page says so, and how many were skipped.
    """
    person, after = signed_in(request), number_of(request, "after")
    if request.query.get("again") == "1":
        await from_the_top(core(request), person.id)
    if after:
        await pass_over(core(request), person.id, after)
    found = await next_game(core(request), person.id, after)
    if found.game is not None:
        raise web.HTTPSeeOther(f"/games/{found.game.game.id}")
    return page(request, "play/next.html", m=mine_words(request), skipped=found.skipped)
