"""Reads one game of a PGN file as a past game: its tags, and every move checked on the board.

Moves may be in English letters, as in the standard, in Danish or Swedish ones, or in numbers
(§ 6.2.2). Comments, variations and annotations are skipped. A game that is not over is refused: it
may be running. Not for splitting a file into games (below) nor for writing (past_game.py).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import chess

from kskak.archive.past_game import UNKNOWN_DAY, PastGame, PastPlayer, pack_moves
from kskak.board.analysis_tree import SIGN
from kskak.board.notation import MoveUnread, read_move
from kskak.board.positions import Position
from kskak.board.shapes import numeric
from kskak.regulation.editions import Result

# Splits a stream of PGN into games, line by line, holding no more than one game at a time.

MOST_BYTES = 512 * 1024
"""The longest text of a game; a longer one is cut off and can't be read."""
_TAG = re.compile(rb"\s*\[\s*\w+\s+\"")
_EVENT = re.compile(rb"\[\s*Event\s+\"")


@dataclass(frozen=True, slots=True)
class PgnOffset:
    """Where to resume: how many games, lines and bytes come before."""

    games: int = 0
    lines: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class PgnText:
    """A game's text: its number in the file and its first line, both from 1; where it ends."""

    number: int
    line: int
    raw: bytes
    after: PgnOffset
    is_cut: bool = False


_START = PgnOffset()


def split(lines: Iterable[bytes], start: PgnOffset = _START) -> Iterator[PgnText]:
    """The games in a file's lines (line ends included), starting where a game begins."""
    cutter = _Cutter(start)
    for line in lines:
        done = cutter.take(line)
        if done is not None:
            yield done
    last = cutter.game()
    if last is not None:
        yield last


class _Cutter:
    """Tracks where in a game each line belongs."""

    def __init__(self, start: PgnOffset) -> None:
        self._games, self._lines, self._bytes = start.games, start.lines, start.bytes
        self._held: list[bytes] = []
        self._size = 0
        self._first = 0
        self._has_moves = self._in_comment = self._after_blank = False

    def take(self, line: bytes) -> PgnText | None:
        """The game that ends before this line, if one does."""
        done = self.game() if self._begins(line) else None
        self._lines += 1
        self._bytes += len(line)
        if line.strip():
            self._keep(line)
            self._after_blank = False
        else:
            if self._held:
                self._keep(b"\n")
            self._after_blank = True
        return done

    def _begins(self, line: bytes) -> bool:
        """Whether a game begins: a tag after moves, not in a comment; Event after a blank line."""
        if not _TAG.match(line):
            return False
        is_event = self._after_blank and bool(self._held) and bool(_EVENT.match(line))
        return is_event or (self._has_moves and not self._in_comment)

    def _keep(self, line: bytes) -> None:
        if not self._held:
            self._first = self._lines
        self._size += len(line)
        if self._size <= MOST_BYTES:
            self._held.append(line)
        if line.strip() and (self._has_moves or not _TAG.match(line)):
            self._has_moves = self._has_moves or not line.startswith((b"%", b"\xef\xbb\xbf["))
            self._follow(line)

    def _follow(self, line: bytes) -> None:
        """Track whether a comment is open at the end of the line."""
        if not self._in_comment and b"{" not in line:
            return
        for char in re.findall(rb"[{};]", line):
            if char == b";" and not self._in_comment:
                return
            if char != b";":
                self._in_comment = char == b"{"

    def game(self) -> PgnText | None:
        """The lines held, as a game; None if there are none."""
        if not self._held:
            return None
        self._games += 1
        is_cut = self._size > MOST_BYTES
        after = PgnOffset(self._games, self._lines, self._bytes)
        made = PgnText(self._games, self._first, b"".join(self._held), after, is_cut)
        self._held, self._size = [], 0
        self._has_moves = self._in_comment = False
        return made


# Reads one game of a PGN file as a past game: its tags, and every move checked on the board.

LONGEST_NAME = 120
"""The most characters in a name or an event."""
FIRST_YEAR = 1800
HIGHEST_ELO = 4000
MOST_PLIES = 1200
_TAG_PAIR = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
_LAX_TAG = re.compile(r'\s*\[\s*(\w+)\s+"(.*)"\s*\](?=\s*?(?:\n|$))')
"""For a value with a quotation mark that should have been escaped."""
_ESCAPE = re.compile(r"\\(.)")
_PERCENT = re.compile(r"^%.*$", re.MULTILINE)
_TOKENS = re.compile(
    r"(?P<comment>\{[^}]*\}|;[^\n]*)"
    rf"|(?P<skip>\$\d+|e\.p\.|\d{{1,3}}(?:\.[.\s]*|(?!\S))|(?:{SIGN}|\(=\))(?![^\s(){{}};])|\.+)"
    r"|(?P<result>(?:1-0|0-1|1/2-1/2|½-½|\*)(?![^\s{(;]))"
    r"|(?P<open>\()|(?P<close>\))|(?P<unclosed>[{}])|(?P<move>[^\s(){};]+)"
)
_SAN = re.compile(
    r"(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|[a-h](?:x[a-h])?[1-8](?:=?[QRBN])?|O-O(?:-O)?)"
)
_SIGNED = re.compile(rf"(?<=[1-8QRBNO+#])(?:{SIGN.replace('|N', '')})+$")
_DAY = re.compile(r"(\d{4}|\?{4})(?:[./-](\d{1,2}|\?\?)(?:[./-](\d{1,2}|\?\?))?)?")
_ECO = re.compile(r"[A-E]\d\d")
_RESULTS = {one.value: one for one in Result} | {"½-½": Result.DRAW}
_STANDARD = frozenset({"", "standard", "normal", "chess", "from position"})


class PgnFault(StrEnum):
    """Why a game can't be used."""

    TAG = "tag"
    PLAYER = "player"
    LONG = "long"
    DAY = "day"
    RUNNING = "running"
    RESULT = "result"
    RESULTS = "results"
    FEN = "fen"
    VARIANT = "variant"
    MOVE = "move"
    AFTER_END = "after_end"
    UNCLOSED = "unclosed"
    TOO_LARGE = "too_large"


class UnusablePgn(ValueError):
    """A game that can't be used: ``value`` as written, ``hint`` what may be meant."""

    def __init__(self, fault: PgnFault, value: str = "", hint: str = "") -> None:
        super().__init__(f"{fault.value}: {value}")
        self.fault, self.value, self.hint = fault, value, hint


@dataclass(frozen=True, slots=True)
class _Played:
    """What follows the tags."""

    moves: bytes
    result: str
    comment: str


def read_game(raw: bytes, latest: str) -> PastGame:
    """The game in a text. Raises UnusablePgn; ``latest``: the latest possible day, ISO.

    The text is UTF-8, or else Windows-1252, which covers Latin-1. A ``WhiteElo`` or
    ``BlackElo`` that is not a number is ignored; ``WhiteTeam`` or ``WhiteClub`` is the club,
    ``WhiteMember`` the membership number.
    """
    text = _decode_text(raw)
    tags, rest = _tags(text)
    if rest.lstrip().startswith("["):
        raise UnusablePgn(PgnFault.TAG, rest.lstrip().partition("\n")[0][:40].rstrip())
    if tags.get("Variant", "").casefold() not in _STANDARD:
        raise UnusablePgn(PgnFault.VARIANT, tags["Variant"])
    board = _board(tags.get("FEN", ""))
    start = None if board.fen() == chess.STARTING_FEN else board.fen()
    played = _play(rest, board)
    return PastGame(
        event=_short("Event", tags),
        site=_short("Site", tags),
        round=_short("Round", tags),
        day=_day(tags.get("Date", ""), latest),
        white=_player("White", tags),
        black=_player("Black", tags),
        result=_result(tags.get("Result", ""), played),
        moves=played.moves,
        fen=start,
        eco=tags["ECO"][:3] if _ECO.match(tags.get("ECO", "")) else "",
        end=_day(tags.get("EndDate", ""), latest),
    )


def _decode_text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def _tags(text: str) -> tuple[dict[str, str], str]:
    """The tags a game begins with, the first of each name, and the text after them."""
    tags: dict[str, str] = {}
    at = 0
    while (tag := _TAG_PAIR.match(text, at) or _LAX_TAG.match(text, at)) is not None:
        tags.setdefault(tag[1], _line(_ESCAPE.sub(r"\1", tag[2])))
        at = tag.end()
    return tags, text[at:]


def _line(text: str) -> str:
    """A value on one line, printable; "" for PGN's placeholders ? and -."""
    kept = "".join(char if char.isprintable() else " " for char in text)
    tidy = unicodedata.normalize("NFC", " ".join(kept.split()))
    return "" if tidy in {"?", "-"} else tidy


def _short(name: str, tags: dict[str, str]) -> str:
    value = tags.get(name, "")
    if len(value) > LONGEST_NAME:
        raise UnusablePgn(PgnFault.LONG, f"{name} {value[:20]}…", str(LONGEST_NAME))
    return value


def _player(side: str, tags: dict[str, str]) -> PastPlayer:
    name = _short(side, tags)
    if not any(char.isalpha() for char in name):
        raise UnusablePgn(PgnFault.PLAYER, side)
    elo = tags.get(f"{side}Elo", "")
    is_elo = elo.isascii() and elo.isdigit() and 0 < int(elo[:6]) <= HIGHEST_ELO
    club = f"{side}Team" if tags.get(f"{side}Team") else f"{side}Club"
    return PastPlayer(
        name=name,
        number="".join(_short(f"{side}Member", tags).split()),
        club=_short(club, tags),
        elo=int(elo) if is_elo else None,
    )


def _day(text: str, latest: str) -> str:
    """«2001.05.??» as «2001-05-00»; no text as the unknown day."""
    if not text:
        return UNKNOWN_DAY
    found = _DAY.fullmatch(text)
    if found is None:
        raise UnusablePgn(PgnFault.DAY, text)
    year, month, day = ("0" if part is None or "?" in part else part for part in found.groups())
    made = f"{year:0>4}-{month:0>2}-{day:0>2}" if int(year) else UNKNOWN_DAY
    if made != UNKNOWN_DAY and not _is_day(made, latest):
        raise UnusablePgn(PgnFault.DAY, text)
    return made


def _is_day(day: str, latest: str) -> bool:
    year, month, number = (int(part) for part in day.split("-"))
    longest = 31 - (month in {4, 6, 9, 11}) - (month == 2) * 2
    is_leap = month != 2 or number < 29 or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    fits = month <= 12 and number <= longest and is_leap and (month > 0 or number == 0)
    return year >= FIRST_YEAR and fits and day <= latest


def _board(text: str) -> chess.Board:
    if not text:
        return chess.Board()
    try:
        return Position.start(text).board.copy()
    except ValueError:
        raise UnusablePgn(PgnFault.FEN, text[:90]) from None


def _play(text: str, board: chess.Board) -> _Played:
    """Play every move on the board, which is modified."""
    moves: list[chess.Move] = []
    result, comment, depth = "", "", 0
    for token in _TOKENS.finditer(_PERCENT.sub("", text) if "%" in text else text):
        kind, word = token.lastgroup, token[0]
        if kind == "unclosed":
            raise UnusablePgn(PgnFault.UNCLOSED, word)
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "comment":
            comment = word
        elif depth <= 0 and kind == "result":
            result = word
        elif depth <= 0 and kind == "move":
            if result or len(moves) >= MOST_PLIES:
                raise UnusablePgn(PgnFault.AFTER_END, word[:20])
            move = _move(board, word)
            moves.append(move)
            board.push(move)
    if depth:
        raise UnusablePgn(PgnFault.UNCLOSED, "(" if depth > 0 else ")")
    return _Played(pack_moves(moves), result, comment)


def _move(board: chess.Board, word: str) -> chess.Move:
    """A move as the standard writes it, else as people do."""
    word = _SIGNED.sub("", word)
    bare = word.rstrip("+#!?")
    if _SAN.fullmatch(bare):
        try:
            return board.parse_san(bare)
        except ValueError:
            pass
    found = read_move(board, word.rstrip("!?"))
    if isinstance(found, MoveUnread):
        dots = "." if board.turn else "…"
        could_be = ", ".join(numeric(move) for move in found.candidates)
        where = f"{board.fullmove_number}{dots} {word[:20]}"
        raise UnusablePgn(PgnFault.MOVE, where, could_be)
    return found.move


def _result(tag: str, played: _Played) -> Result:
    """The result of the tag, else of the movetext; a comment says what PGN can't (§ 6.3.3.4).

    A ruling or an overstep overrides the board, so a mate proves nothing.
    """
    comment = played.comment.replace("{-/-}", "{0-0}")[1:-1]
    if comment in set(Result) and tag in {"*", ""}:
        return Result(comment)
    named, ended = tag if tag != "*" else "", played.result if played.result != "*" else ""
    said = named or ended
    if not said:
        raise UnusablePgn(PgnFault.RUNNING)
    if said not in _RESULTS:
        raise UnusablePgn(PgnFault.RESULT, said[:20])
    result = _RESULTS[said]
    if ended and _RESULTS[ended] is not result:
        raise UnusablePgn(PgnFault.RESULTS, said, ended)
    return result
