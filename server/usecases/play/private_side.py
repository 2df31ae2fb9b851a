"""What a player has beside a game: a waiting move, private analysis and notes, the quiet thread.

It is for the viewing player alone; anyone who plays neither side gets none. Not for others' views.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import chess
from sqlalchemy import Connection, Table

from kskak.board.analysis_tree import (
    PLAN,
    UnusableTree,
    find_planned_move,
    movetext,
    read_tree,
    tree_text,
)
from kskak.game.game_commands import Command, Reason, Refusal, SendMoves
from kskak.game.game_events import MoveSent
from kskak.play.events_in_force import dispatches
from kskak.play.game_state import GameState
from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.editions import Side
from kskak.statement.account import Account
from mail.game_letters.move_letters import ThreadLetter
from mail.game_letters.no_move_letters import NotSent
from mail.text.letter_facts import MoveText, move_texts
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, MINUTE_US, from_us, to_us
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import notes_and_messages as note_rows
from server.store.play import people as person_rows
from server.store.play import requests as request_rows
from server.store.play.games import GameRow
from server.store.play.notes_and_messages import OwnText, QuietMessage
from server.store.play.people import PersonRow
from server.store.play.requests import DelayedMove, DueMove
from server.usecases.context import Core, poster_of
from server.usecases.games.game_units import KeyReused, start_of_day
from server.usecases.letter_facts import NoLetter, Params, letter_game, loads, number, text
from server.usecases.play.game_requests import (
    SENT,
    FieldReader,
    GameRequestOutcome,
    NotYours,
    TextProblem,
    ask,
    build_form_key,
    build_form_request,
    languages_of,
    read_request_outcome,
)
from server.usecases.play.game_views import GameView

if TYPE_CHECKING:
    from chess.pgn import Game

# A waiting move that can no longer be sent: its player gets a letter, once (§ 6.2.4).


async def write_dropped_letter(
    core: Core, conn: AsyncConnection, row: DelayedMove, why: Reason
) -> None:
    """Write the letter's row within the drop's transaction."""
    params: dict[str, object] = {
        "game": row.game_id,
        "fen": row.fen,
        "moves": row.moves,
        "why": why.value,
    }
    unique = f"{row.game_id}.{row.key}.{row.entered_us}"
    letter = poster_of(core).to_person(NotSent, row.person_id, unique, params)
    await outbox_rows.enqueue(conn, [letter])


@loads(NotSent)
async def _not_sent(core: Core, reader: PersonRow, params: Params) -> NotSent:
    """The letter. Raises NoLetter. The message is kept with the move until the player saw both."""
    game_id = number(params, "game")
    kept = await core.store.look(
        lambda conn: request_rows.find_delayed_move(conn, game_id, reader.id)
    )
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        if game is None:
            raise NoLetter("no such game")
        facts = await letter_game(core, conn, game)
    uci = text(params, "moves")
    is_same = kept is not None and kept.dropped is not None and kept.moves == uci
    moves = tuple(chess.Move.from_uci(one) for one in uci.split())
    return NotSent(
        reader=reader.name,
        game=facts,
        side=game.side_of(reader.id),
        regulation=game.terms.regulation,
        moves=move_texts(chess.Board(text(params, "fen")), moves),
        message=kept.message if kept is not None and is_same else "",
        why=Refusal(Reason(text(params, "why"))),
        is_over=game.result is not None,
        is_to_move=game.to_move_id == reader.id,
        url=core.url(f"/games/{game.id}#delayed"),
    )


# A move that waits a few minutes before it is sent, and can be taken back until then (§ 6.2.4).

MINUTES = (1, 5, 10)
"""How long a move may wait."""
BEFORE_MIDNIGHT_US = MINUTE_US
"""How long before the end of the day a move is sent at the latest."""
LEAST_US = MINUTE_US
"""A shorter wait leaves no time to think again: the move is sent at once or not at all."""


def due_at(now: datetime, minutes: int, zone: str) -> datetime | None:
    """When a move entered now is sent; None when the day is too short for it to wait."""
    day_ends = start_of_day(local_day(now, zone) + ONE_DAY, zone)
    latest = day_ends - timedelta(microseconds=BEFORE_MIDNIGHT_US)
    due = min(now + timedelta(minutes=minutes), latest)
    return None if to_us(due) - to_us(now) < LEAST_US else due


async def delay(
    core: Core,
    game: GameRow,
    reader: FieldReader,
    command: SendMoves,
    said: tuple[str, str],
    minutes: int,
) -> datetime | None:
    """Let a move wait, replacing any other that waits; return when it will be sent.

    ``reader``: what stands in the form's field, and ``command``: the moves it was read as;
    ``said``: the message with it and the form's key. None: the day is too short, and nothing
    waits. Submitting the form again changes nothing.
    """
    now = core.clock.now()
    due = due_at(now, minutes, game.zone)
    if due is None:
        return None
    message, key = said
    new = DelayedMove(
        game_id=game.id,
        person_id=game.person_of(command.by),
        ply=reader.ply,
        fen=game.state().board.fen(),
        moves=" ".join(move.uci() for move in command.plies),
        text=reader.text,
        message=message,
        offers_draw=reader.offers_draw,
        lang=reader.reads,
        key=key,
        entered_us=to_us(now),
        due_us=to_us(due),
    )
    await core.store.change(request_rows.put_delayed_move, new)
    return due


class DelayedMoveOutcome(StrEnum):
    """What became of a waiting move; GONE: it no longer waits."""

    SENT = "sent"
    DROPPED = "dropped"
    GONE = "gone"


async def send(core: Core, which: DueMove, *, key: str | None = None) -> DelayedMoveOutcome:
    """Send a waiting move: as of its due time, or now if its player asks for it with its ``key``.

    In one transaction with its row: if it is sent and taken back at once, one of the two finds it
    gone, and a process killed midway has done nothing. A move that the game refuses is dropped,
    and its player is notified.
    """
    async with core.writer.together() as conn:
        row = await request_rows.take(conn, which.game_id, which.person_id)
        is_asked = row is not None and (
            row.due_us <= core.now_us if key is None else row.key == key
        )
        if row is None or not is_asked:
            return DelayedMoveOutcome.GONE
        why = await _ask(core, row)
        if why is not None:
            await request_rows.drop(conn, row.game_id, row.person_id, why.value)
            if key is None:  # whoever pressed the button sees it on the page
                await write_dropped_letter(core, conn, row, why)
            return DelayedMoveOutcome.DROPPED
        await request_rows.remove(conn, row.game_id, row.person_id)
        return DelayedMoveOutcome.SENT


def build_form_path(game_id: int) -> str:
    """Where a move's form is posted: part of its key."""
    return f"/games/{game_id}/move"


async def _ask(core: Core, row: DelayedMove) -> Reason | None:
    """Send it like every move from the web; None when it is sent, else why not."""
    kept = build_form_key(row.person_id, build_form_path(row.game_id), row.key)
    at = from_us(min(row.due_us, core.now_us))
    game = await core.store.query(game_rows.load, row.game_id)
    today = local_day(at, "UTC" if game is None else game.zone)

    def build(state: GameState, side: Side) -> Command | Refusal | TextProblem:
        """Exactly what its player was shown, or nothing: the words may mean another move now."""
        if state.result is not None:
            return Refusal(Reason.GAME_OVER)
        if state.rests:
            return Refusal(Reason.AT_REST)
        if state.position.ply != row.ply or state.board.fen() != row.fen:
            return Refusal(Reason.STALE)
        read = FieldReader(row.text, row.ply, row.offers_draw, today, row.lang)(state, side)
        is_same = isinstance(read, SendMoves) and read.plies == _moves(row.moves)
        return read if is_same else Refusal(Reason.STALE)

    try:
        answer = read_request_outcome(
            await ask(core, build_form_request(row.game_id, kept, build, row.message, at))
        )
    except (NotYours, KeyReused):
        return Reason.STALE
    if isinstance(answer, GameRequestOutcome):
        return None if answer.refusal is None else answer.refusal.reason
    return None if answer is None else answer.reason


async def take_back(core: Core, game_id: int, person_id: int, key: str) -> DelayedMove | None:
    """Take back a waiting move, or remove a dropped one; None when it is already gone."""
    async with core.store.write() as conn:
        row = await conn.run_sync(request_rows.find_delayed_move, game_id, person_id)
        is_mine = await request_rows.remove(conn, game_id, person_id, key)
    return row if is_mine else None


async def forget(core: Core, game_id: int, person_id: int) -> None:
    """The player has sent a move in this game another way: nothing waits any more."""
    await core.store.change(request_rows.remove, game_id, person_id)


async def was_sent(core: Core, game_id: int, person_id: int, key: str) -> bool:
    """Whether the form with this key was submitted and carried out."""
    known = await core.store.query(
        request_rows.find_stored_answer, build_form_key(person_id, build_form_path(game_id), key)
    )
    return known is not None and known.status == SENT


@dataclass(frozen=True, slots=True)
class DelayedMoveView:
    """A waiting move as a page shows it; ``due`` in the tournament's zone.

    ``why``: why it is not sent; None: it will be. ``proposes``: the series with it (§ 6.2.5).
    """

    row: DelayedMove
    game: GameRow
    moves: tuple[MoveText, ...]
    due: datetime
    why: Reason | None
    proposes: tuple[MoveText, ...] = ()


def build_delayed_view(row: DelayedMove, game: GameRow) -> DelayedMoveView:
    """A waiting move with its game; one whose position is gone counts as dropped at once."""
    why = None if row.dropped is None else Reason(row.dropped)
    if why is None and game.result is not None:
        why = Reason.GAME_OVER
    elif why is None and game.ply != row.ply:
        why = Reason.STALE
    due = from_us(row.due_us).astimezone(ZoneInfo(game.zone))
    moves = move_texts(chess.Board(row.fen), _moves(row.moves))
    return DelayedMoveView(row, game, moves, due, why, () if why else _series(row, game))


def _series(row: DelayedMove, game: GameRow) -> tuple[MoveText, ...]:
    """The series that a waiting move will propose, read as it will be when it is sent."""
    side, state = game.side_of(row.person_id), game.state()
    if side is None:
        return ()
    today = local_day(from_us(row.due_us), game.zone)
    read = FieldReader(row.text, row.ply, row.offers_draw, today, row.lang)(state, side)
    if not isinstance(read, SendMoves) or not read.proposes:
        return ()
    board = chess.Board(row.fen)
    for move in read.plies:
        board.push(move)
    return move_texts(board, read.proposes)


async def waiting_in(core: Core, game: GameRow, person_id: int) -> DelayedMoveView | None:
    """A player's waiting move in one game; None if there is none or it was dropped."""
    row = await core.store.look(
        lambda conn: request_rows.find_delayed_move(conn, game.id, person_id)
    )
    found = None if row is None else build_delayed_view(row, game)
    return found if found is not None and found.why is None else None


async def waiting_of(core: Core, person_id: int) -> tuple[DelayedMoveView, ...]:
    """All of a person's waiting moves, for the list of games: two queries at most."""
    found = await core.store.look(
        lambda conn: request_rows.list_person_delayed_moves(conn, person_id)
    )
    if not found:
        return ()
    games = await core.store.query(game_rows.load_many, [row.game_id for row in found])
    by_id = {game.id: game for game in games}
    return tuple(build_delayed_view(row, by_id[row.game_id]) for row in found)


def _moves(text: str) -> tuple[chess.Move, ...]:
    return tuple(chess.Move.from_uci(uci) for uci in text.split())


# A player's own tree of variations and notes on a game: kept private, whatever happens in it.

LONGEST_NOTE = 20_000
"""Characters."""


def _start(account: Account) -> tuple[chess.Board, Sequence[chess.Move]]:
    fen = account.terms.fen
    return chess.Board(fen) if fen else chess.Board(), [row.move for row in account.rows]


def tree_on(account: Account, text: str, lang: str) -> "Game":
    """A kept or pasted tree laid over the game as it stands. Raises UnusableTree."""
    start, played = _start(account)
    return read_tree(text, start, played, languages_of(lang))


def plan_for(account: Account, kept: OwnText, lang: str) -> chess.Move | None:
    """The answer that the player has planned to the move just made; None without one.

    A tree that can't be read any more has none: a reminder is never in the way of a move.
    """
    if PLAN not in kept.text:
        return None
    start, played = _start(account)
    try:
        root = read_tree(kept.text, start, played, languages_of(lang))
    except UnusableTree:
        return None
    return find_planned_move(root, len(played))


def write_tree(account: Account, kept: OwnText, lang: str) -> str:
    """The game's moves with the tree, as movetext; one that can't be read any more as it is."""
    try:
        text = movetext(tree_on(account, kept.text, lang))
    except UnusableTree:
        text = kept.text
    return text.strip().removesuffix("*").rstrip()


async def save_tree(
    core: Core, game: tuple[int, Account], person_id: int, new: tuple[str, int], lang: str
) -> tuple[OwnText, bool]:
    """Save a tree edited from edit ``new[1]``; as it is kept now, and whether that is another's.

    The same tree again is no conflict: a page that was left while it saved saves again. Raises
    UnusableTree for a text that is no tree of this game.
    """
    game_id, account = game
    root = await asyncio.to_thread(tree_on, account, new[0], lang)
    wanted = OwnText(tree_text(root, len(account.rows)), new[1], core.now_us)
    other = await _save(core, note_rows.TREES, (game_id, person_id), wanted)
    if other is None:
        return replace(wanted, stamp=wanted.stamp + 1), False
    return other, other.text != wanted.text


async def save_note(
    core: Core, game_id: int, person_id: int, text: str, stamp: int
) -> OwnText | None:
    """Save a note that was edited starting from edit ``stamp``, unless there is a later one: that.

    The same text again is no conflict, whatever preceded it: a double click.
    """
    new = OwnText(text, stamp, core.now_us)
    other = await _save(core, note_rows.NOTES, (game_id, person_id), new)
    return None if other is None or other.text == text else other


async def _save(core: Core, table: Table, whose: tuple[int, int], new: OwnText) -> OwnText | None:
    """Save a text, unless it was saved elsewhere meanwhile: it is then given as it is now."""

    def work(conn: Connection) -> OwnText | None:
        is_saved = note_rows.save_text(conn, table, *whose, new)
        return None if is_saved else note_rows.find_text(conn, table, *whose)

    return await core.store.transact(work)


async def share_tree(core: Core, game: GameRow, person_id: int, said: str | None) -> bool:
    """Agree to share one's analysis of a finished game with its other player, or no longer (None).

    Each sees the other's once both agree. ``said`` tells him of it in the thread, the first time.
    False while the game runs: help in a game is not for its players to give each other.
    """
    if game.result is None:
        return False
    since = None if said is None else core.now_us
    is_new = await core.store.transact(
        lambda conn: note_rows.share(conn, game.id, person_id, since)
    )
    if said is not None and is_new:
        await write(core, game, person_id, said, f"share-{game.id}")
    return True


# The quiet thread: what players write to each other about a game without a move (§ 6.2.3).

LONGEST = 2000
MOST_LINES = 40
"""Characters and lines of a message: what a letter passes on."""
MOST_A_DAY = 10
"""Messages of a player in one game within 24 hours: each may be a letter to the other."""


class ThreadFault(StrEnum):
    """Why a message is not taken."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    TOO_OFTEN = "too_often"


async def write(
    core: Core, game: GameRow, author_id: int, text: str, key: str
) -> ThreadFault | None:
    """Store a player's message and mail it to the other; sent twice, it is stored once."""
    if not text:
        return ThreadFault.EMPTY
    if len(text) > LONGEST or len(text.splitlines()) > MOST_LINES:
        return ThreadFault.TOO_LONG
    other = game.black_id if author_id == game.white_id else game.white_id
    async with core.writer.together() as conn:
        await note_rows.lock(conn, game.id)
        if await note_rows.knows(conn, author_id, key):
            return None
        since = core.now_us - DAY_US
        if await note_rows.written_since(conn, game.id, author_id, since) >= MOST_A_DAY:
            return ThreadFault.TOO_OFTEN
        made = await note_rows.add(conn, game.id, author_id, text, core.now_us, key)
        _, is_quiet = await conn.run_sync(note_rows.mark_of, game.id, other)
        if made is not None and not is_quiet:
            params: dict[str, object] = {"message": made}
            letter = poster_of(core).to_person(ThreadLetter, other, str(made), params)
            # Of the game, but without the position's key: an answer to it is never a move.
            letter = replace(letter, game_id=game.id, seq=game.seq)
            await outbox_rows.enqueue(conn, [letter])
    return None


async def make_quiet(core: Core, game_id: int, person_id: int, *, is_quiet: bool) -> None:
    """Set whether a player wants letters from a game's thread; the page has the messages anyway."""
    await core.store.transact(
        lambda conn: note_rows.mark(conn, game_id, person_id, is_quiet=is_quiet)
    )


@dataclass(frozen=True, slots=True)
class ThreadMessageView:
    """A message in the thread as the page shows it: with a move (``is_quiet`` False) or without.

    ``is_new``: the reader has not seen it. ``ply``: the last ply of the move that it came with,
    counted from 1; 0 if it came with none. ``mark`` names it in a report, after which it is hidden
    from both players: only an official reads its text then.
    """

    name: str
    day: date
    text: str
    is_quiet: bool = False
    is_new: bool = False
    ply: int = 0
    author_id: int = 0
    mark: str = ""
    is_hidden: bool = False


def _plies(view: GameView) -> dict[int, int]:
    """The last ply of each dispatch, by its event's number."""
    found = {}
    for ply, place in dispatches(view.events).items():
        event = view.events[place]
        assert isinstance(event, MoveSent)
        found[view.rows[place].seq] = ply + len(event.plies) - 1
    return found


def list_thread_messages(
    view: GameView, thread: tuple[QuietMessage, ...], seen_id: int, reader_id: int
) -> tuple[ThreadMessageView, ...]:
    """All that the players wrote to each other, oldest first."""
    names = {person.id: person.name for person in (view.white, view.black)}
    at = {row.seq: row.at_us for row in view.rows}
    zone, plies = view.game.zone, _plies(view)
    found = []
    for seq, with_it in view.messages.items():
        name, day = names.get(with_it.author_id, ""), local_day(from_us(at[seq]), zone)
        said = ThreadMessageView(
            name,
            day,
            with_it.text,
            ply=plies.get(seq, 0),
            mark=f"m{seq}",
            author_id=with_it.author_id,
            is_hidden=bool(with_it.hidden_us),
        )
        found.append((at[seq], said))
    for one in thread:
        is_new = one.author_id != reader_id and one.id > seen_id
        name, day = names.get(one.author_id, ""), local_day(from_us(one.at_us), zone)
        hidden = bool(one.hidden_us)
        said = ThreadMessageView(
            name, day, one.text, True, is_new, 0, one.author_id, f"q{one.id}", hidden
        )
        found.append((one.at_us, said))
    return tuple(said for _, said in sorted(found, key=lambda each: each[0]))


@loads(ThreadLetter)
async def _thread_letter(core: Core, reader: PersonRow, params: Params) -> ThreadLetter:
    """The letter of a message. Raises NoLetter."""
    async with core.store.read() as conn:
        one = await note_rows.find(conn, number(params, "message"))
        game = None if one is None else await game_rows.load(conn, one.game_id)
        if one is None or game is None:
            raise NoLetter("no such message")
        facts = await letter_game(core, conn, game)
        writer = (await person_rows.by_ids(conn, (one.author_id,)))[one.author_id]
    page = core.url(f"/games/{game.id}/private#thread")
    side = game.side_of(reader.id)
    return ThreadLetter(reader.name, facts, side, writer.name, one.text, page)


# What a player has beside a game, read at one moment for its page: private analysis and notes, the
# thread, and a waiting move.


@dataclass(frozen=True, slots=True)
class OwnSideView:
    """One player's own. ``is_quiet``: the player wants no letters from the thread.

    ``newest``: the thread's last message if any of it is new to the player; None: nothing is.
    """

    tree: OwnText
    note: OwnText
    said: tuple[ThreadMessageView, ...]
    is_quiet: bool
    waiting: DelayedMoveView | None
    newest: int | None
    last: int = 0
    heard: int = 0
    """``last``: the thread's last message; ``heard``: the other player's last; 0: none."""
    sharing: frozenset[int] = frozenset()
    theirs: OwnText | None = None
    """Who agrees to share his analysis of the finished game; the other's once both do."""


async def load_own_side(core: Core, view: GameView, person_id: int) -> OwnSideView | None:
    """What a player has beside a game; None for anyone who plays neither side. Read-only."""
    mine = view.side_of(person_id)
    if mine is None:
        return None
    whose = (view.game.id, person_id)

    def work(conn: Connection) -> OwnSideView:
        """All of it in one trip to the database."""
        thread = note_rows.thread_of_game(conn, whose[0])
        seen_id, is_quiet = note_rows.mark_of(conn, *whose)
        row = request_rows.find_delayed_move(conn, *whose)
        theirs = [one.id for one in thread if one.author_id != person_id]
        is_new = any(number > seen_id for number in theirs)
        sharing = note_rows.read_sharing(conn, view.game.id) if view.game.result else frozenset()
        other = view.game.person_of(mine.other)
        is_shared = {person_id, other} <= sharing
        return OwnSideView(
            tree=note_rows.find_text(conn, note_rows.TREES, *whose),
            note=note_rows.find_text(conn, note_rows.NOTES, *whose),
            said=list_thread_messages(view, thread, seen_id, person_id),
            is_quiet=is_quiet,
            waiting=None if row is None else build_delayed_view(row, view.game),
            last=thread[-1].id if thread else 0,
            heard=max(theirs, default=0),
            newest=thread[-1].id if is_new else None,
            sharing=sharing,
            theirs=note_rows.find_text(conn, note_rows.TREES, view.game.id, other)
            if is_shared
            else None,
        )

    return await core.store.look(work)


async def mark_all_seen(core: Core, game_id: int, person_id: int, shown: OwnSideView) -> None:
    """Record that a player has seen the thread: none of it is new the next time."""
    newest = shown.newest
    if newest is not None:
        await core.store.note(lambda conn: note_rows.mark(conn, game_id, person_id, seen_id=newest))
