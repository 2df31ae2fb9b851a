"""§ 6.6.1, § 6.6.3: how the cup is cut into groups and who goes on."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.cup import (
    CupPlayer,
    going_on,
    group_sizes,
    is_start_month,
    may_enter_semifinal,
    plan,
    preliminary_groups,
    semifinal_groups,
)
from kskak.groups.schedule import draw_lots
from tests.fakes.machinery.each import each

UNCUT = {*range(6), 8, 9, 10, 11, 15, 16, 17, 22, 23, 29}
CUT = [number for number in range(6, 200) if number not in UNCUT]


def field(count, spread=20):
    return [CupPlayer(f"P{number}", 2300 - spread * number) for number in range(count)]


@each("entries", range(200))
def test_6_6_1_1_as_many_sevens_as_possible_then_sixes(entries):
    """§ 6.6.1.1: 7s, tapering off with 6s. Verdict: no cut has more 7s; some numbers have none."""
    sizes = group_sizes(entries)
    cuts = [s for s in range(entries // 7 + 1) if entries and not (entries - 7 * s) % 6]
    assert (sizes is None) == (entries in UNCUT) == (not cuts)
    if sizes is not None:
        assert sum(sizes) == entries
        assert set(sizes) <= {7, 6}
        assert sizes.count(7) == max(cuts)
        assert list(sizes) == sorted(sizes, reverse=True)


@each("entries", CUT[:40])
def test_6_6_1_2_groups_are_equally_strong(entries):
    """§ 6.6.1.2: as equal as can be. Verdict: means of equal groups within one step a player."""
    players = field(entries)
    groups = preliminary_groups(players)
    assert sorted(index for group in groups for index in group) == list(range(entries))
    by_size = {len(group): [] for group in groups}
    for group in groups:
        by_size[len(group)].append(sum(players[index].strength for index in group) / len(group))
    step = 20 * len(groups) / 6
    assert all(max(means) - min(means) <= step for means in by_size.values())


def means(players, groups):
    return [sum(players[index].strength for index in one) / len(one) for one in groups]


@pytest.mark.parametrize(("entries", "apart"), [(13, 2), (33, 2), (20, 4)])
def test_6_6_1_2_groups_of_six_and_seven_are_evened_out(entries, apart):
    """§ 6.6.1.2: steps of 20, no small group weaker for its size. Verdict: means this close.

    The snake alone leaves 13 entries in steps of 20 nearly 13 points apart.
    """
    found = means(field(entries), preliminary_groups(field(entries)))
    assert max(found) - min(found) <= apart


@given(st.integers(12, 40).filter(lambda n: n not in UNCUT), st.data())
def test_6_6_1_2_no_exchange_brings_the_means_closer(entries, data):
    """§ 6.6.1.2: pairs are exchanged until that helps no more. Verdict: tried one by one."""
    strengths = data.draw(st.lists(st.integers(900, 2400), min_size=entries, max_size=entries))
    players = [CupPlayer(f"P{n}", strength) for n, strength in enumerate(strengths)]
    groups = [list(group) for group in preliminary_groups(players)]
    overall = sum(strengths) / entries
    now = sum((mean - overall) ** 2 for mean in means(players, groups))
    for one, other in combinations(groups, 2):
        for seat, place in product(range(len(one)), range(len(other))):
            one[seat], other[place] = other[place], one[seat]
            tried = sum((mean - overall) ** 2 for mean in means(players, groups))
            one[seat], other[place] = other[place], one[seat]
            assert tried > now - 1e-3


def test_6_6_1_2_the_snake_goes_forth_and_back():
    """§ 6.6.1.2: reading, dealt in a snake. Verdict: 14 players by strength, by hand."""
    first, second = preliminary_groups(field(14))
    assert first == (0, 3, 4, 7, 8, 11, 12)
    assert second == (1, 2, 5, 6, 9, 10, 13)


def test_6_6_1_2_a_small_group_is_left_out_of_the_last_round():
    """§ 6.6.1.1, § 6.6.1.2: 13 players. Verdict: 7 and 6, the weakest in the group of 7."""
    seven, six = preliminary_groups(field(13))
    assert (len(seven), len(six)) == (7, 6)
    assert 12 in seven


@given(st.integers(14, 60).filter(lambda n: n not in UNCUT), st.data())
def test_6_6_1_2_who_plays_in_two_groups_is_never_twice_in_one(entries, data):
    """§ 6.6.1.2: at most 2 groups at once. Verdict: whoever has two places has two groups."""
    doubles = data.draw(st.integers(0, entries // 2))
    strengths = data.draw(st.lists(st.integers(1000, 2500), min_size=entries, max_size=entries))
    names = [f"P{n % (entries - doubles)}" for n in range(entries)]
    players = [CupPlayer(name, strength) for name, strength in zip(names, strengths, strict=True)]
    groups = preliminary_groups(players)
    assert sorted(map(len, groups), reverse=True) == list(group_sizes(entries))
    for group in groups:
        assert len({names[index] for index in group}) == len(group)


def test_6_6_1_2_a_third_place_and_a_number_that_cannot_be_cut_are_refused():
    """§ 6.6.1.1, § 6.6.1.2. Verdict: the complaint names the player, or the number."""
    with pytest.raises(ValueError, match="P0 is in more than 2"):
        preliminary_groups([*field(19), CupPlayer("P0", 1), CupPlayer("P0", 1)])
    with pytest.raises(ValueError, match="15 entries"):
        preliminary_groups(field(15))


@given(st.text(min_size=1, max_size=12))
def test_6_6_1_2_the_semifinal_is_a_free_draw_that_can_be_made_again(seed):
    """§ 6.6.1.2: free draw. Verdict: groups of 7, all in, the same from the same seed."""
    names = [*(f"P{number}" for number in range(20)), "P3"]
    groups = semifinal_groups(names, seed)
    assert groups == semifinal_groups(names, seed)
    assert [len(group) for group in groups] == [7, 7, 7]
    assert sorted(index for group in groups for index in group) == list(range(21))
    assert all(len({names[index] for index in group}) == 7 for group in groups)


def test_6_6_1_2_the_draw_is_free_of_strength():
    """§ 6.6.1.2: by lot alone. Verdict: over 200 seeds every pair meets in some group."""
    names = [f"P{number}" for number in range(14)]
    met = set()
    for number in range(200):
        for group in semifinal_groups(names, f"seed {number}"):
            met |= set(combinations(sorted(group), 2))
    assert met == set(combinations(range(14), 2))


def test_6_6_1_6_empty_places_are_filled_before_the_draw():
    """§ 6.6.1.6: the leader fills up. Verdict: 19 for groups of 7 lack 2."""
    with pytest.raises(ValueError, match="2 places are empty"):
        semifinal_groups([f"P{number}" for number in range(19)], "s")
    assert [may_enter_semifinal(rating) for rating in (1999, 2000, None)] == [False, True, False]


@pytest.mark.parametrize(
    ("groups", "direct", "expected"),
    [
        # 14 groups: the winners and seconds, 28, in 4 semi-finals; 3 of each, 42, make 6 x 2 = 12.
        (14, 0, (3, 6, 0, 2, 12)),
        # 11 groups: three each, 33 in 5 semi-finals of 35, whose two best make 10.
        (11, 0, (3, 5, 2, 2, 10)),
        (36, 0, (2, 11, 5, 1, 11)),
    ],
)
def test_6_6_1_3_the_plan_aims_at_a_final_of_eleven(groups, direct, expected):
    """§ 6.6.1.3: winners, seconds, perhaps thirds; a final of about 11. Verdict: by hand."""
    made = plan(groups, direct)
    found = (made.advancing, made.semifinals, made.empty, made.finalists, made.final)
    assert found == expected


def test_6_6_1_2_the_first_drawn_stand_first_in_their_groups():
    """§ 6.6.1.2: a free draw. Verdict: forth and back through two groups, in the order drawn."""
    players = [f"S{number}" for number in range(14)]
    first, second = semifinal_groups(players, "2027-1")
    order = draw_lots("2027-1", [f"{name}\n0" for name in players])
    assert first == tuple(order[place] for place in (0, 3, 4, 7, 8, 11, 12))
    assert second == tuple(order[place] for place in (1, 2, 5, 6, 9, 10, 13))


def test_6_6_1_3_every_group_sends_somebody_however_many_enter_later():
    """§ 6.6.1.3: 77 at the semi-final would make 11 groups. Verdict: the winner goes on as well."""
    assert plan(1, 77).advancing >= 1


@given(st.integers(1, 60), st.integers(0, 20))
def test_6_6_1_3_a_plan_adds_up(groups, direct):
    """§ 6.6.1.3: any cup. Verdict: places times groups fill the semi-finals, less the empty."""
    made = plan(groups, direct)
    assert made.semifinals * 7 == groups * made.advancing + direct + made.empty
    assert 0 <= made.empty < 7
    assert made.final == made.semifinals * made.finalists
    assert made.advancing in (1, 2, 3)
    assert made.finalists in (1, 2)


@pytest.mark.parametrize(("groups", "final"), [(3, 9), (4, 12), (5, 10), (11, 11)])
def test_6_6_1_1_a_cancelled_semifinal_sends_them_to_the_final(groups, final):
    """§ 6.6.1.1: too few entries, no semi-final. Verdict: as near to 11 as whole places come."""
    made = plan(groups, 0, has_semifinal=False)
    assert (made.semifinals, made.empty, made.finalists, made.final) == (0, 0, 0, final)
    assert made.advancing * groups == final
    with pytest.raises(ValueError, match="no preliminary group"):
        plan(0, 7)


def test_6_6_1_4_who_share_a_place_have_the_same_rights():
    """§ 6.6.1.4: still level, the same rights. Verdict: two seconds go on where one would."""
    placing = {"Anna": 1, "Bo": 2, "Carl": 2, "Dan": 4}
    assert going_on(placing, 1) == ("Anna",)
    assert going_on(placing, 2) == going_on(placing, 3) == ("Anna", "Bo", "Carl")


def test_6_6_3_the_preliminary_round_starts_in_the_last_quarter():
    """§ 6.6.3: the last quarter. Verdict: October to December."""
    assert [month for month in range(1, 13) if is_start_month(month)] == [10, 11, 12]
