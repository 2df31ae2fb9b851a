"""The schedule's properties that hold for any number of players (§ 4.9.11)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from kskak.groups.schedule import Pairing, round_robin, schedule_json
from tests.fakes.machinery.each import each

SIZES = range(2, 31)


@each("players", SIZES)
def test_everybody_meets_everybody_once_and_plays_once_a_round(players: int) -> None:
    schedule = round_robin(players)
    pairs = Counter(
        tuple(sorted((game.white, game.black))) for games in schedule.rounds for game in games
    )
    assert pairs == Counter(combinations(range(1, players + 1), 2))
    for games, bye in zip(schedule.rounds, schedule.byes, strict=True):
        seated = [player for game in games for player in (game.white, game.black)]
        seated += [bye] if bye is not None else []
        assert sorted(seated) == list(range(1, players + 1))


@each("players", SIZES)
def test_colours_differ_by_at_most_one_and_not_at_all_in_odd_fields(players: int) -> None:
    schedule = round_robin(players)
    balance = Counter[int]()
    for game in (game for games in schedule.rounds for game in games):
        balance[game.white] += 1
        balance[game.black] -= 1
    lower_half = range(1, players // 2 + 1)
    for player in range(1, players + 1):
        expected = 0 if players % 2 else (1 if player in lower_half else -1)
        assert balance[player] == expected


@each("players", SIZES)
def test_second_cycle_is_the_first_with_colours_reversed(players: int) -> None:
    single, double = round_robin(players), round_robin(players, double=True)
    half = len(single.rounds)
    assert double.rounds[:half] == single.rounds
    assert double.byes == single.byes * 2
    assert double.rounds[half:] == tuple(
        tuple(Pairing(game.black, game.white) for game in games) for games in single.rounds
    )


def test_games_of_a_round_stand_by_their_lowest_number() -> None:
    for games in round_robin(16).rounds:
        lowest = [min(game.white, game.black) for game in games]
        assert lowest == sorted(lowest)


@pytest.mark.parametrize("players", [-1, 0, 1])
def test_fewer_than_two_players_are_refused(players: int) -> None:
    with pytest.raises(ValueError, match="at least 2 players"):
        round_robin(players)


def test_json_has_the_contracts_shape() -> None:
    assert schedule_json(round_robin(3)) == {
        "players": 3,
        "rounds": [
            [{"white": 2, "black": 3}],
            [{"white": 1, "black": 2}],
            [{"white": 3, "black": 1}],
        ],
        "byes": [1, 3, 2],
    }
    assert schedule_json(round_robin(2, double=True))["byes"] == [None, None]
