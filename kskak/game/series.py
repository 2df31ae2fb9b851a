"""Series of conditional moves: proposal, acceptance, deviation, the bound answer (§ 6.2.5).

Not for the limit that a series sets (reflection/control.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import chess


class SeriesFault(ValueError):
    """An answer that does not fit the series, or a series of the wrong shape."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a dispatch answers a standing series.

    ``bound`` is the proposer's answer that is played at once when the dispatch plays exactly
    the proposed moves and stops (reading of § 6.2.5); ``standing`` is what remains binding.
    """

    bound: chess.Move | None
    standing: tuple[chess.Move, ...]


_OWN_CHOICE = Answer(None, ())


def answer_series(plies: Sequence[chess.Move], proposal: Sequence[chess.Move]) -> Answer:
    """Check a dispatch against the standing series (§ 6.2.5, § 6.8.4).

    All plies but the last must repeat the series; the last is the sender's own choice. Raises
    SeriesFault for an even number of plies or an answer that repeats something else.
    """
    if len(plies) % 2 == 0:
        raise SeriesFault("a dispatch adds an odd number of moves")
    accepted = len(plies) - 1
    if accepted and tuple(plies[:accepted]) != tuple(proposal[:accepted]):
        raise SeriesFault("the moves before the last must repeat the proposed series")
    if accepted < len(proposal) and plies[-1] == proposal[accepted]:
        return Answer(proposal[accepted + 1], tuple(proposal[accepted + 2 :]))
    return _OWN_CHOICE


def check_shape(proposes: Sequence[chess.Move]) -> None:
    """A series ends with the proposer's move: an even number of plies (§ 6.2.5)."""
    if len(proposes) % 2:
        raise SeriesFault("a proposed series has an even number of moves")
