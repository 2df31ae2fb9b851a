"""Stepping through a game: one viewer for running, finished and archive games.

Without script every step is a link (``?ply=17``: the position after 17 plies); with it the same
links move the pieces in place. The browser gets the moves and works out the positions. Not for
who may see a game (play/game_page.py, archive/pages.py).
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from urllib.parse import urlencode

import chess
from aiohttp import web

from kskak.regulation.quantities import Side
from mail.text.languages import LANGUAGES
from mail.text.words import Words
from server.web.board.move_list import Pair, Step, paired
from server.web.board.picture import BoardPicture, picture

_SIGNS = "\u265f\u265e\u265d\u265c\u265b"
"""A pawn, a knight, a bishop, a rook and a queen, as ``chess.PIECE_TYPES`` counts them."""
_AS_TEXT = "\ufe0e"
_SCRIPT = "board.script.{name}"
MOST_LINE = 200
"""The most plies in a line continued from a game's position."""


@dataclass(frozen=True)
class Stepping:
    """A game's moves, and the ply that the board shows; without slots, to keep what it works out.

    ``base``: the page's path, "" for relative links; ``kept``: the address's other parameters;
    ``names``: White and Black; ``ahead``: plies of an accepted series that the board shows
    beyond the last move (§ 6.2.5).
    """

    key: str
    base: str
    names: tuple[str, str]
    start: chess.Board
    moves: tuple[chess.Move, ...]
    listed: tuple[Step, ...]
    ply: int
    side: Side
    kept: tuple[tuple[str, str], ...] = ()
    ahead: tuple[chess.Move, ...] = ()

    @property
    def last(self) -> int:
        """How many plies have been played."""
        return len(self.moves)

    @property
    def is_last(self) -> bool:
        """Whether the board shows the game's last position."""
        return self.ply == self.last

    @property
    def shown(self) -> Step | None:
        """The last move shown on the board; None at the start."""
        return self.listed[self.ply - 1] if self.ply else None

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The score sheet."""
        return paired(self.listed)

    @property
    def line(self) -> str:
        """All moves for the script."""
        return " ".join(move.uci() for move in (*self.moves, *self.ahead))

    @property
    def flipped(self) -> str:
        """The address of the same position from the other side."""
        kept = tuple(pair for pair in self.kept if pair[0] != "flip")
        turned = kept if len(kept) < len(self.kept) else (*kept, ("flip", "1"))
        return replace(self, kept=turned).at(self.ply)

    def name(self, step: Step) -> str:
        """Who made a move."""
        return self.names[0 if step.move.by is Side.WHITE else 1]

    def at(self, ply: int) -> str:
        """The address of the position after ``ply``; a server game's last needs no parameter."""
        named = () if self.base and ply >= self.last else (("ply", str(ply)),)
        query = urlencode((*named, *self.kept))
        return f"{self.base}{'?' if query else ''}{query}#board"

    def file(self, name: str) -> str:
        """The address of a picture of the position."""
        flip = tuple(pair for pair in self.kept if pair[0] == "flip")
        ahead = " ".join(move.uci() for move in self._ahead())
        query = (("ply", str(self.ply)), *((("moves", ahead),) if ahead else ()), *flip)
        return f"{name}?{urlencode(query)}"

    @cached_property
    def board(self) -> chess.Board:
        """The position that is shown; never to be changed."""
        return board_after(self.start, (*self.moves[: self.ply], *self._ahead()))

    def _ahead(self) -> tuple[chess.Move, ...]:
        return self.ahead if self.is_last else ()

    def taken(self, side: Side) -> str:
        """The opponent's pieces that are gone from the board that is shown, pawns first."""
        other, now = side is not Side.WHITE, self.board
        gone = [
            len(self.start.pieces(kind, other)) - len(now.pieces(kind, other))
            for kind in chess.PIECE_TYPES[:-1]
        ]
        return "".join(
            f"{sign}{_AS_TEXT}" * max(0, n) for sign, n in zip(_SIGNS, gone, strict=True)
        )

    def picture(self) -> BoardPicture:
        """The position drawn, with the last move marked."""
        played = (*self.moves[: self.ply], *self._ahead())
        return picture(self.board, self.side, played[-1] if played else None)


def board_after(start: chess.Board, moves: tuple[chess.Move, ...]) -> chess.Board:
    """The position after legal moves; ``start`` is not modified."""
    board = start.copy(stack=False)
    for move in moves:
        board.push(move)
    return board


def asked_ply(request: web.Request, last: int) -> int:
    """The ply in the address, or the last one if it names none or too high a one."""
    asked = request.query.get("ply", "")
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 6
    return min(int(asked), last) if is_number else last


def asked_line(request: web.Request, board: chess.Board) -> tuple[chess.Move, ...]:
    """The moves in the address that continue the position; 404 if any is illegal."""
    words = request.query.get("moves", "").split()
    here, line = board.copy(stack=False), list[chess.Move]()
    if len(words) > MOST_LINE:
        raise web.HTTPNotFound
    for word in words:
        # A null move is not among the legal moves.
        move = next((one for one in here.legal_moves if one.uci() == word), None)
        if move is None:
            raise web.HTTPNotFound
        line.append(move)
        here.push(move)
    return tuple(line)


@lru_cache(maxsize=len(LANGUAGES))
def _script_words(lang: str) -> dict[str, str]:
    return Words.load(lang).family(_SCRIPT)


def script_words(words: Words) -> dict[str, str]:
    """The texts used by the script from the beginning, with unfilled placeholders.

    Those that it needs once moves are tried are a file of their own (frame/assets.py).
    """
    return _script_words(words.lang)
