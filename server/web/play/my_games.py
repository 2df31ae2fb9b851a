"""One's own games: running ones by days left, finished ones and search results by page, the next.

Works without script: the search is a GET form, and links lead from game to game. Not for one
game (game_page.py) or another's games (server/web/register.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import chess
from aiohttp import web
from markupsafe import Markup

from kskak.archive.past_game import unpack_moves
from kskak.office.year import (
    SeasonListKind,
    SeasonStep,
    TournamentStep,
    plan_of_year,
    read_year_in_names,
)
from kskak.regulation.days import local_day
from kskak.regulation.editions import Side
from kskak.values import whole_number
from mail.text.catalogue import FACTS
from server.store import books as book_rows
from server.store import desk_lists as desk_rows
from server.store import entries as entry_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.books import DeedRow
from server.store.cases.cases import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, from_us
from server.store.entries import ListRow
from server.store.groups import GroupRow
from server.store.play import game_lists
from server.store.play.people import PersonRow
from server.usecases.archive.archive_views import by_number
from server.usecases.entries import entry_judging
from server.usecases.groups.group_file import GroupClass
from server.usecases.mail.bounces import unreached_name, unreached_on
from server.usecases.office import to_year_action
from server.usecases.people import (
    FEW,
    OwnGame,
    from_the_top,
    list_ended_games,
    next_game,
    own_games,
    pass_over,
    search,
)
from server.usecases.play.game_views import GameSummaryView, end_day
from server.usecases.play.open_pages import cursor_of
from server.usecases.play.private_side import waiting_of
from server.usecases.preferences import Preferences
from server.web.board.board_view import GameStepView, list_past_plies, read_ply, small_board
from server.web.cases.case_texts import CaseWords
from server.web.entries.entry_desk import load_entry_words
from server.web.frame.context import PageRoutes, core, get_words, read_only_page, signed_in, viewer
from server.web.frame.forms import TooLong, add_field_fault, too_long
from server.web.frame.page_texts import PageWords, last_in_time
from server.web.frame.pages import page
from server.web.reflection.day_calendar import Mark, MineWords

routes = PageRoutes()

# The front page without sign-in: what this is, a game to step through, the federation's news.

RESULTS = 6
"""The number of finished games listed besides the one shown."""
GROUPS = 24
"""The most running groups to list."""
SHORTEST = 10
"""The preferred minimum of plies for the game that is shown."""
WEEK = 7
"""Days ahead whose dates are listed."""
PUBLIC = (TournamentStep.ANNOUNCEMENT, TournamentStep.DEADLINE, TournamentStep.START)
"""Steps of a season that concern players."""


@dataclass(frozen=True, slots=True)
class FrontPageGame:
    """The game shown, as stepped through, and «B12 Caro-Kann», "" if unknown."""

    game: AnyRow
    shown: GameStepView
    board: Markup
    opening: str


def lead_of(request: web.Request, found: tuple[AnyRow, ...]) -> FrontPageGame | None:
    """The newest game of sufficient length, or the newest of all if there is none."""
    games = [game for game in found if game.plies >= SHORTEST] or list(found)
    if not games:
        return None
    game, lang, moves = games[0], get_words(request).lang, unpack_moves(games[0].moves)
    opening = by_number().get(game.opening) if game.opening is not None else None
    named = f"{opening.code} {opening.name(FACTS[lang].openings)}" if opening is not None else ""
    shown = GameStepView(
        key=f"games-{game.id}",
        base="/",
        names=(game.white, game.black),
        start=chess.Board(game.fen) if game.fen else chess.Board(),
        moves=moves,
        listed=list_past_plies(game.fen, moves),
        ply=read_ply(request, game.plies),
        side=Side.WHITE,
    )
    last = shown.moves[shown.ply - 1] if shown.ply else None
    return FrontPageGame(game, shown, small_board(shown.board, Side.WHITE, last), named)


def list_coming_steps(
    actions: tuple[DeedRow, ...], lists: tuple[ListRow, ...], today: date
) -> tuple[SeasonStep, ...]:
    """The dated steps for a week from today, of what the controller planned or opened (§ 6.1.2).

    A day that only the rule proposes is not told: that tournament may not be held.
    """
    last = today + timedelta(days=WEEK)
    made = [to_year_action(row) for row in actions]
    real = {(action.form, action.season) for action in made}
    real |= {
        (form, season)
        for row in lists
        if (form := SeasonListKind(row.event, row.wish).form) is not None
        and (season := read_year_in_names((row.name, row.tournament), row.prefix)) is not None
    }
    items = (item for year in {today.year, last.year} for item in plan_of_year(year, made))
    kept = (
        item
        for item in items
        if (item.form, item.season) in real
        and item.step in PUBLIC
        and item.day is not None
        and today <= item.day < last
    )
    return tuple(sorted(kept, key=lambda item: item.day or date.max))


def ended_on(game: AnyRow) -> date:
    """The day a game ended, in its own zone."""
    return local_day(from_us(game.ended_us), game.zone)


def kind(group: GroupRow) -> str:
    """The catalogue's name for a group's class."""
    return GroupClass(group.class_).name.lower()


@read_only_page
async def front_page(request: web.Request) -> web.Response:
    """The front page, with six database queries."""
    async with core(request).store.read() as conn:
        found = await result_rows.list_finished_games(conn, RESULTS + 1)
        running = await _list_open_and_running(conn, GROUPS)
        bulletin = next(iter(await desk_rows.list_issued_bulletins(conn, most=1)), None)
        actions = await book_rows.list_actions(conn)
    lead = lead_of(request, found)
    return page(
        request,
        "play/front.html",
        lead=lead,
        results=[game for game in found if lead is None or game != lead.game],
        **running,
        bulletin=bulletin,
        items=list_coming_steps(
            actions, running["lists"], core(request).today(core(request).settings.clock.zone)
        ),
        day_of=date.fromisoformat,
        ended_on=ended_on,
    )


async def _list_open_and_running(conn: AsyncConnection, most: int) -> dict[str, Any]:
    """What is open for entry and what is played, games that can be followed first."""
    groups = await result_rows.list_running_groups(conn, most)
    live = await group_rows.all_of(conn, running=True)
    return {
        "lists": await entry_rows.everything(conn, only_open=True),
        "groups": sorted(groups, key=lambda group: group.id not in live),
        "live": live,
        "kind": kind,
    }


@routes.get("/tournaments")
@read_only_page
async def tournaments(request: web.Request) -> web.Response:
    """What is open for entry, what is played, and the way to what was."""
    async with core(request).store.read() as conn:
        found = await _list_open_and_running(conn, result_rows.GROUPS_LOOKED_AT)
    return page(request, "groups/tournaments.html", **found)


# One's own games: running ones by days left, finished ones and search results by page, the next.

LONGEST = 80
"""The most characters in a search."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """One of the reader's running games in the list.

    ``last_day`` to answer in time, unless ``left`` says it: a page kept on a device is read later.
    """

    summary: GameSummaryView
    left: str
    last_day: date | None
    last_move: str
    board: Markup
    marks: tuple[Mark, ...]


def load_mine_words(request: web.Request) -> MineWords:
    """The texts of these pages in the reader's language."""
    return MineWords(get_words(request).words)


def build_list_line(one: OwnGame, said: PageWords) -> ListedGame:
    """A line in the list."""
    said = PageWords.of(said.lang, Preferences(writing=said.words.writing))
    item, played, last = one.summary, one.summary.last, last_in_time(one.summary.flag_on)
    return ListedGame(
        summary=item,
        left=said.time.left(item),
        last_day=last if item.is_my_move and item.days_left and last != item.today else None,
        last_move=said.played(played) if played is not None else "",
        board=small_board(one.board, item.side, played.move if played is not None else None),
        marks=MineWords(said.words).marks(one),
    )


def silent_since(games: Sequence[OwnGame], cases: Iterable[CaseRow]) -> dict[int, date]:
    """For each case about the side to move in a running game: since when he has had the move."""
    running = {one.summary.game.id: one.summary for one in games}
    return {
        case.id: summary.since
        for case in cases
        if case.game_id is not None
        and (summary := running.get(case.game_id)) is not None
        and summary.since is not None
        and summary.game.to_move_id == case.person_id
    }


@routes.get("/")
@read_only_page
async def front(request: web.Request) -> web.Response:
    """The reader's games; the front page if not signed in."""
    person = viewer(request)
    if person is None:
        return await front_page(request)
    async with core(request).store.read() as conn:
        duty = unreached_name(person)
        has_delayed, has_case, has_entry, challenged, done_for = await game_lists.read_flags(
            conn, person.id, core(request).now_us, duty
        )
    delayed = await waiting_of(core(request), person.id) if has_delayed else ()
    held = {wait.game.id for wait in delayed if wait.why is None}
    own, cases, known = await own_games(core(request), person, held, has_case=has_case)
    said = get_words(request)
    games = [build_list_line(one, said) for one in own]
    listed = [game.summary for game in games]
    return page(
        request,
        "play/my_games.html",
        heard=cursor_of(known),
        zone=str(core(request).settings.clock.zone),
        **(await _list_own_entries(request, person) if has_entry else {"entered": ()}),
        m=load_mine_words(request),
        d=CaseWords(get_words(request).words),
        cases=cases,
        silent_since=silent_since(own, cases),
        own_leave=load_mine_words(request).own_leave(own),
        mine=[game for game in games if game.summary.is_my_move],
        free=sum(one.is_my_move and one.game.id not in held for one in listed),
        theirs=[game for game in games if not game.summary.is_my_move],
        ended=await list_ended_games(core(request), person.id, most=FEW),
        end_day=end_day,
        delayed=delayed,
        challenged=challenged,
        lost=await unreached_on(core(request), person, done_for),
    )


async def _list_own_entries(request: web.Request, person: PersonRow) -> dict[str, Any]:
    """What the reader has entered, what it waits for, and what he owes (§ 6.4.4.1)."""
    own = [
        one for one in await entry_judging.entries_of(core(request), person.id) if one.row.is_open
    ]
    on = {one.row.list_id for one in own}
    lists = await entry_judging.lists_view(core(request), only_open=False, ids=on)
    lists_of = {one.row.id: one for one in lists}
    return {"entered": own, "lists_of": lists_of, "e": load_entry_words(request)}


def read_number(request: web.Request, name: str) -> int:
    """A number in the address; 0 for anything else."""
    return whole_number(request.query.get(name, "")) or 0


@routes.get("/games")
async def all_mine(request: web.Request) -> web.Response:
    """The finished games, or those matching a search, a page at a time."""
    person = signed_in(request)
    text = " ".join(request.query.get("q", "").split())
    number = read_number(request, "page")
    is_long = len(text) > LONGEST
    if is_long:
        add_field_fault(request, "q", too_long(request, TooLong("q", len(text), LONGEST)))
    if text and not is_long:
        found = await search(core(request), person.id, text, number)
    else:
        found = await list_ended_games(core(request), person.id, number)
    asked = "" if is_long else text
    return page(
        request,
        "play/my_games_found.html",
        m=load_mine_words(request),
        found=found,
        end_day=end_day,
        asked=asked,
        typed=text,
    )


@routes.get("/next")
async def go_on(request: web.Request) -> web.Response:
    """Go to the most urgent waiting game, skipping the one just left (``after``).

    If none is waiting, a page says so, and how many were skipped.
    """
    person, after = signed_in(request), read_number(request, "after")
    if request.query.get("again") == "1":
        await from_the_top(core(request), person.id)
    if after:
        await pass_over(core(request), person.id, after)
    found, _, skipped = await next_game(core(request), person.id, after)
    if found is not None:
        raise web.HTTPSeeOther(f"/games/{found.game.id}")
    return page(request, "play/next.html", m=load_mine_words(request), skipped=skipped)
