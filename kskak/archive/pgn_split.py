"""Splits a stream of PGN into games, line by line, holding no more than one game at a time.

Not for reading a game (pgn_in.py).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MOST_BYTES = 512 * 1024
"""The longest text of a game; a longer one is cut off and can't be read."""
_TAG = re.compile(rb"\s*\[\s*\w+\s+\"")
_EVENT = re.compile(rb"\[\s*Event\s+\"")


@dataclass(frozen=True, slots=True)
class Place:
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
    after: Place
    is_cut: bool = False


_START = Place()


def split(lines: Iterable[bytes], start: Place = _START) -> Iterator[PgnText]:
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

    def __init__(self, start: Place) -> None:
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
        after = Place(self._games, self._lines, self._bytes)
        made = PgnText(self._games, self._first, b"".join(self._held), after, is_cut)
        self._held, self._size = [], 0
        self._has_moves = self._in_comment = False
        return made
