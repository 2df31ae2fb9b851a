"""Day by day: what the account charges is shown once, and no more; a forecast is the account."""

from datetime import date, timedelta
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from kskak.ledger.ledger_files import read_ledger
from kskak.regulation.days import Cause
from kskak.regulation.editions import Side
from kskak.statement.account import account, after_leave, each_day, forecasts, timeline
from tests.fakes.machinery.draws import QUICK
from tests.fakes.machinery.each import rows
from tests.kskak.plays import games


def _played(*entries, regulation="email", start="2011-05-02"):
    return read_ledger(
        {
            "format": "kskak-ledger/1",
            "game": "K-11-01/1",
            "regulation": regulation,
            "start": start,
            "white": "Hvid",
            "black": "Sort",
            "entries": list(entries),
        }
    )


def _move(by, text, sent, **more):
    return {"kind": "move", "by": by, "move": text, "sent": sent, **more}


THREE_DAYS_OF_LEAVE = (
    _move("white", "5254", "2011-05-02"),
    {
        "kind": "leave",
        "by": "black",
        "from": "2011-05-12",
        "to": "2011-05-14",
        "notified": "2011-05-03",
    },
)
"""White has begun; Black's leave parts the days of the first answer."""


def _has_days_of_both(shown):
    """Whether a ruling resumed the game with a day before the last sending, as it may."""
    dated = [row for row in shown.rows if row.dates.sent]
    begun = [row.dates.received for row in dated[1:]]
    begun += [shown.running.since] if shown.running and dated else []
    return any(on and on < row.dates.sent for row, on in zip(dated, begun, strict=False))


def _told(found):
    return [
        (str(s.first), s.days, s.by, s.cause, s.paragraph, s.is_charged) for s in found.stretches
    ]


@QUICK
@given(games(), st.integers(0, 60))
def test_the_days_shown_as_charged_are_the_days_of_the_account(game, later):
    terms, events = game
    past = account(terms, events)
    days = [row.dates.sent for row in past.rows if row.dates.sent] or [terms.start]
    shown = account(terms, events, max(days) + timedelta(days=later))
    found = timeline(shown)
    for side in Side:
        charged = sum(row.dates.days for row in shown.rows if row.by is side)
        if shown.live is not None and shown.running.by is side:
            charged += shown.live.days
        assert found.used(side) == charged


@QUICK
@given(games())
def test_a_day_stands_in_one_stretch_and_stretches_are_in_order(game):
    shown, last = account(*game), date.min
    assume(not _has_days_of_both(shown))
    for one in timeline(shown).stretches:
        assert one.days > 0
        assert one.first > last
        last = one.last


def test_6_4_1_a_game_resumed_with_a_day_before_the_last_sending_counts_it_for_both():
    read = _played(
        _move("white", "5254", "2011-05-04"),
        {"kind": "resume", "on": "2011-05-03", "authority": "TL", "ref": "1"},
        _move("black", "5755", "2011-05-06"),
    )
    found = timeline(account(read.terms, read.events))
    assert _told(found) == [
        ("2011-05-02", 2, Side.WHITE, None, "6.8.6", True),
        ("2011-05-03", 3, Side.BLACK, None, "6.8.6", True),
    ]
    assert [(day.stretch.by, day.number) for day in each_day(found)][:2] == [
        (Side.WHITE, 1),
        (Side.BLACK, 1),
    ]


def test_6_8_6_the_way_is_shown_then_the_days_used_then_the_way_back():
    """§ 6.8.6: received the day after; the days from receipt to sending."""
    read = _played(_move("white", "5254", "2011-05-02"), _move("black", "5755", "2011-05-06"))
    found = timeline(account(read.terms, read.events, date(2011, 5, 9)))
    assert _told(found) == [
        ("2011-05-02", 1, None, None, "6.8.6", False),
        ("2011-05-03", 3, Side.BLACK, None, "6.8.6", True),
        ("2011-05-06", 1, None, None, "6.8.6", False),
        ("2011-05-07", 2, Side.WHITE, None, "6.8.6", True),
    ]
    assert (found.used(Side.WHITE), found.used(Side.BLACK)) == (2, 3)


def test_6_3_6_leave_stands_between_the_days_it_parts():
    """§ 6.3.6.3: the days of leave are shown as such, not as used."""
    read = _played(*THREE_DAYS_OF_LEAVE, _move("black", "5755", "2011-05-16"))
    found = timeline(account(read.terms, read.events))
    assert _told(found)[1:] == [
        ("2011-05-03", 9, Side.BLACK, None, "6.8.6", True),
        ("2011-05-12", 3, Side.BLACK, Cause.LEAVE, "6.3.6", False),
        ("2011-05-15", 1, Side.BLACK, None, "6.8.6", True),
    ]


def test_6_3_3_1_a_forecast_is_what_the_account_says_on_that_day():
    read = _played(_move("white", "5254", "2011-05-02"))
    made = account(read.terms, read.events, date(2011, 5, 5))
    days = (date(2011, 5, 5), date(2011, 6, 12), date(2011, 6, 13))
    found = forecasts(made, days)
    assert [(f.days, f.total, f.is_in_time) for f in found] == [
        (2, 2, True),
        (40, 40, True),
        (41, 41, False),
    ]
    for one in found:
        assert one.total == account(read.terms, read.events, one.on).live.total


@rows(
    "first last expected",
    ("2011-05-12", "2011-05-14", date(2011, 5, 15)),
    ("2011-09-12", "2011-09-14", None),
)
def test_6_3_6_after_the_leave_is_the_first_day_that_counts_again(first, last, expected):
    read = _played(
        _move("white", "5254", "2011-05-02"),
        {"kind": "leave", "by": "black", "from": first, "to": last, "notified": "2011-05-03"},
    )
    made = account(read.terms, read.events, date(2011, 5, 5))
    assert after_leave(made, made.live) == expected


@rows(
    "leaves expected",
    ([("2011-12-15", "2011-12-19")], date(2012, 1, 1)),
    ([("2011-12-01", "2011-12-05"), ("2011-12-03", "2011-12-08")], date(2011, 12, 9)),
    ([("2011-12-01", "2011-12-05"), ("2011-12-06", "2011-12-08")], date(2011, 12, 9)),
    ([("2011-12-01", "2011-12-05"), ("2011-12-07", "2011-12-08")], date(2011, 12, 6)),
    ([("2011-12-03", "2011-12-12"), ("2011-12-13", "2011-12-22")], date(2012, 1, 1)),
)
def test_6_3_6_2_after_the_leave_is_after_all_that_adjoins_or_overlaps_it(leaves, expected):
    """§ 6.3.6.2: 20 to 31 December count for nobody, so the answer on 1 January costs no more."""
    read = _played(
        _move("white", "5254", "2011-11-10"),
        *(
            {"kind": "leave", "by": "black", "from": first, "to": last, "notified": "2011-11-10"}
            for first, last in leaves
        ),
        start="2011-11-10",
    )
    made = account(read.terms, read.events, date(2011, 11, 20))
    assert after_leave(made, made.live) == expected
    on_last, next_day = expected - timedelta(days=1), expected + timedelta(days=1)
    before, back, later = forecasts(made, (on_last, expected, next_day))
    assert before.total == back.total, "the last day off costs no more than the one before"
    assert later.total == back.total + 1, "and the next one does"


def test_nothing_is_forecast_when_no_time_runs():
    read = _played(
        _move("white", "5254", "2011-05-02"),
        {"kind": "result", "result": "1-0", "authority": "TL", "ref": "1", "on": "2011-05-03"},
    )
    assert forecasts(account(read.terms, read.events), (date(2011, 5, 5),)) == ()


@QUICK
@given(games(), st.integers(0, 60))
def test_each_day_stands_once_and_the_days_charged_are_numbered_through_each_move(game, later):
    terms, events = game
    past = account(terms, events)
    sent = [row.dates.sent for row in past.rows if row.dates.sent] or [terms.start]
    shown = account(terms, events, max(sent) + timedelta(days=later))
    assume(not _has_days_of_both(shown))
    found = timeline(shown)
    days = list(each_day(found))
    assert [b.on - a.on for a, b in pairwise(days)] == [timedelta(days=1)] * (len(days) - 1)
    for row in shown.rows:
        own = [day.number for day in days if day.stretch and day.stretch.move is row]
        assert [number for number in own if number] == list(range(1, row.dates.days + 1))
    assert [c for day in days for c in day.charges] == sorted(shown.charges, key=lambda c: c.on)


def test_6_3_6_days_after_a_leave_are_numbered_on_from_those_before():
    """§ 6.3.1.

    § 6.3.6.3: nine days, three of leave, and the tenth; § 6.8.6: the charge on its date.
    """
    read = _played(
        *THREE_DAYS_OF_LEAVE,
        {"kind": "invalid", "by": "black", "on": "2011-05-16", "reason": "illegal"},
        _move("black", "5755", "2011-05-16"),
    )
    days = list(each_day(timeline(account(read.terms, read.events))))
    assert [day.number for day in days] == [0, *range(1, 10), 0, 0, 0, 10, 0]
    assert days[-1].stretch is None, "the day of the answer costs nothing"
    assert [(charge.on, charge.days) for charge in days[-1].charges] == [(date(2011, 5, 16), 3)]
    assert list(each_day(timeline(account(read.terms, ())))) == []
