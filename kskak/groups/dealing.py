"""Dealing players or teams into groups of equal strength: the snake (§ 6.6.1.2, § 6.7.5.1).

Readings: strongest first, one to each group in turn, then back in the opposite order; two that
may not meet are separated by exchanging the weaker with the nearest in strength. Also drawing
by lot. Not for how many groups there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Dealt:
    """One to deal: those who share a ``key`` may not meet in a group; ``strength`` is a rating."""

    key: str
    strength: float
    index: int


def snake(dealt: Sequence[Dealt], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The indices in each group, strongest first; ties stay in the order given.

    ValueError if the sizes do not add up, or a key occurs more often than there are groups.
    """
    if sum(sizes) != len(dealt):
        raise ValueError(f"{len(dealt)} can't be dealt into groups of {list(sizes)}")
    keys = [one.key for one in dealt]
    for key in keys:
        if keys.count(key) > len(sizes):
            raise ValueError(f"{key} stands more often than there are groups")
    groups: list[list[Dealt]] = [[] for _ in sizes]
    for one, turn in zip(sorted(dealt, key=_rank), _turns(sizes), strict=True):
        groups[turn].append(one)
    if not _parted(groups):
        groups = _by_room(dealt, sizes)
    return tuple(tuple(one.index for one in sorted(group, key=_rank)) for group in groups)


def _rank(one: Dealt) -> tuple[float, int]:
    return -one.strength, one.index


def _turns(sizes: Sequence[int]) -> list[int]:
    """The groups in dealing order, back and forth; a small group is left out of the last round."""
    turns: list[int] = []
    for row in range(max(sizes, default=0)):
        open_groups = [number for number, size in enumerate(sizes) if row < size]
        turns += open_groups if row % 2 == 0 else open_groups[::-1]
    return turns


def _parted(groups: list[list[Dealt]]) -> bool:
    """Exchange the weaker of two with one key for the nearest in strength; whether that worked."""
    for home in groups:
        for seat, one in enumerate(home):
            is_double = any(other.key == one.key for other in home[:seat])
            if is_double and not _exchanged(groups, home, seat):
                return False
    return True


def _exchanged(groups: list[list[Dealt]], home: list[Dealt], seat: int) -> bool:
    one = home[seat]
    others = {row.key for row in home}
    fitting = [
        (abs(other.strength - one.strength), number, place)
        for number, away in enumerate(groups)
        if all(row.key != one.key for row in away)
        for place, other in enumerate(away)
        if other.key not in others
    ]
    if not fitting:
        return False
    _, number, place = min(fitting)
    home[seat], groups[number][place] = groups[number][place], one
    return True


def _by_room(dealt: Sequence[Dealt], sizes: Sequence[int]) -> list[list[Dealt]]:
    """Where exchanging fails: the most frequent keys first, into the groups with the most room."""
    keys = [one.key for one in dealt]
    groups: list[list[Dealt]] = [[] for _ in sizes]
    for key in sorted(set(keys), key=lambda key: (-keys.count(key), keys.index(key))):
        own = sorted((one for one in dealt if one.key == key), key=_rank)
        by_room = sorted(
            range(len(sizes)),
            key=lambda number: (
                len(groups[number]) - sizes[number],
                sum(one.strength for one in groups[number]),
            ),
        )
        for one, number in zip(own, by_room, strict=False):
            groups[number].append(one)
    return groups


def draw_lots(seed: str, names: Sequence[str]) -> tuple[int, ...]:
    """The indices of ``names`` in the order of their numbers: the first gets number 1."""
    drawn = [sha256(f"{seed}\n{name}".encode()).digest() for name in names]
    return tuple(sorted(range(len(names)), key=lambda index: (drawn[index], index)))
