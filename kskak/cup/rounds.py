"""How the cup is divided into groups, and who advances (§ 6.6.1).

Readings:
- 8-11, 15-17, 22, 23 and 29 entries, and fewer than 6, can't be divided into groups of 7 and 6:
  the leader is asked;
- the semi-final is planned with as many groups of 7 as those who advance fill or nearly fill;
  empty places are the leader's to fill (§ 6.6.1.6);
- of the plans, the one whose final comes nearest to 11; on a tie the one with fewer empty
  places, then the one with fewer advancing from each group.
Placings are passed in: players level after the steps of § 6.6.1.4 share a place, with the same
rights. Not for ties and titles (§ 6.6.1.4, § 6.6.1.5), nor rights for the EMT
(entries/cup_rights.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kskak.groups.dealing import Dealt, draw_lots, snake
from kskak.regulation.tournament_numbers import CUP

LAST_QUARTER = (10, 11, 12)
"""The months in which the preliminary round starts: § 6.6.3."""


@dataclass(frozen=True, slots=True)
class CupPlayer:
    """A place in a round; a player may have two of them (§ 6.6.1.2)."""

    player: str
    strength: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How a cup continues after its preliminary round (§ 6.6.1.3).

    ``advancing`` places of each preliminary group go to ``semifinals`` groups of 7, in which
    ``empty`` places are to be filled; ``finalists`` places of each of those go to the final.
    Without a semi-final ``semifinals`` is 0 and the ``advancing`` go to the final.
    """

    advancing: int
    semifinals: int
    empty: int
    finalists: int
    final: int


def may_enter_semifinal(k_rating: int | None) -> bool:
    """§ 6.6.1.6: a player with a K-rating of 2000 may choose to begin there."""
    return k_rating is not None and k_rating >= CUP.semifinal_rating


def is_start_month(month: int) -> bool:
    """Whether the preliminary round normally starts in this month (§ 6.6.3)."""
    return month in LAST_QUARTER


def group_sizes(entries: int) -> tuple[int, ...] | None:
    """As many groups of 7 as possible, then groups of 6 (§ 6.6.1.1); None: impossible."""
    for sevens in range(entries // CUP.group, -1, -1):
        sixes, left = divmod(entries - CUP.group * sevens, CUP.small_group)
        if not left and sevens + sixes:
            return (CUP.group,) * sevens + (CUP.small_group,) * sixes
    return None


def preliminary_groups(players: Sequence[CupPlayer]) -> tuple[tuple[int, ...], ...]:
    """The indices in each group, as equal in strength as can be (§ 6.6.1.2).

    ValueError if the entries can't be divided, or a player has more places than 2 or than groups.
    """
    sizes = group_sizes(len(players))
    if sizes is None:
        raise ValueError(f"{len(players)} entries can't be cut into groups of 7 and 6 (§ 6.6.1.1)")
    _check_places(players)
    dealt = [Dealt(one.player, one.strength, index) for index, one in enumerate(players)]
    return snake(dealt, sizes)


def semifinal_groups(players: Sequence[str], seed: str) -> tuple[tuple[int, ...], ...]:
    """The indices in each group of 7, by free draw from a recorded seed (§ 6.6.1.2).

    A player with two places has them in two groups: the next drawn takes the seat instead.
    ValueError unless the places fill groups of 7.
    """
    groups, left = divmod(len(players), CUP.group)
    if left or not groups:
        empty = CUP.group - left
        raise ValueError(f"{empty} places are empty: fill the groups of 7 first (§ 6.6.1.6)")
    _check_places([CupPlayer(name, 0) for name in players])
    names = [f"{name}\n{players[:index].count(name)}" for index, name in enumerate(players)]
    order = draw_lots(seed, names)
    # The drawn order serves as strength: dealt this way, a player's two places are separated.
    dealt = [Dealt(players[index], -rank, index) for rank, index in enumerate(order)]
    return snake(dealt, (CUP.group,) * groups)


def _check_places(players: Sequence[CupPlayer]) -> None:
    names = [one.player for one in players]
    for name in names:
        if names.count(name) > CUP.most_at_once:
            raise ValueError(f"{name} is in more than {CUP.most_at_once} groups (§ 6.6.1.2)")


def plan(groups: int, direct: int, has_semifinal: bool = True) -> Plan:
    """How many advance, after this many preliminary groups (§ 6.6.1.3).

    ``direct`` enter at the semi-final (§ 6.6.1.6). ``has_semifinal`` False: it is cancelled for
    too few entries (§ 6.6.1.1), which the leader decides; then ``direct`` are finalists too.
    ValueError without a group.
    """
    if groups < 1:
        raise ValueError("there is no preliminary group")
    per_group = range(1, CUP.most_advancing + 1)
    if not has_semifinal:
        finals = [Plan(each, 0, 0, 0, groups * each + direct) for each in per_group]
        return min(finals, key=_distance)
    plans = []
    for each in per_group:
        field = groups * each + direct
        semifinals = -(-field // CUP.group)
        empty = semifinals * CUP.group - field
        plans += [Plan(each, semifinals, empty, two, semifinals * two) for two in (1, 2)]
    return min(plans, key=_distance)


def _distance(made: Plan) -> tuple[int, int, int]:
    return abs(made.final - CUP.final), made.empty, made.advancing


def going_on(placing: Mapping[str, int], places: int) -> tuple[str, ...]:
    """Who advances from a group: everyone placed this high, with all who share it (§ 6.6.1.4).

    ``placing`` is the finished group's, by name; those who withdrew are last in it.
    """
    return tuple(name for name, place in placing.items() if place <= places)


def semifinalists(
    placings: Sequence[Mapping[str, int]], places: int, direct: Sequence[str] = ()
) -> tuple[str, ...]:
    """The places in the semi-final, one for each player advancing from a group (§ 6.6.1.3).

    Advancing from two groups gives two places, which § 6.6.1.2 allows; direct entrants with
    a K-rating of 2000 (§ 6.6.1.6) come after them.
    """
    return (*(name for placing in placings for name in going_on(placing, places)), *direct)


def finalists(placings: Sequence[Mapping[str, int]], places: int) -> tuple[str, ...]:
    """Who is in the final, from the semi-finals or, without these, the first groups (§ 6.6.1.3).

    Nobody is in it twice: a second place is not passed on (reading), since the text names the
    winners and perhaps the seconds, and wants about 11.
    """
    return tuple(dict.fromkeys(semifinalists(placings, places)))
