"""What the server draws: boards, the list of moves, stepping through a game, a rating's curve."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property, lru_cache
from urllib.parse import urlencode

import chess
from aiohttp import web
from markupsafe import Markup

from kskak.play.game_state import AccountLine, Dates
from kskak.regulation.editions import Side
from kskak.statement.account import Account
from mail.looks.design import TILE as PIECE_TILE
from mail.looks.design import drawing
from mail.text.catalogue import Words
from mail.text.letter_facts import MoveText, move_texts
from server.machine import cached_by_size
from server.usecases.preferences import Pieces
from server.usecases.rating.rating_views import RatingPoint

# The board as drawn by the server: squares, marks, and the same position in words.

TILE = 40
"""A square's side in the drawing; the vendored board's marks have this size."""
BELOW, ASIDE = 13, 9
"""Offset of letters and digits from the board; site.css places the script's there, too."""


@dataclass(frozen=True, slots=True)
class Square:
    """A square in the drawing; ``piece`` is like «wk», "" if empty."""

    name: str
    x: int
    y: int
    is_dark: bool
    piece: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """Everything a template needs to draw a position.

    ``coordinates``: a letter or digit in the margin, its horizontal centre, its baseline, whether
    it is a file's; ``white`` and ``black``: their pieces («k» … «p»), each with its square.
    """

    fen: str
    side: Side
    squares: tuple[Square, ...]
    coordinates: tuple[tuple[str, int, int, bool], ...]
    white: tuple[tuple[str, str], ...]
    black: tuple[tuple[str, str], ...]

    @property
    def orientation(self) -> str:
        """«w» or «b»: the side at the bottom."""
        return "w" if self.side is Side.WHITE else "b"


def picture(board: chess.Board, side: Side, last: chess.Move | None = None) -> BoardPicture:
    """The position seen from ``side``, with the last move's squares marked."""
    marked = {last.from_square, last.to_square} if last else set()
    squares = tuple(_square(board, side, square, square in marked) for square in chess.SQUARES)
    return BoardPicture(
        fen=board.fen(),
        side=side,
        squares=squares,
        coordinates=_coordinates(side),
        white=_pieces(board, chess.WHITE),
        black=_pieces(board, chess.BLACK),
    )


def _square(board: chess.Board, side: Side, square: chess.Square, is_marked: bool) -> Square:
    file, rank = chess.square_file(square), chess.square_rank(square)
    column, row = (file, 7 - rank) if side is Side.WHITE else (7 - file, rank)
    piece = board.piece_at(square)
    return Square(
        name=chess.square_name(square),
        x=column * TILE,
        y=row * TILE,
        is_dark=(file + rank) % 2 == 0,
        piece=f"{'w' if piece.color else 'b'}{piece.symbol().lower()}" if piece else "",
        is_marked=is_marked,
    )


def _coordinates(side: Side) -> tuple[tuple[str, int, int, bool], ...]:
    files, ranks = "abcdefgh", "87654321"
    if side is Side.BLACK:
        files, ranks = files[::-1], ranks[::-1]
    along = [
        (text, column * TILE + TILE // 2, 8 * TILE + BELOW, True)
        for column, text in enumerate(files)
    ]
    up = [(text, -ASIDE, row * TILE + TILE // 2 + 4, False) for row, text in enumerate(ranks)]
    return (*along, *up)


def _pieces(board: chess.Board, color: chess.Color) -> tuple[tuple[str, str], ...]:
    """Kings first, pawns last: the order in which positions are read out."""
    return tuple(
        (chess.piece_symbol(kind), chess.square_name(square))
        for kind in reversed(chess.PIECE_TYPES)
        for square in board.pieces(kind, color)
    )


PICTURES_CACHED = 256
"""Cached diagrams: those that a front page and some players' lists show, 2.5 kB each."""
_KINDS = "pnbrqk"


def small_board(board: chess.Board, side: Side, last: chess.Move | None) -> Markup:
    """A small diagram seen from ``side``, with the last move's squares marked."""
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    squares = () if last is None else (last.from_square, last.to_square)
    return _draw_squares(white, black, kinds, squares, side is Side.WHITE)


@lru_cache(maxsize=PICTURES_CACHED)
def _draw_squares(
    white: int, black: int, kinds: tuple[int, ...], marked: tuple[int, ...], is_white: bool
) -> Markup:
    """The drawing, cached by the board's bitmasks, which are cheaper to get than a FEN."""
    marks = "".join(
        f'<rect class="mark" {_at(square, is_white)} width="{TILE}" height="{TILE}"/>'
        for square in marked
    )
    pieces = "".join(
        f'<use href="#{color}{kind}" {_at(square, is_white)}/>'
        for color, own in (("w", white), ("b", black))
        for kind, mask in zip(_KINDS, kinds, strict=True)
        for square in chess.scan_forward(own & mask)
    )
    return Markup(  # noqa: S704 - contains no user text
        f'<svg class="small-board" viewBox="0 0 {8 * TILE} {8 * TILE}" width="96" height="96"'
        f' aria-hidden="true" focusable="false">{marks}{pieces}</svg>'
    )


def _at(square: chess.Square, is_white: bool) -> str:
    file, rank = chess.square_file(square), chess.square_rank(square)
    column, row = (file, 7 - rank) if is_white else (7 - file, rank)
    return f'x="{column * TILE}" y="{row * TILE}"'


# The twelve pieces, included once per page and referenced by every board on it; and samples.

_SYMBOLS = "PNBRQKpnbrqk"
_SAMPLE = "rnbqkp", "RNBQKP"
"""What a preview shows: every piece, half of them on either colour."""


def _drawn(symbol: str, pieces: Pieces) -> str:
    """The drawing scaled to a square, under the id by which boards reference it."""
    code = ("w" if symbol.isupper() else "b") + symbol.lower()
    drawn = drawing(pieces.value, symbol)
    return f'<g id="{code}" transform="scale({TILE / PIECE_TILE:.4f})">{drawn}</g>'


@cache
def sprite(pieces: Pieces = Pieces.STANDARD) -> Markup:
    """All pieces of a set."""
    groups = "".join(_drawn(symbol, pieces) for symbol in _SYMBOLS)
    return Markup(  # noqa: S704 - contains no user text
        '<div id="cm-chessboard-sprite" class="sprite" aria-hidden="true">'
        f'<svg width="0" height="0" focusable="false"><defs>{groups}</defs></svg></div>'
    )


@cache
def sample(pieces: str) -> Markup:
    """A small board with every piece of a set; its squares have the colours of where it stands."""
    drawn = "".join(
        f'<rect class="{"light" if (row + column) % 2 == 0 else "dark"}" x="{column * PIECE_TILE}"'
        f' y="{row * PIECE_TILE}" width="{PIECE_TILE}" height="{PIECE_TILE}"/>'
        f'<g transform="translate({column * PIECE_TILE} {row * PIECE_TILE})">'
        f"{drawing(pieces, symbol)}</g>"
        for row, symbols in enumerate(_SAMPLE)
        for column, symbol in enumerate(symbols)
    )
    box = f"0 0 {len(_SAMPLE[0]) * PIECE_TILE} {len(_SAMPLE) * PIECE_TILE}"
    return Markup(  # noqa: S704 - contains no user text
        f'<svg class="sample" viewBox="{box}" aria-hidden="true" focusable="false">{drawn}</svg>'
    )


# A game's moves as listed on a page, with dates and days. Not for the account itself.


@dataclass(frozen=True, slots=True)
class ScoreSheetPly:
    """One ply of a game: the move in every notation, and its row of the account.

    ``ply`` counts from 1. Archive games have no account.
    """

    ply: int
    move: MoveText
    row: AccountLine | None = None

    @property
    def dates(self) -> Dates | None:
        """When the move was received and sent, if known."""
        return None if self.row is None else self.row.dates


Pair = tuple[int, ScoreSheetPly | None, ScoreSheetPly | None]
"""A full move's number, White's ply and Black's; one is missing at some games' start or end."""


def opening(account: Account) -> chess.Board:
    """The starting position of a game."""
    return chess.Board(account.terms.fen) if account.terms.fen else chess.Board()


def plies(account: Account) -> tuple[ScoreSheetPly, ...]:
    """All plies of a game, oldest first."""
    texts = list_move_texts(account.terms.fen, tuple(row.move for row in account.rows))
    pairs = zip(texts, account.rows, strict=True)
    return tuple(ScoreSheetPly(ply, text, row) for ply, (text, row) in enumerate(pairs, 1))


@cached_by_size(1 << 20, lambda fen, moves: 500 + 450 * len(moves))
def list_move_texts(fen: str | None, moves: tuple[chess.Move, ...]) -> tuple[MoveText, ...]:
    """The moves in every notation; cached, as pages and their readers ask for them repeatedly."""
    return move_texts(chess.Board(fen) if fen else chess.Board(), moves)


def pair_moves(listed: Iterable[ScoreSheetPly]) -> tuple[Pair, ...]:
    """The score sheet, one full move per line."""
    lines: list[Pair] = []
    for step in listed:
        is_white = step.move.by is Side.WHITE
        if is_white or not lines:
            halves = (step, None) if is_white else (None, step)
            lines.append((step.move.number, *halves))
        else:
            lines[-1] = (*lines[-1][:2], step)
    return tuple(lines)


# Stepping through a game: one viewer for running, finished and archive games.

_SIGNS = "\u265f\u265e\u265d\u265c\u265b"
"""A pawn, a knight, a bishop, a rook and a queen, as ``chess.PIECE_TYPES`` counts them."""
_AS_TEXT = "\ufe0e"
_SCRIPT = "board.script.{name}"
MOST_LINE_MOVES = 200
"""The most plies in a line continued from a game's position."""


@dataclass(frozen=True)
class GameStepView:
    """A game's moves, and the ply that the board shows; without slots, to keep what it works out.

    ``base``: the page's path, "" for relative links; ``cached_by_size``: the address's other
    parameters; ``names``: White and Black; ``ahead``: plies of an accepted series that the board
    shows beyond the last move (§ 6.2.5).
    """

    key: str
    base: str
    names: tuple[str, str]
    start: chess.Board
    moves: tuple[chess.Move, ...]
    listed: tuple[ScoreSheetPly, ...]
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
    def shown(self) -> ScoreSheetPly | None:
        """The last move shown on the board; None at the start."""
        return self.listed[self.ply - 1] if self.ply else None

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The score sheet."""
        return pair_moves(self.listed)

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

    def name(self, step: ScoreSheetPly) -> str:
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


def list_past_plies(fen: str | None, moves: tuple[chess.Move, ...]) -> tuple[ScoreSheetPly, ...]:
    """The plies of a game without an account."""
    return tuple(
        ScoreSheetPly(ply, text) for ply, text in enumerate(list_move_texts(fen, moves), 1)
    )


def step_past_game(
    request: web.Request,
    key: str,
    base: str,
    names: tuple[str, str],
    fen: str | None,
    moves: tuple[chess.Move, ...],
) -> GameStepView:
    """The same viewer for any game, at the ply and from the side that the address names."""
    is_flipped = request.query.get("flip") == "1"
    return GameStepView(
        key=key,
        base=base,
        names=names,
        start=chess.Board(fen) if fen else chess.Board(),
        moves=moves,
        listed=list_past_plies(fen, moves),
        ply=read_ply(request, len(moves)),
        side=Side.BLACK if is_flipped else Side.WHITE,
        kept=(("flip", "1"),) if is_flipped else (),
    )


def board_after(start: chess.Board, moves: tuple[chess.Move, ...]) -> chess.Board:
    """The position after legal moves; ``start`` is not modified."""
    board = start.copy(stack=False)
    for move in moves:
        board.push(move)
    return board


def read_ply(request: web.Request, last: int) -> int:
    """The ply in the address, or the last one if it names none or too high a one."""
    asked = request.query.get("ply", "")
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 6
    return min(int(asked), last) if is_number else last


def read_line(request: web.Request, board: chess.Board) -> tuple[chess.Move, ...]:
    """The moves in the address that continue the position; 404 if any is illegal."""
    words = request.query.get("moves", "").split()
    here, line = board.copy(stack=False), list[chess.Move]()
    if len(words) > MOST_LINE_MOVES:
        raise web.HTTPNotFound
    for word in words:
        # A null move is not among the legal moves.
        move = next((one for one in here.legal_moves if one.uci() == word), None)
        if move is None:
            raise web.HTTPNotFound
        line.append(move)
        here.push(move)
    return tuple(line)


def list_script_texts(words: Words) -> dict[str, str]:
    """The texts used by the script from the beginning, with unfilled placeholders.

    Those that it needs once moves are tried are a file of their own (frame/assets.py).
    """
    return Words.load(words.lang).family(_SCRIPT)


WIDTH, HEIGHT = 360, 210
"""In the picture's own units; about a phone's width, so that its letters are legible."""
LEFT, RIGHT, TOP, BOTTOM = 36, 10, 10, 24
_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_MOST_LINES = 5
_MOST_YEARS = 6
_ROOM = 20
"""The minimum margin in rating points above and below the curve."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The picture's contents, in its own units.

    ``dots``: where a rating stands, and whether it is provisional; ``levels`` and ``years``: where
    a mark is on its axis, and its label.
    """

    path: str
    dots: tuple[tuple[float, float, bool], ...]
    levels: tuple[tuple[float, str], ...]
    years: tuple[tuple[float, str], ...]
    points: tuple[RatingPoint, ...]

    @property
    def high(self) -> int:
        """The highest rating."""
        return max(point.rating for point in self.points)

    @property
    def low(self) -> int:
        """The lowest rating."""
        return min(point.rating for point in self.points)


def curve_of(points: Sequence[RatingPoint], today: date) -> Curve | None:
    """The picture of a chronological history; None if there is nothing to show."""
    if not points:
        return None
    first, last = points[0].on, max(today, points[-1].on)
    days = max((last - first).days, 1)
    values = [point.rating for point in points]
    low, high, step = _range(min(values), max(values))

    def across(day: date) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (day - first).days / days, 1)

    def up(value: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low), 1)

    dots = tuple((across(one.on), up(one.rating), one.is_provisional) for one in points)
    path = f"M{dots[0][0]} {dots[0][1]}" + "".join(f"H{x}V{y}" for x, y, _ in dots[1:])
    years = range(first.year + 1, last.year + 1)
    every = -(-len(years) // _MOST_YEARS) or 1
    marks = tuple((across(date(y, 1, 1)), str(y)) for y in years if not (y % every))
    return Curve(
        path=f"{path}H{across(last)}",
        dots=dots,
        levels=tuple((up(value), str(value)) for value in range(low, high + 1, step)),
        # A history within one year is labelled with that year at its start.
        years=marks or ((LEFT, str(first.year)),),
        points=tuple(points),
    )


def _range(lowest: int, highest: int) -> tuple[int, int, int]:
    """Round numbers below and above, and the interval between the lines."""
    low, high = lowest - _ROOM, highest + _ROOM
    step = next((s for s in _STEPS if (high - low) / s <= _MOST_LINES), _STEPS[-1])
    return low // step * step, -(-high // step) * step, step
