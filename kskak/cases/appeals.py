"""Appeals: by whom, until when, to whom, with what deposit, and what they suspend (§ 6.4.3).

The same applies to e-mail games (§ 6.8.10, reading). Not for the decision on an appeal
(verdicts.py).
"""

from datetime import date

from kskak.cases import commands as cc
from kskak.cases import events as ce
from kskak.cases.decisions import Decision, Instance
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseStage, CaseState
from kskak.cases.suspension import lifted
from kskak.game.lawful_days import is_near

CaseDecision = tuple[ce.CaseEvent, ...] | CaseRefusal


def appeal(state: CaseState, command: cc.Appeal, now: date, actor: cc.Actor) -> CaseDecision:
    """An appeal against the latest decision, or why not (§ 6.4.3, § 1.3.9).

    It counts from the day it was received: one received in time is in time whenever it is
    entered, and reopens a case that has become final meanwhile.
    """
    latest, on = state.latest, command.on or now
    person = actor.person if command.appellant is None else command.appellant
    if command.appellant is not None and (actor.is_barred or not actor.offices):
        return CaseRefusal(CaseReason.OWN_GROUP if actor.offices else CaseReason.NOT_YOUR_OFFICE)
    if person is None or person not in state.may_appeal:
        return CaseRefusal(CaseReason.NOT_A_PARTY)
    if latest is None or state.stage in (CaseStage.OPENED, CaseStage.HEARD):
        return CaseRefusal(CaseReason.NOT_DECIDED)
    to = latest.instance.above
    if to is None:
        return CaseRefusal(CaseReason.LAST_WORD)
    if any(lodged.by == person for lodged in state.appeals):
        return ()
    if not latest.on <= on <= now:
        return CaseRefusal(CaseReason.DATES)
    until = state.appeal_until(person)
    if on > until if until is not None else state.stage is CaseStage.FINAL:
        return CaseRefusal(CaseReason.LATE, until=until)
    if to is Instance.BOARD and not _is_paid(command, now):
        return CaseRefusal(CaseReason.NO_DEPOSIT, until=until, fee=command.fee)
    stated = command.deposit if to is Instance.BOARD else None
    lodged = ce.Appealed(on, person, latest.ref, to, command.digest, stated=stated)
    return (lodged, *_stands_still(state, command, to, now))


def _is_paid(command: cc.Appeal, now: date) -> bool:
    """Whether an appeal to the Board states that its deposit is paid (§ 6.4.3, § 1.3.9).

    An official notes whether it has arrived (deposits.py).
    """
    deposit = command.deposit
    if deposit is None or deposit.amount < command.fee:
        return False
    return deposit.on <= now and is_near(deposit.on, now)


def _stands_still(
    state: CaseState, command: cc.Appeal, to: Instance, now: date
) -> tuple[ce.CaseEvent, ...]:
    """Suspensive effect only before the Board, against quarantine or expulsion (§ 6.4.3)."""
    if to is not Instance.BOARD or not state.shuts_out:
        return ()
    new = tuple(game for game in command.running_games if game not in state.suspended)
    return (ce.GamesSuspended(now, new, "6.4.3"),) if new else ()


def take_back_appeal(state: CaseState, now: date, actor: cc.Actor) -> CaseDecision:
    """The appellant withdraws the appeal; the decision below stands.

    Reading: nobody has ruled against the appellant, so the deposit goes back (§ 6.4.3).
    """
    mine = next((lodged for lodged in state.appeals if lodged.by == actor.person), None)
    if mine is None:
        return CaseRefusal(CaseReason.NOT_A_PARTY)
    deposit = (ce.DepositSettled(now, mine.by, True),) if _has_deposit(mine) else ()
    lift = lifted(state, now) if len(state.appeals) == 1 else ()
    return (*deposit, *lift, ce.AppealWithdrawn(now, mine.by))


def deposits_settled(state: CaseState, decision: Decision) -> tuple[ce.DepositSettled, ...]:
    """Due back to appellants the Board upholds; the others' fall to the Union (§ 6.4.3)."""
    return tuple(
        ce.DepositSettled(decision.on, lodged.by, lodged.by in decision.grants)
        for lodged in state.appeals
        if _has_deposit(lodged)
    )


def _has_deposit(lodged: ce.Appealed) -> bool:
    return lodged.stated is not None or lodged.deposit is not None
