"""§ 6.4.1 as we read it: the days a decision may name, each bound from both sides."""

from datetime import date

import pytest

from kskak.cases.aftermath import Aftermath, aftermath
from kskak.cases.case import CaseReason, CaseRefusal
from kskak.game import game_events as ev
from kskak.play.events_in_force import time_back
from kskak.regulation.editions import PauseReason
from tests.regulation.record import BLACK, EMAIL, WHITE, Record, after

START = date(2024, 1, 10)
RULED = date(2024, 3, 1)
SUSPENDED = PauseReason.DISPUTE
BOUNDS = {
    "resumed: from the last sending to half a year ahead": (
        *(ev.GameResumed, date(2024, 1, 14), after(RULED, 183)),
    ),
    "paused: in the game, at most a year ahead": (
        *(lambda day: ev.GamePaused(day, None, SUSPENDED), START, after(RULED, 366)),
    ),
    "a pause's last day": (
        *(lambda day: ev.GamePaused(RULED, day, SUSPENDED), RULED, after(RULED, 366)),
    ),
    "leave: at most a year ahead": (
        *(lambda day: ev.LeaveBooked(WHITE, RULED, day, RULED), RULED, after(RULED, 366)),
    ),
    "charged: from the start to the day of the decision": (
        *(lambda day: ev.DaysCharged(BLACK, day, 1, "6.8.6", ""), START, RULED),
    ),
}


def decided(effect: ev.RulingEffect) -> Aftermath | CaseRefusal:
    """One effect ordered in a game in which both have sent twice, two days each."""
    record = Record(EMAIL, start=START).rounds(2, white=2, black=2)
    return aftermath(record.terms, record.events, [ev.RulingApplied("1", effect)], RULED)


@pytest.mark.parametrize(("made", "first", "last"), BOUNDS.values(), ids=BOUNDS)
def test_6_4_1_each_day_of_a_decision_lies_within_its_bounds_both_included(made, first, last):
    """§ 6.4.1 (reading): a day outside is refused and told with the bounds."""
    for day in (first, last):
        within = decided(made(day))
        is_dated = isinstance(within, CaseRefusal) and within.reason is CaseReason.GAME_DATES
        assert not is_dated, within
    for day in (after(first, -1), after(last, 1)):
        refused = decided(made(day))
        assert isinstance(refused, CaseRefusal), day
        told = (refused.reason, refused.day, refused.since, refused.until)
        assert told == (CaseReason.GAME_DATES, day, first, last)


@pytest.mark.parametrize("entered", [date(2024, 2, 20), RULED, date(2024, 3, 9)])
def test_6_4_1_time_stands_still_while_a_wrong_entry_stood(entered):
    """§ 6.4.1: nobody pays for what nobody sent. Verdict: from its day, never ahead, to today."""
    assert time_back(entered, RULED) == ev.GamePaused(min(entered, RULED), RULED, SUSPENDED)
