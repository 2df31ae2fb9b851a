"""Titles, names on the trophy, shared prizes (§ 6.5.2, § 6.6.1.5, § 6.7.4.6), from placed rows.

Not for the placing itself, nor for rights in next year's tournaments.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.placing import Placed, Step
from kskak.played import NOTHING

_OPEN = frozenset({Step.PLAYOFF, Step.LOTS})


class Title(StrEnum):
    """The titles of the regulation."""

    DANISH_CHAMPION = "danish_champion"
    CUP_CHAMPION = "cup_champion"
    TEAM_CHAMPION = "team_champion"


@dataclass(frozen=True, slots=True)
class Award:
    """Who has a title; ``awaits`` a play-off or lots among the holders named, else None.

    Several holders share it. Nobody: no holder may bear it.
    """

    title: Title
    holders: tuple[str, ...]
    awaits: Step | None
    paragraph: str


def level_with(placed: Sequence[Placed], place: int) -> tuple[Placed, ...]:
    """The rows that share a place."""
    return tuple(row for row in placed if row.place == place)


def danish_champion(placed: Sequence[Placed], citizens: Collection[str]) -> Award:
    """The DM class's title, for Danish citizens only (§ 6.5.2).

    Of several who share the first place those who are citizens have it; a play-off that is still
    to come is waited for, unless one citizen at most takes part. Reading: where no citizen stands
    first the title stays with nobody; the text gives it to the winner alone.
    """
    first = level_with(placed, 1)
    holders = tuple(row.name for row in first if row.name in citizens)
    awaits = _awaited(first) if len(holders) > 1 else None
    return Award(Title.DANISH_CHAMPION, holders, awaits, "6.5.2")


def cup_champion(placed: Sequence[Placed]) -> Award:
    """The cup's title: all on a shared first place, all on the trophy (§ 6.6.1.5)."""
    names = tuple(row.name for row in level_with(placed, 1))
    return Award(Title.CUP_CHAMPION, names, None, "6.6.1.5")


def team_champion(placed: Sequence[Placed]) -> Award:
    """Division 1's winner (§ 6.7.4.6); lots are waited for where they decide (§ 6.7.4.5)."""
    first = level_with(placed, 1)
    return Award(Title.TEAM_CHAMPION, tuple(row.name for row in first), _awaited(first), "6.7.4.6")


def shared_prizes(
    placed: Sequence[Placed], prizes: Sequence[Fraction | int], without: Collection[str] = ()
) -> Mapping[str, Fraction]:
    """Money by name: those level share what their places have together (§ 6.5.4.1, § 6.6.1.4).

    ``prizes`` from the first place down; ``without`` lost the right to one by withdrawing without
    valid reason (§ 6.2.8). Reading: his place's money stays where it is, it does not move down.
    """
    money: dict[str, Fraction] = {}
    for number in sorted({row.place for row in placed}):
        level = level_with(placed, number)
        pot = sum(
            (Fraction(prize) for prize in prizes[number - 1 : number - 1 + len(level)]), NOTHING
        )
        for row in level:
            if pot and row.name not in without:
                money[row.name] = pot / len(level)
    return money


def _awaited(level: Sequence[Placed]) -> Step | None:
    return next((row.decided_by for row in level[1:] if row.decided_by in _OPEN), None)
