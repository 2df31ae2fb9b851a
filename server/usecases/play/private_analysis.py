"""A player's own analysis and notes on a game: kept private, whatever happens in the game.

None of it is correspondence of the game (§ 6.2): it is no event, is in no file of the game, and
no official has a right to it (DECISIONS 71). Not for the pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import chess

from kskak.board.variation import Following, LineUnread, following, read_line
from kskak.statement.account import Account
from mail.text.facts import MoveText, move_texts
from server.store.play import private_analysis as rows
from server.store.play.private_analysis import LineRow, NoteRow
from server.usecases.core.context import Core
from server.usecases.play.reading import languages_of

MOST_LINES = 40
"""The most lines that a player keeps on one game."""
MOST_PLIES = 60
"""The most plies in one line."""
LONGEST_COMMENT = 1000
LONGEST_NOTE = 20_000
"""Characters."""


class LineFault(StrEnum):
    """Why a line is not kept."""

    EMPTY = "empty"
    UNREAD = "unread"
    TOO_LONG = "too_long"
    TOO_MANY = "too_many"
    COMMENT = "comment"
    PLY = "ply"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class LineProblem:
    """What is wrong with a line, for the field it is about; ``unread`` is the move in question."""

    fault: LineFault
    unread: LineUnread | None = None


@dataclass(frozen=True, slots=True)
class Wished:
    """A line as it was entered. ``line`` None: a new one; ``ply``: plies of the game before it."""

    line: int | None
    ply: int | None
    moves: str
    comment: str


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line compared with the game as it was played.

    ``is_elsewhere``: a ruling has changed the game's position where the line begins.
    ``turned``: the game's own move where it left the line.
    """

    row: LineRow
    moves: tuple[MoveText, ...]
    follows: Following
    is_elsewhere: bool
    turned: MoveText | None


def played_of(account: Account) -> tuple[chess.Move, ...]:
    """The moves of a game."""
    return tuple(row.move for row in account.rows)


def board_after(account: Account, ply: int) -> chess.Board:
    """The position after ``ply`` plies of the game."""
    fen = account.terms.fen
    board = chess.Board(fen) if fen else chess.Board()
    for row in account.rows[:ply]:
        board.push(row.move)
    return board.copy(stack=False)


@lru_cache(maxsize=4096)
def _texts(fen: str, moves: str) -> tuple[MoveText, ...]:
    """A line in every notation; cached, since it never changes and a page shows many."""
    return move_texts(chess.Board(fen), _moves(moves))


def _moves(text: str) -> tuple[chess.Move, ...]:
    return tuple(chess.Move.from_uci(uci) for uci in text.split())


def beside_game(account: Account, lines: Sequence[LineRow]) -> tuple[KeptLine, ...]:
    """Compare lines with the game as it stands: what was kept, and how the game went."""
    played = played_of(account)
    boards = _boards_at(account, {row.ply for row in lines})
    return tuple(_kept(row, played, boards.get(row.ply)) for row in lines)


def _boards_at(account: Account, plies: set[int]) -> dict[int, chess.Board]:
    """The positions after some numbers of plies, in one walk through the game."""
    board = board_after(account, 0)
    found = {0: board.copy(stack=False)} if 0 in plies else {}
    last = max(plies, default=0)
    for count, row in enumerate(account.rows[:last], 1):
        board.push(row.move)
        if count in plies:
            found[count] = board.copy(stack=False)
    return found


def _kept(row: LineRow, played: Sequence[chess.Move], board: chess.Board | None) -> KeptLine:
    moves = _moves(row.moves)
    is_elsewhere = board is None or board.fen() != row.fen
    follows = Following(0, False) if is_elsewhere else following(row.ply, moves, played)
    turned: MoveText | None = None
    if follows.is_left and board is not None:
        for move in played[row.ply : row.ply + follows.count]:
            board.push(move)
        turned = move_texts(board, (played[row.ply + follows.count],))[0]
        for _ in range(follows.count):
            board.pop()
    return KeptLine(row, _texts(row.fen, row.moves), follows, is_elsewhere, turned)


async def save_line(
    core: Core, game: tuple[int, Account], person_id: int, wished: Wished, lang: str
) -> int | LineProblem:
    """Save a line, new or replacing an older one; its id, or what is wrong with it."""
    game_id, account = game
    read = _read(account, wished, lang)
    if isinstance(read, LineProblem):
        return read
    async with core.store.write() as conn:
        if wished.line is not None:
            there = LineRow(wished.line, *read, core.now_us)
            changed = await rows.change_line(conn, game_id, person_id, there)
            return wished.line if changed else LineProblem(LineFault.GONE)
        if await rows.count_lines(conn, game_id, person_id) >= MOST_LINES:
            return LineProblem(LineFault.TOO_MANY)
        return await rows.add_line(conn, game_id, person_id, LineRow(0, *read, core.now_us))


def _read(account: Account, wished: Wished, lang: str) -> tuple[int, str, str, str] | LineProblem:
    """Ply, position, moves and comment of a line."""
    if wished.ply is None or wished.ply > len(account.rows):
        return LineProblem(LineFault.PLY)
    board = board_after(account, wished.ply)
    read = read_line(board, wished.moves, languages_of(lang))
    if isinstance(read, LineUnread):
        return LineProblem(LineFault.UNREAD, read)
    if not read:
        return LineProblem(LineFault.EMPTY)
    if len(read) > MOST_PLIES:
        return LineProblem(LineFault.TOO_LONG)
    if len(wished.comment) > LONGEST_COMMENT:
        return LineProblem(LineFault.COMMENT)
    return wished.ply, board.fen(), " ".join(move.uci() for move in read), wished.comment


async def remove_line(core: Core, game_id: int, person_id: int, line: int) -> None:
    """Remove a line; harmless if repeated."""
    async with core.store.write() as conn:
        await rows.remove_line(conn, game_id, person_id, line)


@dataclass(frozen=True, slots=True)
class NoteConflict:
    """The note was saved elsewhere meanwhile; ``kept``: as it is now."""

    kept: NoteRow


async def save_note(
    core: Core, game_id: int, person_id: int, text: str, stamp: int
) -> NoteConflict | None:
    """Save a note that was edited starting from edit ``stamp``, unless there is a later one.

    The same text again is no conflict, whatever preceded it: a double click.
    """
    async with core.store.write() as conn:
        new = NoteRow(text, stamp, core.now_us)
        if await rows.save_note(conn, game_id, person_id, new):
            return None
        kept = await conn.run_sync(rows.note_of, game_id, person_id)
    return None if kept.text == text else NoteConflict(kept)
