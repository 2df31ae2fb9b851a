"""§ 4.9.11: all-play-all schedules, against the regulation's rule and its printed tables."""

from __future__ import annotations

from itertools import pairwise

from kskak.groups.schedule import Pairing, Schedule, draw_lots, round_robin, seed_of_lots
from tests.fakes.machinery.each import each

# The printed tables, a line for each number. Every round had two columns there, the opponent when
# Black and the opponent when White; print has joined the second with the next round's first.
# Empty columns at either end were lost too, and are not compared.
PRINTED = {
    4: """
        |4|23|
        |31||4
        2|4||1
        1||32|
    """,
    6: """
        6|23||45||
        51||6|34||
        45||12||6|
        5|6||31||2
        2||34|6||1
        1||42||53|
    """,
    8: """
        8|23||45||67||
        71||8|34||56||
        67||12||8|45||
        56||71||23||8|
        4|8||67||12||3
        3||45|8||71||2
        2||34||56|8||1
        1||52||63||74|
    """,
    10: """
        10|23||45||67||89||
        91||10|34||56||78||
        89||12||10|45||67||
        78||91||23||10|56||
        67||89||12||34||10|
        5|10||78||91||23||4
        4||56|10||89||12||3
        3||45||67|10||91||2
        2||34||56||78|10||1
        1||62||73||84||95|
    """,
    12: """
        12|23||45||67||89||1011||
        111||12|34||56||78||910||
        1011||12||12|45||67||89||
        910||111||23||12|56||78||
        89||1011||12||34||12|67||
        78||910||111||23||45||12|
        6|12||89||1011||12||34||5
        5||67|12||910||111||23||4
        4||56||78|12||1011||12||3
        3||45||67||89|12||111||2
        2||34||56||78||910|12||1
        1||72||83||94||105||116|
    """,
    14: """
        14|23||45||67||89||1011||1213||
        131||14|34||56||78||910||1112||
        1213||12||14|45||67||89||1011||
        1112||131||23||14|56||78||910||
        1011||1213||12||34||14|67||89||
        910||1112||131||23||45||14|78||
        89||1011||1213||12||34||56||14|
        7|14||910||1112||131||23||45||6
        6||78|14||1011||1213||12||34||5
        5||67||89|14||1112||131||23||4
        4||56||78||910|14||1213||12||3
        3||45||67||89||1011|14||131||2
        2||34||56||78||910||1112|14||1
        1||82||93||104||115||126||137|
    """,
    16: """
        16|23||45||67||89||1011||1213||1415||
        151||16|34||56||78||910||1112||1314||
        1415||12||16|45||67||89||1011||1213||
        1314||151||23||16|56||78||910||1112||
        1213||1415||12||34||16|67||89||1011||
        1112||1314||151||23||45||16|78||910||
        1011||1213||1415||12||34||56||16|89||
        910||1112||1314||151||23||45||67||16|
        8|16||1011||1213||1415||12||34||56||7
        7||89|16||1112||1314||151||23||45||6
        6||78||910|16||1213||1415||12||34||5
        5||67||89||1011|16||1314||151||23||4
        4||56||78||910||1112|16||1415||12||3
        3||45||67||89||1011||1213|16||151||2
        2||34||56||78||910||1112||1314|16||1
        1||92||103||114||125||136||147||158|
    """,
}
# § 4.9.11 prints number 4 of 6 with the opponents of rounds 1 and 3 exchanged.
MISPRINT = (6, 4, "5|6||31||2", "3|6||51||2")


def table_row(schedule: Schedule, player: int) -> str:
    """The schedule of one player as the regulation prints it."""
    columns = [""]
    for games in schedule.rounds:
        game = next(game for game in games if player in (game.white, game.black))
        as_black, as_white = (game.white, "") if game.black == player else ("", game.black)
        columns[-1] += str(as_black)
        columns.append(str(as_white))
    return "|".join(columns).strip("|")


def printed_rows(players: int) -> list[str]:
    rows = [row.strip(" |") for row in PRINTED[players].strip().splitlines()]
    number, player, printed, right = MISPRINT
    if players == number:
        assert rows[player - 1] == printed
        rows[player - 1] = right
    return rows


@each("players", PRINTED)
def test_4_9_11_gives_the_printed_table_with_its_one_misprint_mended(players: int) -> None:
    """§ 4.9.11: the tables illustrate the rule; opponents, rounds and colours agree."""
    schedule = round_robin(players)
    rows = [table_row(schedule, player) for player in range(1, players + 1)]
    assert rows == printed_rows(players)


def test_4_9_11_the_misprinted_row_contradicts_the_rows_beside_it() -> None:
    """§ 4.9.11: as printed, 4 meets 5 in round 1, where 5 meets 2 (and 3 in round 3)."""
    rows = printed_rows(6)
    assert rows[4].split("|")[0] == "2"
    assert rows[2].split("|")[2] == "12"
    assert {Pairing(2, 5), Pairing(3, 4)} < set(round_robin(6).rounds[0])
    assert {Pairing(3, 1), Pairing(4, 5)} < set(round_robin(6).rounds[2])


@each("players", range(2, 25))
def test_4_9_11_round_one_pairs_lowest_with_highest(players: int) -> None:
    """§ 4.9.11, "1. runde": lowest meets highest, next lowest next highest, and so on."""
    field = players + players % 2
    pairs = [sorted((game.white, game.black)) for game in round_robin(players).rounds[0]]
    expected = [[low, field + 1 - low] for low in range(1, field // 2 + 1)]
    assert pairs == [pair for pair in expected if pair[1] <= players]


@each("players", range(4, 25, 2))
def test_4_9_11_later_rounds_go_to_the_next_number(players: int) -> None:
    """§ 4.9.11, "Efterfølgende runder": 1 meets the round's number, others the next number."""
    schedule = round_robin(players)
    met = [
        {a: b for game in games for a, b in ((game.white, game.black), (game.black, game.white))}
        for games in schedule.rounds
    ]
    for number, (before, now) in enumerate(pairwise(met), start=2):
        assert now[1] == number
        for player in range(2, players):
            last = player if before[player] == players else before[player]
            following = last + 1 if last + 1 < players else 1
            assert now[player] == (players if following == player else following)


@each("players", range(2, 25))
def test_4_9_11_colours_follow_the_two_clauses(players: int) -> None:
    """§ 4.9.11, "Farvefordeling": the highest by halves, the others by even and odd."""
    field = players + players % 2
    for game in (game for games in round_robin(players).rounds for game in games):
        white, black = game.white, game.black
        if field in (white, black):
            assert black == field if min(white, black) <= field // 2 else white == field
        elif white % 2 == 0:
            assert black > white if black % 2 else black < white
        else:
            assert black > white if black % 2 == 0 else black < white


@each("players", range(3, 25, 2))
def test_4_9_11_an_odd_field_sits_out_against_the_extra_player(players: int) -> None:
    """§ 4.9.11: the extra player has the highest number; whoever meets him sits out."""
    odd, even = round_robin(players), round_robin(players + 1)
    assert odd.players == players
    for number, games in enumerate(even.rounds):
        kept = tuple(game for game in games if max(game.white, game.black) <= players)
        absent = {p for game in games for p in (game.white, game.black) if game not in kept}
        assert odd.rounds[number] == kept
        assert absent == {odd.byes[number], players + 1}


def test_6_5_2_1_the_seed_of_lots_is_of_the_chain_and_of_the_names():
    """§ 6.5.2.1, § 6.6.1.2, § 6.7.4.2 (reading): nobody chooses it. Verdict: both decide."""
    head, names = bytes(range(32)), ["Anna", "Bent", "Carl"]
    seed = seed_of_lots(head, names)
    assert seed == seed_of_lots(head, names[::-1])
    assert seed.startswith(head.hex()[:16])
    assert len({seed, seed_of_lots(head[::-1], names), seed_of_lots(head, names[:2])}) == 3
    assert sorted(draw_lots(seed, names)) == [0, 1, 2]
