"""§ 6.3.3.5, § 6.4.1: a claim of overstep puts the game at rest; it is decided, or admitted."""

from datetime import date

import pytest

from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal
from kskak.ledger.ledger_files import clock_json, ledger_json, read_ledger
from kskak.ledger.stored_events import dump_state, load_state
from kskak.play.decide_command import decide
from kskak.play.evolve_game import advance, replay
from kskak.regulation.editions import Ending, OverstepFinding, PauseReason, Result
from kskak.statement.account import account
from tests.regulation.record import BLACK, EMAIL, POSTAL, WHITE, Record, after, line


def asked(record: Record, command: cmd.Command, day: date) -> tuple[ev.Event, ...] | Refusal:
    return decide(record.state, command, day)


def do(record: Record, command: cmd.Command, day: date) -> Record:
    """The command's events, which the step by step state must reach as the replay does."""
    events = asked(record, command, day)
    assert not isinstance(events, Refusal), events
    stepped = advance(record.state, events, len(record.events), lambda: record.events)
    record.add(*events)
    assert stepped == record.state
    return record


def late_by_a_move(regulation=EMAIL) -> tuple[Record, date]:
    """White has answered too late; Black is to move and may claim."""
    limit = 40 if regulation is EMAIL else 30
    record = Record(regulation).rounds(9).think(limit + 1)
    return record, after(record.day, 2)


def late_and_silent() -> tuple[Record, date]:
    """White's time is up and he has not answered."""
    record = Record(EMAIL).rounds(9)
    flag = record.state.running().flag_on
    assert flag is not None
    return record, flag


@pytest.fixture(params=["moved", "silent", "silent for longer"])
def claimed(request) -> tuple[Record, date]:
    """A game at rest, and the day of the claim."""
    record, day = late_by_a_move() if request.param == "moved" else late_and_silent()
    if request.param == "silent for longer":
        day = after(day, 5)
    return do(record, cmd.ClaimOverstep(BLACK), day), day


def test_6_4_1_a_claim_ends_nothing_and_stops_everything(claimed):
    """§ 6.4.1: it is for the leader. Verdict: no result, nobody to move, no time running."""
    record, day = claimed
    state = record.state
    assert (state.result, state.to_move, state.running()) == (None, None, None)
    assert state.rests and state.overstep.finding is OverstepFinding.CLAIMED
    year = record.account(after(day, 365))
    assert year.overstep == record.account(day).overstep, "no day is added"
    assert load_state(record.terms, dump_state(state)) == state


def test_6_4_1_nobody_may_move_or_end_a_game_at_rest(claimed):
    """§ 6.4.1: Verdict: refused, with its paragraph; leave may still be told."""
    record, day = claimed
    state, ply = record.state, record.state.position.ply
    for command in (
        cmd.SendMoves(state.mover, ply, (line(ply),)),
        cmd.ClaimDraw(state.mover, ply),
        cmd.OfferDraw(WHITE),
        cmd.AcceptDraw(WHITE),
        cmd.ClaimOverstep(BLACK),
        cmd.WaiveOverstep(BLACK),
        cmd.Resign(BLACK),
        cmd.NotifyLongThink(state.mover),
    ):
        refusal = asked(record, command, day)
        assert refusal == Refusal(Reason.AT_REST), command
        assert refusal.paragraph == "6.4.1"
    for silent in (cmd.LookAtTime(), cmd.Remind(3), cmd.TellLeader()):
        assert asked(record, silent, after(day, 90)) == ()
    leave = asked(record, cmd.BookLeave(WHITE, after(day, 20), after(day, 22)), day)
    assert not isinstance(leave, Refusal)


def test_6_4_1_the_ledger_says_claimed_as_it_stands(claimed):
    """The exported ledger has the claim and its clock says so; nobody has decided it."""
    record, day = claimed
    exported = read_ledger(ledger_json(record.terms, record.events))
    clock = clock_json(account(exported.terms, [*exported.events], day))
    assert clock["overstep"]["finding"] == "claimed"
    assert clock["result"] == "0-1"
    assert "awaits_decision" not in clock, "a ledger's claim is as it was written"
    assert clock_json(record.account(day)) == clock | {"awaits_decision": True}


def test_6_3_3_5_who_admits_has_lost_and_nobody_else_can(claimed):
    """§ 6.3.3.5: the late player's word is enough. Verdict: 0-1; his opponent's is none."""
    record, day = claimed
    assert asked(record, cmd.AdmitOverstep(BLACK), day) == Refusal(Reason.NO_CLAIM)
    given_up = asked(record, cmd.Resign(WHITE), after(day, 3))
    assert given_up == asked(record, cmd.AdmitOverstep(WHITE), after(day, 3))
    do(record, cmd.AdmitOverstep(WHITE), after(day, 3))
    assert (record.state.result, record.state.rests) == (Result.BLACK_WINS, False)
    assert asked(record, cmd.AdmitOverstep(WHITE), day) == Refusal(Reason.GAME_OVER)


def test_6_3_3_5_there_is_nothing_to_admit_before_a_claim():
    record, day = late_by_a_move()
    assert asked(record, cmd.AdmitOverstep(WHITE), day) == Refusal(Reason.NO_CLAIM)


def test_6_4_1_an_upheld_claim_stands_until_it_is_annulled(claimed):
    """§ 6.4.1, § 6.4.3: Verdict: 0-1 by the ruling; annulled, the game is at rest again."""
    record, day = claimed
    record.add(ev.RulingApplied("1", ev.ClaimStands(WHITE, after(day, 9))))
    assert record.state.result is Result.BLACK_WINS
    record.add(ev.RulingAnnulled("1"))
    assert (record.state.result, record.state.rests) == (None, True)
    record.add(ev.RulingApplied("2", ev.ResultRuled(Result.DRAW, after(day, 30), "KC", "2")))
    assert (record.state.result, record.state.ended) == (Result.DRAW, Ending.RULING)


def test_6_4_1_a_rejected_claim_lets_the_game_go_on_with_its_days(claimed):
    """Kendelse 59: totals and a day. Verdict: it runs, and the days at rest count for nobody."""
    record, day = claimed
    on = after(day, 20)
    record.add(
        ev.RulingApplied("1", ev.TotalsSet(38, None)),
        ev.PauseEnded(PauseReason.DISPUTE, after(on, -1)),
    )
    state = record.state
    assert (state.result, state.rests, state.overstep) == (None, False, None)
    assert state.to_move is state.mover and state.white.total == 38
    running = state.running()
    before = max(0, (day - running.since).days)
    assert state.days_on(running, on) == before, "only what ran before the claim"


def test_6_4_1_a_claim_that_is_taken_back_was_never_made(claimed):
    """Verdict: as before the claim, but that time stood still; the ledger has no claim."""
    record, day = claimed
    made = [e for e in record.events if isinstance(e, ev.OverstepClaimed)]
    record.add(ev.PauseEnded(PauseReason.DISPUTE, after(day, 6)), ev.ClaimDropped(after(day, 7)))
    kept = [e for e in record.events if e not in made and not isinstance(e, ev.ClaimDropped)]
    assert record.state == replay(record.terms, kept)
    entries = ledger_json(record.terms, record.events)["entries"]
    assert "claim" not in [entry["kind"] for entry in entries]
    again = asked(record, cmd.ClaimOverstep(BLACK), after(day, 8))
    assert not isinstance(again, Refusal)


def test_6_4_1_a_claim_after_the_end_changes_no_result_before_it_is_decided():
    """§ 6.3.3.3: it may stand over a mate or a resignation, once somebody has said so."""
    record, day = late_by_a_move()
    record.add(ev.PlayerResigned(BLACK, record.day))
    do(record, cmd.ClaimOverstep(BLACK), day)
    assert (record.state.result, record.state.rests) == (Result.WHITE_WINS, False)
    record.add(ev.RulingApplied("1", ev.ClaimStands(WHITE, day)))
    assert record.state.result is Result.BLACK_WINS


def test_6_4_1_a_card_does_not_move_a_game_at_rest_but_may_end_it():
    """§ 6.3.3.3."""
    record, day = late_by_a_move(POSTAL)
    do(record, cmd.ClaimOverstep(BLACK), day)
    ply, card = record.state.position.ply, ev.CardDates(day)
    sent = cmd.RecordCard(BLACK, ply, (line(ply),), card, day)
    assert asked(record, sent, day) == Refusal(Reason.AT_REST)
    assert asked(record, cmd.RecordEnd(BLACK, True, day), day) == Refusal(Reason.AT_REST)
    do(record, cmd.RecordEnd(WHITE, True, day), day)
    assert record.state.result is Result.BLACK_WINS
