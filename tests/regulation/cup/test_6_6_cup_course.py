"""§ 6.6.1: who goes on from round to round, and why; § 6.6.2: what a round is worth."""

from datetime import date
from fractions import Fraction

import pytest

from kskak.cup import (
    CupPlayer,
    CupQualification,
    RankedPlayer,
    count_empty_places,
    final_places,
    final_seats,
    first_groups,
    list_next_candidates,
    places_of_those_left,
    preliminary_groups,
    semifinal_seats,
    who_goes_on,
)
from kskak.entries.access import cup_rights_won
from kskak.entries.emt import EmtClass
from kskak.entries.rights import CupFinalStage, CupRightRound
from kskak.groups.crosstables import GroupTableGame, TablePlayer, group_table, rules_of_class
from kskak.groups.placing import RankingRules
from kskak.regulation.editions import Result


def ranked(text):
    """«A1 B2 C2 D4x»: players with places; x has left."""
    return tuple(
        RankedPlayer(one[0], int(one[1]), Fraction(9 - int(one[1])), one.endswith("x"))
        for one in text.split()
    )


def seats(found):
    return [(seat.player, seat.way.value, seat.group, seat.place) for seat in found]


def test_6_6_1_2_equals_are_dealt_by_lot_and_others_are_not():
    """§ 6.6.1.2: by strength; equals by the recorded lot. Verdict: same seed, same groups."""
    field = [CupPlayer(f"P{n}", 2000) for n in range(14)]
    assert first_groups(field, "a") == first_groups(field, "a") != first_groups(field, "b")
    clear = [CupPlayer(f"P{n}", 2000 - n) for n in range(14)]
    assert first_groups(clear, "a") == first_groups(clear, "b") == preliminary_groups(clear)


def test_6_6_1_3_winners_and_seconds_go_on_by_their_place():
    """§ 6.6.1.3: two of each group. Verdict: placed, with group and place."""
    found = who_goes_on({"I": ranked("A1 B2 C3"), "J": ranked("D1 E2 F3")}, 2)
    assert seats(found) == [
        ("A", "placed", "I", 1), ("B", "placed", "I", 2),
        ("D", "placed", "J", 1), ("E", "placed", "J", 2),
    ]  # fmt: skip
    assert {seat.way.paragraph for seat in found} == {"6.6.1.3"}


@pytest.mark.parametrize(
    ("rows", "places", "expected"),
    [
        ("A1 B1 C1 D4", 1, "A B C"),
        ("A1 B2 C2 D2 E5", 2, "B C D"),
        ("A1 B2 C3 D3 E3 F6", 3, "C D E"),
    ],
)
def test_6_6_1_4_three_who_stay_level_on_the_last_place_all_go_on(rows, places, expected):
    """§ 6.6.1.4: the same rights for all. Verdict: those at the limit are named level."""
    found = who_goes_on({"I": ranked(rows)}, places)
    assert [s.player for s in found if s.way is CupQualification.LEVEL] == expected.split()
    assert {s.way.paragraph for s in found if s.way is CupQualification.LEVEL} == {"6.6.1.4"}


def test_6_6_1_4_level_above_the_limit_is_no_crowd():
    """§ 6.6.1.4: two share the first place and two go on. Verdict: both simply placed."""
    assert [s.way for s in who_goes_on({"I": ranked("A1 B1 C3")}, 2)] == [
        CupQualification.PLACED
    ] * 2


def test_6_6_1_3_who_left_the_group_goes_on_from_nowhere():
    """§ 6.6.1.3, § 6.2.8: reading. Verdict: those behind him move up, a shared place stays."""
    group = ranked("A1 B2x C3 D3 E5")
    assert places_of_those_left(group) == {"A": 1, "C": 2, "D": 2, "E": 4}
    found = who_goes_on({"I": group}, 2)
    assert [s.player for s in found] == ["A", "C", "D"]


def test_6_6_1_6_entrants_and_those_filled_in_stand_behind_who_went_on():
    """§ 6.6.1.1.

    § 6.6.1.6: direct entry and filling up. Verdict: each with his way; who declines is out.
    """
    going = who_goes_on({"I": ranked("A1 B2 C3")}, 2)
    found = semifinal_seats(going, ["X"], ["Y"], ["B"])
    assert [(s.player, s.way) for s in found] == [
        ("A", CupQualification.PLACED), ("X", CupQualification.DIRECT), ("Y",
        CupQualification.ADDED),
    ]  # fmt: skip
    assert {s.way.paragraph for s in found[1:]} == {"6.6.1.6"}
    assert [count_empty_places(count) for count in (0, 6, 7, 8, 14)] == [7, 1, 0, 6, 0]


def test_6_6_1_3_two_places_in_the_semifinal_one_in_the_final():
    """§ 6.6.1.2, § 6.6.1.3: who goes on twice. Verdict: two seats, in the final one."""
    going = who_goes_on({"I": ranked("A1 B2"), "J": ranked("A1 C2")}, 1)
    assert [s.player for s in semifinal_seats(going, [])] == ["A", "A"]
    assert [s.player for s in final_seats(going)] == ["A"]


@pytest.mark.parametrize(("groups", "expected"), [(3, 2), (6, 2), (7, 2), (8, 1), (11, 1)])
def test_6_6_1_3_the_final_comes_as_near_to_eleven_as_the_groups_allow(groups, expected):
    """§ 6.6.1.3: winners and perhaps seconds. Verdict: by hand: 6, 12, 14, 8, 11."""
    names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    field = {str(n): ranked(f"{names[2 * n]}1 {names[2 * n + 1]}2") for n in range(groups)}
    assert final_places(field, 2) == expected


def test_6_6_1_3_ties_count_when_the_final_is_reckoned():
    """§ 6.6.1.3, § 6.6.1.4: 6 groups, in each three first. Verdict: 18 either way, so one place."""
    field = {str(n): ranked(f"{chr(65 + n)}1 {chr(75 + n)}1 {chr(85 + n)}1") for n in range(6)}
    assert final_places(field, 2) == 1


def test_6_6_1_6_whom_to_think_of_first():
    """§ 6.6.1.6: a proposal. Verdict: by place, then points; nobody who goes on or has left."""
    groups = {"I": ranked("A1 B2 C3x D4"), "J": ranked("E1 F2 G3 H4")}
    going = who_goes_on(groups, 1)
    assert list_next_candidates(groups, going) == ("B", "F", "G", "D", "H")


def finished(results, stage=RankingRules.CUP_FINAL):
    """A finished group of four from «AB1 AC=»."""
    told = {"1": Result.WHITE_WINS, "0": Result.BLACK_WINS, "=": Result.DRAW}
    games = [
        GroupTableGame(n, "ABCD".index(one[0]) + 1, "ABCD".index(one[1]) + 1, told[one[2]])
        for n, one in enumerate(results.split())
    ]
    players = [TablePlayer(n, name) for n, name in enumerate("ABCD", 1)]
    return group_table(stage, players, games)


@pytest.mark.parametrize(
    ("cup", "expected"),
    [
        # A 3 of 3, B 2, C 1, D 0: a final after a semi-final gives the winner the DM.
        (CupRightRound(CupFinalStage.FINAL, 60), {1: EmtClass.DM, 2: EmtClass.M}),
        # Without a semi-final its bounds hold for the final: 80 percent for M, 60 for K.
        (CupRightRound(CupFinalStage.FINAL, 60, False), {1: EmtClass.M, 2: EmtClass.K}),
        (CupRightRound(CupFinalStage.SEMIFINAL, 60), {1: EmtClass.M, 2: EmtClass.K}),
    ],
)
def test_6_6_2_what_a_round_of_the_cup_opens(cup, expected):
    """§ 6.6.2.1, § 6.6.2.2, § 6.6.2.3: the highest class each, for two years."""
    table = finished("AB1 AC1 AD1 BC1 BD1 CD1")
    won = cup_rights_won(cup, table, date(2027, 3, 1))
    assert {one.number: one.opens for one in won} == expected
    assert {one.until for one in won} == {date(2029, 3, 1)}
    assert {one.paragraph for one in won} == {cup.paragraph}


def test_6_6_2_2_three_level_winners_all_have_the_dm():
    """§ 6.6.2.2: one shared first place. Verdict: each of the three, at 67 percent."""
    table = finished("AB1 BC1 CA1 AD1 BD1 CD1")
    won = cup_rights_won(CupRightRound(CupFinalStage.FINAL, 60), table, date(2027, 3, 1))
    assert [(one.number, one.opens) for one in won] == [(n, EmtClass.DM) for n in (1, 2, 3)]


def test_6_6_1_5_the_final_has_its_own_rules():
    """§ 6.6.1.5: the final's ladder. Verdict: by the group's round, not by its class alone."""
    assert rules_of_class("cup", is_cup_final=True) is RankingRules.CUP_FINAL
    assert rules_of_class("cup") is RankingRules.CUP
