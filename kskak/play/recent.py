"""The last plies of a game, for repetitions (§ 6.8.4) and lists: read only when somebody asks.

A move adds its own to those before it, which it hands on as they were kept. Not for all plies: the
ledger has them.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import chess

from kskak.regulation.quantities import Side

RECENT_PLIES = 8
"""How many plies a state remembers."""


class RecentPly(NamedTuple):
    """One of the last plies on the board."""

    number: int
    by: Side
    move: chess.Move
    san: str


_SIDES = {"w": Side.WHITE, "b": Side.BLACK}
move_of = lru_cache(maxsize=4096)(chess.Move.from_uci)
"""Moves are never changed; there are fewer than 2,000 on the board."""


class Recent:
    """The last plies: some as text, which is how they are kept, and those added since."""

    __slots__ = ("_added", "_kept")

    def __init__(self, kept: str = "", added: tuple[RecentPly, ...] = ()) -> None:
        """``kept`` is the ``text`` of others."""
        self._kept, self._added = kept, added

    def then(self, plies: Iterable[RecentPly]) -> "Recent":
        """These, and others after them."""
        return Recent(self._kept, (*self._added, *plies)[-RECENT_PLIES:])

    @property
    def text(self) -> str:
        """Each as ``12 w e2e4 e4``, with bars between them."""
        before = self._kept.split("|") if self._kept else []
        return "|".join([*before, *map(_text, self._added)][-RECENT_PLIES:])

    @property
    def plies(self) -> tuple[RecentPly, ...]:
        """All that are remembered, the oldest first."""
        before = map(_ply, self._kept.split("|")) if self._kept else ()
        return (*before, *self._added)[-RECENT_PLIES:]

    def last(self, count: int) -> tuple[RecentPly, ...]:
        """So many of them, or all; at least one is asked for."""
        added = self._added
        return (added if count <= len(added) else self.plies)[-count:]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recent) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Recent({self.text!r})"


def _text(ply: RecentPly) -> str:
    side = "w" if ply.by is Side.WHITE else "b"
    return f"{ply.number} {side} {ply.move.uci()} {ply.san}"


def _ply(text: str) -> RecentPly:
    number, side, uci, san = text.split(" ")
    return RecentPly(int(number), _SIDES[side], move_of(uci), san)
