"""``decide``: a command in a state becomes events or a refusal.

Never raises for what a person did. Legality is left to ``evolve`` itself, so that there is one
source of truth about what can happen. Not for changing the state (evolve_game.py).
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from kskak.board.positions import IllegalMove, is_draw_claim_right
from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal, day_outside, lawful_days, unlawful_day
from kskak.game.game_events import SeriesFault
from kskak.play.due_days import has_notice, leader_on, reminder_on
from kskak.play.evolve_game import evolve
from kskak.play.game_state import HOLIDAYS_ONLY, GameState, LedgerFault
from kskak.reflection import (
    AccountRemark,
    Booking,
    DatesContradict,
    calendar_of,
    count_leave_used,
    earliest_leave,
    open_pause,
    quota_of,
    sending_day,
)
from kskak.regulation.days import MONTHS_A_YEAR, ONE_DAY, months_later
from kskak.regulation.editions import (
    Channel,
    LeaveType,
    MoveFault,
    OverstepFinding,
    PauseReason,
    Regulation,
    Side,
)

# What stands in the way of a dispatch: an overstep to answer, the board, the series, the dates.


def must_ask(state: GameState, by: Side) -> bool:
    """Whether the opponent's overstep stands and this player has not been asked (§ 6.3.3.4)."""
    overstep = state.overstep
    if overstep is None or overstep.by is by or overstep.finding is not OverstepFinding.OPEN:
        return False
    return not state.is_overstep_waived


def if_possible(state: GameState, event: ev.MoveSent | ev.SeriesAdded) -> GameState | Refusal:
    """The state after the event, or why it can't happen."""
    try:
        return evolve(state, event, 0)
    except LedgerFault as fault:
        match fault.__cause__:
            case IllegalMove(move=move) if move not in getattr(event, "plies", ()):
                return Refusal(Reason.SERIES_ILLEGAL)
            case IllegalMove():
                return Refusal(Reason.ILLEGAL)
            case SeriesFault():
                return Refusal(Reason.SERIES)
            case DatesContradict():
                return Refusal(Reason.DATES)
        return Refusal(Reason.GAME_OVER)


# Postal games: recording cards, their receipt, what they end, and going on by e-mail (§ 6.2.1).

Decision = tuple[ev.Event, ...] | Refusal
CARD_FAULTS = frozenset({MoveFault.ILLEGAL, MoveFault.ILLEGIBLE, MoveFault.DAMAGED_IN_POST})
"""What can be wrong with a card (§ 6.3.5, § 6.3.5.1)."""


def is_postal(state: GameState) -> bool:
    """Whether the game is played by the postal rules (§ 6.2-6.3)."""
    return state.terms.regulation is Regulation.POSTAL


def is_barred(state: GameState, by: Side) -> bool:
    """Whether the opponent has refused moves by e-mail in a postal game (§ 6.2.1)."""
    return is_postal(state) and state.means.of(by.other) is False


def receipt_of_email(after: GameState, sent: date) -> ev.MoveReceived | None:
    """The receipt of a dispatch by e-mail in a postal game: the day after (§ 6.3.2.1).

    Only once both have agreed to e-mail; until then the receiver reports the receipt.
    """
    if not is_postal(after) or not after.means.is_agreed:
        return None
    if after.result is not None or after.turn.fixed is not None:
        return None
    return ev.MoveReceived(after.mover, sent + after.terms.rules.transit_days * ONE_DAY)


def _answer_email(state: GameState, command: cmd.AnswerEmail, now: date) -> Decision:
    """A player's word about moves by e-mail, if it is new (§ 6.2.1)."""
    by, agrees = command.by, command.agrees
    is_new = state.means.of(by) is not agrees
    return (ev.EmailAnswered(by, now, agrees),) if is_new else ()


def turn_of_card(state: GameState, by: Side, ply: int, *, is_own: bool = False) -> Refusal | None:
    """Why a card of this side can't be the next one; ``is_own``: its sender enters it."""
    if by is not state.mover:
        return Refusal(Reason.NOT_YOUR_TURN if is_own else Reason.CARD_SENDER)
    return Refusal(Reason.STALE) if ply != state.position.ply else None


def _wrong_dates(state: GameState, command: cmd.RecordCard, now: date) -> Refusal | None:
    """Dates that are missing, in the future or earlier than what they follow (§ 6.3.2)."""
    card = command.card
    try:
        sent = sending_day(card)
    except DatesContradict:
        return Refusal(Reason.CARD_UNDATED)
    days = (card.postmark, card.receipt, card.stated, command.received, command.arrived)
    if any(day is not None and day > now for day in days):
        return Refusal(Reason.CARD_FUTURE)
    if command.arrived is not None and command.arrived < sent:
        return Refusal(Reason.CARD_DATES)
    if card.receipt is not None and card.postmark is not None and card.receipt > card.postmark:
        # A letter is posted before it is postmarked: one of the two dates was misread.
        return Refusal(Reason.CARD_DATES)
    return None


def _card(state: GameState, command: cmd.RecordCard, now: date) -> Decision:
    """The dispatch on a card, and its receipt if the receiver reports it (§ 6.2.1)."""
    by = command.by
    refusal = turn_of_card(state, by, command.ply, is_own=command.is_own)
    refusal = refusal or _wrong_dates(state, command, now)
    if refusal is not None:
        return refusal
    if command.is_own and must_ask(state, by):
        return Refusal(Reason.OVERSTEP_ASKS)
    received = command.received or state.turn.seen or _counts_from(state)
    if received is None and state.turn.fixed is None:
        return Refusal(Reason.CARD_UNRECEIVED)
    offers = command.offers_draw or state.prepared_offer is by
    event = ev.MoveSent(
        by, command.plies, command.card, received, Channel.POST, command.proposes, offers
    )
    after = if_possible(state, event)
    if isinstance(after, Refusal):
        return Refusal(Reason.CARD_DATES) if after.reason is Reason.DATES else after
    if command.arrived is None or after.result is not None or after.turn.fixed is not None:
        return (event,)
    return (event, ev.MoveReceived(by.other, command.arrived))


def _counts_from(state: GameState) -> date | None:
    """The day on which a ruling resumed the game, for a card answering one of unknown receipt.

    It changes nothing while the ruling stands; if that is annulled, the card can still be
    counted, so that the Board's decision can be carried out (§ 6.4.3).
    """
    fixed, sent = state.turn.fixed, state.turn.opponent_sent
    return None if fixed is None or sent is None else max(fixed, sent)


def _faulty(state: GameState, command: cmd.RecordFaultyCard, now: date) -> Decision:
    """A card without a valid move; the regulation says what it costs (§ 6.3.5, § 6.3.5.1)."""
    refusal = turn_of_card(state, command.by, command.ply)
    if refusal is not None:
        return refusal
    if command.arrived > now:
        return Refusal(Reason.CARD_FUTURE)
    since = state.turn.opponent_sent or state.terms.start
    if command.arrived < since or command.fault not in CARD_FAULTS:
        return Refusal(Reason.CARD_DATES)
    return (ev.FaultySent(command.by, command.arrived, command.fault),)


def _end(state: GameState, command: cmd.RecordEnd, now: date) -> Decision:
    """Resignation, or acceptance of the standing draw offer, by card (§ 6.2.6)."""
    if command.on > now:
        return Refusal(Reason.CARD_FUTURE)
    if command.on < state.terms.start:
        return Refusal(Reason.CARD_DATES)
    if command.resigns:
        return (ev.PlayerResigned(command.by, command.on),)
    if state.draw_offer is not command.by.other:
        return Refusal(Reason.NO_OFFER)
    if state.position.ply < state.terms.laws.agreement_plies:
        return Refusal(Reason.DRAW_TOO_EARLY)
    return (ev.DrawMade(command.by, command.on),)


def _receipt(state: GameState, command: cmd.RecordReceipt, now: date) -> Decision:
    """The side to move says when the card came; only once, after that the leader corrects it."""
    if command.by is not state.mover:
        return Refusal(Reason.NOT_YOUR_TURN)
    if state.turn.seen is not None or state.turn.fixed is not None:
        return Refusal(Reason.RECEIPT_KNOWN)
    if command.on > now:
        return Refusal(Reason.CARD_FUTURE)
    if state.turn.opponent_sent is not None and command.on < state.turn.opponent_sent:
        return Refusal(Reason.CARD_DATES)
    return (ev.MoveReceived(command.by, command.on),)


# Claims of overstep: made, admitted, and what is barred while one waits (§ 6.3.3.5, § 6.8.7).

_OFF_BOARD_COMMANDS = (
    cmd.BookLeave
    | cmd.GrantLeave
    | cmd.ShortenLeave
    | cmd.ReportReceived
    | cmd.RecordReceipt
    | cmd.AnswerEmail
)
"""What may be reported while a game is halted: it moves no piece and ends nothing."""


def about_overstep(
    state: GameState,
    command: cmd.ClaimOverstep | cmd.WaiveOverstep | cmd.AdmitOverstep,
    now: date,
) -> Decision:
    """A claim is refused when there is nothing to claim (§ 6.8.7), an answer when not asked."""
    if isinstance(command, cmd.AdmitOverstep):
        return _admit(state, command.by, now)
    if state.rests:
        return Refusal(Reason.AT_REST)
    nothing = Refusal(Reason.GAME_OVER if state.result is not None else Reason.NO_OVERSTEP)
    if isinstance(command, cmd.WaiveOverstep):
        is_asked = state.result is None and must_ask(state, command.by)
        return (ev.OverstepWaived(command.by, now),) if is_asked else nothing
    claim = ev.OverstepClaimed(command.by, now, awaits_decision=True)
    if evolve(state, claim, 0).overstep == state.overstep:
        return nothing
    stands_still = open_pause(state.bookings, PauseReason.DISPUTE) is not None
    if state.ended is not None or stands_still:
        return (claim,)
    return (ev.GamePaused(now, None, PauseReason.DISPUTE), claim)


def at_rest(state: GameState, command: cmd.Command, now: date) -> Decision | None:
    """What becomes of a command in a halted game; None: it is decided as in any game.

    Resigning then admits the claim: that is what the opponent asked for (§ 6.3.3.5).
    """
    if not state.rests or isinstance(command, _OFF_BOARD_COMMANDS):
        return None
    gives_up = isinstance(command, cmd.Resign)
    if isinstance(command, cmd.RecordEnd):
        gives_up = command.resigns
    if gives_up and isinstance(command, cmd.Resign | cmd.RecordEnd) and _is_late(state, command.by):
        return _admit(state, command.by, now)
    return Refusal(Reason.AT_REST)


def _is_late(state: GameState, side: Side) -> bool:
    return state.overstep is not None and state.overstep.by is side


def _admit(state: GameState, by: Side, now: date) -> Decision:
    """The late player says that the claim is right: he has lost (§ 6.3.3.3)."""
    if not state.awaits_decision or not _is_late(state, by):
        return Refusal(Reason.GAME_OVER if state.result is not None else Reason.NO_CLAIM)
    stands = ev.ClaimStands(by, now)
    if open_pause(state.bookings, PauseReason.DISPUTE) is None:
        return (stands,)
    return (ev.PauseEnded(PauseReason.DISPUTE, now - ONE_DAY), stands)


# Booking, shortening and granting leave, or why not (§ 6.3.6-6.3.6.1, § 6.3.6.4, § 6.8.8).

LONGEST_DAYS = 366
"""A leave longer than a year is a typing error, whatever the quota."""
LIKELY_DAYS = 92
"""A leave that would be no longer than this in another year has its year mistyped."""


def _is_booked(state: GameState, leave: ev.LeaveBooked) -> bool:
    """Whether this very leave is already booked: asking again changes nothing."""
    stood = (replace(leave, notified=None), None)
    return any(
        isinstance(booking.booked, ev.LeaveBooked)
        and (replace(booking.booked, notified=None, until=None), booking.booked.until) == stood
        for booking in state.bookings
    )


def _impossible(
    state: GameState, command: cmd.BookLeave | cmd.GrantLeave, now: date, longest: int
) -> Refusal | None:
    """What no leave may be: backwards, longer than a year, more than a year ahead."""
    if not 0 <= (command.last - command.first).days < LONGEST_DAYS:
        if (wrong := find_mistyped_year(state, command, now)) is not None:
            return Refusal(Reason.LEAVE_YEAR, given=wrong)
        if command.last < command.first:
            return Refusal(Reason.LEAVE_ORDER)
        return Refusal(Reason.LEAVE_TOO_LONG, days=longest)
    until = lawful_days(state.terms.start, now)[1]
    if command.last <= until:
        return None
    is_mistyped = (command.first - until).days > LONGEST_DAYS
    wrong = find_mistyped_year(state, command, now) if is_mistyped else None
    return Refusal(Reason.LEAVE_TOO_FAR if wrong is None else Reason.LEAVE_YEAR, given=wrong)


def find_mistyped_year(state: GameState, leave: cmd.LeaveCommand, now: date) -> date | None:
    """The day of a leave that needs only another year to make it a likely one; None if none does.

    One day is at fault rather than both, of the two the last; no leave is before the start.
    """
    first, last = leave.first, leave.last
    since, until = state.terms.start, lawful_days(state.terms.start, now)[1]
    for wrong, of_first, of_last in ((last, 0, 1), (first, 1, 0), (last, 1, 1)):
        for months in ((y - wrong.year) * MONTHS_A_YEAR for y in range(since.year, until.year + 1)):
            try:
                begins = months_later(first, months * of_first)
                ends = months_later(last, months * of_last)
            except ValueError:
                continue  # a day of a year that no calendar has
            is_likely = 0 <= (ends - begins).days < LIKELY_DAYS
            if months and is_likely and since <= begins and ends <= until:
                return wrong
    return None


def book_leave(state: GameState, command: cmd.BookLeave, now: date) -> Decision:
    """The leave, or the refusal that names the earliest day or the days left."""
    rules = state.terms.rules
    refusal = _impossible(state, command, now, rules.leave_days)
    if refusal is not None:
        return refusal
    leave = ev.LeaveBooked(command.by, command.first, command.last, now, LeaveType.PERSONAL)
    if _is_booked(state, leave):
        return ()
    earliest = earliest_leave(now, rules)
    if (now - command.last).days > LIKELY_DAYS:
        wrong = find_mistyped_year(state, command, now)
        return Refusal(Reason.LEAVE_YEAR, given=wrong or command.last)
    if command.first < earliest:
        return Refusal(Reason.LEAVE_TOO_SOON, earliest=earliest)
    left = _missing_days(state, leave)
    return (leave,) if left is None else Refusal(Reason.LEAVE_QUOTA, days=left)


def grant_leave(state: GameState, command: cmd.GrantLeave, now: date) -> Decision:
    """Special leave: no notice, past days too, § 6.8.8's days a year (§ 6.3.6.4 sets none)."""
    longest = state.terms.rules.special_leave_days or LONGEST_DAYS
    refusal = _impossible(state, command, now, longest)
    if refusal is not None:
        return refusal
    if command.first < state.terms.start:
        wrong = find_mistyped_year(state, command, now)
        if wrong is not None and (state.terms.start - command.first).days > LIKELY_DAYS:
            return Refusal(Reason.LEAVE_YEAR, given=wrong)
        return Refusal(Reason.LEAVE_TOO_SOON, earliest=state.terms.start)
    leave = ev.LeaveBooked(command.by, command.first, command.last, now, LeaveType.SPECIAL)
    if _is_booked(state, leave):
        return ()
    left = _missing_days(state, leave)
    return (leave,) if left is None else Refusal(Reason.SPECIAL_QUOTA, days=left)


def let_lapsed_claim_go(before: GameState, after: GameState, now: date) -> tuple[ev.Event, ...]:
    """The end of the stop when leave has removed the overstep that was claimed (§ 6.3.6.4).

    Without the overstep the claim says nothing, and the game goes on with the days used.
    """
    stands_still = open_pause(after.bookings, PauseReason.DISPUTE) is not None
    if not (before.rests and stands_still) or after.rests:
        return ()
    return (ev.PauseEnded(PauseReason.DISPUTE, now - ONE_DAY),)


def _missing_days(state: GameState, leave: ev.LeaveBooked) -> int | None:
    """The days left in the tournament year when they are too few for this leave; else None."""
    start, edition = state.terms.start, state.terms.rules
    allowed = quota_of(leave.leave_type, edition)
    if allowed is None:
        return None
    booked = (*(booking.booked for booking in state.bookings), leave)
    bookings = tuple(Booking(entry, one) for entry, one in enumerate(booked))
    earlier = bookings[:-1]
    _, before = calendar_of(earlier, start, edition)
    _, after = calendar_of(bookings, start, edition)
    if not any(w.code is AccountRemark.QUOTA_EXCEEDED and w not in before for w in after):
        return None
    return allowed - count_leave_used(earlier, start, edition, leave)


def shorten_leave(state: GameState, command: cmd.ShortenLeave, now: date) -> Decision:
    """The player's own leave ends earlier; the opponent keeps the announced stop.

    Reading of § 6.3.6: today at the earliest; before it has begun it may be given up entirely
    (``until`` is then the day before its first).
    """
    stands = [
        booking.booked
        for booking in state.bookings
        if isinstance(booking.booked, ev.LeaveBooked)
        and booking.booked.leave_type is LeaveType.PERSONAL
        and (booking.booked.by, booking.booked.first, booking.booked.last)
        == (command.by, command.first, command.last)
    ]
    if not stands:
        return Refusal(Reason.LEAVE_UNKNOWN)
    if stands[-1].until == command.until:
        return ()
    earliest = now if now >= command.first else command.first - ONE_DAY
    latest = stands[-1].until or command.last
    if not earliest <= command.until < latest:
        return Refusal(Reason.LEAVE_NOT_SHORTER, earliest=earliest)
    return (ev.LeaveShortened(command.by, command.first, command.last, command.until),)


# ``decide``: a command in a state becomes events or a refusal.


Reached = tuple[tuple[ev.Event, ...], GameState | None]
"""A decision's events, and the state after them where deciding has computed it."""


def decide(state: GameState, command: cmd.Command, now: date) -> Decision:
    """What a command does. ``now`` is the tournament's local day of the instant that counts.

    Returns the events that follow, in order, or the refusal with its paragraph.
    """
    reached = decide_and_reach(state, command, now)
    return reached if isinstance(reached, Refusal) else reached[0]


def decide_and_reach(state: GameState, command: cmd.Command, now: date) -> Reached | Refusal:
    """``decide``, with the state after a dispatch, which callers then need not apply again."""
    outside = _outside(state, command, now)
    if outside is not None:
        return outside
    if isinstance(command, cmd.SendMoves) and state.result is None:
        return _dispatch(state, command, now)
    decision = _decision(state, command, now)
    return decision if isinstance(decision, Refusal) else (decision, None)


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


def _decision(state: GameState, command: cmd.Command, now: date) -> Decision:
    """What becomes of it, by what stands in the way: the server's own, a claim, then the rest."""
    kind = type(command)
    if (observed := _OBSERVED.get(kind)) is not None:
        return () if state.result is not None or state.rests else observed(state, command, now)
    if isinstance(command, cmd.ClaimOverstep | cmd.WaiveOverstep | cmd.AdmitOverstep):
        return about_overstep(state, command, now)
    if state.result is not None:
        return Refusal(Reason.GAME_OVER)
    if (answer := at_rest(state, command, now)) is not None:
        return answer
    if isinstance(command, cmd.PostalCommand) and not is_postal(state):
        return Refusal(Reason.NOT_POSTAL)
    return _ASKED[kind](state, command, now)


def _notice(state: GameState, by: Side, now: date) -> Decision:
    """Notice of more than 14 days on the move, once per move (§ 6.3.4).

    If given before the move counts as received, it counts from the day of receipt.
    """
    if by is not state.mover:
        return Refusal(Reason.NOT_YOUR_TURN)
    if has_notice(state):
        return ()
    return (ev.LongThinkNotified(by, max(now, state.receipt or now)),)


def _stop_time(state: GameState, command: cmd.StopTime, now: date) -> Decision:
    """Time stands still on these days, unless they run backwards."""
    first, last = command.first, command.last
    backwards = last is not None and last < first
    return () if backwards else (ev.GamePaused(first, last, command.reason),)


def _remind(state: GameState, command: cmd.Remind | cmd.TellLeader, now: date) -> Decision:
    """The reminder of a silent player, or the report of one, from the day it is due."""
    said: type[ev.OpponentReminded | ev.LeaderTold] = ev.LeaderTold
    due = leader_on(state)
    if isinstance(command, cmd.Remind):
        due, said = reminder_on(state, command.post_days), ev.OpponentReminded
    return (said(state.mover.other, now),) if due is not None and now >= due else ()


def _look_at_time(state: GameState, command: cmd.LookAtTime, now: date) -> Decision:
    """The overstep that the server finds, once (§ 6.3.3)."""
    flag_on = state.flag_to_find
    return () if flag_on is None or now < flag_on else (ev.OverstepFound(state.mover, now),)


def _send_moves(state: GameState, command: cmd.SendMoves, now: date) -> Decision:
    """The events of a dispatch."""
    sent = _dispatch(state, command, now)
    return sent if isinstance(sent, Refusal) else sent[0]


def _out_of_turn(state: GameState, command: cmd.SendMoves | cmd.ClaimDraw) -> Refusal | None:
    """Why the player may not act now in the position that he saw."""
    if command.by is not state.mover:
        return Refusal(Reason.NOT_YOUR_TURN)
    if command.ply != state.position.ply:
        return Refusal(Reason.STALE)
    return Refusal(Reason.OVERSTEP_ASKS) if must_ask(state, command.by) else None


def _dispatch(state: GameState, command: cmd.SendMoves, now: date) -> Reached | Refusal:
    """A dispatch, once only: what was sent can't be changed or taken back (§ 6.2.4)."""
    if state.rests:
        return Refusal(Reason.AT_REST)
    if (refusal := _out_of_turn(state, command)) is not None:
        return refusal
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
    pause = open_pause(state.bookings, PauseReason.BOUNCE)
    if pause is None:
        after = if_possible(state, event)
        return after if isinstance(after, Refusal) else _add_email_receipt((event,), after, now)
    # The player has the move now: time stood still until the day before (reading of § 6.8.2).
    ended = ev.PauseEnded(PauseReason.BOUNCE, now - ONE_DAY)
    sent = if_possible(replace(state, bookings=(), calendar=HOLIDAYS_ONLY), event)
    return sent if isinstance(sent, Refusal) else ((ended, event), None)


def _add_email_receipt(events: tuple[ev.Event, ...], after: GameState, now: date) -> Reached:
    """A dispatch, together with its receipt in a postal game played by e-mail (§ 6.3.2.1)."""
    receipt = receipt_of_email(after, now)
    if receipt is None:
        return events, after
    return (*events, receipt), evolve(after, receipt, 0)


def _add_series(state: GameState, command: cmd.AddSeries, now: date) -> Decision:
    """A series for the last dispatch, as long as it is unanswered (reading of § 6.2.5, § 6.8.4)."""
    is_same = command.by is not state.mover and command.ply == state.position.ply
    if not is_same or state.turn.fixed or state.proposal or state.overstep:
        return Refusal(Reason.SERIES_LATE)
    event = ev.SeriesAdded(command.by, now, command.proposes)
    after = if_possible(state, event)
    return after if isinstance(after, Refusal) else (event,)


def _claim_draw(state: GameState, command: cmd.ClaimDraw, now: date) -> Decision:
    """A correct claim ends the game; a wrong one stands as an offer (FIDE 9.1, FIDE 9.4)."""
    if (refusal := _out_of_turn(state, command)) is not None:
        return refusal
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


def _answer_offer(
    state: GameState, command: cmd.AcceptDraw | cmd.DeclineDraw, now: date
) -> Decision:
    """An offer stands until it is answered (FIDE 9.1)."""
    if state.draw_offer is not command.by.other:
        return Refusal(Reason.NO_OFFER)
    if isinstance(command, cmd.DeclineDraw):
        return (ev.DrawDeclined(command.by, now),)
    if state.position.ply < state.terms.laws.agreement_plies:
        return Refusal(Reason.DRAW_TOO_EARLY)
    return (ev.DrawMade(command.by, now),)


def _decide_receipt(state: GameState, command: cmd.ReportReceived, _: date) -> Decision:
    """A receipt later than usual counts; a usual one, or one of another turn, changes nothing."""
    usual = state.receipt
    if command.by is not state.mover or state.turn.fixed is not None:
        return ()
    if usual is not None and command.on <= usual:
        return ()
    if state.turn.opponent_sent is not None and command.on < state.turn.opponent_sent:
        return ()
    return (ev.MoveReceived(command.by, command.on),)


_Decider = Callable[[GameState, Any, date], Decision]
_OBSERVED: dict[type[cmd.Command], _Decider] = {
    cmd.ReportFaulty: lambda _, command, now: (ev.FaultySent(command.by, now, command.fault),),
    cmd.StopTime: _stop_time,
    cmd.Remind: _remind,
    cmd.TellLeader: _remind,
    cmd.LookAtTime: _look_at_time,
}
"""What the server itself observes: of no effect in a game that is over or halted."""
_ASKED: dict[type[cmd.Command], _Decider] = {
    cmd.BookLeave: book_leave,
    cmd.GrantLeave: grant_leave,
    cmd.ShortenLeave: shorten_leave,
    cmd.ReportReceived: _decide_receipt,
    cmd.RecordCard: _card,
    cmd.RecordFaultyCard: _faulty,
    cmd.RecordEnd: _end,
    cmd.RecordReceipt: _receipt,
    cmd.AnswerEmail: _answer_email,
    cmd.SendMoves: _send_moves,
    cmd.AddSeries: _add_series,
    cmd.ClaimDraw: _claim_draw,
    cmd.OfferDraw: lambda _, command, now: (ev.DrawOfferPrepared(command.by, now),),
    cmd.AcceptDraw: _answer_offer,
    cmd.DeclineDraw: _answer_offer,
    cmd.Resign: lambda _, command, now: (ev.PlayerResigned(command.by, now),),
    cmd.NotifyLongThink: lambda state, command, now: _notice(state, command.by, now),
}
"""What is asked in a running game, postal commands in a postal one (§ 6.8.1)."""
