"""Appeals: lodging, withdrawing, and time limits that run from delivery (§ 6.4.3, § 6.8.10).

The time limit runs from the day the appellant's mail server accepted the decision's letter; until
then it has not begun. Not for deciding an appeal (case_decisions.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.cases import case as case_commands
from kskak.cases.case import CaseRefusal, CaseStage, CaseState
from kskak.cases.case_events import Deposit, PaperKind
from kskak.regulation.days import local_day
from mail.office_letters.case_letters import CaseWord
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.rows import from_us
from server.store.mail import outbox as outbox_rows
from server.store.play.people import PersonRow
from server.usecases.cases.case_actions import build_transaction
from server.usecases.cases.case_transaction import (
    CaseCommandStep,
    CaseOutcome,
    CaseTransaction,
    run_transaction,
)
from server.usecases.cases.evidence import access
from server.usecases.cases.expulsion import stopped_by_appeal
from server.usecases.context import Core, poster_of
from server.usecases.games.case_record import CaseNews, decision_letter, readable
from server.usecases.rights import deposit_due

# The Board's votes, and the deposits of appeals to it, received and paid back (§ 1.3.9, § 6.4.3).


async def _do(
    core: Core, person: PersonRow, case_id: int, command: case_commands.CaseCommand
) -> CaseOutcome | CaseRefusal:
    found = await access(core, person, case_id)
    step = CaseCommandStep(lambda _, __: command, found.actor)
    return await run_transaction(core, CaseTransaction(case_id, (step,), person.id))


async def vote(
    core: Core, person: PersonRow, case_id: int, upholds: tuple[int, ...], text: str
) -> CaseOutcome | CaseRefusal:
    """Vote as a member of the Board: whom to uphold, and why (§ 1.3.9). Raises UnknownCase."""
    return await _do(core, person, case_id, case_commands.CastVote(upholds, text))


async def receive(
    core: Core, person: PersonRow, case_id: int, appellant: int, deposit: Deposit
) -> CaseOutcome | CaseRefusal:
    """Record and book a deposit that has come in (§ 6.4.3). Raises UnknownCase."""
    fee = await deposit_due(core)
    return await _do(core, person, case_id, case_commands.ReceiveDeposit(appellant, deposit, fee))


async def pay_back(
    core: Core, person: PersonRow, case_id: int, appellant: int, on: date, reference: str
) -> CaseOutcome | CaseRefusal:
    """Record and book a deposit that was paid back (§ 6.4.3). Raises UnknownCase."""
    return await _do(core, person, case_id, case_commands.PayDepositBack(appellant, on, reference))


# Appeals: lodging, withdrawing, and time limits that run from delivery (§ 6.4.3, § 6.8.10).


@dataclass(frozen=True, slots=True)
class DecisionDelivery:
    """A decision's letter that has reached its reader."""

    ref: str
    person: int
    on: date


@dataclass(frozen=True, slots=True)
class Lodging:
    """How an appeal came in: the day, None: now; ``by``: the appellant, if entered by another."""

    on: date | None = None
    by: int | None = None


NOW = Lodging()


async def appeal(
    core: Core,
    person: PersonRow,
    case_id: int,
    text: str,
    deposit: Deposit | None = None,
    lodging: Lodging = NOW,
) -> CaseOutcome | CaseRefusal:
    """Appeal against the latest decision, in writing, to the instance above (§ 6.4.3).

    ``deposit``: what was paid with an appeal to the Board, in øre; required for one.
    Raises UnknownCase if the person may not see the case; ValueError for an empty text.
    """
    if not text.strip():
        raise ValueError("text")
    found = await access(core, person, case_id)
    title, body, by = PaperKind.STATEMENT.value, text.strip().encode(), lodging.by or person.id
    paper = NewPaper(kind=title, title="@appeal", body=body, at_us=core.now_us, person_id=by)
    command = case_commands.Appeal(
        digest=paper.digest.hex(),
        deposit=deposit,
        fee=await deposit_due(core),
        running_games=await stopped_by_appeal(core, found.case, found.state),
        on=lodging.on,
        appellant=lodging.by,
    )
    told = await _find_deliveries(core, found.case, found.state)
    steps = (*_records(told), CaseCommandStep(lambda _, __: command, found.actor))
    notice = CaseNews(CaseWord.APPEALED, by, text=text.strip())
    return await run_transaction(core, build_transaction(core, found, steps, (paper,), notice))


async def take_back(core: Core, person: PersonRow, case_id: int) -> CaseOutcome | CaseRefusal:
    """Withdraw one's own appeal; the decision below stands."""
    found = await access(core, person, case_id)
    steps = (CaseCommandStep(lambda _, __: case_commands.WithdrawAppeal(), found.actor),)
    notice = CaseNews(CaseWord.APPEAL_WITHDRAWN, person.id)
    return await run_transaction(core, build_transaction(core, found, steps, (), notice))


async def _find_deliveries(
    core: Core, case: CaseRow, state: CaseState
) -> tuple[DecisionDelivery, ...]:
    """Letters of the latest decision that have been sent but are not recorded yet."""
    latest = state.latest
    if latest is None:
        return ()
    known = {row.person for row in state.delivered if row.ref == latest.ref}
    found: list[DecisionDelivery] = []
    poster = poster_of(core)
    async with core.store.read() as conn:
        for person in sorted(state.may_appeal - known):
            message_id = decision_letter(poster, case, latest.ref, person, 0).message_id
            letter = await outbox_rows.by_message_id(conn, message_id)
            if letter is not None and letter.sent_us is not None:
                day = local_day(from_us(letter.sent_us), case.zone)
                found.append(DecisionDelivery(latest.ref, person, day))
    return tuple(found)


def _records(told: tuple[DecisionDelivery, ...]) -> tuple[CaseCommandStep, ...]:
    def step(one: DecisionDelivery) -> CaseCommandStep:
        return CaseCommandStep(
            lambda _, __: case_commands.RecordDelivery(one.ref, one.person, one.on),
            case_commands.SERVER,
        )

    return tuple(step(one) for one in told)


async def keep_terms(core: Core) -> int:
    """The daily duty: record deliveries, and let decisions stand that nobody appealed against.

    Returns how many cases became final. Safe to repeat.
    """
    async with core.store.read() as conn:
        rows = await case_rows.list_cases(conn, is_open=True, limit=100_000)
    final = 0
    for row in rows:
        if row.state in (CaseStage.DECIDED, CaseStage.APPEALED):
            final += await _keep_term(core, row)
    return final


async def _keep_term(core: Core, row: CaseRow) -> bool:
    async with core.store.read() as conn:
        state = readable(await case_rows.list_events(conn, row.id))
    if state is None:
        return False
    told = await _find_deliveries(core, row, state)
    steps = (
        *_records(told),
        CaseCommandStep(lambda _, __: case_commands.LetStand(), case_commands.SERVER),
    )
    done = await run_transaction(core, CaseTransaction(row.id, steps, None))
    return isinstance(done, CaseOutcome) and done.state.stage is CaseStage.FINAL
