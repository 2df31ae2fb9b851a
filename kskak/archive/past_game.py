"""A finished game of the past: players, dates and moves; and when two records are the same game.

Compact, for large archives: a move takes two bytes. Not for the server's games (play/evolve.py),
nor for reading files (pgn_in.py).
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import chess

from kskak.regulation.quantities import Result
from kskak.values.names import Name, plain

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
    """A finished game. ``day`` and ``end``: ISO, 00 for unknown parts; ``moves`` packed."""

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

    @property
    def plies(self) -> int:
        """The number of half-moves."""
        return len(self.moves) // 2

    @property
    def year(self) -> int | None:
        """The year of ``day``, if known."""
        return int(self.day[:4]) or None

    @property
    def digest(self) -> bytes:
        """The same for one game however its names are spelled; other games may share it."""
        white, black = Name.of(self.white.name).short, Name.of(self.black.name).short
        told = f"{white}\n{black}\n{self.fen or ''}\n".encode()
        return blake2b(told + self.moves, digest_size=16).digest()


def packed(moves: Iterable[chess.Move]) -> bytes:
    """Moves as two bytes each: to, from and promotion in 6, 6 and 3 bits."""
    return b"".join(
        struct.pack(
            "<H",
            move.to_square | move.from_square << _SQUARE_BITS | (move.promotion or 0) << _MOVE_BITS,
        )
        for move in moves
    )


def unpacked(moves: bytes) -> tuple[chess.Move, ...]:
    """What ``packed`` packed."""
    return tuple(
        chess.Move(word >> _SQUARE_BITS & _SQUARES, word & _SQUARES, (word >> _MOVE_BITS) or None)
        for (word,) in struct.iter_unpack("<H", moves)
    )


@dataclass(frozen=True, slots=True)
class Seen:
    """The facts that tell whether two games with one digest are the same."""

    event: str
    round: str
    day: str
    white: tuple[str, str]
    black: tuple[str, str]
    plies: int

    @staticmethod
    def of(game: PastGame) -> "Seen":
        """Those facts of a game that was read."""
        white, black = game.white, game.black
        return Seen(
            game.event,
            game.round,
            game.day,
            (white.name, white.number),
            (black.name, black.number),
            game.plies,
        )

    def is_same(self, other: "Seen") -> bool:
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
