"""The handbook's other two corrections, for tournaments that choose them (§ 4.9.10.2-4.9.10.3).

EMT, cup and league do not use them; a theme tournament may (§ 1.1.22). Not for Sonneborn-Berger,
which is K-skak's own (ladder_individual.py).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from kskak.groups.ladder import Rung, Step
from kskak.groups.played import Played, points_of

SHORT, MIDDLE = 8, 12
"""The most rounds of a short and of a medium tournament: § 4.9.10.3."""

LEFT_OUT = 2
"""Weakest opponents that the ordinary correction leaves out: § 4.9.10.2."""


def ordinary_correction(opponents: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The opponents' points without the two lowest, then with the better of them, then with both.

    Each figure counts only among those level in the ones before it (§ 4.9.10.2).
    """
    ranked = sorted(opponents)
    return tuple(_sum(ranked[out:]) for out in range(LEFT_OUT, -1, -1))


def median_correction(opponents: Sequence[Fraction], rounds: int) -> tuple[Fraction, ...]:
    """The opponents' points, leaving out equally many at top and bottom (§ 4.9.10.3).

    One each up to 8 rounds, two up to 12, three beyond; where that leaves players level, fewer are
    left out, as the text has it: none of them in a short tournament, one each in the others.
    """
    steps: tuple[int, ...] = (3, 2, 1)
    if rounds <= MIDDLE:
        steps = (1, 0) if rounds <= SHORT else (2, 1)
    ranked = sorted(opponents)
    return tuple(_sum(ranked[out : max(len(ranked) - out, out)]) for out in steps)


def correction_rungs(
    correct: Callable[[Sequence[Fraction]], tuple[Fraction, ...]],
    players: Sequence[str],
    games: Sequence[Played],
) -> tuple[Rung, ...]:
    """A ladder's rungs from a correction, one for each of its figures (§ 4.9.10).

    Their step is ``Step.CORRECTION``.
    """
    points = points_of(players, games)
    met: dict[str, list[Fraction]] = {name: [] for name in players}
    for game in games:
        for name, opponent, _ in game.sides:
            met[name].append(points[opponent])
    figures = {name: correct(opponents) for name, opponents in met.items()}
    return tuple(_rung(figures, index) for index in range(len(correct([]))))


def _rung(figures: dict[str, tuple[Fraction, ...]], index: int) -> Rung:
    return Rung(Step.CORRECTION, lambda level: {name: figures[name][index] for name in level})


def _sum(points: Sequence[Fraction]) -> Fraction:
    return sum(points, Fraction(0))
