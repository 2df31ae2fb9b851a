"""Who meets whom, with which colour (§ 4.9.11), and dealing players into groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game: the players' lot numbers, from 1."""

    white: int
    black: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """All rounds of a tournament; ``byes`` has, for each round, who sits out, or None."""

    players: int
    rounds: tuple[tuple[Pairing, ...], ...]
    byes: tuple[int | None, ...]


def round_robin(players: int, double: bool = False) -> Schedule:
    """The schedule for this many players, one cycle or two (§ 4.9.11).

    Raises ValueError for fewer than two players.
    """
    if players < 2:
        raise ValueError(f"a round robin needs at least 2 players, not {players}")
    # An odd field gets an extra player with the highest number: meeting it means sitting out.
    field = players + players % 2
    rounds = []
    byes = []
    for number in range(1, field):
        games = _round(number, field)
        out = (game for game in games if _sits_out(game, players))
        byes.append(next((g.black if g.white == field else g.white for g in out), None))
        rounds.append(tuple(game for game in games if not _sits_out(game, players)))
    if double:
        rounds += [tuple(Pairing(game.black, game.white) for game in games) for games in rounds]
        byes += byes
    return Schedule(players, tuple(rounds), tuple(byes))


def schedule_json(schedule: Schedule) -> dict[str, object]:
    """The answer of ``kskak schedule --json`` (§ 4.9.11)."""
    return {
        "players": schedule.players,
        "rounds": [
            [{"white": game.white, "black": game.black} for game in games]
            for games in schedule.rounds
        ],
        "byes": list(schedule.byes),
    }


def _round(number: int, field: int) -> tuple[Pairing, ...]:
    """One round of an even field, by the lowest number in each game."""
    games = []
    for player in range(1, field):
        opponent = _opponent(player, number, field)
        if player < opponent:
            games.append(_assign_colours(player, opponent, field))
    return tuple(games)


def _opponent(player: int, number: int, field: int) -> int:
    """Number 1 meets the round's number, every other player the one after their last opponent.

    After the highest odd number comes 1 again. A player due to meet themselves meets the
    highest number instead. In short: the two numbers of a game add up to one more than the
    round's number, counted in a circle without the highest.
    """
    circle = field - 1
    opponent = (number + 1 - player) % circle or circle
    return field if opponent == player else opponent


def _assign_colours(lower: int, higher: int, field: int) -> Pairing:
    """The highest number is Black against the lower half of the lots, White against the upper.

    Among the others the lower number is White when one is even and one odd, else the higher.
    """
    lower_is_white = lower <= field // 2 if higher == field else (lower + higher) % 2 == 1
    return Pairing(lower, higher) if lower_is_white else Pairing(higher, lower)


def _sits_out(game: Pairing, players: int) -> bool:
    return max(game.white, game.black) > players


# Dealing players or teams into groups of equal strength: the snake (§ 6.6.1.2, § 6.7.5.1).


@dataclass(frozen=True, slots=True)
class GroupCandidate:
    """One to deal: those who share a ``key`` may not meet in a group; ``strength`` is a rating."""

    key: str
    strength: float
    index: int


def snake(dealt: Sequence[GroupCandidate], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The indices in each group, strongest first; ties stay in the order given.

    ValueError if the sizes do not add up, or a key occurs more often than there are groups.
    """
    if sum(sizes) != len(dealt):
        raise ValueError(f"{len(dealt)} can't be dealt into groups of {list(sizes)}")
    keys = [one.key for one in dealt]
    for key in keys:
        if keys.count(key) > len(sizes):
            raise ValueError(f"{key} stands more often than there are groups")
    groups: list[list[GroupCandidate]] = [[] for _ in sizes]
    for one, turn in zip(sorted(dealt, key=_rank), _turns(sizes), strict=True):
        groups[turn].append(one)
    if not _separate_same_keys(groups):
        groups = _by_room(dealt, sizes)
    return tuple(tuple(one.index for one in sorted(group, key=_rank)) for group in groups)


def even_out(
    dealt: Sequence[GroupCandidate], groups: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    """Pairs exchanged until no exchange brings the groups' mean strengths closer (§ 6.6.1.2).

    ``groups``: places in ``dealt``, whose sizes stay; no key comes twice into a group. Closer is a
    smaller sum of the squares of the distances from the mean of all; the best exchange goes first.
    """
    even = [[dealt[index] for index in group] for group in groups]
    while (exchange := _best_exchange(even)) is not None:
        home, seat, away, place = exchange
        even[home][seat], even[away][place] = even[away][place], even[home][seat]
    return tuple(tuple(one.index for one in sorted(group, key=_rank)) for group in even)


LEAST_GAIN = 1e-6
"""In rating points squared: less is the rounding of fractions."""
_Exchange = tuple[int, int, int, int]
"""A group and a seat in it, and those they are exchanged with."""


def _best_exchange(groups: Sequence[Sequence[GroupCandidate]]) -> _Exchange | None:
    """The exchange that brings the means closest; None when none brings them closer."""
    sums = [sum(one.strength for one in group) for group in groups]
    middle = sum(sums) / max(sum(map(len, groups)), 1)
    best, found = LEAST_GAIN, None
    for home, away in combinations(range(len(groups)), 2):
        here, there = len(groups[home]), len(groups[away])
        above, below = sums[home] / here - middle, sums[away] / there - middle
        for seat, one in enumerate(groups[home]):
            for place, other in enumerate(groups[away]):
                moved = other.strength - one.strength
                after = (above + moved / here) ** 2 + (below - moved / there) ** 2
                gain = above**2 + below**2 - after
                if gain > best and _may_exchange(groups[home], one, groups[away], other):
                    best, found = gain, (home, seat, away, place)
    return found


def _may_exchange(
    home: Sequence[GroupCandidate],
    one: GroupCandidate,
    away: Sequence[GroupCandidate],
    other: GroupCandidate,
) -> bool:
    """Whether neither then meets his own key."""
    return one.key == other.key or (
        all(row.key != other.key for row in home) and all(row.key != one.key for row in away)
    )


def _rank(one: GroupCandidate) -> tuple[float, int]:
    return -one.strength, one.index


def _turns(sizes: Sequence[int]) -> list[int]:
    """The groups in dealing order, back and forth; a small group is left out of the last round."""
    turns: list[int] = []
    for row in range(max(sizes, default=0)):
        open_groups = [number for number, size in enumerate(sizes) if row < size]
        turns += open_groups if row % 2 == 0 else open_groups[::-1]
    return turns


def _separate_same_keys(groups: list[list[GroupCandidate]]) -> bool:
    """Exchange the weaker of two with one key for the nearest in strength; whether that worked."""
    for home in groups:
        for seat, one in enumerate(home):
            is_double = any(other.key == one.key for other in home[:seat])
            if is_double and not _exchange_seats(groups, home, seat):
                return False
    return True


def _exchange_seats(
    groups: list[list[GroupCandidate]], home: list[GroupCandidate], seat: int
) -> bool:
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


def _by_room(dealt: Sequence[GroupCandidate], sizes: Sequence[int]) -> list[list[GroupCandidate]]:
    """Where exchanging fails: the most frequent keys first, into the groups with the most room."""
    keys = [one.key for one in dealt]
    groups: list[list[GroupCandidate]] = [[] for _ in sizes]
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


def seed_of_lots(head: bytes, names: Sequence[str]) -> str:
    """The seed of a draw that nobody can choose: from the chain's head and the names entered.

    Reading of § 6.5.2.1, § 6.6.1.2 and § 6.7.4.2, whose lots a leader draws: ``head`` is the hash
    of the last event in the ledgers at the closing, of which the seed shows 16 figures; the rest
    is SHA-256 over the names in alphabetical order.
    """
    entered = sha256("\n".join(sorted(names)).encode()).hexdigest()
    return f"{head.hex()[:16]}-{entered[:16]}"


def draw_lots(seed: str, names: Sequence[str]) -> tuple[int, ...]:
    """The indices of ``names`` in the order of their numbers: the first gets number 1."""
    drawn = [sha256(f"{seed}\n{name}".encode()).digest() for name in names]
    return tuple(sorted(range(len(names)), key=lambda index: (drawn[index], index)))
