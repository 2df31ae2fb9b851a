"""§ 6.4.4.1, § 6.5.1.2, § 6.5.2.2, § 6.5.3.2, § 6.1: what becomes of an entry, rule by rule."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from kskak.cases.case_events import Sanction, SanctionKind
from kskak.entries.emt import EmtClass
from kskak.entries.entry import (
    BY_BOTH,
    BY_LEADER,
    CupEntry,
    Discretion,
    EntrantStatus,
    Entry,
    EntryFault,
    EntryProblem,
    EntryRefusal,
    EntryWait,
    OtherEntry,
    Signature,
    after_discretion,
    closed_by,
    entry_faults,
    is_let_in,
    is_proved,
    may_be_doubled,
    select_refusing_faults,
    start_faults,
    waits_for,
)
from kskak.entries.rights import ClassEligibility, ClassExclusion, Right
from tests.fakes.machinery.each import each
from tests.regulation.season import answers, emt

DAY = date(2026, 11, 20)
TL = Discretion(BY_LEADER, Signature.LEADER, 1)
BOTH_TL = Discretion(BY_BOTH, Signature.LEADER, 1)
BOTH_KC = Discretion(BY_BOTH, Signature.CONTROLLER, 2)
SHUT = (EntryFault.NOT_OPEN,)


@pytest.mark.parametrize("fault", EntryFault)
def test_6_4_4_1_fee_proof_and_decision_wait_and_the_rest_is_refused(fault):
    """§ 6.1, § 6.4.2, § 6.6.1.2, § 6.6.1.6.

    § 6.4.4.1: an entry without the fee waits. Verdict: every fault does one or the other.
    """
    waits, refuses = waits_for([fault]), select_refusing_faults([fault])
    assert bool(waits) is not bool(refuses)
    expected = {
        EntryFault.NO_FEE: (EntryWait.FEE,),
        EntryFault.NO_PROOF: (EntryWait.PROOF,),
        EntryFault.NO_MEMBERSHIP: (EntryWait.NUMBER,),
        EntryFault.RATING_UNPROVED: (EntryWait.PROOF,),
        EntryFault.NOT_OPEN: (EntryWait.DECISION,),
        EntryFault.LEAVING: (EntryWait.DECISION,),
        EntryFault.SECOND_OF_NON_MEMBER: (EntryWait.DECISION,),
    }
    assert waits == expected.get(fault, ())


@pytest.mark.parametrize("wish", [EmtClass.M, EmtClass.K, EmtClass.OPEN])
def test_6_5_3_2_e_the_leader_places_the_player(wish):
    """§ 6.5.3.2 e, § 6.1.2: in doubt he is placed where he is judged at home. Verdict: his word."""
    assert after_discretion((*SHUT, EntryFault.NO_FEE), wish, [TL]) == (EntryFault.NO_FEE,)
    assert after_discretion(SHUT, wish, []) == SHUT
    assert after_discretion(SHUT, wish, [BOTH_TL, BOTH_KC]) == SHUT, "the DM's paragraph"


def test_6_5_3_2_e_no_discretion_lifts_a_quarantine_or_a_second_group():
    """§ 6.4.2, § 6.1: not a matter of class. Verdict: they stand."""
    hard = (EntryFault.QUARANTINED, EntryFault.SECOND_OF_NON_MEMBER)
    assert after_discretion(hard, EmtClass.K, [TL]) == hard


@each("wish", [EmtClass.K, EmtClass.DM, *CupEntry, *OtherEntry])
def test_6_2_8_a_word_lets_in_who_leaves_another_group_and_opens_no_class(wish):
    """§ 6.2.8 (reading): in any form of tournament. Verdict: only that fault goes."""
    word = Discretion(EntryFault.LEAVING.paragraph, Signature.LEADER, 1)
    found = entry_faults(
        Entry(wish, "1", None, DAY, DAY), EntrantStatus(DAY, ClassEligibility(), is_leaving=True)
    )
    assert EntryFault.LEAVING in found
    assert after_discretion((*SHUT, EntryFault.LEAVING), wish, [word]) == SHUT


@each(
    ("given", "expected"),
    [
        ([], False),
        ([BOTH_TL], False),
        ([BOTH_KC], False),
        ([BOTH_TL, BOTH_KC], True),
        ([BOTH_TL, replace(BOTH_KC, by=1)], False),
        ([replace(BOTH_TL, by=3), BOTH_TL], False),
        ([TL, BOTH_KC], False),
    ],
)
def test_6_5_2_2_f_leader_and_controller_together_and_two_persons(given, expected):
    """§ 6.5.2.2 f: leader and controller in unison. Verdict: both, by two persons, on f."""
    assert is_let_in(EmtClass.DM, given) is expected


@pytest.mark.parametrize("wish", [*CupEntry, *OtherEntry])
def test_6_5_3_2_e_is_for_the_classes_of_the_emt_alone(wish):
    """§ 6.5.3.2 e: classes. Verdict: nothing to judge in cup, league and theme."""
    assert not is_let_in(wish, [TL, BOTH_TL, BOTH_KC])


def test_6_5_1_2_a_player_may_stand_twice_but_in_the_dm():
    """§ 6.5.1.2, § 6.6.1.2, § 6.5.1.1: several groups of a class; the DM is one a year."""
    twice = {EmtClass.M, EmtClass.K, EmtClass.OPEN, *CupEntry}
    every = (*EmtClass, *CupEntry, *OtherEntry)
    assert {wish for wish in every if may_be_doubled(wish)} == twice


def test_6_5_3_2_b_c_a_result_in_the_register_is_proof_a_told_rating_is_not():
    """§ 6.5.3.2 b-d: the player proves it. Verdict: what officials entered is proved already."""
    by_rating = ClassEligibility(by=(Right("6.5.3.2 d", None),))
    assert not is_proved(by_rating, has_register_rating=False)
    assert is_proved(by_rating, has_register_rating=True)
    for paragraph in ("6.5.3.2 c", "6.6.2.1", "6.6.2.2"):
        assert is_proved(ClassEligibility(by=(Right(paragraph, DAY, (1,)),)), False)
        assert not is_proved(ClassEligibility(by=(Right(paragraph, DAY),)), True)
        shown = Right(paragraph, DAY, (1,))
        assert is_proved(ClassEligibility(by=(Right("6.5.3.2 a", DAY), shown)), False), (
            "one is enough"
        )


def test_6_5_1_2_danger_of_relegation_bars_from_the_start_and_a_lapsed_right_does_not():
    """§ 6.5.1.2: the right was used by the entry. Verdict: only what bars him now counts."""
    lapsed = EntrantStatus(DAY, ClassEligibility())
    assert start_faults(True, EmtClass.K, lapsed) == ()
    falling = EntrantStatus(
        DAY, ClassEligibility((Right("6.5.3.2 a", DAY),), (ClassExclusion("6.5.1.2", (1,)),))
    )
    assert start_faults(True, EmtClass.K, falling) == SHUT
    other_bar = EntrantStatus(DAY, ClassEligibility((), (ClassExclusion("6.6.2.3", (1,)),)))
    assert start_faults(True, EmtClass.K, other_bar) == ()


def test_6_5_2_2_b_who_can_not_reach_45_percent_any_more_is_not_in_the_next_dm():
    """§ 6.5.2.2 b: between entry and September he lost. Verdict: as danger bars in M, K and Å."""
    lost = emt(EmtClass.DM, None, 2, games=10, unfinished=2)
    hopeful = emt(EmtClass.DM, None, 2, games=10, unfinished=3)
    for running, expected in ((lost, SHUT), (hopeful, ())):
        answer = answers(DAY.isoformat(), running)[EmtClass.DM]
        assert start_faults(True, EmtClass.DM, EntrantStatus(DAY, answer)) == expected


@pytest.mark.parametrize(("last", "expected"), [(0, (EntryFault.QUARANTINED,)), (-1, ())])
def test_6_4_2_a_quarantine_on_the_day_of_the_start_keeps_him_out(last, expected):
    """§ 6.4.2: last day today, or yesterday. Verdict: kept out today, not tomorrow."""
    term = Sanction(SanctionKind.QUARANTINE, DAY - timedelta(60), DAY + timedelta(last))
    assert start_faults(True, EmtClass.K, EntrantStatus(DAY, sanctions=[term])) == expected


@pytest.mark.parametrize(("groups", "expected"), [(0, ()), (1, (EntryFault.SECOND_OF_NON_MEMBER,))])
def test_6_1_a_non_member_placed_elsewhere_meanwhile_is_kept_out(groups, expected):
    """§ 6.1: one group. Verdict: a member is not asked."""
    assert start_faults(False, EmtClass.K, EntrantStatus(DAY, groups_before=groups)) == expected
    assert start_faults(True, EmtClass.K, EntrantStatus(DAY, groups_before=groups)) == ()


@pytest.mark.parametrize("wish", OtherEntry)
def test_6_1_league_and_theme_are_for_members(wish):
    """§ 6.1: a non-member may be in EMT or cup. Verdict: elsewhere he is refused."""
    entry = Entry(wish, "4711", None, date(1950, 2, 28), DAY)
    assert entry_faults(entry, EntrantStatus(DAY)) == ()
    stranger = replace(entry, member_number=None)
    assert entry_faults(stranger, EntrantStatus(DAY)) == (EntryFault.MEMBERS_ONLY,)


def test_6_7_4_1_a_club_member_is_entered_to_the_league_by_his_club():
    """§ 6.7.4.1: only individual members enter themselves. Verdict: refused; a theme is open."""
    entry = Entry(OtherEntry.LEAGUE, "4711", "Nord", date(1950, 2, 28), DAY)
    assert entry_faults(entry, EntrantStatus(DAY)) == (EntryFault.ENTERED_BY_CLUB,)
    assert EntryFault.ENTERED_BY_CLUB.paragraph == "6.7.4.1"
    assert entry_faults(replace(entry, wish=OtherEntry.THEME), EntrantStatus(DAY)) == ()


def test_6_4_4_a_refusal_names_the_rule_that_stands_against_the_player():
    """§ 6.5.2.2, § 6.5.3.2.

    § 6.4.4: refused with the paragraph. Verdict: the bar's, else the one that had to open it.
    """
    assert (
        closed_by(EmtClass.K, ClassEligibility((), (ClassExclusion("6.5.1.2", (1,)),))) == "6.5.1.2"
    )
    two = ClassEligibility((), (ClassExclusion("6.5.1.2", (1,)), ClassExclusion("6.5.3.3", (2,))))
    assert closed_by(EmtClass.K, two) == "6.5.1.2", "the first of them"
    assert closed_by(EmtClass.K, ClassEligibility()) == "6.5.3.2"
    assert closed_by(EmtClass.DM, ClassEligibility()) == "6.5.2.2"
    refusal = EntryRefusal((EntryProblem.CLOSED, EntryFault.NOT_OPEN), "6.5.1.2")
    assert refusal.paragraphs == ("6.4.4.1", "6.5.1.2")
    assert all(one.paragraph for one in (*EntryProblem, *EntryFault))


def test_6_4_2_who_is_expelled_is_kept_out_of_the_group_that_starts():
    """§ 6.4.2: a valid entry from before. Verdict: no EMT, a cup yes."""
    out = EntrantStatus(DAY, sanctions=[Sanction(SanctionKind.EXPULSION, DAY, event="emt")])
    assert start_faults(True, EmtClass.OPEN, out) == (EntryFault.EXPELLED,)
    assert start_faults(True, CupEntry.PRELIMINARY, out) == ()
