"""§ 6.7.4.5-6.7.4.6: the order of a division's teams, step by step, and the title."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kskak.groups.crosstables import board_tables, crosstable, prizes_of_clubs
from kskak.groups.placing import (
    BoardGame,
    BoardTeam,
    Division,
    RankingStep,
    ScoredGame,
    board_weights,
    league_placing,
    points_of,
    team_champion,
    weight,
)
from tests.regulation.tables import RESULTS


def division(*matches: str, clubs: str = "ABC", lots: str = "") -> Division:
    """``AB1=0=``: A against B, boards 1 to 4, seen from A; a dot is a game not finished."""
    games = [
        BoardGame(board, ScoredGame(match[0], match[1], RESULTS[result]))
        for match in matches
        for board, result in enumerate(match[2:], 1)
        if result != "."
    ]
    teams = [BoardTeam(club, tuple(f"{club}{board}" for board in range(1, 5))) for club in clubs]
    return Division(tuple(teams), tuple(games), tuple(lots))


def order(found: Division) -> list[tuple[int, str, str | None]]:
    return [(row.place, row.name, row.decided_by) for row in league_placing(found)]


@pytest.mark.parametrize(("board", "worth"), [(1, 4), (2, 3), (3, 2), (4, 1)])
def test_6_7_4_5_a_win_weighs_by_its_board(board, worth):
    """§ 6.7.4.5: 4, 3, 2, 1; a draw half of it (reading), a game that both lost nothing."""
    assert weight(board) == worth
    for result, white, black in (("1", worth, 0), ("=", Fraction(worth, 2), Fraction(worth, 2))):
        game = BoardGame(board, ScoredGame("A", "B", RESULTS[result]))
        assert board_weights("AB", [game]) == {"A": white, "B": black}
    assert board_weights("AB", [BoardGame(board, ScoredGame("A", "B", RESULTS["-"]))])["A"] == 0


@pytest.mark.parametrize("board", [0, 5])
def test_6_7_4_5_there_are_four_boards(board):
    """§ 6.7.4.5: no weight beyond."""
    with pytest.raises(ValueError, match="1 to 4"):
        weight(board)


def test_6_7_4_5_points_first():
    """§ 6.7.4.5: the points of all boards together."""
    found = division("AB1111", "AC000=", "BC11==")
    assert points_of("ABC", found.played) == {"A": Fraction(9, 2), "B": 3, "C": Fraction(9, 2)}
    assert order(found)[2] == (3, "B", "points")


def test_6_7_4_5_own_games_second():
    """§ 6.7.4.5: A and B have 4½; A won their match 2½-1½."""
    found = division("AB1===", "AC====", "BC11==")
    assert order(found) == [(1, "A", None), (2, "B", "own_game"), (3, "C", "points")]


def test_6_7_4_5_board_weight_third():
    """§ 6.7.4.5: A and B drew 2-2 and won 2½-1½ from C, A on board 4, B on board 1."""
    found = division("AB====", "AC===1", "BC1===")
    assert board_weights("AB", found.games) == {"A": Fraction(21, 2), "B": 12}
    assert order(found) == [(1, "B", None), (2, "A", "board_weight"), (3, "C", "points")]


def test_6_7_4_5_board_weight_of_own_games_fourth():
    """§ 6.7.4.5: 11½ each over all games; of their own match A has 5½, B 4½."""
    found = division("AB10==", "AC==1=", "BC1===")
    assert board_weights("AB", found.games) == {"A": Fraction(23, 2), "B": Fraction(23, 2)}
    assert order(found) == [(1, "A", None), (2, "B", "own_board_weight"), (3, "C", "points")]


def test_6_7_4_5_the_weights_of_own_games_of_three_are_told():
    """§ 6.7.4.5: 7 points, 4 of their own, one weight each. Verdict: own weights 10½, 10, 9½."""
    matches = ("AB0==0", "AC1=1=", "BC0==0", "AD1101", "BD11==", "CD1110")
    found = division(*matches, clubs="ABCD")
    assert points_of("ABC", found.played) == dict.fromkeys("ABC", 7)
    assert len(set(board_weights("ABC", found.games).values())) == 1
    rows = league_placing(found)
    assert [row.decided_by for row in rows[1:3]] == ["own_board_weight"] * 2
    weights = (("A", Fraction(21, 2)), ("B", Fraction(10)), ("C", Fraction(19, 2)))
    assert rows[1].among == rows[2].among == weights


def test_6_7_4_5_lots_last():
    """§ 6.7.4.5: level in everything: one place until lots are drawn, then the order drawn."""
    matches = ("AB====", "AC====", "BC====")
    assert order(division(*matches)) == [(1, "A", None), (1, "B", "lots"), (1, "C", "lots")]
    assert order(division(*matches, lots="CAB")) == [
        (1, "C", None),
        (2, "A", "lots"),
        (3, "B", "lots"),
    ]
    assert order(division(*matches, lots="CA"))[2][0] == 1, "not all of those level were drawn"


def test_6_7_4_5_three_level_teams_are_taken_together():
    """§ 6.7.4.5: 4 points each, and 4 each among themselves; weights 11½, 10 and 8½."""
    found = division("AB1===", "AC===0", "BC===1")
    assert set(points_of("ABC", found.played).values()) == {4}
    assert order(found) == [
        (1, "A", None),
        (2, "C", "board_weight"),
        (3, "B", "board_weight"),
    ]


def test_6_7_4_5_each_step_is_taken_once():
    """§ 6.7.4.5: of three level, own games put C first; A and B, level among the three, go on to
    the weights, though A beat B (reading)."""
    matches = ("AB===1", "AC==00", "BC====", "AD==11", "BD11==", "CD0===")
    found = division(*matches, clubs="ABCD")
    assert points_of("ABC", found.played) == dict.fromkeys("ABC", Fraction(13, 2))
    assert board_weights("AB", found.games) == {"A": Fraction(31, 2), "B": 18}
    assert order(found)[:3] == [
        (1, "C", None),
        (2, "B", "own_game"),
        (3, "A", "board_weight"),
    ]
    _, second, third, _ = league_placing(found)
    assert [club for club, _ in second.among] == ["C", "A", "B"], "the table of their own games"
    assert third.among == (), "the weights are of all games"


def test_6_7_4_5_unfinished_games_are_nobodys():
    """§ 6.7.4.5: a table in mid-season counts what is finished."""
    found = division("AB1...", "BC1...")
    assert order(found) == [(1, "A", None), (2, "B", "own_game"), (3, "C", "points")]


def test_6_7_4_6_the_winner_of_division_1_is_champion():
    """§ 6.7.4.5, § 6.7.4.6: and while lots decide, nobody is yet."""
    won = league_placing(division("AB1===", "AC====", "BC11=="))
    assert (team_champion(won).holders, team_champion(won).awaits) == (("A",), None)
    level = league_placing(division("AB====", clubs="AB"))
    assert team_champion(level).awaits is RankingStep.LOTS


def test_6_7_2_3_match_tables_by_club_and_by_board():
    """§ 6.7.2.3: a club's cell has the boards together; each board has a table of its players."""
    found = division("AB1=0=", "AC====", "BC11==")
    by_club = crosstable(found)
    assert by_club.columns == ("B", "A", "C")
    (b, a, _) = by_club.rows
    assert (b.cells[1].points, b.cells[1].total) == ((0, Fraction(1, 2), 1, Fraction(1, 2)), 2)
    assert (a.cells[1].is_own, a.cells[1].total, a.sonneborn_berger) == (True, None, None)
    first = board_tables(found)[0]
    assert first.columns == ("A1 (A)", "B1 (B)", "C1 (C)")
    assert [row.points for row in first.rows] == [Fraction(3, 2), 1, Fraction(1, 2)]


def test_6_7_4_5_clubs_that_share_a_place_share_its_prizes():
    """§ 6.7.4.5, § 6.5.4 (reading): level to the end. Verdict: half of the two prizes each."""
    level = crosstable(division("AB====", "AC1111", "BC1111"))
    shared = dict(prizes_of_clubs(level, (30_000, 10_000)))
    assert shared == {"A": 20_000, "B": 20_000}
