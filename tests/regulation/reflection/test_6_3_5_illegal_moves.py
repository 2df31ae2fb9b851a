"""§ 6.3.5, § 6.3.5.1, § 6.8.4, § 6.8.6: a move that is none, and the days that it costs."""

import pytest

from kskak.game import game_commands as cmd
from kskak.game.game_events import DaysCharged, FaultySent
from kskak.play.decide_command import decide
from kskak.regulation.editions import MoveFault
from tests.regulation.record import BLACK, EMAIL, POSTAL, QUIET_DAY, WHITE, Record


def extra(record: Record) -> list[tuple[int, str, str]]:
    """The days charged beyond the steps, each with its paragraph and reason."""
    return [(c.days, c.paragraph, c.reason) for c in record.account().charges]


def faulty(regulation, *faults: MoveFault) -> Record:
    record = Record(regulation).think(0)
    return record.add(*(FaultySent(BLACK, QUIET_DAY, fault) for fault in faults))


@pytest.mark.parametrize(
    ("faults", "days"),
    [
        ([MoveFault.ILLEGAL], [3]),
        ([MoveFault.ILLEGIBLE], [3]),
        ([MoveFault.ILLEGAL, MoveFault.ILLEGIBLE, MoveFault.ILLEGAL], [3, 6, 6]),
        ([MoveFault.WRONG_REPETITION], []),
        ([MoveFault.AMBIGUOUS, MoveFault.ILLEGAL], [3]),
    ],
)
def test_6_3_5_1_an_impossible_or_illegible_move(faults, days):
    """§ 6.3.5.1: 3 days, again 6. Verdict: table; a wrong repetition is free by post."""
    record = faulty(POSTAL, *faults)
    assert [charge.days for charge in record.account().charges] == days
    assert {charge.paragraph for charge in record.account().charges} <= {"6.3.5.1"}
    assert record.used(BLACK) == sum(days)


def test_6_3_5_1_each_player_has_his_own_first_fault():
    """§ 6.3.5.1: "again" is the same player in the same game. Verdict: 3 and 3."""
    record = faulty(POSTAL, MoveFault.ILLEGAL).add(FaultySent(WHITE, QUIET_DAY, MoveFault.ILLEGAL))
    assert (record.used(WHITE), record.used(BLACK)) == (3, 3)


def test_6_3_5_and_kendelse_59_what_the_post_spoiled_costs_nobody_a_day():
    """§ 6.3.5, Kendelse 59: a card spoiled by the post. Verdict: 0, and a later fault costs 3."""
    record = faulty(POSTAL, MoveFault.DAMAGED_IN_POST)
    assert record.account().charges == ()
    assert faulty(POSTAL, MoveFault.DAMAGED_IN_POST, MoveFault.ILLEGAL).used(BLACK) == 3


@pytest.mark.parametrize(
    ("faults", "days"),
    [
        ([MoveFault.ILLEGAL, MoveFault.ILLEGAL, MoveFault.WRONG_REPETITION], [3, 3, 3]),
        ([MoveFault.ILLEGIBLE, MoveFault.AMBIGUOUS, MoveFault.DAMAGED_IN_POST], []),
    ],
)
def test_6_8_6_an_invalid_move_or_a_wrong_repetition(faults, days):
    """§ 6.8.6: 3 days every time. Verdict: table; what is ambiguous is free (§ 6.8.4)."""
    record = faulty(EMAIL, *faults)
    charges = record.account().charges
    assert [charge.days for charge in charges] == days
    assert {charge.paragraph for charge in charges} <= {"6.8.6"}


def test_6_3_5_1_days_charged_can_overstep_and_an_annulment_undoes_nothing():
    """§ 6.3.5.1: 28 days and 3 is over 30. Verdict: overstep that day; 27 and 3 is within."""
    record = Record(POSTAL).rounds(3, white=28).add(FaultySent(WHITE, QUIET_DAY, MoveFault.ILLEGAL))
    late = record.state.overstep
    assert late is not None
    assert (late.used, late.limit, late.on) == (31, 30, QUIET_DAY)
    record.add(DaysCharged(WHITE, QUIET_DAY, -3, "6.4.1", "annulled"))
    assert (record.used(WHITE), record.state.overstep) == (28, late)
    within = Record(POSTAL).rounds(3, white=27).add(FaultySent(WHITE, QUIET_DAY, MoveFault.ILLEGAL))
    assert within.state.overstep is None


def test_6_8_4_a_faulty_move_moves_nothing_and_is_charged_as_it_is_reported():
    """§ 6.8.4: told at once, no touch-move. Verdict: the same side is to move."""
    state = Record(EMAIL).think(0).state
    told = decide(state, cmd.ReportFaulty(BLACK, MoveFault.ILLEGAL), QUIET_DAY)
    assert told == (FaultySent(BLACK, QUIET_DAY, MoveFault.ILLEGAL),)
    after_it = Record(EMAIL).think(0).add(*told).state
    assert (after_it.mover, after_it.position) == (BLACK, state.position)
