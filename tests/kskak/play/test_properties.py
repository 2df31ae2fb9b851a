"""What holds for every game: one truth in replay, advance and snapshot; days; commands."""

from datetime import date, timedelta

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal, lawful_days
from kskak.ledger.ledger_files import clock_json, ledger_json, read_ledger
from kskak.ledger.stored_events import dump_event, dump_state, load_event, load_state
from kskak.play.decide_command import decide, decide_and_reach
from kskak.play.evolve_game import LedgerEntryFault, advance, evolve, open_game, replay
from kskak.play.game_state import LedgerFault, Terms, may_follow, phase_of
from kskak.regulation.editions import PauseReason, Regulation, Side
from kskak.statement.account import account
from tests.fakes.machinery.draws import QUICK
from tests.fakes.machinery.snapshots import kept
from tests.kskak.plays import commands, games, happening


@QUICK
@given(games())
def test_advance_replay_and_snapshot_are_one_truth(game):
    by, events = game
    state = open_game(by)
    for seq, event in enumerate(events):
        state = advance(state, [event], seq, lambda seq=seq: events[:seq])
        assert state == replay(by, events[: seq + 1])
        assert load_state(by, kept(state)) == state
        assert dump_state(load_state(by, kept(state))) == dump_state(state)


@QUICK
@given(games(), st.data())
def test_what_replay_refuses_advance_refuses_too(game, data):
    by, events = game
    event = data.draw(happening(replay(by, events)))

    def tried(step) -> str:
        try:
            return dump_state(step())
        except LedgerFault as fault:
            return fault.what if isinstance(fault, LedgerEntryFault) else str(fault)

    once = tried(lambda: replay(by, [*events, event]))
    assert tried(lambda: advance(replay(by, events), [event], len(events), lambda: events)) == once


@QUICK
@given(games())
def test_every_event_leads_where_the_table_says(game):
    by, events = game
    state = open_game(by)
    for seq, event in enumerate(events):
        before = phase_of(state)
        state = advance(state, [event], seq, lambda seq=seq: events[:seq])
        assert phase_of(state) in may_follow(before, event)


@QUICK
@given(games(), st.data())
def test_an_event_without_a_row_is_refused(game, data):
    by, events = game
    state = replay(by, events)
    event = data.draw(happening(state))
    if not may_follow(phase_of(state), event):
        with pytest.raises(LedgerFault, match="over"):
            evolve(state, event, len(events))


@QUICK
@given(games())
def test_the_journal_gives_back_the_events(game):
    _, events = game
    for event in events:
        assert load_event(dump_event(event)) == event
        assert dump_event(load_event(dump_event(event))) == dump_event(event)


@QUICK
@given(games())
def test_the_ledger_gives_back_the_game(game):
    by, events = game
    written = ledger_json(by, events)
    read = read_ledger(written)
    assert read.terms == by
    assert ledger_json(read.terms, read.events) == written
    told, original = (clock_json(account(by, those)) for those in (read.events, events))
    assert len(told.pop("warnings")) == len(original.pop("warnings"))
    original.pop("awaits_decision", None)  # a ledger takes a claim at its word (§ 6.4.1)
    assert told == original


@QUICK
@given(games(), st.integers(0, 60))
def test_days_are_explained_and_never_negative(game, later):
    by, events = game
    on = by.start + timedelta(later)
    told = account(by, events, on)
    assert account(by, events, on, is_decided=True) == told
    for row in told.rows:
        days = row.dates
        assert days.days >= 0
        if days.received is not None and days.sent is not None:
            exempt = sum((span.last - span.first).days + 1 for span in days.exempt)
            assert days.days + exempt == (days.sent - days.received).days
    if told.live is not None:
        assert told.live.days >= 0
        assert told.live.total == told.state.clock(told.running.by).total + told.live.days
    assert clock_json(told)["totals"].keys() == {"white", "black"}


@QUICK
@given(games())
def test_totals_grow_unless_a_ruling_says_otherwise(game):
    by, events = game
    state = open_game(by)
    for seq, event in enumerate(events):
        before = state
        state = advance(state, [event], seq, lambda seq=seq: events[:seq])
        done = event.effect if isinstance(event, ev.RulingApplied) else event
        counted_anew = isinstance(
            done,
            ev.TotalsSet
            | ev.DispatchCorrected
            | ev.LeaveBooked
            | ev.GamePaused
            | ev.PauseEnded
            | ev.RulingAnnulled,
        )
        if not counted_anew and not (isinstance(done, ev.DaysCharged) and done.days < 0):
            assert state.white.total >= before.white.total
            assert state.black.total >= before.black.total


@QUICK
@given(games(most=6), st.data(), st.dates(date(2010, 1, 1), date(2013, 1, 1)))
def test_decide_never_raises_and_what_it_decides_can_happen_and_be_kept(game, data, now):
    by, events = game
    state = replay(by, events)
    command = data.draw(commands(state))
    decided = decide(state, command, now)
    if isinstance(decided, Refusal):
        assert decided.paragraph
        return
    assert [load_event(dump_event(event)) for event in decided] == list(decided)
    after = advance(state, decided, len(events), lambda: events)
    assert after == replay(by, [*events, *decided])
    reached = decide_and_reach(state, command, now)
    assert not isinstance(reached, Refusal) and reached[0] == decided
    assert reached[1] in (None, after)
    assert load_state(by, dump_state(after)) == after


POSTAL = Terms("card", Regulation.POSTAL, date(2026, 9, 1), "Hvid", "Sort", None, 2018)
NOW = date(2026, 11, 5)
E4 = (chess.Move.from_uci("e2e4"),)


@given(st.dates(), st.integers(0, 7))
@example(date(26, 11, 2), 0)
@example(date(1799, 1, 1), 1)
@example(date(1799, 12, 31), 3)
@example(date(9999, 12, 31), 4)
@example(date.min, 5)
@example(date.max, 6)
def test_no_day_leads_to_an_event_that_cannot_be_read(day, place):
    """What was found: a typed 26 is the year 26, and a kept event then could not be read."""
    state = open_game(POSTAL)
    white = Side.WHITE
    command = (
        cmd.RecordCard(white, 0, E4, ev.CardDates(day)),
        cmd.RecordCard(white, 0, E4, ev.CardDates(NOW, None, day), received=NOW),
        cmd.RecordCard(white, 0, E4, ev.CardDates(NOW), received=day),
        cmd.RecordFaultyCard(white, 0, ev.MoveFault.ILLEGIBLE, day),
        cmd.RecordReceipt(white, day),
        cmd.StopTime(day, None, PauseReason.OUTAGE),
        cmd.GrantLeave(white, NOW, day),
        cmd.SendMoves(white, 0, E4, received=day),
    )[place]
    decided = decide(state, command, NOW)
    first, last = lawful_days(POSTAL.start, NOW)
    if not first <= day <= last:
        assert isinstance(decided, Refusal)
        if place != 6:
            assert decided.reason is Reason.DAY_OUTSIDE
            assert (decided.given, decided.earliest, decided.latest) == (day, first, last)
    if not isinstance(decided, Refusal):
        assert [load_event(dump_event(event)) for event in decided] == list(decided)
        advance(state, decided, 0, lambda: ())
