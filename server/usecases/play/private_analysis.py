"""A player's own tree of variations and notes on a game: kept private, whatever happens in it.

None of it is correspondence of the game (§ 6.2): it is no event, is in no file of the game, and
no official has a right to it. Not for the pages, nor for how a tree is read
(kskak.board.analysis_tree).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess
from sqlalchemy import Connection

from kskak.board.analysis_tree import PLAN, UnusableTree, movetext, planned, read_tree, tree_text
from kskak.statement.account import Account
from server.memory import kept
from server.store.engine.connection import AsyncConnection
from server.store.play import private_analysis as rows
from server.store.play.private_analysis import OwnText
from server.usecases.core.context import Core
from server.usecases.play.reading import languages_of

if TYPE_CHECKING:
    from chess.pgn import Game

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
    return _planned(kept.text, start.fen(), tuple(move.uci() for move in played), lang)


@kept(1 << 20, lambda text, fen, played, lang: 1000 + 2 * len(text) + 60 * len(played))
def _planned(text: str, fen: str, played: tuple[str, ...], lang: str) -> chess.Move | None:
    """Asked for on every page of the game, and the same until one of the two changes."""
    moves = [chess.Move.from_uci(uci) for uci in played]
    try:
        root = read_tree(text, chess.Board(fen), moves, languages_of(lang))
    except UnusableTree:
        return None
    return planned(root, len(moves))


def told(account: Account, kept: OwnText, lang: str) -> str:
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
    conflict = await _save(core, (game_id, person_id), wanted, (rows.save_tree, rows.tree_of))
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
    conflict = await _save(core, (game_id, person_id), new, (rows.save_note, rows.note_of))
    return None if conflict is None or conflict.kept.text == text else conflict


async def _save(
    core: Core,
    whose: tuple[int, int],
    new: OwnText,
    how: tuple[
        Callable[[AsyncConnection, int, int, OwnText], Awaitable[bool]],
        Callable[[Connection, int, int], OwnText],
    ],
) -> Conflict | None:
    save, find = how
    async with core.store.write() as conn:
        if await save(conn, *whose, new):
            return None
        return Conflict(await conn.run_sync(find, *whose))
