"""``decide``: a command in a state becomes events or a refusal.

Never raises for what a person did. Legality is left to ``evolve`` itself, so that there is one
source of truth about what can happen. Not for changing the state (evolve.py).
"""

from dataclasses import dataclass, replace
from datetime import date
from typing import assert_never

from kskak.board.board_claims import is_draw_claim_right
from kskak.game import commands as cmd
from kskak.game import events as ev
from kskak.game.lawful_days import unlawful_day
from kskak.game.refusals import Reason, Refusal, day_outside
from kskak.play.decide_cards import decide_postal, is_barred, receipt_of_email
from kskak.play.decide_claims import about_overstep, at_rest
from kskak.play.decide_leave import book_leave, grant_leave, shorten_leave
from kskak.play.due_days import has_notice, leader_on, reminder_on
from kskak.play.evolve import evolve
from kskak.play.possible import if_possible, must_ask
from kskak.play.state import HOLIDAYS_ONLY, GameState
from kskak.reflection.leave import open_pause
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import RuleSet
from kskak.regulation.quantities import Channel, PauseReason, Side

Decision = tuple[ev.Event, ...] | Refusal


@dataclass(frozen=True, slots=True)
class Reached:
    """A decision's events, and the state after them where deciding has computed it."""

    events: tuple[ev.Event, ...]
    state: GameState | None = None


def decide(state: GameState, command: cmd.Command, now: date, edition: RuleSet) -> Decision:
    """What a command does. ``now`` is the tournament's local day of the instant that counts.

    Returns the events that follow, in order, or the refusal with its paragraph.
    """
    reached = decide_and_reach(state, command, now, edition)
    return reached if isinstance(reached, Refusal) else reached.events


def decide_and_reach(
    state: GameState, command: cmd.Command, now: date, edition: RuleSet
) -> Reached | Refusal:
    """``decide``, with the state after a dispatch, which callers then need not apply again."""
    outside = _outside(state, command, now)
    if outside is not None:
        return outside
    if isinstance(command, cmd.SendMoves) and state.result is None:
        return _dispatch(state, command, now)
    decision = _decision(state, command, now, edition)
    return decision if isinstance(decision, Refusal) else Reached(decision)


def _outside(state: GameState, command: cmd.Command, now: date) -> Refusal | None:
    """The refusal of a command that names a day no game of this time can speak of.

    Leave says itself what it may be, and a move seldom says when the one before was received.
    """
    if isinstance(command, cmd.SendMoves) and command.received is None:
        return None
    if isinstance(command, cmd.BookLeave | cmd.GrantLeave | cmd.ShortenLeave):
        return None
    given = unlawful_day(command, state.terms.start, now)
    return None if given is None else day_outside(given, state.terms.start, now)


def _decision(state: GameState, command: cmd.Command, now: date, edition: RuleSet) -> Decision:
    match command:
        case (
            cmd.ReportFaulty() | cmd.StopTime() | cmd.LookAtTime() | cmd.Remind() | cmd.TellLeader()
        ):
            return _by_server(state, command, now)
        case cmd.ClaimOverstep() | cmd.WaiveOverstep() | cmd.AdmitOverstep():
            return about_overstep(state, command, now)
        case _ if state.result is not None:
            return Refusal(Reason.GAME_OVER)
        case _ if (answer := at_rest(state, command, now)) is not None:
            return answer
        case cmd.BookLeave():
            return book_leave(state, command, now, edition)
        case cmd.GrantLeave():
            return grant_leave(state, command, now, edition)
        case cmd.ShortenLeave():
            return shorten_leave(state, command, now)
        case cmd.ReportReceived():
            return _received(state, command)
        case (
            cmd.RecordCard()
            | cmd.RecordFaultyCard()
            | cmd.RecordEnd()
            | cmd.RecordReceipt()
            | cmd.AnswerEmail()
        ):
            return decide_postal(state, command, now)
        case _:
            return _by_player(state, command, now)


_Playing = (
    cmd.SendMoves
    | cmd.ClaimDraw
    | cmd.OfferDraw
    | cmd.AcceptDraw
    | cmd.DeclineDraw
    | cmd.Resign
    | cmd.NotifyLongThink
)


def _by_player(state: GameState, command: _Playing, now: date) -> Decision:
    """What a player's command does in a running game."""
    match command:
        case cmd.SendMoves():
            return _send_moves(state, command, now)
        case cmd.ClaimDraw():
            return _claim_draw(state, command, now)
        case cmd.OfferDraw() | cmd.AcceptDraw() | cmd.DeclineDraw():
            return _draw(state, command, now)
        case cmd.Resign():
            return (ev.Resigned(command.by, now),)
        case cmd.NotifyLongThink():
            return _notice(state, command.by, now)
        case _:
            assert_never(command)


def _notice(state: GameState, by: Side, now: date) -> Decision:
    """Notice of more than 14 days on the move, once per move (§ 6.3.4).

    If given before the move counts as received, it counts from the day of receipt.
    """
    if by is not state.mover:
        return Refusal(Reason.NOT_YOUR_TURN)
    if has_notice(state):
        return ()
    return (ev.LongThinkNotified(by, max(now, state.receipt or now)),)


_Observed = cmd.ReportFaulty | cmd.StopTime | cmd.LookAtTime | cmd.Remind | cmd.TellLeader


def _by_server(state: GameState, command: _Observed, now: date) -> Decision:
    """What the server itself observes; no effect in a game that is over or halted."""
    if state.result is not None or state.rests:
        return ()
    match command:
        case cmd.ReportFaulty(by, fault):
            return (ev.FaultySent(by, now, fault),)
        case cmd.StopTime(first, last, reason):
            backwards = last is not None and last < first
            return () if backwards else (ev.Paused(first, last, reason),)
        case cmd.Remind(post_days):
            due = reminder_on(state, post_days)
            is_due = due is not None and now >= due
            return (ev.Reminded(state.mover.other, now),) if is_due else ()
        case cmd.TellLeader():
            due = leader_on(state)
            is_due = due is not None and now >= due
            return (ev.LeaderTold(state.mover.other, now),) if is_due else ()
        case cmd.LookAtTime():
            flag_on = state.flag_to_find
            if flag_on is None or now < flag_on:
                return ()
            return (ev.OverstepFound(state.mover, now),)
        case _:
            assert_never(command)


def _send_moves(state: GameState, command: cmd.SendMoves, now: date) -> Decision:
    """The events of a dispatch."""
    sent = _dispatch(state, command, now)
    return sent if isinstance(sent, Refusal) else sent.events


def _dispatch(state: GameState, command: cmd.SendMoves, now: date) -> Reached | Refusal:
    """A dispatch, once only: what was sent can't be changed or taken back (§ 6.2.4)."""
    if state.rests:
        return Refusal(Reason.AT_REST)
    if command.by is not state.mover:
        return Refusal(Reason.NOT_YOUR_TURN)
    if command.ply != state.position.ply:
        return Refusal(Reason.STALE)
    if must_ask(state, command.by):
        return Refusal(Reason.OVERSTEP_ASKS)
    if is_barred(state, command.by):
        return Refusal(Reason.NO_EMAIL)
    received = command.received
    seen = state.turn.seen
    if received is None and seen is not None and seen <= now:
        received = seen
    event = ev.MoveSent(
        by=command.by,
        plies=command.plies,
        sent=now,
        received=received,
        channel=Channel.EMAIL,
        proposes=command.proposes,
        offers_draw=command.offers_draw or state.prepared_offer is command.by,
    )
    standing = open_pause(state.bookings, PauseReason.BOUNCE)
    if standing is None:
        after = if_possible(state, event)
        return after if isinstance(after, Refusal) else _reached((event,), after, now)
    # The player has the move now: time stood still until the day before (reading of § 6.8.2).
    ended = ev.PauseEnded(PauseReason.BOUNCE, now - ONE_DAY)
    sent = if_possible(replace(state, bookings=(), calendar=HOLIDAYS_ONLY), event)
    return sent if isinstance(sent, Refusal) else Reached((ended, event))


def _reached(events: tuple[ev.Event, ...], after: GameState, now: date) -> Reached:
    """A dispatch, together with its receipt in a postal game played by e-mail (§ 6.3.2.1)."""
    receipt = receipt_of_email(after, now)
    if receipt is None:
        return Reached(events, after)
    return Reached((*events, receipt), evolve(after, receipt, 0))


def _claim_draw(state: GameState, command: cmd.ClaimDraw, now: date) -> Decision:
    """A correct claim ends the game; a wrong one stands as an offer (FIDE 9.1, FIDE 9.4)."""
    if command.by is not state.mover:
        return Refusal(Reason.NOT_YOUR_TURN)
    if command.ply != state.position.ply:
        return Refusal(Reason.STALE)
    if must_ask(state, command.by):
        return Refusal(Reason.OVERSTEP_ASKS)
    laws = state.terms.laws
    if command.intended is None:
        if is_draw_claim_right(state.position, laws):
            return (ev.DrawMade(command.by, now),)
        return (ev.DrawClaimFailed(command.by, now),)
    sending = cmd.SendMoves(command.by, command.ply, (command.intended,))
    sent = _send_moves(state, sending, now)
    if isinstance(sent, Refusal):
        return sent
    *before, move = sent
    assert isinstance(move, ev.MoveSent)
    after = state.position.after(command.intended)
    if after.ending(laws) is not None:
        return sent
    if is_draw_claim_right(after, laws):
        return (*sent, ev.DrawMade(command.by, now))
    return (*before, replace(move, offers_draw=True))


def _draw(
    state: GameState, command: cmd.OfferDraw | cmd.AcceptDraw | cmd.DeclineDraw, now: date
) -> Decision:
    """Offers go with a move and stand until answered (FIDE 9.1)."""
    by = command.by
    if isinstance(command, cmd.OfferDraw):
        return (ev.DrawOfferPrepared(by, now),)
    if state.draw_offer is not by.other:
        return Refusal(Reason.NO_OFFER)
    if isinstance(command, cmd.AcceptDraw):
        if state.position.ply < state.terms.laws.agreement_plies:
            return Refusal(Reason.DRAW_TOO_EARLY)
        return (ev.DrawMade(by, now),)
    return (ev.DrawDeclined(by, now),)


def _received(state: GameState, command: cmd.ReportReceived) -> Decision:
    """A receipt later than usual counts; a usual one, or one of another turn, changes nothing."""
    usual = state.receipt
    if command.by is not state.mover or state.turn.fixed is not None:
        return ()
    if usual is not None and command.on <= usual:
        return ()
    if state.turn.opponent_sent is not None and command.on < state.turn.opponent_sent:
        return ()
    return (ev.MoveReceived(command.by, command.on),)
