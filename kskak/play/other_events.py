"""What every event but a dispatch does to a game's state.

One public function, ``happen``. Leaves, pauses and corrections are not here: they belong to
the calendar and the replay (evolve.py).
"""

from dataclasses import replace
from datetime import date
from typing import assert_never

from kskak.game import events as ev
from kskak.play.account_log import Charge, Log
from kskak.play.contradictions import ReceivedFirst
from kskak.play.state import GameState, PlayerClock, Turn
from kskak.reflection.control import Overstep
from kskak.reflection.faulty import PARAGRAPH, fault_days
from kskak.regulation.quantities import Ending, Finding, Result, Side

_OfTheServer = (
    ev.DrawOfferPrepared
    | ev.DrawDeclined
    | ev.DrawClaimFailed
    | ev.OverstepFound
    | ev.OverstepWaived
    | ev.EmailAnswered
    | ev.TakenOver
)
_OfAClaim = ev.OverstepClaimed | ev.ClaimStands
Happening = (
    ev.MoveReceived
    | ev.LongThinkNotified
    | ev.Reminded
    | ev.LeaderTold
    | ev.FaultySent
    | _OfAClaim
    | ev.DaysCharged
    | ev.ResultRuled
    | ev.TotalsSet
    | ev.GameResumed
    | ev.Resigned
    | ev.DrawMade
    | _OfTheServer
)


def happen(state: GameState, event: Happening, log: Log) -> GameState:
    """Apply an event. Raises LedgerFault for one that can't have happened."""
    match event:
        case ev.OverstepClaimed():
            return _claimed(state, event)
        case ev.ClaimStands():
            return replace(state, awaits_decision=False)
        case ev.ResultRuled():
            ruled = replace(state, ended=Ending.RULING, ended_result=event.result)
            return replace(ruled, awaits_decision=False)
        case ev.Resigned() | ev.DrawMade():
            return _finished(state, event)
    if state.ended is not None:
        return state
    return _while_running(state, event, log)


def _while_running(
    state: GameState,
    event: ev.MoveReceived
    | ev.LongThinkNotified
    | ev.Reminded
    | ev.LeaderTold
    | ev.FaultySent
    | ev.DaysCharged
    | ev.TotalsSet
    | ev.GameResumed
    | _OfTheServer,
    log: Log,
) -> GameState:
    """Events that have no effect once the game is over."""
    match event:
        case ev.MoveReceived():
            return _received(state, event)
        case ev.LongThinkNotified() | ev.Reminded() | ev.LeaderTold():
            return _said(state, event)
        case ev.FaultySent():
            return _faulty(state, event, log)
        case ev.DaysCharged():
            log.charge(Charge(event.by, event.on, event.days, event.paragraph, event.reason))
            return _add_days(state, event.by, event.days, event.on)
        case ev.TotalsSet():
            return _totals_set(state, event)
        case ev.GameResumed():
            # The reported receipt counts again if the ruling is annulled (§ 6.4.3).
            fresh = Turn(state.turn.opponent_sent, event.on, state.turn.seen, state.turn.said)
            return replace(state, turn=fresh, overstep=None, awaits_decision=False)
        case _:
            return _of_the_server(state, event)


def _of_the_server(state: GameState, event: _OfTheServer) -> GameState:
    """Events that change no day and no result."""
    match event:
        case ev.DrawOfferPrepared():
            return replace(state, prepared_offer=event.by)
        case ev.DrawDeclined():
            return replace(state, draw_offer=None)
        case ev.DrawClaimFailed():
            return replace(state, draw_offer=event.by)
        case ev.OverstepFound():
            return replace(state, turn=replace(state.turn, warned=event.on))
        case ev.OverstepWaived():
            return replace(state, is_overstep_waived=True)
        case ev.TakenOver(on):
            return replace(state, turn=replace(state.turn, warned=on, watched=on))
        case ev.EmailAnswered(by, _, agrees):
            return replace(state, means=state.means.saying(by, agrees))
        case _:
            assert_never(event)


def _received(state: GameState, event: ev.MoveReceived) -> GameState:
    if event.by is not state.mover:
        return state
    if state.turn.opponent_sent is not None and event.on < state.turn.opponent_sent:
        raise ReceivedFirst("received before the opponent had sent")
    if state.turn.fixed is not None:
        return state
    return replace(state, turn=replace(state.turn, seen=event.on))


def _said(state: GameState, event: ev.LongThinkNotified | ev.Reminded | ev.LeaderTold) -> GameState:
    """Notice by the side to move; reminder and report by the one who waits (§ 6.3.4)."""
    said = state.turn.said
    is_mover = event.by is state.mover
    match event:
        case ev.LongThinkNotified() if is_mover:
            said = replace(said, notices=(*said.notices, event.on))
        case ev.Reminded() if not is_mover:
            said = replace(said, reminders=(*said.reminders, event.on))
        case ev.LeaderTold() if not is_mover:
            said = replace(said, leader_told=(*said.leader_told, event.on))
    return replace(state, turn=replace(state.turn, said=said))


def _faulty(state: GameState, event: ev.FaultySent, log: Log) -> GameState:
    """Charge a faulty move (§ 6.3.5.1, § 6.8.6)."""
    rules, clock = state.terms.rules, state.clock(event.by)
    days = fault_days(event.fault, clock.faults, rules)
    if days == 0:
        return state
    paragraph = PARAGRAPH[rules.regulation]
    log.charge(Charge(event.by, event.on, days, paragraph, event.fault.value))
    counted = PlayerClock(clock.total, clock.moves, clock.faults + 1)
    return _add_days(state.with_clock(event.by, counted), event.by, days, event.on)


def _add_days(state: GameState, side: Side, days: int, on: date) -> GameState:
    """Add days to a total; only days above 0 test the limit (§ 6.3.3.1)."""
    clock = state.clock(side)
    total = clock.total + days
    if days > 0 and state.overstep is None and total > state.limit_of(side):
        control, limit = state.next_control(side), state.limit_of(side)
        overstep = Overstep(side, control, limit, total, on, Finding.OPEN)
        state = replace(state, overstep=overstep)
    return state.with_clock(side, replace(clock, total=total))


def _totals_set(state: GameState, event: ev.TotalsSet) -> GameState:
    """Totals set by a ruling; a game closed by overstep is open again (Kendelse 59)."""
    for side, total in ((Side.WHITE, event.white), (Side.BLACK, event.black)):
        if total is not None:
            state = state.with_clock(side, replace(state.clock(side), total=total))
    return replace(state, overstep=None, awaits_decision=False)


def _claimed(state: GameState, event: ev.OverstepClaimed) -> GameState:
    """A claim loses the game for whoever overstepped; without an overstep it has no effect.

    § 6.3.3.3, § 6.8.7. It overrides an earlier mate or resignation, but not an agreed draw or
    a ruling. While the late side has not sent, the days until the claim count.
    """
    if state.ended is not None and not state.ended.is_overridden_by_claim:
        return state
    overstep = state.overstep
    if overstep is not None:
        if overstep.by is event.by or overstep.finding is not Finding.OPEN:
            return state
        found = overstep.found(Finding.CLAIMED)
        return replace(state, overstep=found, awaits_decision=event.awaits_decision)
    running = state.running()
    if running is None or running.by is event.by:
        return state
    if running.flag_on is None or event.on < running.flag_on:
        # Checked and within the limit: days until then count as counted (evolve.py, NeedsHistory).
        return replace(state, settled=max(state.settled, event.on))
    used = state.clock(running.by).total + state.days_on(running, event.on)
    control = state.next_control(running.by)
    found = Overstep(running.by, control, running.limit, used, running.flag_on, Finding.CLAIMED)
    late = replace(state, overstep=found, awaits_decision=event.awaits_decision)
    return replace(late, settled=max(state.settled, event.on))


def _finished(state: GameState, event: ev.Resigned | ev.DrawMade) -> GameState:
    """A resignation or a draw ends the game (§ 6.2.6, FIDE 5.1-5.2)."""
    match event:
        case ev.Resigned():
            won = Result.won_by(event.by.other)
            return replace(state, ended=Ending.RESIGNATION, ended_result=won)
        case ev.DrawMade():
            return replace(state, ended=Ending.DRAW, ended_result=Result.DRAW)
        case _:
            assert_never(event)
