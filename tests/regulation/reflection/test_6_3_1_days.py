"""§ 6.3.1-6.3.2.1: days of reflection, the postmark, the weekend."""

from datetime import UTC, date, datetime

import pytest

from kskak.game.game_events import CardDates
from kskak.play.evolve_game import LedgerEntryFault
from kskak.reflection import DatesContradict, sending_day
from kskak.regulation.days import easter, local_day
from kskak.regulation.editions import EMAIL, POSTAL, Channel
from tests.fakes.machinery.each import each
from tests.regulation.record import BLACK, QUIET_DAY, WHITE, Record, after
from tests.regulation.record import EMAIL as EMAIL_RECORD
from tests.regulation.record import POSTAL as POSTAL_RECORD

SATURDAY, SUNDAY, MONDAY = date(2010, 6, 5), date(2010, 6, 6), date(2010, 6, 7)
POST, MAIL, FAX = Channel.POST, Channel.EMAIL, Channel.FAX


def answered(regulation, received, sent, channel=POST) -> int:
    """Days of an answer to a move that was sent just before its receipt."""
    record = Record(regulation, start=after(received, -1)).dispatch(None, after(received, -1))
    return record.dispatch(received, sent, channel).days()


@pytest.mark.parametrize(("sent", "days"), [(1, 0), (2, 1), (4, 3)])
def test_6_3_1_days_are_sending_less_receipt(sent, days):
    """§ 6.3.1: 1/8 answered 1/8 costs 0, 4/8 costs 3. Verdict: as printed."""
    received, answer = date(2012, 8, 1), date(2012, 8, sent)
    assert answered(POSTAL_RECORD, received, answer, MAIL) == days


def test_6_3_1_three_days_a_move_and_what_is_saved_is_kept():
    """§ 6.3.1: 3 days a move, saved days carry over. Verdict: nine free days, then 28 in one."""
    assert [POSTAL.control_limit(moves) for moves in (1, 10, 20)] == [3, 30, 60]
    record = Record(POSTAL_RECORD).rounds(9).think(30)
    assert record.used(WHITE) == 30
    assert record.state.overstep is None


def test_6_3_1_the_post_costs_nobody_days():
    """§ 6.3.1: between sending and receipt nobody's time runs. Verdict: 0 for 9 days' post."""
    record = Record(POSTAL_RECORD).dispatch(None, QUIET_DAY, POST)
    record.dispatch(after(QUIET_DAY, 9), after(QUIET_DAY, 9), POST)
    assert (record.state.white.total, record.state.black.total) == (0, 0)
    assert record.account(after(QUIET_DAY, 20)).running is None, "his receipt is not known yet"


@each(
    ("received", "sent", "days"),
    [
        (SATURDAY, SATURDAY, 0),
        (SATURDAY, SUNDAY, 0),
        (SATURDAY, MONDAY, 2),
        (after(SATURDAY, -1), SUNDAY, 1),
        (after(SATURDAY, -1), MONDAY, 3),
        (SUNDAY, SUNDAY, 0),
        (SUNDAY, MONDAY, 1),
        (MONDAY, after(MONDAY, 1), 1),
    ],
)
def test_6_3_2_saturday_and_sunday_are_one_day(received, sent, days):
    """§ 6.3.2: a Sunday's card counts as Saturday's, never below 0. Verdict: table."""
    assert answered(POSTAL_RECORD, received, sent) == days


@pytest.mark.parametrize("channel", [MAIL, FAX, Channel.WEB])
def test_6_3_2_1_the_weekend_rule_is_the_posts_alone(channel):
    """§ 6.3.2.1: by fax or e-mail Saturday to Sunday is a day. Verdict: 1, by post 0."""
    assert answered(POSTAL_RECORD, SATURDAY, SUNDAY, channel) == 1
    assert answered(POSTAL_RECORD, SATURDAY, SUNDAY, POST) == 0


def test_6_8_6_the_weekend_rule_is_not_for_email_games():
    """§ 6.8.6: no weekend rule, for a card neither. Verdict: 1."""
    assert answered(EMAIL_RECORD, SATURDAY, SUNDAY, MAIL) == 1
    assert answered(EMAIL_RECORD, SATURDAY, SUNDAY, POST) == 1


@each(
    ("card", "day"),
    [
        (CardDates(MONDAY), MONDAY),
        (CardDates(MONDAY, stated=SATURDAY), MONDAY),
        (CardDates(MONDAY, receipt=SATURDAY), SATURDAY),
        (CardDates(SATURDAY, receipt=MONDAY), SATURDAY),
        (CardDates(None, receipt=MONDAY, stated=SATURDAY), MONDAY),
        (CardDates(None, stated=SATURDAY), SATURDAY),
    ],
)
def test_6_3_2_the_postmark_an_earlier_receipt_or_the_stated_date(card, day):
    """§ 6.3.2: postmark; an earlier posting receipt; illegible, the stated date. Verdict: table."""
    assert sending_day(card) == day


def test_6_3_2_a_card_without_any_date_is_refused():
    """§ 6.3.2: no postmark, no receipt, nothing stated. Verdict: refused."""
    with pytest.raises(DatesContradict):
        sending_day(CardDates(None))


@pytest.mark.parametrize(
    ("card", "used", "is_over"),
    [
        (CardDates(date(1976, 10, 25)), 31, True),
        (CardDates(date(1976, 10, 25), stated=date(1976, 10, 24)), 31, True),
        (CardDates(date(1976, 10, 25), receipt=date(1976, 10, 24)), 29, False),
    ],
)
def test_kendelse_38_the_sender_bears_the_risk_of_the_postmark(card, used, is_over):
    """Kendelse 38 (§ 6.3.2): move 10 posted on the 24th, postmarked on the 25th. Verdict: lost.

    A posting receipt would have saved him. By today's weekend rule that Sunday is a Saturday.
    """
    received = date(1976, 10, 21)
    record = Record(POSTAL_RECORD, start=date(1976, 8, 1)).rounds(9, black=27)
    record.dispatch(received, received).dispatch(received, card, POST)
    late = record.state.overstep
    assert record.used(BLACK) == used
    assert (late is not None) is is_over
    if late is not None:
        assert (late.by, late.move, late.limit, late.used) == (BLACK, 10, 30, 31)
        assert late.on == date(1976, 10, 25)


def test_6_3_2_1_an_electronic_move_is_received_the_day_after():
    """§ 6.3.2.1: received the day after its sending, or on the day he answers. Verdict: 0, 0, 1."""
    for wait, days in ((0, 0), (1, 0), (2, 1)):
        record = Record(POSTAL_RECORD).dispatch(None, QUIET_DAY)
        assert record.dispatch(None, after(QUIET_DAY, wait)).days() == days


def test_6_3_2_1_a_card_needs_its_day_of_receipt():
    """§ 6.3.2.1 is for fax and e-mail; a card's receipt is stated. Verdict: refused without."""
    record = Record(POSTAL_RECORD).dispatch(None, QUIET_DAY)
    with pytest.raises(LedgerEntryFault, match="received"):
        record.dispatch(None, after(QUIET_DAY, 3), POST)


def test_6_3_dates_that_contradict_each_other_are_refused():
    """§ 6.3: receipt before the opponent's sending, sending before receipt. Verdict: refused."""
    for received, sent in ((-1, 2), (3, 2)):
        record = Record(EMAIL_RECORD).dispatch(None, QUIET_DAY)
        with pytest.raises(LedgerEntryFault):
            record.dispatch(after(QUIET_DAY, received), after(QUIET_DAY, sent))


def test_6_8_6_days_are_local_to_the_tournaments_zone():
    """§ 6.8.6: the day of sending is the tournament's. Verdict: midnight in Copenhagen counts."""
    assert local_day(datetime(2010, 6, 30, 21, 59, tzinfo=UTC), "Europe/Copenhagen").day == 30
    assert local_day(datetime(2010, 6, 30, 22, 0, tzinfo=UTC), "Europe/Copenhagen").day == 1
    assert local_day(datetime(2010, 12, 30, 22, 59, tzinfo=UTC), "Europe/Copenhagen").day == 30
    with pytest.raises(ValueError, match="aware"):
        local_day(datetime(2010, 6, 30, 21, 59), "Europe/Copenhagen")  # noqa: DTZ001


def test_6_3_6_2_easter_sundays():
    """§ 6.3.6.2 hangs on Easter. Verdict: known Sundays, earliest and latest among them."""
    known = {1818: (3, 22), 1943: (4, 25), 2000: (4, 23), 2008: (3, 23), 2010: (4, 4)}
    assert {year: (easter(year).month, easter(year).day) for year in known} == known
    assert EMAIL.weekend_rule is False
