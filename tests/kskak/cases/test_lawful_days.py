"""Days of another century in a ruling, in what is tried, and in what a case is told."""

from datetime import date, timedelta
from time import perf_counter

import pytest

from kskak.cases.aftermath import aftermath
from kskak.cases.case import CaseReason, CaseRefusal
from kskak.cases.what_if import (
    ClaimMade,
    DaysCounted,
    Impossible,
    LeaveGranted,
    SentOn,
    TimeStood,
    TurnReceivedOn,
    what_if,
)
from kskak.game import game_events as ev
from kskak.game.game_commands import is_near, lawful_days, unlawful_day
from kskak.play.game_state import Misfit
from kskak.regulation.days import Calendar
from kskak.regulation.editions import PauseReason
from tests.fakes.machinery.each import rows
from tests.regulation.record import BLACK, EMAIL, WHITE, Record, after

START, ON = date(2024, 1, 10), date(2024, 3, 1)
WRONG = (date(26, 11, 2), date(1799, 1, 1), date(5066, 12, 11), date.min, date.max)


@pytest.mark.parametrize("day", WRONG)
@rows(
    "made",
    lambda day: ev.DispatchCorrected(1, day, None, "TL", "1"),
    lambda day: ev.DispatchCorrected(2, None, day, "TL", "1"),
    lambda day: ev.GameResumed(day),
    lambda day: ev.DaysCharged(BLACK, day, 1, "6.8.6", ""),
    lambda day: ev.GamePaused(day, None, PauseReason.OUTAGE),
    lambda day: ev.GamePaused(ON, day, PauseReason.OUTAGE),
    lambda day: ev.LeaveBooked(WHITE, ON, ON, day),
)
def test_a_ruling_with_a_mistyped_year_is_refused_and_told_the_days_that_can_be(made, day):
    record = Record(EMAIL, start=START).rounds(2, white=2, black=2)
    refused = aftermath(record.terms, record.events, [ev.RulingApplied("1", made(day))], ON)
    assert isinstance(refused, CaseRefusal)
    assert (refused.reason, refused.day) == (CaseReason.GAME_DATES, day)
    assert refused.since is not None and refused.until is not None
    assert not refused.since <= day <= refused.until


@pytest.mark.parametrize("day", WRONG)
@rows(
    "supposed",
    lambda day: SentOn(1, day),
    lambda day: TurnReceivedOn(day),
    lambda day: LeaveGranted(WHITE, START, day),
    lambda day: TimeStood(day, ON),
    lambda day: DaysCounted(WHITE, 1, day),
    lambda day: ClaimMade(WHITE, day),
)
def test_nothing_is_counted_with_a_mistyped_year(supposed, day):
    record = Record(EMAIL, start=START).rounds(2, white=2, black=2)
    one = supposed(day)
    tried = what_if(record.terms, record.events, [one], ON)
    assert isinstance(tried, Impossible)
    assert (tried.why, tried.supposition) == (Misfit.DAY_OUTSIDE, one)


def test_the_days_are_a_year_around_the_game_both_included():
    first, last = lawful_days(START, ON)
    assert (first, last) == (after(START, -366), after(ON, 366))
    assert unlawful_day(ev.CardDates(first, None, last), START, ON) is None
    assert unlawful_day(ev.CardDates(after(first, -1)), START, ON) == after(first, -1)
    assert unlawful_day((ON, ev.CardDates(None, last, after(last, 1))), START, ON) == after(last, 1)
    assert lawful_days(date.min, date.max) == (date.min, date.max)
    assert lawful_days(ON, START) == (after(START, -366), after(ON, 366)), "begins later"
    assert is_near(after(ON, 366), ON) and not is_near(after(ON, -367), ON)


def test_explaining_a_thousand_years_takes_as_long_as_their_days_alone():
    """An account of 3 000 years took minutes, and a server answered nobody meanwhile."""
    begun = perf_counter()
    spans = Calendar.of(()).explain(date(2026, 1, 1), date(2026, 1, 1) + timedelta(366 * 1000))
    assert len(spans) >= 2000
    assert perf_counter() - begun < 30
