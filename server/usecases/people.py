"""Players, clubs and their games: as everybody may see them, and in My games."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

import chess
from sqlalchemy import Connection

from kskak.cases.case_events import CaseKind
from kskak.game.game_events import LeaveBooked
from kskak.groups.placing import POINTS
from kskak.play.game_state import GameState, PlayerClock
from kskak.reflection import calendar_of
from kskak.regulation.days import ONE_DAY, Calendar, Cause, Span
from kskak.regulation.editions import OverstepFinding, Result, Side
from server.store import group_results as result_rows
from server.store import members as member_rows
from server.store.cases.cases import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, AnyRow
from server.store.group_results import InGroup, OpeningTally, OpponentTally, Tally, TitleRow
from server.store.members import ClubRow, ClubTeamGame
from server.store.play import game_lists
from server.store.play import games as game_rows
from server.store.play.game_lists import Brief, News, Wanted
from server.store.play.games import GameRow
from server.store.play.notes_and_messages import unread_of
from server.store.play.people import PersonRow
from server.usecases.cases.case_views import case_list
from server.usecases.context import Core, limit_page, pages_of
from server.usecases.play.game_views import GameSummaryView, read_page_state, summary_of, urgency
from server.usecases.rating.rating_views import RatingHistoryView, points_in

# The list of players, a page at a time and by words: who plays or played K-skak.

PLAYERS_PAGE = 50
"""Players on a page."""
COUNTED = 1_000
"""Players that are counted: of more it is only said that there are more."""
MOST_SEARCH_WORDS = 8


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A page of the players that match; pages are counted from 1.

    ``is_more``: there are more than ``count``, and it is not known how many.
    """

    players: tuple[AnyRow, ...]
    count: int
    page: int
    is_more: bool
    has_next: bool

    @property
    def pages(self) -> int:
        """How many pages there are at least, and at least one."""
        return pages_of(self.count, PLAYERS_PAGE)


async def player_list(core: Core, text: str, page: int) -> PlayerList:
    """A page of the players with all words of a text in name or club; "": of all, by name."""
    page = limit_page(page)
    words = tuple(text.split()[:MOST_SEARCH_WORDS])
    async with core.store.read() as conn:
        count = await member_rows.count_players(conn, words, COUNTED + 1)
        is_more, portion = count > COUNTED, ((page - 1) * PLAYERS_PAGE, PLAYERS_PAGE + 1)
        rows = await member_rows.find_players(conn, words, portion, are_many=is_more)
        if is_more and not rows:  # beyond the last page, which is to be named
            count, is_more = await member_rows.count_players(conn, words, None), False
    known = COUNTED if is_more else count
    return PlayerList(rows[:PLAYERS_PAGE], known, page, is_more, has_next=len(rows) > PLAYERS_PAGE)


# A club as everybody may see it: its players with ratings, its teams with their scores.

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A team's points in finished games, and its finished matches won, drawn and lost."""

    team: AnyRow
    points: Fraction
    finished: int
    games: int
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class ClubView:
    """A club. ``mean``: of its players' K-ratings; None: nobody has one."""

    club: ClubRow
    players: tuple[AnyRow, ...]
    teams: tuple[TeamScore, ...]
    mean: Fraction | None


async def club_view(core: Core, club_id: int) -> ClubView | None:
    """A club; None if there is no such club."""
    async with core.store.read() as conn:
        club = await member_rows.find_club(conn, club_id)
        if club is None:
            return None
        players = await member_rows.club_players(conn, club.name)
        teams = await member_rows.teams(conn, club.name)
        games = await member_rows.list_team_games(conn, {team.id for team in teams})
    rated = [one.k_rating for one in players if one.k_rating is not None]
    mean = Fraction(sum(rated), len(rated)) if rated else None
    return ClubView(club, players, tuple(_score(team, games) for team in teams), mean)


async def all_clubs(core: Core) -> tuple[tuple[ClubRow, int], ...]:
    """Every club that somebody plays for, and how many do."""
    return await core.store.query(member_rows.with_players)


def points_of(game: ClubTeamGame) -> Fraction:
    """A team's points in a finished game."""
    assert game.result is not None
    return POINTS[Result(game.result)][not game.is_white]


def _score(team: AnyRow, games: Iterable[ClubTeamGame]) -> TeamScore:
    own = [game for game in games if game.team == team.id]
    done = [game for game in own if game.result is not None]
    matches: dict[tuple[int, int], list[ClubTeamGame]] = {}
    for game in own:
        matches.setdefault((game.round, game.other), []).append(game)
    margins = [
        sum(
            (points_of(one) - points_of(replace(one, is_white=not one.is_white)) for one in match),
            Fraction(0),
        )
        for match in matches.values()
        if all(game.result is not None for game in match)
    ]
    return TeamScore(
        team=team,
        points=sum((points_of(game) for game in done), Fraction(0)),
        finished=len(done),
        games=len(own),
        won=sum(margin > 0 for margin in margins),
        drawn=sum(margin == 0 for margin in margins),
        lost=sum(margin < 0 for margin in margins),
    )


# My games: the running ones with all that a player must know of them, and the next one waiting.

SITTING_US = DAY_US // 2
"""How long a skipped game stays out of the queue."""
NOTHING_NEW = News(0, 0)
_LEAVES = frozenset({Cause.LEAVE, Cause.SPECIAL_LEAVE})


@dataclass(frozen=True, slots=True)
class LeaveSpan:
    """A player's leave, current or coming, both days included (§ 6.3.6)."""

    by: Side
    first: date
    last: date
    is_now: bool


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A running game with what is worth flagging beside it.

    ``board``: the position of ``summary``, never to be changed in place. ``proposes``: whose
    proposed series stands, if any (§ 6.2.5). ``cases``: numbers of open cases. ``has_held``: a
    move is ready but not sent.
    """

    summary: GameSummaryView
    board: chess.Board = field(compare=False)
    offered_by: Side | None
    proposes: Side | None
    away: tuple[LeaveSpan, ...]
    news: News = NOTHING_NEW
    cases: tuple[str, ...] = ()
    has_held: bool = False

    def __hash__(self) -> int:
        return hash(self.summary.game)


async def own_games(
    core: Core, person: PersonRow, held: Collection[int] = (), *, has_case: bool = True
) -> tuple[tuple[OwnGame, ...], tuple[CaseRow, ...], dict[int, int]]:
    """A player's running games, the most urgent first, the open cases about him, and the version
    of each game (open_pages.cursor_of).

    ``held``: ids of those in which a move is ready; ``has_case``: there may be such cases.
    """
    async with core.store.read() as conn:
        found = await game_lists.running_now(conn, person.id)
        changed = [game.id for game, _, seen in found if seen < game.seq]
        news = await conn.run_sync(game_lists.news, person.id, changed) if changed else {}
        talked = [game.id for game, last_message, _ in found if last_message]
        unread = await unread_of(conn, person.id, talked) if talked else {}
    cases = await case_list(core, person, is_open=True) if has_case else ()
    known = {game.id: game_rows.version_of(game.seq, said) for game, said, _ in found}
    rows = [game for game, _, _ in found]
    return _listed(core, person.id, rows, held, (news, unread), cases), cases, known


def _listed(
    core: Core,
    me: int,
    rows: Sequence[GameRow],
    held: Collection[int],
    newness: tuple[Mapping[int, News], Mapping[int, int]],
    cases: Sequence[CaseRow],
) -> tuple[OwnGame, ...]:
    """``newness``: what is new, and how many messages were not read, by game."""
    news, unread = newness
    today = {zone: core.today(zone) for zone in {row.zone for row in rows}}
    found, about = [], [(one.number, one.games) for one in cases]
    for row in rows:
        numbers = tuple(number for number, games in about if row.id in games)
        new = news.get(row.id, NOTHING_NEW)
        if said := unread.get(row.id):
            new = replace(new, messages=new.messages + said)
        alone, has_held = _alone(row, me, today[row.zone]), row.id in held
        if new is NOTHING_NEW and not numbers and not has_held:
            found.append(alone)
        else:
            found.append(replace(alone, news=new, cases=numbers, has_held=has_held))
    return tuple(sorted(found, key=lambda one: urgency(one.summary)))


def _alone(row: GameRow, me: int, today: date) -> OwnGame:
    state = read_page_state(row)
    summary = summary_of(row, state, me, today)
    return OwnGame(
        summary=summary,
        board=state.board,
        offered_by=state.draw_offer,
        proposes=state.mover.other if state.proposal else None,
        away=away_of(state, summary.side, today),
    )


def away_of(state: GameState, reader: Side, today: date) -> tuple[LeaveSpan, ...]:
    """Each player's current or next leave, as it counts for the reader's time.

    It extends through adjoining or overlapping leave of the same player and through the
    obligatory holidays, in which nobody need play (§ 6.3.6.2).
    """
    found: dict[Side, list[Span]] = {}
    for booking in state.bookings:
        booked = booking.booked
        if not isinstance(booked, LeaveBooked) or booked.last < today:
            continue
        terms = state.terms
        calendar, _ = calendar_of((booking,), terms.start, terms.rules, reader)
        spans = (span for span in calendar.spans if span.cause in _LEAVES and span.last >= today)
        found.setdefault(booked.by, []).extend(spans)
    return tuple(
        _away(side, found[side], today) for side in (reader, reader.other) if found.get(side)
    )


def _away(by: Side, spans: list[Span], today: date) -> LeaveSpan:
    first = min(span.first for span in spans)
    back = Calendar.of(tuple(spans)).next_charged(first)
    last = max(span.last for span in spans) if back is None else back - ONE_DAY
    return LeaveSpan(by, first, last, is_now=first <= today)


NextGame = tuple[GameSummaryView | None, int, int]
"""The game to go on with (None: none waits), how many more wait after it, and how many skipped."""


async def next_game(core: Core, person_id: int, after: int = 0) -> NextGame:
    """The most urgent game waiting for a player's move, except ``after`` and skipped ones."""
    since = core.now_us - SITTING_US
    async with core.store.read() as conn:
        rows = await game_lists.waiting_for(conn, person_id)
        skipped = await conn.run_sync(game_lists.list_skipped_games, person_id, since)
    left = [row for row in rows if row.id != after and row.id not in skipped]
    summaries = (
        summary_of(row, read_page_state(row), person_id, core.today(row.zone)) for row in left
    )
    ordered = sorted(summaries, key=urgency)
    return ordered[0] if ordered else None, max(len(left) - 1, 0), len(skipped)


async def pass_over(core: Core, person_id: int, game_id: int) -> None:
    """Record that a player skips a game without moving; nothing if it is the other's move."""
    now_us = core.now_us

    def work(conn: Connection) -> None:
        row = game_lists.to_move_in(conn, game_id)
        if row == person_id:
            game_lists.skip(conn, person_id, game_id, now_us)

    await core.store.transact(work)


async def from_the_top(core: Core, person_id: int) -> None:
    """Let the skipped games come up again."""
    await core.store.transact(lambda conn: game_lists.unskip(conn, person_id))


async def summarize_other_games(core: Core, person_id: int, game: GameRow) -> tuple[int, bool]:
    """How many others wait for a player who opens a game, and whether it has news. Read-only."""
    since = core.now_us - SITTING_US

    def ask(conn: Connection) -> tuple[int, bool]:
        skipped = game_lists.list_skipped_games(conn, person_id, since)
        waiting = game_lists.count_awaiting_games(conn, person_id, {game.id, *skipped})
        is_old = game_lists.count_seen_events(conn, person_id, game.id) >= game.seq
        return waiting, game.result is None and not is_old

    return await core.store.look(ask)


async def mark_opened(core: Core, person_id: int, game: GameRow) -> None:
    """Record that a player has opened a game and seen its news.

    A failure to record it never keeps the page from being shown.
    """
    await core.store.note(lambda conn: game_lists.note(conn, person_id, game.id, game.seq))


# A person's finished games, and a search among all of the person's games: a page at a time.

GAMES_PAGE = 25
"""Games on a page."""
FEW = 5
"""How many of the last finished games are shown below the running ones."""


@dataclass(frozen=True, slots=True)
class Portion:
    """A page of games; pages are counted from 1. ``words``: what was searched for."""

    games: tuple[Brief, ...]
    count: int
    page: int
    words: tuple[str, ...] = ()

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return pages_of(self.count, GAMES_PAGE)


async def list_ended_games(
    core: Core, person_id: int, page: int = 1, most: int = GAMES_PAGE
) -> Portion:
    """A page of the finished games, the newest first; with it how many there are."""
    return await _portion(core, person_id, ((), True), page, most)


async def search(core: Core, person_id: int, text: str, page: int) -> Portion:
    """A page of the games that match all words of a text, running ones first.

    A word matches in the opponent's, the tournament's or the group's name, or as the game's
    number.
    """
    words = tuple(text.split()[:MOST_SEARCH_WORDS])
    return await _portion(core, person_id, (words, None), page, GAMES_PAGE)


async def _portion(core: Core, person_id: int, wanted: Wanted, page: int, most: int) -> Portion:
    page = limit_page(page)
    count, games = await core.store.query(
        game_lists.portion, person_id, wanted, (page - 1) * most, most
    )
    return Portion(games, count, page, wanted[0])


# A player as everybody may see him: titles, groups with scores, opponents, games by the page.

MOST_RUNNING = 100
MOST_OPPONENTS = 100


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player. ``club_id`` None: his club has no page; ``history``: of his K-rating;
    ``live``: the groups of his running games that everybody may follow (ids).

    ``is_named``: on a public page; anyone else is only in the register, which is not public.
    """

    person: PersonRow
    club_id: int | None
    titles: tuple[TitleRow, ...]
    groups: tuple[InGroup, ...]
    opponents: tuple[OpponentTally, ...]
    running: tuple[Brief, ...]
    ended: Portion
    history: RatingHistoryView
    is_named: bool
    live: frozenset[int]
    openings: tuple[OpeningTally, ...] = ()
    """His finished games by opening and colour, most played first."""

    @property
    def pace(self) -> PlayerClock:
        """The days that he used in all of them, and his moves."""
        days, moves = (sum(getattr(one, of) for one in self.openings) for of in ("days", "moves"))
        return PlayerClock(days, moves)

    def count_by_colour(self) -> tuple[tuple[bool, Tally], ...]:
        """His score as White (True) and as Black, where he has played."""
        sides = {
            side: [one.tally for one in self.openings if one.is_white is side]
            for side in (True, False)
        }
        return tuple(
            (side, Tally(*(sum(getattr(one, name) for one in of) for name in _PARTS)))
            for side, of in sides.items()
            if of
        )


_PARTS = ("won", "drawn", "lost", "running")


async def player_view(core: Core, person_id: int, page: int) -> PlayerView | None:
    """A player with a page of finished games, the newest first; None if there is no such person."""
    page = limit_page(page)
    async with core.store.read() as conn:
        found = await member_rows.find_person_with_club(conn, person_id)
        if found is None:
            return None
        groups, opponents, openings = await result_rows.read_scores(conn, person_id)
        held = await result_rows.everything(conn, person_id=person_id)
        points = await points_in(conn, person_id)
        is_known = bool(groups or held or points)
        count, first = sum(one.tally.finished for one in groups), (page - 1) * GAMES_PAGE
        running: tuple[Brief, ...] = ()  # not queried where there can be none
        ended: tuple[Brief, ...] = ()
        if any(one.tally.running for one in groups):
            wanted = ((), False)
            running = await game_lists.page(conn, person_id, wanted, 0, MOST_RUNNING)
        if first < count:
            wanted = ((), True)
            ended = await game_lists.page(conn, person_id, wanted, first, GAMES_PAGE)
        return PlayerView(
            person=found[0],
            club_id=found[1],
            titles=held,
            groups=groups,
            opponents=opponents[:MOST_OPPONENTS],
            running=running,
            ended=Portion(ended, count, page),
            history=RatingHistoryView(found[0], points),
            is_named=is_known or await member_rows.is_person_referenced(conn, person_id),
            live=frozenset(one.id for one in groups if one.is_live),
            openings=openings,
        )


# A group's running games as its leader sees them: what is lost first when nothing is done.

_UNKNOWN = 10**6


@dataclass(frozen=True, slots=True)
class LedGame:
    """A running game. ``summary`` is that of the side to move, so its days are the game's page's.

    ``moved_on``: the day of the last move; ``reminded``: the days of the reminders to the side
    to move about this move; ``unclaimed``: an overstep that the opponent may still claim and no
    case is about.
    """

    summary: GameSummaryView
    mover: str
    moved_on: date | None
    reminded: tuple[date, ...]
    away: tuple[LeaveSpan, ...]
    cases: tuple[CaseRow, ...]
    unclaimed: bool

    @property
    def game(self) -> GameRow:
        """The game's row."""
        return self.summary.game


async def group_games(
    conn: AsyncConnection, core: Core, group_id: int, cases: Sequence[CaseRow]
) -> tuple[LedGame, ...]:
    """The running games, oversteps first, then by days left; ``cases``: the group's."""
    rows = (await game_lists.list_games_by_group(conn, [group_id]))[group_id]
    about: dict[int, list[CaseRow]] = {}
    for case in cases:
        for game in case.games if case.closed_us is None else ():
            about.setdefault(game, []).append(case)
    found = [_led(core, row, tuple(about.get(row.id, ()))) for row in rows if row.result is None]
    return tuple(sorted(found, key=_urgency))


def _led(core: Core, row: GameRow, cases: tuple[CaseRow, ...]) -> LedGame:
    state, today = read_page_state(row), core.today(row.zone)
    mover = row.person_of(state.mover)
    summary = summary_of(row, state, mover, today)
    late = state.overstep is not None and state.overstep.finding is OverstepFinding.OPEN
    is_up = summary.days_left is not None and summary.days_left < 0
    is_asked = state.rests or any(CaseKind.OVERSTEP in case.kinds for case in cases)
    return LedGame(
        summary=summary,
        mover=row.white if row.white_id == mover else row.black,
        moved_on=state.turn.opponent_sent,
        reminded=tuple(sorted(state.turn.said.reminders)),
        away=away_of(state, state.mover, today),
        cases=cases,
        unclaimed=(late or is_up) and not is_asked,
    )


def _urgency(one: LedGame) -> tuple[bool, bool, int, int]:
    left = one.summary.days_left
    return one.summary.rests, not one.unclaimed, _UNKNOWN if left is None else left, one.game.id
