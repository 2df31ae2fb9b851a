"""Who meets whom, and with which colour, when all play all (§ 4.9.11).

The rule in the text of § 4.9.11 is followed; its printed tables (4, 6, 8, 10, 12, 14 and 16
players) are illustrations. They agree with the rule but for one row: in the table for 6 players,
number 4 is printed ``5 | 6 | 31 | 2`` and must be ``3 | 6 | 51 | 2``, as the rows of 3 and 5 show.

The text says nothing about the order of games within a round, nor about a second cycle. Games are
ordered by their lowest number, which in round 1 is the text's own order; a second cycle is the
first with colours reversed.

NOT for drawing lots (the numbers are given) nor for dates.
"""

from __future__ import annotations

from dataclasses import dataclass


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
        byes.append(next((_other(game, field) for game in games if _sits_out(game, players)), None))
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
            games.append(_coloured(player, opponent, field))
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


def _coloured(lower: int, higher: int, field: int) -> Pairing:
    """The highest number is Black against the lower half of the lots, White against the upper.

    Among the others the lower number is White when one is even and one odd, else the higher.
    """
    lower_is_white = lower <= field // 2 if higher == field else (lower + higher) % 2 == 1
    return Pairing(lower, higher) if lower_is_white else Pairing(higher, lower)


def _sits_out(game: Pairing, players: int) -> bool:
    return max(game.white, game.black) > players


def _other(game: Pairing, number: int) -> int:
    return game.black if game.white == number else game.white
