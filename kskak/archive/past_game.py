"""A finished game of the past: its facts, what finds it, and its PGN (§ 6.8.2, § 6.2.9).

Not for reading PGN (pgn_reading.py).
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from operator import attrgetter

import chess

from kskak.board import shapes
from kskak.board.positions import MOST_PLIES, Opening, OpeningTable, position_key
from kskak.board.shapes import MoveNotation, numeric
from kskak.play.game_state import AccountLine, RecentPly
from kskak.regulation.editions import Ending, OverstepFinding, Result, Side
from kskak.statement.account import Account
from kskak.values import Name, plain

# A finished game of the past: players, dates and moves; and when two records are the same game.

UNKNOWN_DAY = "0000-00-00"
SHORT_PLIES = 20
"""Up to this length, two players may well play the same moves twice."""
_SQUARE_BITS = 6
_MOVE_BITS = 2 * _SQUARE_BITS
_SQUARES = (1 << _SQUARE_BITS) - 1


@dataclass(frozen=True, slots=True)
class PastPlayer:
    """A player as named in a file; "" and None: not given. ``number``: the membership number."""

    name: str
    number: str = ""
    club: str = ""
    elo: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGame:
    """A finished game. ``day`` and ``end``: ISO, 00 for unknown parts; ``moves`` packed.

    ``days``: the reflection days that White and Black used, where they are known.
    """

    event: str
    day: str
    white: PastPlayer
    black: PastPlayer
    result: Result
    moves: bytes
    site: str = ""
    round: str = ""
    fen: str | None = None
    eco: str = ""
    end: str = UNKNOWN_DAY
    days: tuple[int, int] | None = None

    @property
    def plies(self) -> int:
        """The number of half-moves."""
        return len(self.moves) // 2

    @property
    def year(self) -> int | None:
        """The year of ``day``, if known."""
        return int(self.day[:4]) or None

    @property
    def filed(self) -> str:
        """The day it is listed by: when it ended, or began where no file tells the end."""
        return self.day if self.end == UNKNOWN_DAY else self.end

    @property
    def digest(self) -> bytes:
        """The same for one game however its names are spelled; other games may share it."""
        white, black = Name.of(self.white.name).short, Name.of(self.black.name).short
        names = f"{white}\n{black}\n{self.fen or ''}\n".encode()
        return blake2b(names + self.moves, digest_size=16).digest()


def pack_moves(moves: Iterable[chess.Move]) -> bytes:
    """Moves as two bytes each: to, from and promotion in 6, 6 and 3 bits."""
    return b"".join(
        struct.pack(
            "<H",
            move.to_square | move.from_square << _SQUARE_BITS | (move.promotion or 0) << _MOVE_BITS,
        )
        for move in moves
    )


def unpack_moves(moves: bytes) -> tuple[chess.Move, ...]:
    """What ``pack_moves`` packed."""
    return tuple(
        chess.Move(word >> _SQUARE_BITS & _SQUARES, word & _SQUARES, (word >> _MOVE_BITS) or None)
        for (word,) in struct.iter_unpack("<H", moves)
    )


@dataclass(frozen=True, slots=True)
class PastGameIdentity:
    """The facts that tell whether two games with one digest are the same."""

    event: str
    round: str
    day: str
    white: tuple[str, str]
    black: tuple[str, str]
    plies: int

    @staticmethod
    def of(game: PastGame) -> "PastGameIdentity":
        """Those facts of a game that was read."""
        white, black = game.white, game.black
        return PastGameIdentity(
            game.event,
            game.round,
            game.day,
            (white.name, white.number),
            (black.name, black.number),
            game.plies,
        )

    def is_same(self, other: "PastGameIdentity") -> bool:
        """Whether two games with one digest are the same: players and days agree.

        A short game of another event is the same only when both days are fully known; for games
        without moves, event and round must agree too.
        """
        if not (_one(self.white, other.white) and _one(self.black, other.black)):
            return False
        if plain(self.event) == plain(other.event):
            is_told_apart = self.plies == 0 and self.round != other.round
            return not is_told_apart and _days_agree(self.day, other.day)
        if self.plies == 0:
            return False
        if self.plies <= SHORT_PLIES:
            return self.day == other.day and "00" not in self.day.split("-")
        return _days_agree(self.day, other.day)


def _one(a: tuple[str, str], b: tuple[str, str]) -> bool:
    if a[1] and b[1]:
        return a[1] == b[1]
    return Name.of(a[0]).agrees(Name.of(b[0]))


def _days_agree(a: str, b: str) -> bool:
    """Whether two days agree wherever both are known."""
    for one, two in zip(a.split("-"), b.split("-"), strict=True):
        if int(one) and int(two) and one != two:
            return False
    return True


# What a finished game can be found by: the positions that occurred in it, and its opening.

INDEXED_PLIES = MOST_PLIES
"""A game's positions are indexed up to here: later ones hardly ever occur in two games, and twice
as many rows would take twice the space."""


def to_signed_key(key: str) -> int:
    """A position's key as a signed integer of 64 bits."""
    return int.from_bytes(bytes.fromhex(key), "big", signed=True)


def compute_position_key(board: chess.Board) -> int:
    """A position's key: the same for what FIDE 9.2 calls the same position."""
    return to_signed_key(position_key(board))


def index(
    table: OpeningTable, fen: str | None, moves: bytes
) -> tuple[tuple[int, ...], Opening | None]:
    """The keys of a game's positions, that before the first move included, and its opening."""
    board = chess.Board() if fen is None else chess.Board(fen)
    key = position_key(board)
    keys, opening = [to_signed_key(key)], table.by_key.get(key)
    for move in unpack_moves(moves[: 2 * INDEXED_PLIES]):
        board.push(move)
        key = position_key(board)
        keys.append(to_signed_key(key))
        opening = table.by_key.get(key) or opening
    return tuple(keys), opening


# A game as PGN (§ 6.8.2, § 6.2.9), and its moves as text in the notation a reader prefers.

GAME_TAG = "KskakGame"
MEDIA_TYPE = "application/vnd.chess-pgn"
"""As registered with IANA; application/x-chess-pgn is its deprecated alias."""
_WIDTH = 78
_FORFEITS = {Result.WHITE_WINS: "+/-", Result.BLACK_WINS: "-/+", Result.BOTH_LOSE: "-/-"}


def _closing(result: Result | None, *, is_played: bool = True) -> list[str]:
    """A game's last words: its result, and in a comment what PGN's four results can't say.

    That both lose (§ 6.3.3.4) or one has half a point: {0-0}; that nothing was played: {+/-}.
    """
    if result is None:
        return ["*"]
    more = result.value if result.in_pgn == "*" else ""
    if not is_played:
        more = _FORFEITS.get(result, more)
    return [*([f"{{{more}}}"] if more else []), result.in_pgn]


@dataclass(frozen=True, slots=True)
class Hand:
    """Who plays a side from a given ply on: a side taken over by a reserve has two (§ 6.7.4.3)."""

    by: Side
    name: str
    ply: int = 0


StartRatings = tuple[int | None, int | None]
"""White's and Black's when the game began."""


@dataclass(frozen=True, slots=True)
class PgnFacts:
    """What the account does not hold: the event's name, the place, the round.

    ``game``: its name on the server, which recognises the game by it.
    """

    event: str
    site: str = "K-skak"
    round: str = "-"
    end: date | None = None
    game: str = ""
    hands: tuple[Hand, ...] = ()
    opening: Opening | None = None
    ratings: StartRatings = (None, None)


def pgn(account: Account, facts: PgnFacts) -> str:
    """The game as PGN with the day each move was sent (ccsnt), newline included."""
    moves = _write_move_words(account.rows, facts.hands, is_whole=True)
    closing = _closing(account.state.result, is_played=bool(account.rows))
    return assemble_pgn(_tags(account, facts), [*moves, *closing])


def assemble_pgn(tags: Iterable[tuple[str, str]], words: Iterable[str]) -> str:
    """A PGN game made of its tags and the words of its movetext, wrapped between words."""
    head = "\n".join(f'[{name} "{_escape_tag(value)}"]' for name, value in tags)
    return f"{head}\n\n" + "\n".join(_lines(words, _WIDTH)) + "\n"


def write_tagged_pgn(account: Account, facts: PgnFacts, movetext: str) -> str:
    """Moves, variations and comments without a result, under the game's tags as they stand."""
    return assemble_pgn(_tags(account, facts), ()).rstrip() + f"\n\n{movetext} {_result(account)}\n"


def write_move_text(
    account: Account, lang: str, width: int = _WIDTH, writing: MoveNotation = MoveNotation.LETTERS
) -> str:
    """The moves with numbers, wrapped: ``1. e4 e5 2. Sf3`` for ``da``, Nf3 otherwise (§ 6.8.2)."""
    if writing in (MoveNotation.LONG, MoveNotation.NUMERIC):

        def said(ply: RecentPly) -> str:
            return shapes.write_for_reader(ply.san, numeric(ply.move), writing, lang)

        return "\n".join(_lines(_write_move_words(account.rows, said=said), width))
    # All others differ from English in single letters.
    text = shapes.write_for_reader(movetext(account), "", writing, lang)
    return "\n".join(_lines(text.split(" "), width))


def movetext(account: Account) -> str:
    """The moves with numbers on one line, as PGN has them."""
    return " ".join(_write_move_words(account.rows))


def _result(account: Account) -> str:
    return _closing(account.state.result)[-1]


def _tags(account: Account, facts: PgnFacts) -> Iterator[tuple[str, str]]:
    terms = account.terms
    yield "Event", facts.event
    yield "Site", facts.site
    yield "Date", f"{terms.start:%Y.%m.%d}"
    yield "Round", facts.round
    yield "White", _names(terms.white, Side.WHITE, facts)
    yield "Black", _names(terms.black, Side.BLACK, facts)
    yield "Result", _result(account)
    for side, rating in zip(Side, facts.ratings, strict=True):
        if rating is not None and not any(hand.ply for hand in facts.hands if hand.by is side):
            yield f"{side.value.title()}Elo", str(rating)
    yield "EventDate", f"{terms.start:%Y.%m.%d}"
    if facts.game:
        yield GAME_TAG, facts.game
    if facts.opening is not None:
        yield from (("ECO", facts.opening.code), ("Opening", facts.opening.english))
    if terms.fen is not None:
        yield from (("SetUp", "1"), ("FEN", terms.fen))
    rules = terms.rules
    seconds = rules.control_limit(rules.moves_per_control) * 24 * 60 * 60
    yield "TimeControl", f"{rules.moves_per_control}/{seconds}"
    if facts.end is not None:
        yield "EndDate", f"{facts.end:%Y.%m.%d}"
    yield "Termination", _termination(account)


def _names(name: str, side: Side, facts: PgnFacts) -> str:
    """Everyone who played the side, in order (§ 6.7.4.3)."""
    hands = [hand.name for hand in facts.hands if hand.by is side]
    return " / ".join(dict.fromkeys(hands)) or name


def _termination(account: Account) -> str:
    """How it ended, in the words of PGN's standard."""
    state, overstep = account.state, account.overstep
    if state.result is None:
        return "unterminated"
    if overstep is not None and overstep.finding is OverstepFinding.CLAIMED:
        return "time forfeit"
    if overstep is not None and overstep.finding is OverstepFinding.CONTINUED:
        return "rules infraction"
    return "adjudication" if state.ended is Ending.RULING else "normal"


def _write_move_words(
    rows: Iterable[AccountLine],
    hands: Sequence[Hand] = (),
    said: Callable[[RecentPly], str] = attrgetter("san"),
    *,
    is_whole: bool = False,
) -> Iterator[str]:
    """Numbers, moves and comments, one word each, so that none is broken across lines.

    ``is_whole``: with the dates and the draws that were offered.

    The name of whoever takes over a side precedes their first move (§ 6.7.4.3).
    """
    is_numbered = False
    to_tell = [hand for hand in hands if hand.ply]
    for row in rows:
        ply = row.played
        for hand in [h for h in to_tell if h.by is ply.by and h.ply <= row.ply] if to_tell else ():
            to_tell.remove(hand)
            yield _comment(f"{ply.by.value.capitalize()} from here: {hand.name}")
            is_numbered = False
        if ply.by is Side.WHITE:
            yield f"{ply.number}."
        elif not is_numbered:
            yield f"{ply.number}..."
        yield said(ply)
        dated = is_whole and row.dates.sent is not None
        if dated:
            yield f"{{[%ccsnt\N{NO-BREAK SPACE}{row.dates.sent:%Y.%m.%d}]}}"
        offered = is_whole and row.offers_draw
        if offered:
            yield "{(=)}"
        is_numbered = ply.by is Side.WHITE and not dated and not offered


def _comment(text: str) -> str:
    """A comment that can't end early, kept on one line."""
    plain = "".join(char if char.isprintable() and char not in "{}" else " " for char in text)
    return f"{{{plain}}}".replace(" ", "\N{NO-BREAK SPACE}")


def _lines(words: Iterable[str], width: int) -> list[str]:
    """Words without a space in lines as full as they can be."""
    lines: list[list[str]] = []
    room = 0
    for word in words:
        room -= len(word) + 1
        if room < 0:
            lines.append([])
            room = width - len(word)
        lines[-1].append(word)
    return [" ".join(line).replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _escape_tag(value: str) -> str:
    """A tag's value: one line, printable, with backslash and quote escaped (PGN 7)."""
    printable = "".join(char if char.isprintable() else " " for char in value)
    return printable.replace("\\", "\\\\").replace('"', '\\"')


# A past game as PGN; reading it back (pgn_reading.py) gives the same game.


def past_pgn(game: PastGame, opening: Opening | None = None, *, with_numbers: bool = False) -> str:
    """The game, newline included; ``with_numbers`` adds the membership numbers.

    ``opening`` is named in its tag, and gives the ECO code where the game has none itself.
    """
    return assemble_pgn(_past_tags(game, opening, with_numbers), _write_past_game_words(game))


def sans(game: PastGame) -> Iterator[tuple[chess.Board, chess.Move, str]]:
    """The board before each move, the move, and its name in English letters."""
    board = chess.Board() if game.fen is None else chess.Board(game.fen)
    for move in unpack_moves(game.moves):
        yield board, move, board.san(move)
        board = board.copy(stack=False)
        board.push(move)


def _past_tags(
    game: PastGame, opening: Opening | None, with_numbers: bool
) -> Iterator[tuple[str, str]]:
    yield "Event", game.event or "?"
    yield "Site", game.site or "?"
    yield "Date", _day(game.day)
    yield "Round", game.round or "-"
    yield "White", game.white.name
    yield "Black", game.black.name
    yield "Result", game.result.in_pgn
    for side, player in (("White", game.white), ("Black", game.black)):
        yield from _player_tags(side, player, with_numbers)
    if code := game.eco or (opening.code if opening is not None else ""):
        yield "ECO", code
    if opening is not None:
        yield "Opening", opening.english
    if game.fen is not None:
        yield from (("SetUp", "1"), ("FEN", game.fen))
    if game.end != UNKNOWN_DAY:
        yield "EndDate", _day(game.end)
    if game.result is Result.BOTH_LOSE:
        yield "Termination", "rules infraction"


def _player_tags(side: str, player: PastPlayer, with_number: bool) -> Iterator[tuple[str, str]]:
    if player.elo is not None:
        yield f"{side}Elo", str(player.elo)
    if player.club:
        yield f"{side}Team", player.club
    if player.number and with_number:
        yield f"{side}Member", player.number


def _day(day: str) -> str:
    """«2001-05-00» as «2001.05.??»."""
    return ".".join("?" * len(part) if int(part) == 0 else part for part in day.split("-"))


def _write_past_game_words(game: PastGame) -> Iterator[str]:
    is_first = True
    for board, _, name in sans(game):
        if board.turn:
            yield f"{board.fullmove_number}."
        elif is_first:
            yield f"{board.fullmove_number}..."
        is_first = False
        yield name
    yield from _closing(game.result)
