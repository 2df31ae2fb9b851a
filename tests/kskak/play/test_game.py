"""When a game is replayed and when not; what a ruling, a claim and a late leave do to that."""

from datetime import date
from typing import get_args

import pytest

from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal
from kskak.play import decide_command, evolve_game
from kskak.play.decide_command import decide
from kskak.play.evolve_game import NeedsHistory, advance, evolve, open_game, replay
from kskak.play.game_state import Terms
from kskak.regulation.editions import PauseReason, Result
from tests.fakes.machinery.each import rows
from tests.regulation.record import BLACK, EMAIL, POSTAL, QUIET_DAY, WHITE, Record, after


def late_leave(first: date, last: date, notified: date) -> ev.LeaveBooked:
    return ev.LeaveBooked(WHITE, first, last, notified)


def test_leave_to_come_needs_no_replay_and_leave_that_has_begun_does():
    record = Record(EMAIL).think(5)
    to_come = late_leave(record.day, after(record.day, 3), QUIET_DAY)
    assert evolve(record.state, to_come, 1).bookings
    begun = late_leave(after(record.day, -1), after(record.day, 3), QUIET_DAY)
    for event in (begun, ev.DispatchCorrected(1, QUIET_DAY, None, "TL", "1")):
        with pytest.raises(NeedsHistory):
            evolve(record.state, event, 1)
    asked = []

    def history():
        asked.append(1)
        return record.events

    advance(record.state, [to_come], 1, history)
    assert asked == []
    again = advance(record.state, [begun], 1, history)
    assert asked == [1]
    assert again == replay(record.terms, [*record.events, begun])


def test_a_claim_that_found_nothing_is_looked_at_again_when_the_leave_it_met_is_moved():
    """A leave noticed late takes the quota of one booked before: time ran in between."""
    record = Record(EMAIL)
    record.add(late_leave(after(QUIET_DAY, 30), after(QUIET_DAY, 64), QUIET_DAY))
    record.add(ev.OverstepClaimed(BLACK, after(QUIET_DAY, 50)))
    assert record.state.overstep is None
    late = late_leave(after(QUIET_DAY, 1), after(QUIET_DAY, 134), after(QUIET_DAY, 94))
    state = advance(record.state, [late], 2, lambda: record.events)
    assert state == record.add(late).state
    assert state.result is Result.BLACK_WINS


def test_a_pause_that_ended_counts_until_its_last_day():
    record = Record(EMAIL).add(ev.GamePaused(after(QUIET_DAY, 2), None, PauseReason.BOUNCE))
    record.add(ev.PauseEnded(PauseReason.BOUNCE, after(QUIET_DAY, 4)))
    assert record.dispatch(None, after(QUIET_DAY, 9)).days() == 6
    running = Record(EMAIL).add(ev.GamePaused(after(QUIET_DAY, 2), None, PauseReason.BOUNCE))
    assert running.state.running().flag_on is None


@pytest.mark.parametrize("regulation", [POSTAL, EMAIL])
def test_a_claim_changes_something_or_is_refused(regulation):
    """§ 6.8.7."""
    record = Record(regulation).rounds(9).think(41)
    late = record.state
    claim = decide(late, cmd.ClaimOverstep(BLACK), record.day)
    stopped = ev.GamePaused(record.day, None, PauseReason.DISPUTE)
    assert claim == (stopped, ev.OverstepClaimed(BLACK, record.day, awaits_decision=True))
    assert decide(late, cmd.ClaimOverstep(WHITE), record.day) == Refusal(Reason.NO_OVERSTEP)
    claimed = record.add(*claim).state
    again = decide(claimed, cmd.ClaimOverstep(BLACK), record.day)
    assert again == Refusal(Reason.AT_REST)


def test_a_claim_stands_over_a_resignation_but_not_over_a_draw():
    def ended(event: ev.Event) -> Record:
        record = Record(POSTAL).rounds(9).think(31)
        return record.add(event, ev.OverstepClaimed(BLACK, record.day))

    assert ended(ev.PlayerResigned(BLACK, QUIET_DAY)).state.result is Result.BLACK_WINS
    assert ended(ev.DrawMade(BLACK, QUIET_DAY)).state.result is Result.DRAW
    ruled = ev.ResultRuled(Result.WHITE_WINS, QUIET_DAY, "TL", "1")
    assert ended(ruled).state.result is Result.WHITE_WINS


@rows("fen", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
def test_a_fen_that_starts_no_game_is_told_by_its_name(fen):
    with pytest.raises(ValueError, match="^fen: "):
        open_game(Terms("x", EMAIL, QUIET_DAY, "A", "B", fen, 2018))


def _kinds(union: object) -> set[type]:
    """The classes that a union of unions names."""
    return set().union(*map(_kinds, get_args(union))) if get_args(union) else {union}


def test_every_command_has_its_decider_and_every_event_its_effect():
    overstep = {cmd.ClaimOverstep, cmd.WaiveOverstep, cmd.AdmitOverstep}
    assert {*decide_command._OBSERVED, *decide_command._ASKED} | overstep == _kinds(cmd.Command)
    calendar = {ev.LeaveBooked, ev.LeaveShortened, ev.GamePaused, ev.PauseEnded}
    past = {ev.DispatchCorrected, ev.RulingAnnulled, ev.ClaimDropped, ev.EntryAnnulled}
    elsewhere = {ev.MoveSent, ev.RulingApplied, ev.GameSetBack, *calendar, *past}
    tables = {*evolve_game._AT_ANY_TIME, *evolve_game._WHILE_RUNNING}
    assert tables | elsewhere == _kinds(ev.Event) and not tables & elsewhere
