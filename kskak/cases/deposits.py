"""The deposit for an appeal to the Board: received and paid back, as an official notes (§ 6.4.3).

The appellant's statement is not money: an official who keeps the accounts, or sits on the Board,
notes what has arrived, and later its repayment. Not for whether it is due back (appeals.py) nor
for the accounts (office/books.py).
"""

from dataclasses import replace
from datetime import date

from kskak.cases import commands as cc
from kskak.cases import events as ce
from kskak.cases.decisions import Instance
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseState, HeldDeposit
from kskak.game.lawful_days import is_near

_KEEPERS = frozenset({Instance.CONTROLLER, Instance.BOARD})
_Deposit = ce.DepositReceived | ce.DepositPaidBack | ce.DepositSettled


def keeps_deposits(state: CaseState, actor: cc.Actor) -> bool:
    """Whether the actor may note deposits in this case: by office, but not in their own case."""
    is_own = actor.is_barred or actor.person in state.may_appeal
    return bool(_KEEPERS & actor.offices) and not is_own


def note_deposit(
    state: CaseState, command: cc.ReceiveDeposit | cc.PayDepositBack, now: date, actor: cc.Actor
) -> tuple[ce.CaseEvent, ...] | CaseRefusal:
    """The deposit received, or paid back; or why not. Saying it twice has no further effect."""
    if actor.person is None or not keeps_deposits(state, actor):
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    held = next((row for row in reversed(state.deposits) if row.person == command.person), None)
    if held is None:
        return CaseRefusal(CaseReason.OTHER_PERSON)
    if isinstance(command, cc.ReceiveDeposit):
        paid = command.deposit
        if held.received is not None:
            return ()
        if paid.on > now or not is_near(paid.on, now):
            return CaseRefusal(CaseReason.DATES)
        if paid.amount < max(command.fee, 1):
            return CaseRefusal(CaseReason.DEPOSIT_SHORT, fee=command.fee)
        return (ce.DepositReceived(now, actor.person, command.person, paid),)
    if held.paid_back is not None:
        return ()
    if not held.is_owed or held.received is None:
        return CaseRefusal(CaseReason.NOT_OWED)
    if not held.received.on <= command.on <= now:
        return CaseRefusal(CaseReason.DATES)
    back = ce.Deposit(held.received.amount, command.on, command.reference.strip())
    return (ce.DepositPaidBack(now, actor.person, command.person, back),)


def after_deposit(state: CaseState, event: _Deposit) -> CaseState:
    """The case after a deposit event; a deposit booked with an old appeal has no row."""
    rows = list(state.deposits)
    for index in range(len(rows) - 1, -1, -1):
        if rows[index].person == event.person:
            rows[index] = _moved(rows[index], event)
            break
    return replace(state, deposits=tuple(rows))


def _moved(row: HeldDeposit, event: _Deposit) -> HeldDeposit:
    match event:
        case ce.DepositReceived(deposit=deposit):
            return replace(row, received=deposit)
        case ce.DepositPaidBack(deposit=deposit):
            return replace(row, paid_back=deposit)
        case ce.DepositSettled(is_returned=is_returned):
            return replace(row, is_returned=is_returned)
