"""How a cup's rounds are made up (§ 6.6.1.1-6.6.1.3), checked again on the resulting groups.

Not for rights (check_people.py) nor for colours (check_groups.py).
"""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import combinations, product

from kskak.cup import CupPlayer
from tests.federation.group import Group
from tests.federation.trouble import expect

_GROUP, _SMALL = 7, 6


def _once(
    name: str, names: Sequence[str], groups: Sequence[Sequence[int]], sizes: set[int], day: date
) -> None:
    seats = sorted(index for group in groups for index in group)
    expect(seats == list(range(len(names))), day, name, "a place is lost, or given twice")
    for group in groups:
        players = [names[index] for index in group]
        expect(len(players) in sizes, day, name, f"a group of {len(players)}")
        expect(len(set(players)) == len(players), day, name, "a player meets himself")


def check_dealt(
    name: str, players: Sequence[CupPlayer], groups: Sequence[Sequence[int]], day: date
) -> None:
    """The first round: groups of 7, as few groups of 6 as possible, and equally strong."""
    _once(name, [one.player for one in players], groups, {_GROUP, _SMALL}, day)
    small = sum(len(group) == _SMALL for group in groups)
    expect(small < _GROUP, day, name, f"{small} groups of 6 could be groups of 7")
    means = [sum(players[index].strength for index in group) / len(group) for group in groups]
    middle = sum(one.strength for one in players) / len(players)
    for (home, here), (away, there) in combinations(zip(groups, means, strict=True), 2):
        before = (here - middle) ** 2 + (there - middle) ** 2
        for one, other in product(home, away):
            if _would_meet_himself(players, home, away, one, other):
                continue
            moved = players[other].strength - players[one].strength
            after = (here + moved / len(home) - middle) ** 2
            after += (there - moved / len(away) - middle) ** 2
            expect(after > before - 1e-3, day, name, "an exchange would make groups more equal")


def _would_meet_himself(
    players: Sequence[CupPlayer], home: Sequence[int], away: Sequence[int], one: int, other: int
) -> bool:
    """Whether somebody with two places would have both in one group after an exchange."""
    coming, going = players[other].player, players[one].player
    return coming != going and (
        any(players[index].player == coming for index in home)
        or any(players[index].player == going for index in away)
    )


def check_semifinal(
    name: str, names: Sequence[str], groups: Sequence[Sequence[int]], day: date
) -> None:
    """The semi-final: groups of 7, nobody twice in a group."""
    _once(name, names, groups, {_GROUP}, day)


def check_finalists(
    name: str, names: Sequence[str], placings: Sequence[Mapping[str, int]], day: date
) -> None:
    """The final: every winner of a semi-final group, and nobody twice."""
    expect(len(set(names)) == len(names), day, name, "a finalist stands twice")
    winners = [key for placing in placings for key, place in placing.items() if place == 1]
    expect(set(winners) <= set(names), day, name, "a winner of a group is not in the final")


def check_leavers(name: str, names: Sequence[str], groups: Sequence[Group], day: date) -> None:
    """Who left every group he was in of a round is not in the next one (§ 6.2.8, § 6.6.1.3)."""
    for key in names:
        own = [group for group in groups if any(one.key == key for one in group.players)]
        has_stayed = not own or any(key not in group.left for group in own)
        expect(has_stayed, day, name, f"{key} has left, and goes on")
