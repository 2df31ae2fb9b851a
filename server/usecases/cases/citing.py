"""Decisions of other cases that a new one annuls or restores (§ 6.4.1-6.4.3).

Found by name in the cases of the same group, brought into the case before it is decided, and noted
in their own case along with the decision. Not for which may be annulled (kskak.cases.verdicts).
"""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from kskak.cases.commands import SERVER, Actor, CiteDecision, NoteAnnulled
from kskak.cases.decide import after
from kskak.cases.decisions import Decision, effects
from kskak.cases.events import DecisionCited
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseStage, CaseState
from server.store.cases import cases_and_events as case_rows
from server.store.cases import sanctions as sanction_rows
from server.store.cases.cases_and_events import CaseRow
from server.store.engine.connection import AsyncConnection
from server.usecases.cases.transaction import Done, Moment, Refused, Step, act_in
from server.usecases.core.case_record import readable
from server.usecases.core.context import Core

_DECIDED = (CaseStage.DECIDED, CaseStage.APPEALED, CaseStage.FINAL)


def number_of(ref: str) -> str:
    """The case number that a decision's name begins with: «2026/7» for «2026/7/1»."""
    return ref.rpartition("/")[0]


async def with_cited(
    core: Core, case: CaseRow, state: CaseState, named: Iterable[str]
) -> CaseState | CaseRefusal:
    """The case with the named decisions of other cases brought in; nothing is saved."""
    foreign = [ref for ref in dict.fromkeys(named) if ref not in state.known]
    if not foreign:
        return state
    found: list[Decision] = []
    async with core.store.read() as conn:
        for ref in foreign:
            if not await _find(conn, case, ref, found):
                return CaseRefusal(CaseReason.UNKNOWN_DECISION)
    new = (one for one in dict.fromkeys(found) if one.ref not in state.known)
    today = core.today(case.zone)
    return after(state, tuple(DecisionCited(today, one) for one in new)) if found else state


async def _find(conn: AsyncConnection, case: CaseRow, ref: str, found: list[Decision]) -> bool:
    """Add a standing decision of another case of the group, after those it rests on; if found."""
    other = await case_rows.by_number(conn, number_of(ref))
    if other is None or other.id == case.id or other.group_id != case.group_id:
        return False
    state = readable(await case_rows.events_of(conn, other.id))
    if state is None or ref not in state.decisions or ref in state.annulled:
        return False
    _add(state, ref, found)
    return True


def _add(state: CaseState, ref: str, found: list[Decision]) -> None:
    decision = state.known[ref]
    for rests_on in decision.restores:
        _add(state, rests_on, found)
    found.append(decision)


def citing(before: CaseState, cited: CaseState, actor: Actor) -> tuple[Step, ...]:
    """The steps that bring in what ``with_cited`` found, for whoever decides."""
    new = cited.cited[len(before.cited) :]

    def step(decision: Decision) -> Step:
        return Step(lambda _, __: CiteDecision(decision), actor)

    return tuple(step(decision) for decision in new)


def note_elsewhere(conn: Connection, core: Core, done: Done, now: datetime) -> tuple[int, ...]:
    """Record in the other cases what the latest decision annulled there.

    Sanctions go too. Returns who is concerned there; raises Refused if one was annulled meanwhile.
    """
    latest = done.state.latest
    assert latest is not None
    told: list[int] = []
    for ref in latest.annuls:
        if ref in done.state.decisions or ref in done.before.annulled:
            continue
        known = case_rows.by_number_in(conn, number_of(ref))
        if known is None:
            raise Refused(CaseRefusal(CaseReason.UNKNOWN_DECISION))
        other = case_rows.lock(conn, known)
        step = Step(lambda _, __, gone=ref: NoteAnnulled(gone, latest.ref), SERVER)  # type: ignore[misc]
        noted = act_in(conn, core, other, (step,), Moment(now, done.state.decided[-1].by))
        told += sorted(noted.state.may_appeal)
        for order in done.state.known[ref].sanctions:
            since = done.state.known[ref].on.isoformat()
            sanction_rows.annul(conn, other.id, order.person, since, core.now_us)
    return tuple(told)


async def annullable(core: Core, case: CaseRow, state: CaseState) -> tuple[Decision, ...]:
    """The standing decisions of the group's other cases that affect games of this one."""
    mine = set(state.opened.games)
    found: list[Decision] = []
    async with core.store.read() as conn:
        for other in await case_rows.listed(conn, group_ids=[case.group_id]):
            if other.id == case.id or other.state not in _DECIDED:
                continue
            known = readable(await case_rows.events_of(conn, other.id))
            if known is None:
                continue
            found += [
                row.decision
                for row in known.decided
                if row.decision.ref not in known.annulled
                and mine & effects(row.decision, known.known).keys()
            ]
    return tuple(sorted(found, key=lambda decision: (decision.on, decision.ref)))
