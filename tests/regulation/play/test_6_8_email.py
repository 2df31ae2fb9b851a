"""§ 6.8.2-6.8.7: dates, limits and penalties of games by e-mail."""

from datetime import date, datetime

import pytest

from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import GamePaused, MoveReceived
from kskak.play.decide_command import decide
from kskak.play.evolve_game import LedgerEntryFault
from kskak.reflection import AccountRemark
from kskak.regulation.days import days_lost
from kskak.regulation.editions import EMAIL, POSTAL, Channel, PauseReason, rules_of
from tests.regulation.record import BLACK, QUIET_DAY, WHITE, Record, after, uci
from tests.regulation.record import EMAIL as EMAIL_RECORD
from tests.regulation.record import POSTAL as POSTAL_RECORD


def test_6_8_6_forty_days_for_ten_moves():
    """§ 6.8.6: 40 days for 10 moves. Verdict: 4 a move, controls at 10 and 20."""
    assert rules_of(EMAIL_RECORD) is EMAIL
    assert rules_of(POSTAL_RECORD) is POSTAL
    assert [EMAIL.control_limit(moves) for moves in (1, 10, 20)] == [4, 40, 80]
    assert [EMAIL.next_control(moves) for moves in (0, 9, 10, 19, 20)] == [10, 10, 20, 20, 30]


@pytest.mark.parametrize(("wait", "days"), [(0, 0), (1, 0), (2, 1), (5, 4)])
def test_6_8_6_a_move_counts_as_received_the_day_after(wait, days):
    """§ 6.8.6: received the day after its sending, or the day he answers. Verdict: table."""
    record = Record(EMAIL_RECORD).dispatch(None, QUIET_DAY)
    assert record.dispatch(None, after(QUIET_DAY, wait)).days() == days


def test_6_8_6_the_clock_that_runs_starts_the_day_after_too():
    """§ 6.8.6: live. Verdict: since the day after; a notice of receipt moves it."""
    record = Record(EMAIL_RECORD).dispatch(None, QUIET_DAY)
    assert record.state.running().since == after(QUIET_DAY, 1)
    assert record.state.running().flag_on == after(QUIET_DAY, 1 + 41)
    record.add(MoveReceived(WHITE, after(QUIET_DAY, 9)))
    assert record.state.running().since == after(QUIET_DAY, 1), "the other side's word is nothing"
    record.add(MoveReceived(BLACK, after(QUIET_DAY, 3)))
    account = record.account(after(QUIET_DAY, 5))
    assert (account.running.since, account.live.days) == (after(QUIET_DAY, 3), 2)


@pytest.mark.parametrize(
    ("transit", "remarks"), [(0, []), (1, []), (2, [AccountRemark.LONG_TRANSIT])]
)
def test_6_8_2_a_day_of_transmission_is_accepted_a_longer_one_remarked_on(transit, remarks):
    """§ 6.8.2: 1 day is usual, longer goes to the TL. Verdict: taken as stated, remarked on."""
    record = Record(EMAIL_RECORD).dispatch(None, QUIET_DAY)
    record.dispatch(after(QUIET_DAY, transit), after(QUIET_DAY, 4))
    assert record.days() == 4 - transit
    assert [warning.code for warning in record.account().warnings] == remarks
    by_post = Record(POSTAL_RECORD).dispatch(None, QUIET_DAY)
    by_post.dispatch(after(QUIET_DAY, transit), after(QUIET_DAY, 4), Channel.POST)
    assert by_post.account().warnings == ()


def test_6_8_2_a_stated_receipt_is_honoured_and_a_late_relay_counts():
    """§ 6.8.2: his stated receipt, else when his server took the relay. Verdict: 4, 2, 3 days."""
    first = Record(EMAIL_RECORD).dispatch(None, QUIET_DAY)
    now, _rules = after(QUIET_DAY, 4), EMAIL

    def sent(state, received=None):
        answer = cmd.SendMoves(BLACK, 1, uci("e7e5"), received=received)
        return decide(state, answer, now)[0].received

    assert sent(first.state, QUIET_DAY) == QUIET_DAY
    assert sent(first.state) is None
    report = cmd.ReportReceived(BLACK, after(QUIET_DAY, 2))
    late = first.add(*decide(first.state, report, now)).state
    assert sent(late) == after(QUIET_DAY, 2)
    for on, by in ((1, BLACK), (-1, BLACK), (3, WHITE)):
        fresh = Record(EMAIL_RECORD).dispatch(None, QUIET_DAY).state
        assert decide(fresh, cmd.ReportReceived(by, after(QUIET_DAY, on)), now) == ()


def test_6_8_2_a_receipt_before_the_sending_or_in_the_future_is_refused():
    """§ 6.8.2: impossible dates. Verdict: refused, the game unchanged."""
    state = Record(EMAIL_RECORD).dispatch(None, QUIET_DAY).state
    for received in (after(QUIET_DAY, -1), after(QUIET_DAY, 5)):
        answer = cmd.SendMoves(BLACK, 1, uci("e7e5"), received=received)
        asked = decide(state, answer, after(QUIET_DAY, 4))
        assert asked == Refusal(Reason.DATES)
    with pytest.raises(LedgerEntryFault):
        _ = (
            Record(EMAIL_RECORD)
            .dispatch(None, QUIET_DAY)
            .add(MoveReceived(BLACK, after(QUIET_DAY, -1)))
            .state
        )


@pytest.mark.parametrize(
    ("moves", "reason"),
    [(("e2e5",), Reason.ILLEGAL), (("e1h1",), Reason.ILLEGAL), ((), Reason.SERIES)],
)
def test_6_8_4_an_unlawful_move_is_refused_before_it_is_sent(moves, reason):
    """§ 6.8.4: on the web nothing goes out. Verdict: refused with its paragraph, no charge."""
    castles = Record(EMAIL_RECORD, fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1").state
    refused = decide(castles, cmd.SendMoves(WHITE, 0, uci(*moves)), QUIET_DAY)
    assert refused == Refusal(reason)
    lawful = decide(castles, cmd.SendMoves(WHITE, 0, uci("e1g1")), QUIET_DAY)
    assert not isinstance(lawful, Refusal)


@pytest.mark.parametrize("reason", [PauseReason.OUTAGE, PauseReason.BOUNCE])
def test_6_8_5_an_outage_or_a_bounce_stops_time(reason):
    """§ 6.8.5, § 6.8.2: nobody pays for the way. Verdict: its days are exempt, then time runs."""
    record = Record(EMAIL_RECORD).dispatch(None, QUIET_DAY)
    stop = cmd.StopTime(after(QUIET_DAY, 2), after(QUIET_DAY, 4), reason)
    stopped = decide(record.state, stop, after(QUIET_DAY, 4))
    assert stopped == (GamePaused(after(QUIET_DAY, 2), after(QUIET_DAY, 4), reason),)
    assert record.add(*stopped).dispatch(None, after(QUIET_DAY, 9)).days() == 5
    backwards = cmd.StopTime(after(QUIET_DAY, 4), after(QUIET_DAY, 2), reason)
    assert decide(record.state, backwards, QUIET_DAY) == ()


@pytest.mark.parametrize(
    ("first", "last", "lost"),
    [
        ("2026-03-01T22:59:59", "2026-03-01T23:00:00", ("2026-03-01", "2026-03-01")),
        ("2026-03-01T23:00:00", "2026-03-02T22:59:59", None),
        ("2026-03-28T22:30:00", "2026-03-29T22:30:00", ("2026-03-28", "2026-03-29")),
        ("2026-10-24T21:30:00", "2026-10-25T22:30:00", ("2026-10-24", "2026-10-24")),
        ("2026-03-02T10:00:00", "2026-03-06T10:00:00", ("2026-03-02", "2026-03-05")),
    ],
)
def test_6_8_5_the_days_that_ended_in_an_outage_are_lost(first, last, lost):
    """§ 6.8.5 (reading): by the group's calendar, also on the days when its clocks change."""
    began, ended = (datetime.fromisoformat(f"{at}+00:00") for at in (first, last))
    found = days_lost(began, ended, "Europe/Copenhagen")
    assert found == (None if lost is None else tuple(map(date.fromisoformat, lost)))


def test_6_8_3_the_numbers_of_days():
    """§ 6.8.3: 14 days, then 7. Verdict: both rule sets."""
    for rules in (EMAIL, POSTAL):
        assert (rules.silence_days, rules.silence_answer_days) == (14, 7)
