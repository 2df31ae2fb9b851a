"""The Board's votes, and the deposits of appeals to it, received and paid back (§ 1.3.9, § 6.4.3).

Each member votes individually; votes stay within the Board until it has decided. Not for the
decision (deciding.py) nor for the appeal (appealing.py).
"""

from datetime import date

from kskak.cases import commands as cc
from kskak.cases.events import Deposit
from kskak.cases.refusals import CaseRefusal
from server.store.play.people import PersonRow
from server.usecases.cases.access import access
from server.usecases.cases.transaction import Deed, Done, Step, carry_out
from server.usecases.core.context import Core
from server.usecases.core.union_values import deposit_due


async def _do(
    core: Core, person: PersonRow, case_id: int, command: cc.CaseCommand
) -> Done | CaseRefusal:
    found = await access(core, person, case_id)
    step = Step(lambda _, __: command, found.actor)
    return await carry_out(core, Deed(case_id, (step,), person.id))


async def vote(
    core: Core, person: PersonRow, case_id: int, upholds: tuple[int, ...], text: str
) -> Done | CaseRefusal:
    """Vote as a member of the Board: whom to uphold, and why (§ 1.3.9). Raises UnknownCase."""
    return await _do(core, person, case_id, cc.CastVote(upholds, text))


async def receive(
    core: Core, person: PersonRow, case_id: int, appellant: int, deposit: Deposit
) -> Done | CaseRefusal:
    """Record and book a deposit that has come in (§ 6.4.3). Raises UnknownCase."""
    fee = await deposit_due(core)
    return await _do(core, person, case_id, cc.ReceiveDeposit(appellant, deposit, fee))


async def pay_back(
    core: Core, person: PersonRow, case_id: int, appellant: int, on: date, reference: str
) -> Done | CaseRefusal:
    """Record and book a deposit that was paid back (§ 6.4.3). Raises UnknownCase."""
    return await _do(core, person, case_id, cc.PayDepositBack(appellant, on, reference))
