"""The calendar against counting day by day; leave and pauses as spans."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.reflection import Stopwatch
from kskak.regulation.days import Calendar, Cause, Span, holidays, is_holiday
from tests.fakes.machinery.draws import drawn

DAYS = st.dates(date(2010, 1, 1), date(2012, 6, 30))
LENGTHS = st.integers(0, 60)
SPANS = st.lists(
    st.builds(
        lambda first, length, cause: Span(first, first + timedelta(length), cause),
        DAYS,
        LENGTHS,
        st.sampled_from(Cause),
    ),
    max_size=4,
).map(tuple)
QUICK = drawn(80)


def free(spans: tuple[Span, ...], day: date) -> bool:
    return is_holiday(day) or any(span.first <= day <= span.last for span in spans)


def counted(spans: tuple[Span, ...], received: date, until: date) -> int:
    steps = range((until - received).days)
    return sum(not free(spans, received + timedelta(step)) for step in steps)


@QUICK
@given(SPANS, DAYS, st.integers(-3, 200))
def test_charged_is_what_counting_day_by_day_gives(spans, received, length):
    until = received + timedelta(length)
    assert Calendar.of(spans).charged(received, until) == counted(spans, received, until)


@QUICK
@given(SPANS, DAYS, st.integers(-2, 90), st.booleans())
def test_first_over_is_the_first_day_that_costs_too_much(spans, received, allowed, weekend):
    watch = Stopwatch(Calendar.of(spans), weekend)
    day = watch.first_over(received, allowed)
    assert day is not None
    if allowed < 0:
        assert day == received
        return
    assert watch.days(received, day) > allowed
    assert watch.days(received, day - timedelta(1)) <= allowed


FAR = Calendar.of((Span(date(1900, 1, 1), date(1900, 1, 1), Cause.LEAVE),))
"""Exempts nothing of any game, but is not the calendar of holidays alone."""


@drawn(300)
@given(st.dates(date(2009, 12, 20), date(2011, 1, 10)), st.integers(-1, 400))
def test_holidays_alone_are_counted_as_among_other_days(received, allowed):
    assert Calendar().first_over(received, allowed) == FAR.first_over(received, allowed)


@pytest.mark.parametrize("allowed", [298, 299, 300, 301])
@pytest.mark.parametrize("received", [date(2010, 1, 1), date(2010, 12, 23), date(2010, 12, 31)])
def test_the_longest_that_is_counted_in_two_years(received, allowed):
    assert Calendar().first_over(received, allowed) == FAR.first_over(received, allowed)


@QUICK
@given(SPANS, DAYS, st.integers(0, 200), st.booleans())
def test_explained_and_charged_days_make_the_whole(spans, received, length, weekend):
    watch, sent = Stopwatch(Calendar.of(spans), weekend), received + timedelta(length)
    told = watch.explain(received, sent)
    exempt = sum((span.last - span.first).days + 1 for span in told)
    assert exempt + watch.days(received, sent) == length
    assert list(told) == sorted(told, key=lambda span: span.first)


def test_time_that_stands_still_for_ever_never_runs_out():
    first = date(2010, 5, 10)
    calendar = Calendar.of((Span(first, date.max, Cause.DISPUTE),))
    assert calendar.first_over(date(2010, 5, 3), 7) is None
    assert calendar.first_over(date(2010, 5, 3), 6) == first
    assert calendar.first_over(first, 0) is None
    assert calendar.charged(first, date(2999, 1, 1)) == 0


def test_a_day_with_two_causes_stands_under_the_first():
    leave = Span(date(2010, 12, 18), date(2010, 12, 22), Cause.LEAVE)
    told = Calendar.of((leave,)).explain(date(2010, 12, 17), date(2010, 12, 24))
    assert [(span.first.day, span.last.day, span.cause) for span in told] == [
        (18, 19, Cause.LEAVE),
        (20, 23, Cause.HOLIDAY),
    ]


@pytest.mark.parametrize("year", [2008, 2011, 2038])
def test_the_holidays_of_a_year_are_twenty_days(year):
    days = [(span.last - span.first).days + 1 for span in holidays(year)]
    assert days == [8, 12]
