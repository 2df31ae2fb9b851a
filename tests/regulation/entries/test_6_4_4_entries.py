"""§ 6.4.4.1, § 6.1, § 6.4.2, § 6.6.1: what an entry must say, and what stands against it."""

from dataclasses import replace
from datetime import date

import pytest

from kskak.cases.case_events import Sanction, SanctionKind
from kskak.entries.emt import EmtClass
from kskak.entries.entry import (
    NON_MEMBER,
    CupEntry,
    Discretion,
    EntrantStatus,
    Entry,
    EntryFault,
    Signature,
    entry_faults,
    is_readmitted,
)
from kskak.entries.rights import ClassEligibility, ClassExclusion, Right
from tests.fakes.machinery.each import each

DAY = date(2026, 11, 20)
BY_A = ClassEligibility(by=(Right("6.5.3.2 a", DAY, (1,)),))
GOOD = Entry(EmtClass.K, "4711", "Klub", date(1950, 2, 28), DAY, k_rating=1900)
FREE = EntrantStatus(DAY, BY_A)


def faults(entry=GOOD, standing=FREE):
    return [fault.value for fault in entry_faults(entry, standing)]


@pytest.mark.parametrize(
    ("received", "expected"),
    [(DAY, []), (date(2026, 11, 21), ["no_fee"]), (None, ["no_fee"])],
)
def test_6_4_4_1_an_entry_is_valid_when_the_leader_has_the_fee(received, expected):
    """§ 6.4.4.1: valid only with the fee. Verdict: valid on the day it is received."""
    assert faults(replace(GOOD, fee_received=received)) == expected


def test_6_4_4_1_birth_date_and_membership_number_are_told():
    """§ 6.4.4.1: date of birth; club or individual, and number. Verdict: each is missed."""
    assert faults(replace(GOOD, born=None)) == ["no_birth_date"]
    assert faults(replace(GOOD, member_number=None)) == ["no_membership"]
    assert faults(replace(GOOD, club=None)) == [], "an individual member"
    assert faults(replace(GOOD, k_rating=None)) == [], "a beginner has none"


@pytest.mark.parametrize("paragraph", ["6.5.3.2 c", "6.5.3.2 d", "6.6.2.1", "6.6.2.2"])
def test_6_4_4_1_proof_is_wanted_where_the_player_must_show_his_right(paragraph):
    """§ 6.4.4.1, § 6.5.3.2 b-d: he proves it himself. Verdict: not where a opens the class too."""
    by_other = Right(paragraph, DAY)
    alone = EntrantStatus(DAY, ClassEligibility(by=(by_other,)))
    assert faults(standing=alone) == ["no_proof"]
    assert faults(replace(GOOD, has_proof=True), alone) == []
    assert faults(standing=EntrantStatus(DAY, ClassEligibility(by=(by_other, *BY_A.by)))) == []


@pytest.mark.parametrize(
    "access", [None, ClassEligibility(), ClassEligibility(BY_A.by, (ClassExclusion("6.5.1.2"),))]
)
def test_6_5_3_2_a_class_that_is_not_open_is_refused(access):
    """§ 6.5.3.2, § 6.5.1.2: no rule, or one against him. Verdict: not open."""
    assert faults(standing=EntrantStatus(DAY, access)) == ["not_open"]


def test_6_1_a_non_members_second_group_is_refused():
    """§ 6.1: one group of EMT or cup. Verdict: the first is good, a second is not."""
    stranger = replace(GOOD, member_number=None, club=None)
    assert faults(stranger) == []
    assert faults(stranger, replace(FREE, groups_before=1)) == ["second_of_non_member"]
    known = replace(stranger, is_registered=True)
    assert faults(known, replace(FREE, groups_before=1)) == ["no_membership"], "only his number"
    assert faults(GOOD, replace(FREE, groups_before=1)) == []


def test_6_1_only_the_controllers_word_lets_a_non_member_in_again():
    """§ 6.1 (reading): a word under that paragraph; the class is another's. Verdict: it alone."""
    word = Discretion(NON_MEMBER, Signature.CONTROLLER, 1)
    of_class = Discretion("6.5.3.2 e", Signature.LEADER, 2)
    assert is_readmitted((of_class, word))
    assert not is_readmitted((of_class,)) and not is_readmitted(())


def test_6_4_2_quarantine_is_checked_on_the_day_of_the_entry():
    """§ 6.4.2, § 4.1.19: a quarantine keeps him out. Verdict: on its last day, not the next."""
    term = Sanction(SanctionKind.QUARANTINE, date(2026, 8, 21), DAY)
    assert faults(standing=replace(FREE, sanctions=[term])) == ["quarantined"]
    over = replace(term, last=date(2026, 11, 19))
    assert faults(standing=replace(FREE, sanctions=[over])) == []


@each(
    ("change", "expected"),
    [
        ({}, ["expelled"]),
        ({"season_end": DAY}, ["expelled"]),
        ({"season_end": date(2026, 11, 19)}, []),
        ({"first": date(2026, 11, 21)}, []),
        ({"is_annulled": True}, []),
        ({"event": "cup"}, []),
        ({"kind": SanctionKind.WARNING}, []),
    ],
)
def test_6_4_2_who_is_expelled_enters_no_other_group_of_the_tournament(change, expected):
    """§ 6.4.2: expelled from the tournament. Verdict: till his group is over."""
    out = Sanction(SanctionKind.EXPULSION, DAY, event="emt")
    assert faults(standing=replace(FREE, sanctions=[replace(out, **change)])) == expected


@pytest.mark.parametrize(("groups", "expected"), [(1, []), (2, ["too_many_cup_groups"])])
def test_6_6_1_2_two_groups_of_the_cup_at_once(groups, expected):
    """§ 6.6.1.2: at most 2 groups at once. Verdict: a second yes, a third no."""
    entry = replace(GOOD, wish=CupEntry.PRELIMINARY)
    assert faults(entry, EntrantStatus(DAY, cup_groups=groups)) == expected


@pytest.mark.parametrize(
    ("rating", "expected"),
    [(2000, []), (1999, ["not_for_semifinal"]), (None, ["not_for_semifinal"])],
)
def test_6_6_1_6_two_thousand_may_begin_in_the_semifinal(rating, expected):
    """§ 6.6.1.6: K-rating of 2000, as he chooses. Verdict: 1999 begins in the preliminary."""
    semi = replace(GOOD, wish=CupEntry.SEMIFINAL, k_rating=rating)
    assert faults(semi, EntrantStatus(DAY)) == expected
    assert faults(replace(semi, wish=CupEntry.PRELIMINARY), EntrantStatus(DAY)) == []


def test_6_6_1_6_a_rating_that_only_the_player_states_is_shown_first():
    """§ 6.6.1.6: 2050 on his own word. Verdict: waits for proof; the first round never does."""
    semi = replace(GOOD, wish=CupEntry.SEMIFINAL, k_rating=2050, is_k_registered=False)
    assert faults(semi, EntrantStatus(DAY)) == ["rating_unproved"]
    assert faults(replace(semi, has_proof=True), EntrantStatus(DAY)) == []
    assert faults(replace(semi, wish=CupEntry.PRELIMINARY), EntrantStatus(DAY)) == []
    assert faults(replace(semi, k_rating=1999), EntrantStatus(DAY)) == ["not_for_semifinal"]


def test_every_fault_has_its_paragraph():
    """§ 6.4.4: what is refused is refused with its rule. Verdict: no fault without one."""
    assert all(fault.paragraph for fault in EntryFault)


def test_6_4_4_1_proof_is_wanted_where_every_right_is_one_to_be_shown():
    """§ 6.5.3.2 b-d: each of the four is his to prove. Verdict: all together as well."""
    shown = ("6.5.3.2 c", "6.5.3.2 d", "6.6.2.1", "6.6.2.2")
    every = EntrantStatus(
        DAY, ClassEligibility(by=tuple(Right(paragraph, DAY) for paragraph in shown))
    )
    assert faults(standing=every) == ["no_proof"]


def test_6_4_4_what_is_missing_is_told_in_one_order():
    """§ 6.4.4.1, § 6.1, § 6.4.2: papers, person, class. Verdict: the fee first, the class last."""
    out = Sanction(SanctionKind.QUARANTINE, DAY, date(2027, 2, 1))
    entry = replace(GOOD, fee_received=None, born=None, member_number=None, club=None)
    standing = EntrantStatus(DAY, None, groups_before=1, sanctions=(out,))
    told = ["no_fee", "no_birth_date", "second_of_non_member", "quarantined", "not_open"]
    assert faults(entry, standing) == told


def test_6_6_1_2_who_is_in_no_group_of_the_cup_may_be_in_two():
    """§ 6.6.1.2. Verdict: nothing is counted of a newcomer."""
    newcomer = EntrantStatus(DAY)
    assert (newcomer.groups_before, newcomer.cup_groups) == (0, 0)
