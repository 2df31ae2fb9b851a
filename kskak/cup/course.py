"""The course of a cup from round to round: who advances and why, how many, who is next (§ 6.6.1).

Readings:
- a player who left the group (§ 6.2.8) does not advance: those behind move up;
- a player who took part in the first round does not enter the semi-final directly as well, since
  § 6.6.1.6 offers the choice of one or the other;
- how many of each semi-final go to the final is calculated from those that were played, ties
  included, so that the final comes as near to 11 as it can.
Not for forming and drawing groups (rounds.py), nor for rights in the EMT (entries/cup_rights.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.cup.rounds import CupPlayer, going_on, preliminary_groups
from kskak.groups.dealing import draw_lots
from kskak.regulation.tournament_numbers import CUP


class CupStage(StrEnum):
    """The rounds of a cup (§ 6.6.1.1)."""

    PRELIMINARY = "preliminary"
    SEMIFINAL = "semi"
    FINAL = "final"


class Way(StrEnum):
    """How a player obtained a place in a round."""

    ENTERED = "entered"
    PLACED = "placed"
    LEVEL = "level"
    DIRECT = "direct"
    ADDED = "added"

    @property
    def paragraph(self) -> str:
        """The rule that gives the place."""
        return _PARAGRAPHS[self]


_PARAGRAPHS = {
    Way.ENTERED: "6.6.1.2",
    Way.PLACED: "6.6.1.3",
    Way.LEVEL: "6.6.1.4",
    Way.DIRECT: "6.6.1.6",
    Way.ADDED: "6.6.1.6",
}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player of a finished group; ``place`` is shared by those still level at the end."""

    player: str
    place: int
    points: Fraction = Fraction(0)
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a round: whose, how obtained, from which group and place of the last round."""

    player: str
    way: Way
    group: str | None = None
    place: int | None = None


def first_groups(entrants: Sequence[CupPlayer], seed: str) -> tuple[tuple[int, ...], ...]:
    """The indices in each group of the first round (§ 6.6.1.2): by strength, equals by lot.

    A player has as many places as entries. ValueError as in ``preliminary_groups``.
    """
    names = [one.player for one in entrants]
    keys = [f"{name}\n{names[:index].count(name)}" for index, name in enumerate(names)]
    order = draw_lots(seed, keys)
    groups = preliminary_groups([entrants[index] for index in order])
    return tuple(tuple(order[index] for index in group) for group in groups)


def places_of_those_left(group: Sequence[Ranked]) -> dict[str, int]:
    """The places in a finished group without leavers; shared ones stay shared (§ 6.6.1.4)."""
    stay = [row for row in group if not row.has_left]
    return {row.player: 1 + sum(other.place < row.place for other in stay) for row in stay}


def who_goes_on(groups: Mapping[str, Sequence[Ranked]], places: int) -> tuple[Seat, ...]:
    """A seat for everyone placed this high in a group (§ 6.6.1.3), and all level with the last.

    § 6.6.1.4: players level after every step have the same right, so more may advance than
    there are places; these are marked LEVEL. Advancing from two groups gives two seats.
    """
    found: list[Seat] = []
    for name, rows in groups.items():
        placing = places_of_those_left(rows)
        for player in sorted(going_on(placing, places), key=placing.__getitem__):
            place = placing[player]
            is_crowded = place + list(placing.values()).count(place) - 1 > places
            found.append(Seat(player, Way.LEVEL if is_crowded else Way.PLACED, name, place))
    return tuple(found)


def semifinal_seats(
    going: Sequence[Seat],
    direct: Sequence[str],
    added: Sequence[str] = (),
    without: Sequence[str] = (),
) -> tuple[Seat, ...]:
    """Every seat of the semi-final (§ 6.6.1.3, § 6.6.1.6).

    ``direct`` enter with a K-rating of 2000, ``added`` are chosen by the leader to fill up,
    ``without`` have said that they will not play on.
    """
    seats = [
        *going,
        *(Seat(player, Way.DIRECT) for player in direct),
        *(Seat(player, Way.ADDED) for player in added),
    ]
    return tuple(seat for seat in seats if seat.player not in without)


def final_seats(
    going: Sequence[Seat],
    direct: Sequence[str] = (),
    added: Sequence[str] = (),
    without: Sequence[str] = (),
) -> tuple[Seat, ...]:
    """Every seat of the final: nobody has two (reading, as ``rounds.finalists``)."""
    seats: dict[str, Seat] = {}
    for seat in semifinal_seats(going, direct, added, without):
        seats.setdefault(seat.player, seat)
    return tuple(seats.values())


def lacking(seats: int) -> int:
    """How many places are empty in the semi-final's groups of 7 (§ 6.6.1.1, § 6.6.1.6)."""
    return -seats % CUP.group if seats else CUP.group


def final_places(groups: Mapping[str, Sequence[Ranked]], most: int, direct: int = 0) -> int:
    """How many of each group go to the final, for about 11 (§ 6.6.1.3); on a tie the fewer.

    ``most`` is 2 after a semi-final, 3 where it was cancelled; ``direct`` are in it as well.
    """

    def distance(places: int) -> int:
        size = len(final_seats(who_goes_on(groups, places))) + direct
        return abs(size - CUP.final)

    return min(range(1, most + 1), key=distance)


def next_in_line(groups: Mapping[str, Sequence[Ranked]], going: Sequence[Seat]) -> tuple[str, ...]:
    """Whom the leader may consider first when filling up (§ 6.6.1.6): a proposal, not a right.

    By place in their groups, then by points; nobody who advances or has left.
    """
    taken = {seat.player for seat in going}
    rows = [
        (place, -row.points, row.player)
        for group in groups.values()
        for places in [places_of_those_left(group)]
        for row in group
        if (place := places.get(row.player)) is not None and row.player not in taken
    ]
    return tuple(dict.fromkeys(player for _, _, player in sorted(rows)))
