"""The cup: its groups, its course from round to round, and why a round is not drawn (§ 6.6.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.groups.schedule import GroupCandidate, draw_lots, even_out, snake
from kskak.regulation.editions import CUP
from kskak.values import RuleName

# How the cup is divided into groups, and who advances (§ 6.6.1).

LAST_QUARTER = (10, 11, 12)
"""The months in which the preliminary round starts: § 6.6.3."""


@dataclass(frozen=True, slots=True)
class CupPlayer:
    """A place in a round; a player may have two of them (§ 6.6.1.2)."""

    player: str
    strength: int


@dataclass(frozen=True, slots=True)
class CupPlan:
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

    Reading: dealt in a snake, then evened out by exchanges. ValueError if the entries can't be
    divided, or a player has more places than 2 or than groups.
    """
    sizes = group_sizes(len(players))
    if sizes is None:
        raise ValueError(f"{len(players)} entries can't be cut into groups of 7 and 6 (§ 6.6.1.1)")
    _check_places(players)
    dealt = [GroupCandidate(one.player, one.strength, index) for index, one in enumerate(players)]
    return even_out(dealt, snake(dealt, sizes))


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
    dealt = [GroupCandidate(players[index], -rank, index) for rank, index in enumerate(order)]
    return snake(dealt, (CUP.group,) * groups)


def _check_places(players: Sequence[CupPlayer]) -> None:
    names = [one.player for one in players]
    for name in names:
        if names.count(name) > CUP.most_at_once:
            raise ValueError(f"{name} is in more than {CUP.most_at_once} groups (§ 6.6.1.2)")


def plan(groups: int, direct: int, has_semifinal: bool = True) -> CupPlan:
    """How many advance, after this many preliminary groups (§ 6.6.1.3).

    ``direct`` enter at the semi-final (§ 6.6.1.6). ``has_semifinal`` False: it is cancelled for
    too few entries (§ 6.6.1.1), which the leader decides; then ``direct`` are finalists too.
    ValueError without a group.
    """
    if groups < 1:
        raise ValueError("there is no preliminary group")
    per_group = range(1, CUP.most_advancing + 1)
    if not has_semifinal:
        finals = [CupPlan(each, 0, 0, 0, groups * each + direct) for each in per_group]
        return min(finals, key=_distance)
    plans = []
    for each in per_group:
        field = groups * each + direct
        semifinals = -(-field // CUP.group)
        empty = semifinals * CUP.group - field
        plans += [CupPlan(each, semifinals, empty, two, semifinals * two) for two in (1, 2)]
    return min(plans, key=_distance)


def _distance(made: CupPlan) -> tuple[int, int, int]:
    return abs(made.final - CUP.final), made.empty, made.advancing


def going_on(placing: Mapping[str, int], places: int) -> tuple[str, ...]:
    """Who advances from a group: everyone placed this high, with all who share it (§ 6.6.1.4).

    ``placing`` is the finished group's, by name; those who withdrew are last in it.
    """
    return tuple(name for name, place in placing.items() if place <= places)


# The course of a cup from round to round: who advances and why, how many, who is next (§ 6.6.1).


class CupStage(StrEnum):
    """The rounds of a cup (§ 6.6.1.1)."""

    PRELIMINARY = "preliminary"
    SEMIFINAL = "semi"
    FINAL = "final"


class CupQualification(RuleName):
    """How a player obtained a place in a round."""

    ENTERED = "entered", "6.6.1.2"
    PLACED = "placed", "6.6.1.3"
    LEVEL = "level", "6.6.1.4"
    DIRECT = "direct", "6.6.1.6"
    ADDED = "added", "6.6.1.6"


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player of a finished group; ``place`` is shared by those still level at the end."""

    player: str
    place: int
    points: Fraction = Fraction(0)
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a round: whose, how obtained, from which group and place of the last round."""

    player: str
    way: CupQualification
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


def places_of_those_left(group: Sequence[RankedPlayer]) -> dict[str, int]:
    """The places in a finished group without leavers; shared ones stay shared (§ 6.6.1.4)."""
    stay = [row for row in group if not row.has_left]
    return {row.player: 1 + sum(other.place < row.place for other in stay) for row in stay}


def who_goes_on(groups: Mapping[str, Sequence[RankedPlayer]], places: int) -> tuple[Seat, ...]:
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
            found.append(
                Seat(
                    player,
                    CupQualification.LEVEL if is_crowded else CupQualification.PLACED,
                    name,
                    place,
                )
            )
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
        *(Seat(player, CupQualification.DIRECT) for player in direct),
        *(Seat(player, CupQualification.ADDED) for player in added),
    ]
    return tuple(seat for seat in seats if seat.player not in without)


def final_seats(
    going: Sequence[Seat],
    direct: Sequence[str] = (),
    added: Sequence[str] = (),
    without: Sequence[str] = (),
) -> tuple[Seat, ...]:
    """Every seat of the final: nobody has two, a second place is not passed on (reading)."""
    seats: dict[str, Seat] = {}
    for seat in semifinal_seats(going, direct, added, without):
        seats.setdefault(seat.player, seat)
    return tuple(seats.values())


def count_empty_places(seats: int) -> int:
    """How many places are empty in the semi-final's groups of 7 (§ 6.6.1.1, § 6.6.1.6)."""
    return -seats % CUP.group if seats else CUP.group


def final_places(groups: Mapping[str, Sequence[RankedPlayer]], most: int, direct: int = 0) -> int:
    """How many of each group go to the final, for about 11 (§ 6.6.1.3); on a tie the fewer.

    ``most`` is 2 after a semi-final, 3 where it was cancelled; ``direct`` are in it as well.
    """

    def distance(places: int) -> int:
        size = len(final_seats(who_goes_on(groups, places))) + direct
        return abs(size - CUP.final)

    return min(range(1, most + 1), key=distance)


def list_next_candidates(
    groups: Mapping[str, Sequence[RankedPlayer]], going: Sequence[Seat]
) -> tuple[str, ...]:
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


# Why a round of a cup is not drawn, or a title not settled, each with its paragraph (§ 6.6.1).


class CupProblem(RuleName):
    """What stands in the way."""

    OVER = "over", "6.6.1.5"
    DRAWN = "drawn", "6.6.1.1"
    STILL_PLAYED = "still_played", "6.6.1.3"
    WRONG_ROUND = "wrong_round", "6.6.1.1"
    UNCUT = "uncut", "6.6.1.1"
    EMPTY = "empty", "6.6.1.6"
    FINAL_SIZE = "final_size", "6.6.1.1"
    TOO_MANY_PLACES = "too_many_places", "6.6.1.2"
    LEADER_PLAYS = "leader_plays", "6.1.1"
    NO_PERSON = "no_person", "6.6.1.6"
    BARRED = "barred", "6.4.2"
    DEAD = "dead", "6.2.8"
    NON_MEMBER = "non_member", "6.1"
    NO_REASON = "no_reason", "6.6.1.1"
    EARLY = "early", "6.4.5"
    LEAVING = "leaving", "6.2.8"
    START = "start", "6.6.3"
    QUARTER = "quarter", "6.6.3"
    START_FAR = "start_far", "6.6.3"
    NOT_MADE = "not_made", "6.6.1.1"
    NO_ADDRESSES = "no_addresses", "6.5.2.1"


@dataclass(frozen=True, slots=True)
class CupRefusal:
    """A refusal; ``count`` places or entries, ``who`` a name or address where there is one."""

    problem: CupProblem
    count: int = 0
    who: str = ""

    @property
    def paragraph(self) -> str:
        """The rule behind it."""
        return self.problem.paragraph


class TieProblem(StrEnum):
    """Why a shared first place in the DM is not settled as asked (§ 6.5.2)."""

    NOT_LEVEL = "not_level"
    SETTLED = "settled"
    NO_REASON = "no_reason"
    START = "start"


@dataclass(frozen=True, slots=True)
class TieRefusal:
    """Such a problem as an answer."""

    problem: TieProblem
    paragraph: str = "6.5.2"
