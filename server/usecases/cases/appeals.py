"""Appeals: lodging, withdrawing, and time limits that run from delivery (§ 6.4.3, § 6.8.10).

The time limit runs from the day the appellant's mail server accepted the decision's letter; until
then it has not begun. Not for deciding an appeal (case_decisions.py).
"""

from datetime import date

from kskak.cases import case as case_commands
from kskak.cases.case import SERVER, CaseRefusal, CaseStage, CaseState
from kskak.cases.case_events import Deposit, PaperKind
from kskak.regulation.days import local_day
from mail.office_letters.case_letters import CaseWord
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.rows import from_us
from server.store.mail import outbox as outbox_rows
from server.store.play.people import PersonRow
from server.usecases.cases.case_actions import carry_out
from server.usecases.cases.case_transaction import CaseOutcome, Step, run_transaction
from server.usecases.cases.evidence import access
from server.usecases.cases.expulsion import stopped_by_appeal
from server.usecases.context import Core, poster_of
from server.usecases.games.case_opening import CaseNews, decision_letter, readable
from server.usecases.rights import deposit_due


async def appeal(
    core: Core,
    person: PersonRow,
    case_id: int,
    text: str,
    deposit: Deposit | None = None,
    on: date | None = None,
    by: int | None = None,
) -> CaseOutcome | CaseRefusal:
    """Appeal against the latest decision, in writing, to the instance above (§ 6.4.3).

    ``deposit``: what was paid with an appeal to the Board, in øre; required for one. ``on``: the
    day it came in, None: now; ``by``: the appellant, if entered by another.
    Raises UnknownCase if the person may not see the case; ValueError for an empty text.
    """
    if not text.strip():
        raise ValueError("text")
    found = await access(core, person, case_id)
    title, body, whose = PaperKind.STATEMENT.value, text.strip().encode(), by or person.id
    paper = NewPaper(kind=title, title="@appeal", body=body, at_us=core.now_us, person_id=whose)
    command = case_commands.Appeal(
        digest=paper.digest.hex(),
        deposit=deposit,
        fee=await deposit_due(core),
        running_games=await stopped_by_appeal(core, found.case, found.state),
        on=on,
        appellant=by,
    )
    deliveries = await _find_deliveries(core, found.case, found.state)
    notice = CaseNews(CaseWord.APPEALED, whose, text=text.strip())
    return await carry_out(core, found, (*deliveries, (command, found.actor)), [paper], notice)


async def _find_deliveries(core: Core, case: CaseRow, state: CaseState) -> tuple[Step, ...]:
    """What records the letters of the latest decision that were sent and are not recorded yet."""
    latest = state.latest
    if latest is None:
        return ()
    known = {row.person for row in state.delivered if row.ref == latest.ref}
    found: list[Step] = []
    poster = poster_of(core)
    async with core.store.read() as conn:
        for person in sorted(state.may_appeal - known):
            message_id = decision_letter(poster, case, latest.ref, person, 0).message_id
            letter = await outbox_rows.by_message_id(conn, message_id)
            if letter is not None and letter.sent_us is not None:
                day = local_day(from_us(letter.sent_us), case.zone)
                found.append((case_commands.RecordDelivery(latest.ref, person, day), SERVER))
    return tuple(found)


async def keep_terms(core: Core) -> int:
    """The daily duty: record deliveries, and let decisions stand that nobody appealed against.

    Returns how many cases became final. Safe to repeat.
    """
    rows = await core.store.query(case_rows.list_cases, is_open=True, limit=100_000)
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
    steps = (*await _find_deliveries(core, row, state), (case_commands.LetStand(), SERVER))
    done = await run_transaction(core, row.id, steps, None)
    return isinstance(done, CaseOutcome) and done.state.stage is CaseStage.FINAL
