"""Postal games: recording cards, their receipt, what they end, and going on by e-mail (§ 6.2.1).

A card is a fact: whoever enters it (sender, receiver or leader) states its dates, and the
regulation counts them (§ 6.3.2). Nothing here deals with scans or pages (the use cases do). Not
for moves by mail and web (decide.py).
"""

from datetime import date
from typing import assert_never

from kskak.game import commands as cmd
from kskak.game import events as ev
from kskak.game.refusals import Reason, Refusal
from kskak.play.possible import if_possible, must_ask
from kskak.play.state import GameState
from kskak.reflection.counted_days import DatesContradict, sending_day
from kskak.regulation.days import ONE_DAY
from kskak.regulation.quantities import Channel, Fault, Regulation, Side

Decision = tuple[ev.Event, ...] | Refusal
CARD_FAULTS = frozenset({Fault.ILLEGAL, Fault.ILLEGIBLE, Fault.DAMAGED_IN_POST})
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


def decide_postal(state: GameState, command: cmd.PostalCommand, now: date) -> Decision:
    """What a postal command does in a running game; refused in an e-mail game (§ 6.8.1)."""
    if not is_postal(state):
        return Refusal(Reason.NOT_POSTAL)
    match command:
        case cmd.RecordCard():
            return _card(state, command, now)
        case cmd.RecordFaultyCard():
            return _faulty(state, command, now)
        case cmd.RecordEnd():
            return _end(state, command, now)
        case cmd.RecordReceipt():
            return _receipt(state, command, now)
        case cmd.AnswerEmail(by, agrees):
            is_new = state.means.of(by) is not agrees
            return (ev.EmailAnswered(by, now, agrees),) if is_new else ()
        case _:
            assert_never(command)


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
        return (ev.Resigned(command.by, command.on),)
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
