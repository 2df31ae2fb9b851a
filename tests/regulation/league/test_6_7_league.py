"""§ 6.7.1-6.7.4, § 6.7.6.2: line-ups, reserves, the draw, individual members' teams."""

from collections import Counter
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from kskak.entries.emt import EmtClass
from kskak.league.composition import mean_rating, provisional_rating
from kskak.league.lineups import (
    BoardPlayer,
    Lineup,
    LineupFault,
    LineupFinding,
    Replacement,
    ReserveFault,
    ReserveRecord,
    ReserveStatement,
    against_register,
    board_schedules,
    boards_out_of_order,
    determine_club,
    left_to_pause,
    letters_due,
    lineup_findings,
    longest_pause,
    reserve_faults,
    teams_of_individuals,
    usual_start,
)


def team(club, division, *names, ratings=(2000, 1900, 1800, 1700), group=None):
    players = zip(names, ratings, strict=False)
    return Lineup(club, division, tuple(BoardPlayer(n, club, r) for n, r in players), group)


ONE = team("Nord", 1, "Anna", "Bo", "Carl", "Dan")
TWO = team("Nord", 2, "Eva", "Finn", "Gry", "Hans")
DAY = date(2027, 3, 1)
IN = Replacement(3, "Ida", "Nord", 1900, DAY, approved=DAY)


def faults(*teams):
    return [row.fault.value for row in lineup_findings(teams)]


def test_6_7_2_1_boards_stand_in_order_of_rating():
    """§ 6.7.2.1: strongest first. Verdict: a higher rating below is told with its board."""
    crooked = team("Nord", 1, "Anna", "Bo", "Carl", "Dan", ratings=(2000, 1800, 1900, 1900))
    assert boards_out_of_order(crooked) == (3,)
    assert lineup_findings([crooked]) == (LineupFinding(0, LineupFault.BOARD_ORDER, ("Carl",)),)
    assert faults(ONE) == []


def test_6_7_2_1_an_order_the_leader_set_is_not_questioned():
    """§ 6.7.2.1: the leader changes plain cases. Verdict: his recorded order stands."""
    crooked = team("Nord", 1, "Anna", "Bo", "Carl", "Dan", ratings=(1700, 1800, 1900, 2000))
    assert faults(replace(crooked, order_by_leader=True)) == []


def test_6_7_2_1_a_team_has_four_players():
    """§ 6.7.2.1: four boards. Verdict: three, or one twice, is no team."""
    assert faults(team("Nord", 1, "Anna", "Bo", "Carl")) == ["players"]
    assert faults(team("Nord", 1, "Anna", "Bo", "Carl", "Anna")) == ["players"]


def test_6_7_3_2_all_of_a_team_are_members_of_its_club():
    """§ 6.7.3.2: members of the same club at the entry. Verdict: the stranger is named."""
    stranger = BoardPlayer("Zoe", "Syd", 1700)
    mixed = replace(ONE, boards=(*ONE.boards[:3], stranger))
    assert lineup_findings([mixed]) == (LineupFinding(0, LineupFault.OTHER_CLUB, ("Zoe",)),)


def test_6_7_3_2_one_division_team_a_player():
    """§ 6.7.3.2: several teams of his club, one division team. Verdict: 1 and 3 yes, 1 and 2 no."""
    second = replace(TWO, boards=(*ONE.boards[:1], *TWO.boards[1:]))
    assert faults(ONE, second) == ["two_division_teams"]
    assert faults(ONE, replace(second, division=3, group="A")) == []
    third = replace(second, division=3)
    assert faults(replace(third, group="A"), replace(third, club="Nord", group="B")) == []


def test_6_7_3_2_nobody_plays_for_two_clubs_without_the_leaders_leave():
    """§ 6.7.3.2: not for two clubs at once; the leader may dispense. Verdict: so."""
    other = team("Syd", 3, "Anna", "Kaj", "Lis", "Mia")
    assert faults(ONE, other) == ["two_clubs"]
    dispensed = replace(other.boards[0], may_play_for_two=True)
    assert faults(ONE, replace(other, boards=(dispensed, *other.boards[1:]))) == []


def test_6_7_2_3_nobody_is_twice_in_a_division():
    """§ 6.7.2.3: one game against each on his board. Verdict: no two places in one group."""
    other = team("Syd", 1, "Anna", "Kaj", "Lis", "Mia")
    assert faults(ONE, other) == ["twice_in_division", "two_clubs"]


def test_6_7_3_3_one_team_a_club_and_division():
    """§ 6.7.3.3: at most one team in each division. Verdict: two groups of the third are two."""
    assert faults(ONE, replace(TWO, division=1)) == ["two_teams_of_club"]
    assert faults(ONE, TWO) == []
    third = [replace(ONE, division=3, group="A"), replace(TWO, division=3, group="B")]
    assert faults(*third) == []
    assert faults(third[0], replace(third[1], group="A")) == ["two_teams_of_club"]


@pytest.mark.parametrize(("used", "expected"), [(1, []), (2, ["too_many"])])
def test_6_7_4_3_two_reserves_a_team(used, expected):
    """§ 6.7.4.3: up to 2 reserves. Verdict: the second goes in, a third does not."""
    assert reserve_faults(ONE, IN, used) == tuple(expected)


@pytest.mark.parametrize(
    ("rating", "margin", "expected"),
    [(1900, 100, ()), (1901, 100, ("too_strong",)), (1850, 50, ()), (1851, 50, ("too_strong",))],
)
def test_6_7_4_3_a_reserve_is_not_much_stronger_than_whom_he_replaces(rating, margin, expected):
    """§ 6.7.4.3: "not essentially" stronger than 1800. Verdict: by the leader's number."""
    assert reserve_faults(ONE, replace(IN, rating=rating), 0, (), margin) == expected


@pytest.mark.parametrize(
    ("approved", "expected"),
    [(DAY, ()), (date(2027, 3, 2), ("not_approved",)), (None, ("not_approved",))],
)
def test_6_7_4_3_the_leader_approves_beforehand(approved, expected):
    """§ 6.7.4.3: approved before he goes in. Verdict: on the day itself at the latest."""
    assert reserve_faults(ONE, replace(IN, approved=approved), 0) == expected


def test_6_7_4_3_a_reserve_belongs_to_the_club_and_to_no_other_division_team():
    """§ 6.7.4.3, § 6.7.3.2: the club's, on one division team. Verdict: each clash is told."""
    assert reserve_faults(ONE, replace(IN, club="Syd"), 0) == ("other_club",)
    assert reserve_faults(ONE, replace(IN, reserve="Anna"), 0) == ("on_the_team",)
    eva = replace(IN, reserve="Eva")
    assert reserve_faults(ONE, eva, 0, [TWO]) == ("on_another_team",)
    assert reserve_faults(ONE, eva, 0, [replace(TWO, division=3)]) == ()
    assert reserve_faults(ONE, IN, 0, [TWO]) == (), "he is on neither"
    third, other = team("Nord", 3, "Anna", group="A"), replace(TWO, division=3, group="A")
    assert reserve_faults(third, replace(eva, board=1), 0, [other]) == ("on_another_team",)
    assert reserve_faults(third, replace(eva, board=1), 0, [replace(other, group="B")]) == ()


@pytest.mark.parametrize(("board", "is_there"), [(0, False), (1, True), (4, True), (5, False)])
def test_6_7_2_1_a_reserve_sits_down_at_one_of_four_boards(board, is_there):
    """§ 6.7.2.1: boards from 1 to 4. Verdict: another is the caller's mistake."""
    if is_there:
        assert reserve_faults(ONE, replace(IN, board=board), 0) in ((), ("too_strong",))
    else:
        with pytest.raises(ValueError, match=f"board {board}"):
            reserve_faults(ONE, replace(IN, board=board), 0)


def test_6_7_4_3_a_reserve_is_100_points_stronger_at_most_when_nobody_says_otherwise():
    """§ 6.7.4.3 (reading): "not essentially" stronger is 100 points. Verdict: 101 are too many."""
    assert reserve_faults(ONE, replace(IN, rating=1900), 0) == ()
    assert reserve_faults(ONE, replace(IN, rating=1901), 0) == ("too_strong",)


def test_6_7_4_3_the_pause_for_a_reserve_is_fourteen_days():
    """§ 6.7.4.3: 14 days. Verdict: from the first to the fourteenth, both included."""
    assert longest_pause(DAY) == (DAY, date(2027, 3, 14))


def test_6_7_4_3_the_days_of_a_pause_are_of_one_change_however_often_it_is_asked_for():
    """§ 6.7.4.3: 14 days in all. Verdict: what earlier requests had is gone, each day once."""
    later = date(2027, 4, 1)
    assert left_to_pause([], later) == 14
    first = (DAY, date(2027, 3, 5))
    assert left_to_pause([first], later) == 9
    assert left_to_pause([first, (date(2027, 3, 5), date(2027, 3, 13))], later) == 1
    assert left_to_pause([first, (date(2027, 3, 6), date(2027, 3, 14))], later) == 0
    assert left_to_pause([(DAY, date(2027, 3, 30))], later) == 0
    assert left_to_pause([first], date(2027, 3, 5)) == 10, "the day that rests is had already"
    assert longest_pause(DAY, 1) == (DAY, DAY)


def test_6_7_3_2_membership_and_strength_are_the_registers():
    """§ 6.7.6.2.

    § 6.7.3.2, § 6.7.4.3: the captain's word counts where the register is silent alone.
    """
    syd = ReserveRecord(True, "Syd", 2400, 1900)
    assert determine_club(ReserveStatement("Nord", 1750), syd, "Nord") == "Syd"
    assert against_register(ReserveStatement(None, 1750), syd) == ("other_rating",)
    assert against_register(ReserveStatement(None, 2400), syd) == ()
    unrated = ReserveRecord(True, "Nord", None, None)
    assert against_register(ReserveStatement(None, None), unrated) == ("no_rating",)
    assert against_register(ReserveStatement(None, 1750), unrated) == ()
    beginner = ReserveRecord(True, "Nord", None, 1750)
    assert against_register(ReserveStatement(None, 1751), beginner) == ("other_rating",)
    assert against_register(ReserveStatement(None, 1750), None) == ("not_in_register",)
    stranger = ReserveRecord(False, "Syd", None, None)
    assert determine_club(ReserveStatement(None, 1), stranger, "Nord") == "Syd", (
        "he played here for Syd"
    )
    assert determine_club(ReserveStatement(None, 1), None, "Nord") == "Nord"
    assert (
        determine_club(ReserveStatement("Nord", 1), ReserveRecord(True, None, 1, 1), "Nord") == ""
    )


def test_6_7_4_2_colours_are_balanced_board_by_board():
    """§ 6.7.4.2, § 6.7.2.3: 6 games a player. Verdict: 3 white each, 2 white a match."""
    boards = board_schedules(7)
    assert len(boards) == 4
    matches = Counter()
    for board in boards:
        games = [game for games in board.rounds for game in games]
        assert set(Counter(game.white for game in games).values()) == {3}
        assert set(Counter(game.black for game in games).values()) == {3}
        matches.update((game.white, game.black) for game in games)
    assert set(matches.values()) == {2}
    assert len(matches) == 42, "21 matches, each pair with both colours"


def test_6_7_4_2_letters_go_out_a_fortnight_before_the_start():
    """§ 6.7.1.2, § 6.7.4.2: about 10 January, 14 days before. Verdict: 27 December."""
    assert letters_due(usual_start(2027)) == date(2026, 12, 27)


def test_6_7_4_1_individual_members_become_teams_of_their_district():
    """§ 6.7.3.2.

    § 6.7.4.1, § 6.7.3.1: a district's members as a club. Verdict: fours by strength.
    """
    members = [BoardPlayer(f"P{n}", "Kreds 3", 1500 + 10 * n) for n in range(9)]
    teams, left = teams_of_individuals(members)
    assert [[player.player for player in row] for row in teams] == [
        ["P8", "P7", "P6", "P5"],
        ["P4", "P3", "P2", "P1"],
    ]
    assert [player.player for player in left] == ["P0"]
    assert faults(*(Lineup("Kreds 3", d, row) for d, row in enumerate(teams, 1))) == []
    with pytest.raises(ValueError, match="one club"):
        teams_of_individuals([*members, BoardPlayer("Q", "Kreds 4", 1500)])


def test_6_7_6_2_the_mean_is_the_sum_divided_by_four():
    """§ 6.7.6.2 (check Q20): (a + b + c + d) / 4. Verdict: unrounded; three players have none."""
    assert mean_rating([2001, 1900, 1800, 1700]) == Fraction(7401, 4)
    with pytest.raises(ValueError, match="4 players"):
        mean_rating([2000, 1900, 1800])


@pytest.mark.parametrize(
    ("k", "otb", "entered", "expected"),
    [
        (1650, 1900, EmtClass.K, 1650),
        (None, 1900, EmtClass.OPEN, 1900),
        (None, None, EmtClass.OPEN, 1899),
        (None, None, EmtClass.K, 1900),
        (None, None, EmtClass.M, 2100),
    ],
)
def test_6_7_6_2_a_provisional_rating_is_the_last_known_other_one(k, otb, entered, expected):
    """§ 6.7.6.2 (check Q21): over-the-board rating, else from § 6.5.3.2 (reading). Verdict: so."""
    assert provisional_rating(k, otb, entered) == expected


def test_6_7_every_fault_has_its_paragraph():
    """§ 6.7.2-6.7.4: what is refused is refused with its rule. Verdict: no fault without one.

    Only who is barred is refused by what every door asks and not by the league's own rules.
    """
    asked = {ReserveFault.BARRED, ReserveFault.MEMBERS_ONLY, ReserveFault.LEAVING}
    others = [fault for fault in ReserveFault if fault not in asked]
    assert all(fault.paragraph.startswith("6.7.") for fault in (*LineupFault, *others))
    assert ReserveFault.BARRED.paragraph == "6.4.2"
