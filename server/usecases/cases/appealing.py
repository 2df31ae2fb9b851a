"""Appeals: lodging, withdrawing, and time limits that run from delivery (§ 6.4.3, § 6.8.10).

The time limit runs from the day the appellant's mail server accepted the decision's letter; until
then it has not begun. Not for deciding an appeal (deciding.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.cases import commands as cc
from kskak.cases.events import Deposit, PaperKind
from kskak.cases.refusals import CaseRefusal
from kskak.cases.state import CaseStage, CaseState
from kskak.regulation.days import local_day
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.types import from_us
from server.store.mail import outbox as outbox_rows
from server.store.play.people import PersonRow
from server.usecases.cases.access import access
from server.usecases.cases.deeds import deed_of
from server.usecases.cases.expulsion import stopped_by_appeal
from server.usecases.cases.transaction import Deed, Done, Step, carry_out
from server.usecases.core.case_record import CaseWord, Notice, decision_letter, readable
from server.usecases.core.context import Core, poster_of
from server.usecases.core.union_values import deposit_due


@dataclass(frozen=True, slots=True)
class Delivered:
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
) -> Done | CaseRefusal:
    """Appeal against the latest decision, in writing, to the instance above (§ 6.4.3).

    ``deposit``: what was paid with an appeal to the Board, in øre; required for one.
    Raises UnknownCase if the person may not see the case; ValueError for an empty text.
    """
    if not text.strip():
        raise ValueError("text")
    found = await access(core, person, case_id)
    title, body, by = PaperKind.STATEMENT.value, text.strip().encode(), lodging.by or person.id
    paper = NewPaper(kind=title, title="@appeal", body=body, at_us=core.now_us, person_id=by)
    command = cc.Appeal(
        digest=paper.digest.hex(),
        deposit=deposit,
        fee=await deposit_due(core),
        running_games=await stopped_by_appeal(core, found.case, found.state),
        on=lodging.on,
        appellant=lodging.by,
    )
    told = await _delivered(core, found.case, found.state)
    steps = (*_records(told), Step(lambda _, __: command, found.actor))
    notice = Notice(CaseWord.APPEALED, by, text=text.strip())
    return await carry_out(core, deed_of(core, found, steps, (paper,), notice))


async def take_back(core: Core, person: PersonRow, case_id: int) -> Done | CaseRefusal:
    """Withdraw one's own appeal; the decision below stands."""
    found = await access(core, person, case_id)
    steps = (Step(lambda _, __: cc.WithdrawAppeal(), found.actor),)
    notice = Notice(CaseWord.APPEAL_WITHDRAWN, person.id)
    return await carry_out(core, deed_of(core, found, steps, (), notice))


async def _delivered(core: Core, case: CaseRow, state: CaseState) -> tuple[Delivered, ...]:
    """Letters of the latest decision that have been sent but are not recorded yet."""
    latest = state.latest
    if latest is None:
        return ()
    known = {row.person for row in state.delivered if row.ref == latest.ref}
    found: list[Delivered] = []
    poster = poster_of(core)
    async with core.store.read() as conn:
        for person in sorted(state.may_appeal - known):
            message_id = decision_letter(poster, case, latest.ref, person, 0).message_id
            letter = await outbox_rows.by_message_id(conn, message_id)
            if letter is not None and letter.sent_us is not None:
                day = local_day(from_us(letter.sent_us), case.zone)
                found.append(Delivered(latest.ref, person, day))
    return tuple(found)


def _records(told: tuple[Delivered, ...]) -> tuple[Step, ...]:
    def step(one: Delivered) -> Step:
        return Step(lambda _, __: cc.RecordDelivery(one.ref, one.person, one.on), cc.SERVER)

    return tuple(step(one) for one in told)


async def keep_terms(core: Core) -> int:
    """The daily duty: record deliveries, and let decisions stand that nobody appealed against.

    Returns how many cases became final. Safe to repeat.
    """
    async with core.store.read() as conn:
        rows = await case_rows.listed(conn, is_open=True, limit=100_000)
    final = 0
    for row in rows:
        if row.state in (CaseStage.DECIDED, CaseStage.APPEALED):
            final += await _keep_term(core, row)
    return final


async def _keep_term(core: Core, row: CaseRow) -> bool:
    async with core.store.read() as conn:
        state = readable(await case_rows.events_of(conn, row.id))
    if state is None:
        return False
    told = await _delivered(core, row, state)
    steps = (*_records(told), Step(lambda _, __: cc.LetStand(), cc.SERVER))
    done = await carry_out(core, Deed(row.id, steps, None))
    return isinstance(done, Done) and done.state.stage is CaseStage.FINAL
