"""What everybody is told of a running game: moves and days, and nothing that a player intends."""

from dataclasses import replace
from datetime import date, timedelta

import chess
from hypothesis import assume, given

from kskak.game import game_events as ev
from kskak.ledger.ledger_files import clock_json, ledger_json
from kskak.play.evolve_game import replay
from kskak.play.game_state import Terms
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import Account, account, build_follower_view
from tests.fakes.machinery.draws import QUICK
from tests.fakes.machinery.each import rows
from tests.kskak.plays import games

START = date(2026, 9, 1)
TERMS = Terms("K-1/1", Regulation.EMAIL, START, "Anna", "Bent", None, 2018)


def day(number: int) -> date:
    return START + timedelta(days=number)


def moves(*texts: str) -> tuple[chess.Move, ...]:
    return tuple(chess.Move.from_uci(text) for text in texts)


def sent(by: Side, on: int, *texts: str, series: str = "", draw: bool = False) -> ev.MoveSent:
    return ev.MoveSent(
        by, moves(*texts), day(on), proposes=moves(*series.split()), offers_draw=draw
    )


WHITE = sent(Side.WHITE, 1, "e2e4", series="e7e5 g1f3 b8c6 f1b5")


def told(*events: ev.Event, today: int = 9) -> Account:
    return build_follower_view(account(TERMS, events, day(today)), day(today))


def proposed(found: Account) -> list[str]:
    return [m.uci() for e in found.events if isinstance(e, ev.MoveSent) for m in e.proposes]


def test_a_series_that_stands_is_told_nowhere():
    """§ 6.2.5: it says what its player intends."""
    found = told(WHITE)
    assert proposed(found) == []
    assert found.state.proposal == ()
    assert clock_json(found)["proposal"] == []
    assert "proposes" not in str(ledger_json(TERMS, found.events))


def test_of_a_series_answered_in_part_the_part_that_was_played_is_told():
    """§ 6.2.5: the bound answer is on the board; what still binds is not told."""
    answer = sent(Side.BLACK, 4, "e7e5")
    assert account(TERMS, [WHITE, answer]).state.proposal == moves("b8c6", "f1b5")
    assert proposed(told(WHITE, answer)) == ["e7e5", "g1f3"]


def test_a_series_that_nobody_answers_any_more_is_told_as_in_a_finished_game():
    assert proposed(told(WHITE, sent(Side.BLACK, 4, "c7c5"))) == [m.uci() for m in WHITE.proposes]


@rows(
    "after",
    (),
    (sent(Side.BLACK, 4, "e7e5"),),
    (sent(Side.BLACK, 4, "c7c5"),),
    ids=["stands", "answered in part", "answered otherwise"],
)
def test_what_is_told_reads_as_the_same_game_with_the_same_days(after: tuple[ev.Event, ...]):
    events = (WHITE, *after)
    full, found = account(TERMS, events, day(9)), told(*events)
    again = account(TERMS, found.events, day(9))
    assert again.rows == found.rows == full.rows
    assert again.state.board == full.state.board
    assert (again.state.white, again.state.black) == (full.state.white, full.state.black)
    assert again.live == found.live == full.live


def test_a_draw_offer_is_told_nowhere_while_the_game_runs_pending_or_answered():
    """FIDE 9.1."""
    offered = sent(Side.WHITE, 1, "e2e4", draw=True)
    declined = ev.DrawDeclined(Side.BLACK, day(2))
    prepared = ev.DrawOfferPrepared(Side.BLACK, day(3))
    failed = ev.DrawClaimFailed(Side.BLACK, day(3))
    for events in ((offered,), (offered, declined), (offered, declined, prepared), (WHITE, failed)):
        found = told(*events)
        state = found.state
        assert len(found.events) == 1, events
        assert not any(e.offers_draw for e in found.events if isinstance(e, ev.MoveSent))
        assert (state.draw_offer, state.prepared_offer) == (None, None)


def test_leave_is_told_when_it_has_begun_and_not_before():
    """§ 6.3.6: when somebody will be away is his own."""
    away = ev.LeaveBooked(Side.BLACK, day(20), day(27), day(2))
    shorter = ev.LeaveShortened(Side.BLACK, day(20), day(27), day(24))
    ruled = ev.RulingApplied("S-1", ev.LeaveBooked(Side.WHITE, day(20), day(27), None))
    events = (WHITE, away, shorter, ruled)
    assert told(*events, today=19).events == (replace(WHITE, proposes=()),)
    assert len(told(*events, today=20).events) == 4
    before = told(*events, today=19)
    assert (before.rulings, before.warnings) == ((), ())


def test_remarks_follow_the_events_that_are_told():
    late = ev.MoveSent(Side.BLACK, moves("c7c5"), day(9), received=day(6))
    events = (WHITE, ev.DrawOfferPrepared(Side.BLACK, day(2)), late)
    full, found = account(TERMS, events, day(9)), told(*events)
    assert [one.entry for one in full.warnings] == [2]
    assert [one.entry for one in found.warnings] == [1]


def near_the_control() -> tuple[tuple[ev.Event, ...], int]:
    """Black has used 36 of his 40 days in 9 moves; and the day of his last one."""
    events: list[ev.Event] = []
    on, pairs = 1, [*((f"{c}2{c}3", f"{c}7{c}6") for c in "abcdefgh"), ("e1f2", "e8f7")]
    for white, black in pairs:
        events += [sent(Side.WHITE, on, white), sent(Side.BLACK, on + 5, black)]
        on += 6
    return tuple(events), on


def test_the_limit_is_told_without_the_series_but_nobody_is_shown_late_who_is_not():
    """§ 6.3.3.2: a series past the control raises the limit of who may answer it."""
    played, on = near_the_control()
    series = sent(Side.WHITE, on, "f2e1", series="a6a5 a3a4 b6b5 b3b4")
    full = account(TERMS, (*played, series), day(on + 2)).running
    plain = account(TERMS, (*played, replace(series, proposes=())), day(on + 2)).running
    assert full is not None and plain is not None and plain.flag_on is not None
    assert full.limit > plain.limit, "the case is about a limit that is raised"
    assert told(*played, series, today=on + 2).running == plain
    late = told(*played, series, today=(plain.flag_on - START).days)
    assert (late.overstep, late.running) == (None, full)


@QUICK
@given(games())
def test_any_running_game_is_told_with_its_moves_days_and_faults(game):
    """What is left out changes nothing of what is told, whatever has happened."""
    by, events = game
    today = replay(by, events).settled + timedelta(1)
    full = account(by, events, today)
    assume(full.state.result is None)
    found = build_follower_view(full, today)
    state = found.state
    assert (state.proposal, state.draw_offer, state.prepared_offer) == ((), None, None)
    assert found.rows == full.rows
    assert found.overstep == full.overstep
    moved = [e for e in events if isinstance(e, ev.MoveSent)]
    kept = [e for e in found.events if isinstance(e, ev.MoveSent)]
    assert [(e.plies, e.sent, e.received) for e in kept] == [
        (e.plies, e.sent, e.received) for e in moved
    ]
    ledger_json(by, found.events)
