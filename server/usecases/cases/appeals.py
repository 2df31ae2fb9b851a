"""Appeals: lodging, withdrawing, and time limits that run from delivery (§ 6.4.3, § 6.8.10).

The time limit runs from the day the appellant's mail server accepted the decision's letter; until
then it has not begun. Not for deciding an appeal (case_decisions.py).
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from sqlalchemy import Connection

from kskak.cases import case as case_commands
from kskak.cases.case import SERVER, CaseRefusal, CaseStage, CaseState
from kskak.cases.case_events import Deposit, Instance, PaperKind
from kskak.regulation.days import local_day
from kskak.regulation.editions import DISPUTES
from mail.office_letters.case_letters import CaseWord
from server.store.cases import cases as case_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.rows import from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play.people import PersonRow
from server.usecases.cases.case_transaction import CaseOutcome, Step, notify, run_transaction
from server.usecases.cases.evidence import access
from server.usecases.cases.expulsion import stopped_by_appeal
from server.usecases.context import Core, poster_of
from server.usecases.games.case_hearers import officials_in
from server.usecases.games.case_opening import (
    CaseNews,
    call_in_substitutes,
    decision_letter,
    notices,
    readable,
    warn_of_no_hearers,
)
from server.usecases.rights import deposit_due, union_values


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
    day it came in, None: now; ``by``: the appellant, if entered by another. The others, and whoever
    decided, are asked to answer it.
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
        fee=await deposit_due(core, on or core.today(found.case.zone)),
        running_games=await stopped_by_appeal(core, found.case, found.state),
        on=on,
        appellant=by,
        claimed=paper.claimed_dates,
    )
    steps = (*await _find_deliveries(core, found.case, found.state), (command, found.actor))
    if not any(lodged.by == whose for lodged in found.state.appeals):
        steps = (*steps, _hear(whose, core.today(found.case.zone)))

    def then(conn: Connection, done: CaseOutcome) -> Iterator[NewOutbox]:
        if done.events:
            yield from _tell(conn, core, done, CaseNews(CaseWord.APPEALED, whose, text.strip()))

    return await run_transaction(core, case_id, steps, person.id, [paper], then)


def _hear(appellant: int, today: date) -> Step:
    """Who answers an appeal: the other parties, and whoever decided below (reading of § 6.4.3).

    The Board asks them too (Kendelse 42, 118, 128, 133, 135).
    """
    until = today + timedelta(days=DISPUTES.hearing_days)

    def ask(state: CaseState, _: CaseRow) -> case_commands.CaseCommand:
        parties = (one for one in state.opened.parties if one != appellant)
        asked = tuple(dict.fromkeys((*parties, *sorted(state.deciders))))
        return case_commands.AskParties(until, asked)

    return ask, SERVER


def _tell(conn: Connection, core: Core, done: CaseOutcome, news: CaseNews) -> Iterator[NewOutbox]:
    """Those who are asked, with the last day; all others whom the case concerns, without.

    And the controller, where the appeal waits for the year's fee (§ 6.4.3).
    """
    hearing, poster, case = done.state.hearing, poster_of(core), done.case
    asked = () if hearing is None else hearing.asked
    if hearing is not None:
        term = replace(news, word=CaseWord.APPEAL_HEARING, until=hearing.until)
        yield from notices(poster, case, term, asked)
    others = notify(conn, core, case, done.state, news)
    yield from (letter for letter in others if letter.person_id not in asked)
    lodged = next((one for one in done.state.appeals if one.by == news.by), None)
    if lodged is not None and lodged.awaits_deposit and lodged.fee is None:
        unknown = CaseNews(CaseWord.DEPOSIT_UNKNOWN, news.by)
        kc = replace(done.state, instance=Instance.CONTROLLER)
        yield from notices(poster, case, unknown, officials_in(conn, case, kc, core.now_us))


async def tell_fees(core: Core) -> None:
    """Once the controller has said the fee: whoever's appeal waited for it is told what to pay.

    With the days in which it is to be paid (reading of § 6.4.3).
    """
    rows = await core.store.query(
        case_rows.list_cases, instance=Instance.BOARD.value, is_open=True, limit=100_000
    )
    for row in rows:
        async with core.store.write() as conn:
            state = readable(await case_rows.list_events(conn, row.id))
            values = await union_values(core, conn)
            for held in () if state is None else state.deposits:
                fee = values.deposit_on(held.on) if held.fee is None else None
                if fee is None or not held.is_awaited:
                    continue
                until = core.today(row.zone) + timedelta(days=DISPUTES.hearing_days)
                news = CaseNews(CaseWord.DEPOSIT_DUE, None, str(fee), until)
                await outbox_rows.enqueue(conn, notices(poster_of(core), row, news, [held.person]))


async def _find_deliveries(core: Core, case: CaseRow, state: CaseState) -> tuple[Step, ...]:
    """What records the letters of the latest decision that were sent and are not recorded yet.

    Reading: to the dead nothing is sent, and their term runs from the decision's own day.
    """
    latest = state.latest
    if latest is None:
        return ()
    known = {row.person for row in state.delivered if row.ref == latest.ref}
    found: list[Step] = []
    poster = poster_of(core)
    async with core.store.read() as conn:
        dead = await conn.run_sync(publication_rows.list_dead, state.may_appeal - known)
        for person in sorted(state.may_appeal - known):
            if person in dead:
                found.append((case_commands.RecordDelivery(latest.ref, person, latest.on), SERVER))
                continue
            message_id = decision_letter(poster, case, latest.ref, person, 0).message_id
            letter = await outbox_rows.by_message_id(conn, message_id)
            if letter is not None and letter.sent_us is not None:
                day = local_day(from_us(letter.sent_us), case.zone)
                found.append((case_commands.RecordDelivery(latest.ref, person, day), SERVER))
    return tuple(found)


async def keep_terms(core: Core) -> int:
    """The daily duty: record deliveries, and let decisions stand that nobody appealed against.

    Returns how many cases became final. Administrators are told of those that nobody may hear any
    more, as when somebody left office. Safe to repeat.
    """
    rows = await core.store.query(case_rows.list_cases, is_open=True, limit=100_000)
    return sum([await _keep_term(core, row) for row in rows])


async def _keep_term(core: Core, row: CaseRow) -> bool:
    poster = poster_of(core)
    async with core.store.read() as conn:
        state = readable(await case_rows.list_events(conn, row.id))
        if state is None:
            return False
        unheard = await conn.run_sync(partial(warn_of_no_hearers, poster=poster), row, state)
        called = await conn.run_sync(partial(call_in_substitutes, poster=poster), row, state)
    if unheard or called:
        await core.store.change(outbox_rows.enqueue, (*unheard, *called))
    if row.state not in (CaseStage.DECIDED, CaseStage.APPEALED):
        return False
    steps = (*await _find_deliveries(core, row, state), (case_commands.LetStand(), SERVER))
    done = await run_transaction(core, row.id, steps, None)
    return isinstance(done, CaseOutcome) and done.state.stage is CaseStage.FINAL
