"""My games: the running ones with all that a player must know of them, and the next one waiting.

Games are ordered by the days left to the control (§ 6.3.3.1). Readings: news is what others did
since the player last opened the game or did something in it; a skipped game stays out of the
queue of waiting games for twelve hours. Read-only, except for those two.
Not for the finished games (ended_games.py) nor for one game (play/game_views.py).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import chess
from sqlalchemy import Connection

from kskak.game.events import LeaveBooked
from kskak.play.state import GameState
from kskak.reflection.leave import calendar_of
from kskak.regulation.days import ONE_DAY, Calendar, Cause, Span
from kskak.regulation.quantities import Side
from server.memory import kept
from server.store.engine.types import DAY_US
from server.store.play import changes, running_games, seen, whose_move
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.quiet_thread import unread_of
from server.store.play.running_games import Now
from server.store.play.seen import News
from server.usecases.cases.lists import CaseItem, case_list
from server.usecases.core.context import Core
from server.usecases.play.game_views import GameSummary, seen_state, summary_of, urgency

SITTING_US = DAY_US // 2
"""How long a skipped game stays out of the queue."""
NOTHING_NEW = News(0, 0)
_LEAVES = frozenset({Cause.LEAVE, Cause.SPECIAL_LEAVE})


@dataclass(frozen=True, slots=True)
class Away:
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

    summary: GameSummary
    board: chess.Board = field(compare=False)
    offered_by: Side | None
    proposes: Side | None
    away: tuple[Away, ...]
    news: News = NOTHING_NEW
    cases: tuple[str, ...] = ()
    has_held: bool = False

    def __hash__(self) -> int:
        return hash(self.summary.game)


@dataclass(frozen=True, slots=True)
class OwnGames:
    """A player's running games, the most urgent first, and the open cases about him.

    ``known``: the version of each (open_pages.cursor_of).
    """

    games: tuple[OwnGame, ...]
    cases: tuple[CaseItem, ...]
    known: dict[int, int]


async def own_games(
    core: Core, person: PersonRow, held: Collection[int] = (), *, has_case: bool = True
) -> OwnGames:
    """A player's running games; ``held``: ids of those in which a move is ready; ``has_case``:
    there may be open cases about him.
    """
    async with core.store.read() as conn:
        found = await running_games.running_now(conn, person.id)
        changed = [one.game.id for one in found if one.seen < one.game.seq]
        news = await conn.run_sync(seen.news, person.id, changed) if changed else {}
        talked = [one.game.id for one in found if one.said]
        unread = await unread_of(conn, person.id, talked) if talked else {}
    cases = await case_list(core, person, is_open=True) if has_case else ()
    known = {one.game.id: changes.version(one.game.seq, one.said) for one in found}
    return OwnGames(_listed(core, person.id, found, held, (news, unread), cases), cases, known)


def _listed(
    core: Core,
    me: int,
    rows: Sequence[Now],
    held: Collection[int],
    told: tuple[Mapping[int, News], Mapping[int, int]],
    cases: Sequence[CaseItem],
) -> tuple[OwnGame, ...]:
    """``told``: what is new, and how many messages were not read, by game."""
    news, unread = told
    today = {zone: core.today(zone) for zone in {one.game.zone for one in rows}}
    found = []
    for row in (one.game for one in rows):
        numbers = tuple(one.case.number for one in cases if row.id in one.games) if cases else ()
        new = news.get(row.id, NOTHING_NEW)
        if said := unread.get(row.id):
            new = replace(new, messages=new.messages + said)
        alone, has_held = _alone(row, me, today[row.zone]), row.id in held
        if new is NOTHING_NEW and not numbers and not has_held:
            found.append(alone)
        else:
            found.append(replace(alone, news=new, cases=numbers, has_held=has_held))
    return tuple(sorted(found, key=lambda one: urgency(one.summary)))


@kept(2 << 20, lambda row, me, today: 5000 + 2 * len(row.snapshot))
def _alone(row: GameRow, me: int, today: date) -> OwnGame:
    """Kept: a game is shown many times between two moves, and this depends on nothing else."""
    state = seen_state(row)
    told = summary_of(row, state, me, today)
    return OwnGame(
        summary=told,
        board=state.board,
        offered_by=state.draw_offer,
        proposes=state.mover.other if state.proposal else None,
        away=away_of(state, told.side, today),
    )


def away_of(state: GameState, reader: Side, today: date) -> tuple[Away, ...]:
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


def _away(by: Side, spans: list[Span], today: date) -> Away:
    first = min(span.first for span in spans)
    back = Calendar.of(tuple(spans)).next_charged(first)
    last = max(span.last for span in spans) if back is None else back - ONE_DAY
    return Away(by, first, last, is_now=first <= today)


@dataclass(frozen=True, slots=True)
class Next:
    """The game to continue with, and how many more wait after it; None: none waits.

    ``skipped``: how many skipped games wait as well.
    """

    game: GameSummary | None
    more: int
    skipped: int


async def next_game(core: Core, person_id: int, after: int = 0) -> Next:
    """The most urgent game waiting for a player's move, except ``after`` and skipped ones."""
    since = core.now_us - SITTING_US
    async with core.store.read() as conn:
        rows = await whose_move.waiting_for(conn, person_id)
        skipped = await conn.run_sync(seen.skipped, person_id, since)
    left = [row for row in rows if row.id != after and row.id not in skipped]
    told = (summary_of(row, seen_state(row), person_id, core.today(row.zone)) for row in left)
    ordered = sorted(told, key=urgency)
    return Next(ordered[0] if ordered else None, max(len(left) - 1, 0), len(skipped))


async def pass_over(core: Core, person_id: int, game_id: int) -> None:
    """Record that a player skips a game without moving; nothing if it is the other's move."""
    now_us = core.now_us

    def work(conn: Connection) -> None:
        row = whose_move.to_move_in(conn, game_id)
        if row == person_id:
            seen.skip(conn, person_id, game_id, now_us)

    await core.store.transact(work)


async def from_the_top(core: Core, person_id: int) -> None:
    """Let the skipped games come up again."""
    await core.store.transact(lambda conn: seen.unskip(conn, person_id))


@dataclass(frozen=True, slots=True)
class Others:
    """``waiting``: other games that wait for a player's move; ``is_news``: this one has news."""

    waiting: int
    is_news: bool


async def others(core: Core, person_id: int, game: GameRow) -> Others:
    """What a player who opens a game is told of the others. Read-only."""
    since = core.now_us - SITTING_US

    def ask(conn: Connection) -> Others:
        skipped = seen.skipped(conn, person_id, since)
        waiting = whose_move.waiting(conn, person_id, {game.id, *skipped})
        is_news = seen.seen(conn, person_id, game.id) < game.seq and game.result is None
        return Others(waiting, is_news)

    return await core.store.look(ask)


async def opened(core: Core, person_id: int, game: GameRow) -> None:
    """Record that a player has opened a game and seen its news.

    A failure to record it never keeps the page from being shown.
    """
    await core.store.note(lambda conn: seen.note(conn, person_id, game.id, game.seq))
