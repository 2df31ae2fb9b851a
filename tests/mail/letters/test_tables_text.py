"""Figures, and the steps of a rating calculation, in words."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from kskak.groups.crosstables import GroupTableGame, TablePlayer, group_table
from kskak.groups.placing import RankingRules, ScoredGame
from kskak.rating.calculation import RatedGroup, rate
from kskak.regulation.editions import Result
from mail.office_letters.bulletins import meeting_text, separations
from mail.text.catalogue import Words, columns, decimal, halves, hundredths, write_signed
from mail.text.explanations import step_lines
from tests.fakes.machinery.each import each, rows

DA, EN = Words.load("da"), Words.load("en")


@rows("points text", ("0", "0"), ("0.5", "½"), ("1", "1"), ("4.5", "4½"), ("0.25", "1/4"))
def test_points_are_written_as_chess_writes_them(points, text):
    assert halves(Fraction(points)) == text


def test_decimals_follow_the_language_and_minus_is_a_minus():
    assert decimal(Fraction(-27, 2), DA) == "−13,5"
    assert decimal(Fraction(250, 3), EN, 1) == "83.3"
    assert decimal(Fraction(12), DA) == "12"
    assert hundredths(Fraction(3, 5), DA) == "0,60"
    assert (write_signed(Fraction(33, 2), DA), write_signed(Fraction(0), DA)) == ("+16,5", "0")


def test_columns_are_padded_and_trailing_blanks_cut():
    assert columns([["a", "bb", "c"], ["aa", "b", ""]]) == ["a   bb  c", "aa  b"]


def group(ratings: dict[str, int], *decisive: str) -> RatedGroup:
    """Everybody meets everybody; who stands first in a pair of ``decisive`` wins it, else draws."""
    games = []
    for white, black in combinations(ratings, 2):
        result = Result.DRAW
        if white + black in decisive:
            result = Result.WHITE_WINS
        if black + white in decisive:
            result = Result.BLACK_WINS
        games.append(ScoredGame(white, black, result))
    return RatedGroup(ratings, tuple(games))


def steps(found: RatedGroup, name: str) -> tuple[str, ...]:
    return step_lines(next(row for row in rate(found) if row.name == name), DA)


def test_the_average_method_is_shown_with_mean_and_table():
    ratings = {name: 1900 + 20 * index for index, name in enumerate("ABCDEFG")}
    assert steps(group(ratings), "A")[:2] == (
        "A: 1900 → 1917",
        "  Forventet score efter gennemsnitsmetoden: gruppens gennemsnit er 1960, forskellen −60,"
        " og tabel 1 giver 0,42. 7 × 0,42 − ½ = 2,44, afrundet 2,45 (§ 4.5.2.1).",
    )


def test_a_double_round_says_so():
    single = group({"A": 1960, "B": 1900, "C": 1900})
    double = RatedGroup(single.ratings, single.games * 2)
    assert "2 × (3 × 0,56 − ½) = 2,36" in steps(double, "A")[1]
    assert (
        "omgang ganges med 2, før der afrundes (§ 4.5.2.1, vores fortolkning)"
        in steps(double, "A")[2]
    )
    assert not any("omgang" in line for line in steps(single, "A"))


def test_a_bonus_is_shown():
    lines = steps(group({"A": 1000, "B": 1190, "C": 1190, "D": 1190}, "AB", "AC", "AD"), "A")
    assert lines[2] == "  Bonus: 3 − 0,75 − 1½ = 0,75 (§ 4.5.2.2)."
    assert lines[3] == "  45 × (3 − 0,75 + 0,75) = +135 (§ 4.5.2, K efter § 4.5.2.3)."


def test_a_winner_below_expectation_keeps_his_rating_and_the_line_says_why():
    lines = steps(group({"A": 2000, "B": 1700, "C": 1700}, "AB"), "A")
    assert lines[-1] == (
        "  Gruppevinder under det forventede: ratingtallet bliver stående (§ 4.5.2.5)."
    )


def test_the_floor_is_named():
    lines = steps(group({"A": 1010, "B": 1010, "C": 1010}, "BA", "CA"), "A")
    assert lines[-1] == "  Forhøjet til 1000 (§ 4.5.2.6)."


def test_who_has_played_nothing_is_told_so():
    found = RatedGroup({"A": 1900, "B": 1900}, ())
    assert steps(found, "A") == ("A: 1900 → 1900", "  Ingen ratede partier.")


def test_all_who_share_a_place_are_named_together_those_without_a_game_too():
    """A beats B; C and D have not finished a game and share B's place (§ 6.5.4.1)."""
    players = [TablePlayer(number, name) for number, name in enumerate("CDBA", 1)]
    games = [
        GroupTableGame(i, white, black, Result.BLACK_WINS if (white, black) == (3, 4) else None)
        for i, (white, black) in enumerate(combinations(range(1, 5), 2))
    ]
    table = group_table(RankingRules.EMT, players, games)
    assert separations(table, DA) == ("C, D og B deler 2.-pladsen.",)
    assert separations(table, EN) == ("C, D and B share place 2.",)
    assert separations(group_table(RankingRules.EMT, players, []), DA) == ()


def _met(names: str, *won: str) -> list[GroupTableGame]:
    """All games of a single round; ``won``: the winner and who lost, the others still run."""
    pairs = list(combinations(range(len(names)), 2))
    found = {frozenset(pair): pair[0] for pair in won}
    assert len(found) == len(won)

    def result(white: int, black: int) -> Result | None:
        winner = found.get(frozenset((names[white], names[black])))
        if winner is None:
            return None
        return Result.WHITE_WINS if winner == names[white] else Result.BLACK_WINS

    return [GroupTableGame(i, w + 1, b + 1, result(w, b)) for i, (w, b) in enumerate(pairs)]


def test_6_5_4_1_of_three_who_were_level_all_are_named_with_their_points_against_each_other():
    """A's point is from E; A against C still runs, so «1 mod 0» would be untrue of the two."""
    names = "ACEXYZ"
    players = [TablePlayer(number, name) for number, name in enumerate(names, 1)]
    table = group_table(RankingRules.EMT, players, _met(names, "AE", "CX", "EY", "XZ", "YZ"))
    told = separations(table, DA)
    assert told[:2] == (
        "A står over C: i de indbyrdes partier mellem A, C og E er der 1, 0 og 0 point.",
        "C og E deler 2.-pladsen.",
    )
    assert told[2] == "E står over X: Sonneborn-Berger 1 mod 0."
    assert separations(table, EN)[0] == (
        "A stands above C: the games between A, C and E brought them 1, 0 and 0 points."
    )


def test_6_5_4_1_of_two_who_were_level_their_own_game_is_told():
    names = "ACXY"
    players = [TablePlayer(number, name) for number, name in enumerate(names, 1)]
    table = group_table(RankingRules.EMT, players, _met(names, "AC", "CX", "XY"))
    assert separations(table, DA)[0] == "A står over C: indbyrdes partier 1 mod 0."


@each(
    "result is_played cells",
    ("1-0", True, "1 0"),
    ("1-0", False, "+ –"),
    ("0-1", False, "– +"),
    ("0-0", False, "– –"),
    ("0-0", True, "0 0"),
    ("1/2-0", True, "½ 0"),
    ("0-1/2", True, "0 ½"),
    ("1/2-1/2", False, "½ ½"),
)
def test_an_unplayed_game_and_half_a_point_stand_in_the_table(result, is_played, cells):
    """+ and – where nobody moved; half a point for one."""
    players = [TablePlayer(number, name) for number, name in enumerate("AB", 1)]
    games = [GroupTableGame(1, 1, 2, Result(result), None, is_played)]
    lines = group_table(RankingRules.EMT, players, games).by_number
    assert " ".join(meeting_text(line.meetings[0], DA) for line in lines) == cells
