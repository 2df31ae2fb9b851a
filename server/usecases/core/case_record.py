"""A case's events and its row: read back, and written together (§ 6.4.1).

What every way into a case shares. Not for deciding (kskak.cases.decide) nor for what follows from
an event in games and letters (cases/transaction.py).
"""

import json
from collections.abc import Iterable

from sqlalchemy import Connection

from kskak.cases.decide import after
from kskak.cases.events import CaseEvent
from kskak.cases.state import ENDS, CaseState
from kskak.cases.stored_events import dump_case_event, load_case_event
from kskak.ledger.ledger_out import JsonObject
from kskak.regulation.days import ONE_DAY
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseEventRow, CaseHead, CaseRow, NewCaseEvent
from server.store.engine.types import to_us
from server.usecases.core.due_work import start_of_day


def games_of(case: CaseRow) -> tuple[int, ...]:
    """The games that a case is about, from its row's summary."""
    return tuple(int(game) for game in json.loads(case.snapshot)["games"])


def dumps(value: JsonObject) -> bytes:
    """A JSON paper's body."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def state_of(events: Iterable[CaseEventRow]) -> CaseState:
    """A case from its events: few enough to be read each time."""
    return after(None, tuple(load_case_event(row.body) for row in events))


def head_of(state: CaseState, zone: str, now_us: int, closed_us: int | None = None) -> CaseHead:
    """What the row repeats of the state; due when the last day of a term is over."""
    opened = state.opened
    summary = {
        "question": opened.question,
        "parties": list(opened.parties),
        "concerned": list(opened.concerned),
        "games": list(opened.games),
    }
    due = None if state.due is None else to_us(start_of_day(state.due + ONE_DAY, zone))
    closed = (closed_us or now_us) if state.stage in ENDS else None
    text = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
    stage, instance = state.stage.value, state.instance.value
    return CaseHead(stage, instance, text, bool(state.suspended), due, closed)


def new_events(
    events: Iterable[CaseEvent], now_us: int, by: int | None
) -> tuple[NewCaseEvent, ...]:
    """Events as rows to append."""
    return tuple(NewCaseEvent(dump_case_event(event), now_us, by) for event in events)


def append_to(
    conn: Connection,
    case: CaseRow,
    state: CaseState,
    events: Iterable[CaseEvent],
    at: tuple[int, int | None],
) -> None:
    """Append new events to a locked case; ``at``: the instant and who it is."""
    now_us, by = at
    head = head_of(state, case.zone, now_us, case.closed_us)
    case_rows.append(conn, case, head, new_events(events, now_us, by))
