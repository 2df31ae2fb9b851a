"""What a player has beside a game, read at one moment for its page: private analysis and notes,
the thread, and a waiting move.

It is for the viewing player alone; anyone who plays neither side gets none. Not for others' views.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

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
from kskak.game.game_events import MoveSent
from kskak.play.events_in_force import dispatches
from kskak.regulation.days import local_day
from kskak.statement.account import Account
from mail.game_letters.move_letters import ThreadLetter
from server.store.engine.rows import DAY_US, from_us
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import notes_and_messages as note_rows
from server.store.play import people as person_rows
from server.store.play import requests as request_rows
from server.store.play.games import GameRow
from server.store.play.notes_and_messages import OwnText, QuietMarkRow, QuietMessage
from server.store.play.people import PersonRow
from server.usecases.context import Core, poster_of
from server.usecases.letter_facts import NoLetter, Params, letter_game, loads
from server.usecases.play import delayed_moves
from server.usecases.play.delayed_moves import DelayedMoveView
from server.usecases.play.game_requests import languages_of
from server.usecases.play.game_views import GameView

if TYPE_CHECKING:
    from chess.pgn import Game


# A player's own tree of variations and notes on a game: kept private, whatever happens in it.

LONGEST_NOTE = 20_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The text was saved elsewhere meanwhile; ``kept``: as it is now."""

    kept: OwnText


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
) -> OwnText | Conflict:
    """Save a tree edited from edit ``new[1]``; as it is kept, or what another has saved meanwhile.

    The same tree again is no conflict: a page that was left while it saved saves again. Raises
    UnusableTree for a text that is no tree of this game.
    """
    game_id, account = game
    root = await asyncio.to_thread(tree_on, account, new[0], lang)
    wanted = OwnText(tree_text(root, len(account.rows)), new[1], core.now_us)
    conflict = await _save(core, note_rows.TREES, (game_id, person_id), wanted)
    if conflict is not None and conflict.kept.text == wanted.text:
        return conflict.kept
    return conflict or OwnText(wanted.text, wanted.stamp + 1, wanted.changed_us)


async def save_note(
    core: Core, game_id: int, person_id: int, text: str, stamp: int
) -> Conflict | None:
    """Save a note that was edited starting from edit ``stamp``, unless there is a later one.

    The same text again is no conflict, whatever preceded it: a double click.
    """
    new = OwnText(text, stamp, core.now_us)
    conflict = await _save(core, note_rows.NOTES, (game_id, person_id), new)
    return None if conflict is None or conflict.kept.text == text else conflict


async def _save(core: Core, table: Table, whose: tuple[int, int], new: OwnText) -> Conflict | None:
    def work(conn: Connection) -> Conflict | None:
        if note_rows.save_text(conn, table, *whose, new):
            return None
        return Conflict(note_rows.find_text(conn, table, *whose))

    return await core.store.transact(work)


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
        mark = await conn.run_sync(note_rows.mark_of, game.id, other)
        if made is not None and not mark.is_quiet:
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
    counted from 1; 0 if it came with none.
    """

    name: str
    day: date
    text: str
    is_quiet: bool = False
    is_new: bool = False
    ply: int = 0


def _plies(view: GameView) -> dict[int, int]:
    """The last ply of each dispatch, by its event's number."""
    found = {}
    for ply, place in dispatches(view.events).items():
        event = view.events[place]
        assert isinstance(event, MoveSent)
        found[view.rows[place].seq] = ply + len(event.plies) - 1
    return found


def list_thread_messages(
    view: GameView, thread: tuple[QuietMessage, ...], mark: QuietMarkRow, reader_id: int
) -> tuple[ThreadMessageView, ...]:
    """All that the players wrote to each other, oldest first."""
    names = {person.id: person.name for person in (view.white, view.black)}
    at = {row.seq: row.at_us for row in view.rows}
    zone, plies = view.game.zone, _plies(view)
    found = []
    for seq, with_it in view.messages.items():
        name, day = names.get(with_it.author_id, ""), local_day(from_us(at[seq]), zone)
        found.append((at[seq], ThreadMessageView(name, day, with_it.text, ply=plies.get(seq, 0))))
    for one in thread:
        is_new = one.author_id != reader_id and one.id > mark.seen_id
        name, day = names.get(one.author_id, ""), local_day(from_us(one.at_us), zone)
        found.append((one.at_us, ThreadMessageView(name, day, one.text, True, is_new)))
    return tuple(said for _, said in sorted(found, key=lambda each: each[0]))


@loads(ThreadLetter)
async def _thread_letter(core: Core, reader: PersonRow, params: Params) -> ThreadLetter:
    """The letter of a message. Raises NoLetter."""
    number = params.get("message")
    async with core.store.read() as conn:
        one = await note_rows.find(conn, number) if isinstance(number, int) else None
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


async def load_own_side(core: Core, view: GameView, person_id: int) -> OwnSideView | None:
    """What a player has beside a game; None for anyone who plays neither side. Read-only."""
    if view.side_of(person_id) is None:
        return None
    whose = (view.game.id, person_id)

    def work(conn: Connection) -> OwnSideView:
        """All of it in one trip to the database."""
        thread, mark = note_rows.thread_of_game(conn, whose[0]), note_rows.mark_of(conn, *whose)
        row = request_rows.find_delayed_move(conn, *whose)
        theirs = [one.id for one in thread if one.author_id != person_id]
        is_new = any(number > mark.seen_id for number in theirs)
        return OwnSideView(
            tree=note_rows.find_text(conn, note_rows.TREES, *whose),
            note=note_rows.find_text(conn, note_rows.NOTES, *whose),
            said=list_thread_messages(view, thread, mark, person_id),
            is_quiet=mark.is_quiet,
            waiting=None if row is None else delayed_moves.build_delayed_view(row, view.game),
            last=thread[-1].id if thread else 0,
            heard=max(theirs, default=0),
            newest=thread[-1].id if is_new else None,
        )

    return await core.store.look(work)


async def mark_all_seen(core: Core, game_id: int, person_id: int, shown: OwnSideView) -> None:
    """Record that a player has seen the thread: none of it is new the next time."""
    newest = shown.newest
    if newest is not None:
        await core.store.note(lambda conn: note_rows.mark(conn, game_id, person_id, seen_id=newest))
