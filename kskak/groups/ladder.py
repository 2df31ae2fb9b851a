"""Placing: a ladder of steps, each applied to those whom the steps before left level.

Each form of tournament has its own ladder (ladder_individual.py, ladder_teams.py).
Not for points won in games in progress, nor for rights that follow from a place.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Step(StrEnum):
    """What separated a row from the one above, or why nothing did."""

    POINTS = "points"
    SONNEBORN_BERGER = "sonneborn_berger"
    OWN_GAME = "own_game"
    BOARD_WEIGHT = "board_weight"
    OWN_BOARD_WEIGHT = "own_board_weight"
    PLAYOFF = "playoff"
    LOTS = "lots"
    SHARED = "shared"
    CORRECTION = "correction"
    """Ordinary or median correction; no form of the contract uses it."""


Measure = Callable[[Sequence[str]], Mapping[str, Fraction]]
"""The figures of those still level, by name; the higher ranks above."""


Margin = tuple[Fraction, Fraction]
Figures = tuple[tuple[str, Fraction], ...]
"""Names with what a step measured for each, the highest first."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of a ladder; ``again``: repeated on those left level, while it separates anyone.

    ``within``: measured in the games between those still level.
    """

    step: Step
    measure: Measure
    again: bool = False
    within: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A name with its place; equal rank shares the place.

    ``decided_by`` is the step that separated it from the row above; None for the first row.
    ``playoff`` or ``lots`` on a shared place: that step is still to be taken. ``margin`` has the
    figures of that step, the row above's and its own; None where nothing separates, or lots do.
    ``among``: for a step within the games of more than two, the figures of them all: those of
    just two say nothing about the game between the two.
    """

    place: int
    name: str
    decided_by: Step | None
    margin: Margin | None = None
    among: Figures = ()


def place(names: Sequence[str], ladder: Sequence[Rung], last: Mapping[int, Step]) -> list[Placed]:
    """Everyone in order; those level to the end stay in the order of ``names``.

    ``last`` gives the step named for a shared place; the key 0 stands for all other places.
    """
    rows: list[Placed] = []
    for (separated_by, margin, among), level in _ranked(names, tuple(ladder)):
        number = len(rows) + 1
        rows.append(Placed(number, level[0], separated_by, margin, among))
        shared = last.get(number, last[0])
        rows += [Placed(number, name, shared) for name in level[1:]]
    return rows


_Why = tuple[Step | None, Margin | None, Figures]
_Block = tuple[_Why, Sequence[str]]
_NOTHING: _Why = (None, None, ())


def _ranked(level: Sequence[str], ladder: tuple[Rung, ...]) -> Iterator[_Block]:
    """Blocks of equal rank from the top, each with the step that put it below the one above."""
    if len(level) == 1 or not ladder:
        yield _NOTHING, level
        return
    rung, further = ladder[0], ladder[1:]
    figures = rung.measure(level)
    blocks = _blocks(level, figures)
    if rung.again and len(blocks) > 1:
        further = ladder
    above: Fraction | None = None
    for block in blocks:
        own = figures[block[0]]
        inner = _ranked(block, further)
        why, names = next(inner)
        if above is not None:
            margin = None if rung.step is Step.LOTS else (above, own)
            why = rung.step, margin, _among(rung, blocks, figures)
        yield why, names
        yield from inner
        above = own


def _among(rung: Rung, blocks: Sequence[Sequence[str]], figures: Mapping[str, Fraction]) -> Figures:
    named = [name for block in blocks for name in block]
    return tuple((name, figures[name]) for name in named) if rung.within and len(named) > 2 else ()


def _blocks(level: Iterable[str], figures: Mapping[str, Fraction]) -> list[list[str]]:
    """Those with the same figure together, highest first, each block in the given order."""
    found: dict[Fraction, list[str]] = {}
    for name in level:
        found.setdefault(figures[name], []).append(name)
    return [found[figure] for figure in sorted(found, reverse=True)]
