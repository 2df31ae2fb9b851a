"""Titles, names on the trophy, shared prizes (§ 6.5.2, § 6.6.1.5, § 6.7.4.6), from placed rows.

Not for the placing itself, nor for rights in next year's tournaments.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.groups.ladder import Placed, Step
from kskak.groups.played import NOTHING

_OPEN = frozenset({Step.PLAYOFF, Step.LOTS})


class Title(StrEnum):
    """The titles of the regulation."""

    DANISH_CHAMPION = "danish_champion"
    CUP_CHAMPION = "cup_champion"
    TEAM_CHAMPION = "team_champion"


@dataclass(frozen=True, slots=True)
class Award:
    """Who has a title; ``awaits`` a play-off or lots, else None.

    Several holders share it; with none, nobody may bear it. While it awaits a play-off nobody has
    it yet: ``holders`` are those who may get it, ``between`` those who play. ``is_citizens``:
    it goes to the best placed citizen, as the winner is not one.
    """

    title: Title
    holders: tuple[str, ...]
    awaits: Step | None
    paragraph: str
    between: tuple[str, ...] = ()
    is_citizens: bool = False


def level_with(placed: Sequence[Placed], place: int) -> tuple[Placed, ...]:
    """The rows that share a place."""
    return tuple(row for row in placed if row.place == place)


def danish_champion(placed: Sequence[Placed], citizens: Collection[str]) -> Award:
    """The DM class's title, for Danish citizens only (§ 6.5.2).

    A play-off for first place is awaited, whoever takes part in it. Readings: the title can
    "fall to" a Danish citizen only, so it falls to the best placed of them; citizens who share
    first place, or the best place that a citizen has, share it; with no citizen in the group it
    falls to nobody.
    """
    first = level_with(placed, 1)
    awaits = _awaited(first)
    if awaits is not None:
        may = tuple(row.name for row in first if row.name in citizens)
        between = tuple(row.name for row in first)
        return Award(Title.DANISH_CHAMPION, may, awaits, "6.5.2", between)
    best = min((row.place for row in placed if row.name in citizens), default=1)
    holders = tuple(row.name for row in level_with(placed, best) if row.name in citizens)
    return Award(Title.DANISH_CHAMPION, holders, None, "6.5.2", is_citizens=best > 1)


def cup_champion(placed: Sequence[Placed]) -> Award:
    """The cup's title: for all who share first place, with all names on the trophy (§ 6.6.1.5)."""
    names = tuple(row.name for row in level_with(placed, 1))
    return Award(Title.CUP_CHAMPION, names, None, "6.6.1.5")


def team_champion(placed: Sequence[Placed]) -> Award:
    """Division 1's winner (§ 6.7.4.6); lots are awaited where they decide (§ 6.7.4.5)."""
    first = level_with(placed, 1)
    return Award(Title.TEAM_CHAMPION, tuple(row.name for row in first), _awaited(first), "6.7.4.6")


def shared_prizes(
    placed: Sequence[Placed], prizes: Sequence[Fraction | int], without: Collection[str] = ()
) -> Mapping[str, Fraction]:
    """Money by name: those level share the total for their places (§ 6.5.4.1, § 6.6.1.4).

    ``prizes`` from first place down; ``without`` lost the right to one by withdrawing without
    valid reason (§ 6.2.8). Readings: the money for such a place is not passed on;
    that for places which a play-off decides waits for it (§ 6.5.2).
    """
    money: dict[str, Fraction] = {}
    for number in sorted({row.place for row in placed}):
        level = level_with(placed, number)
        if _awaited(level) is Step.PLAYOFF:
            continue
        pot = sum(
            (Fraction(prize) for prize in prizes[number - 1 : number - 1 + len(level)]), NOTHING
        )
        for row in level:
            if pot and row.name not in without:
                money[row.name] = pot / len(level)
    return money


def _awaited(level: Sequence[Placed]) -> Step | None:
    return next((row.decided_by for row in level[1:] if row.decided_by in _OPEN), None)
