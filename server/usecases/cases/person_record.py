"""A person's record for officials: sanctions, cases, decisions and silences, the newest first.

Readings: a leader sees that of players in groups he leads and does not play in, the Board that
of those with standing in its cases, the controller and administrators everybody's; nobody sees
his own here. Of cases and silences each sees those he may open by office;
the sanctions count in every group (§ 4.1.19) and are shown to all of them. Not for the person's
own page (sanctions.own_records) nor for membership and ratings (register/views.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.cases.decisions import SanctionKind
from kskak.cases.sanctions import is_shown
from kskak.cases.state import CaseState
from kskak.game.events import LeaderTold
from kskak.ledger.stored_events import load_event
from kskak.regulation.quantities import Regulation, Side
from server.store.cases import of_person as rows
from server.store.cases import sanctions as sanction_rows
from server.store.cases.cases_and_events import CaseRow
from server.store.cases.of_person import Told
from server.store.cases.sanctions import SanctionRow
from server.store.engine.connection import AsyncConnection
from server.store.play.people import PersonRow
from server.usecases.cases.access import reads_by_office
from server.usecases.cases.sanctions import orders_of, sanction_of
from server.usecases.core.case_record import readable
from server.usecases.core.context import Core
from server.usecases.core.offices import Rights, rights_in

SANCTIONS, AUTOMATIC = "6.4.2", "4.1.19"
_SILENT = {Regulation.POSTAL: "6.3.4", Regulation.EMAIL: "6.8.3"}


class Happened(StrEnum):
    """What a line of the record is about, in the order that things happen on one day."""

    SILENCE = "silence"
    CASE = "case"
    DECISION = "decision"
    WARNING = "warning"
    QUARANTINE = "quarantine"
    EXPULSION = "expulsion"


_ORDER = tuple(Happened)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: the day, what happened, by which paragraphs, and what to open.

    ``number``: the case's; ``case``: the case itself if the reader may open it; ``until``: the
    last day of a quarantine.
    """

    on: date
    what: Happened
    paragraphs: tuple[str, ...]
    number: str | None = None
    case: CaseRow | None = None
    game: Told | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """Cases with their states, by id, and which of them the reader may open."""

    rows: Mapping[int, CaseRow]
    states: Mapping[int, CaseState]
    open: frozenset[int]


async def person_record(core: Core, viewer: PersonRow, person_id: int) -> tuple[Entry, ...] | None:
    """The record as the viewer may see it; None: not at all."""
    today = core.today(core.settings.clock.zone)
    async with core.store.read() as conn:
        held = await rights_in(conn, viewer, core.now_us)
        if not held.is_official or viewer.id == person_id:
            return None
        imposed = await sanction_rows.of_person(conn, person_id)
        known = await _known(conn, held, person_id, imposed)
        groups = await rows.groups_of(conn, person_id)
        if not _may_see(held, groups, known, person_id):
            return None
        silences = await rows.silences(conn, person_id)
    found = [
        *(_sanction(row, known) for row in imposed if is_shown(sanction_of(row), today)),
        *(one for case_id in known.open for one in _case(case_id, known, person_id)),
        *(_silence(one) for one in silences if _is_his(one, person_id, held)),
    ]
    return tuple(sorted(found, key=lambda one: (one.on, _ORDER.index(one.what)), reverse=True))


def _may_see(held: Rights, groups: frozenset[int], known: _Known, person_id: int) -> bool:
    if held.is_kc or held.is_admin or any(held.leads(group) for group in groups):
        return True
    return held.is_board and any(person_id in known.states[i].may_appeal for i in known.open)


async def _known(
    conn: AsyncConnection, held: Rights, person_id: int, imposed: tuple[SanctionRow, ...]
) -> _Known:
    near = {case.id: case for case in await rows.cases_near(conn, person_id)}
    ids = near.keys() | {row.case_id for row in imposed}
    near |= {case.id: case for case in await rows.with_ids(conn, ids - near.keys())}
    histories = await rows.events_of_all(conn, near.keys())
    read = {case_id: readable(found) for case_id, found in histories.items()}
    states = {case_id: state for case_id, state in read.items() if state is not None}
    may_open = {i for i, state in states.items() if reads_by_office(held, near[i], state)}
    return _Known(near, states, frozenset(may_open))


def _is_about(case_id: int, known: _Known, person_id: int) -> bool:
    """Whether a person is a party, the one it concerns, or named by a decision's sanction."""
    state = known.states[case_id]
    named = {order.person for one in state.decided for order in one.decision.sanctions}
    return person_id in {known.rows[case_id].person_id, *state.opened.parties, *named}


def _case(case_id: int, known: _Known, person_id: int) -> list[Entry]:
    """How a case about him began, and each decision in it."""
    if not _is_about(case_id, known, person_id):
        return []
    case, state = known.rows[case_id], known.states[case_id]
    opened = Entry(state.opened.on, Happened.CASE, state.opened.paragraphs, case.number, case)
    decisions = (one.decision for one in state.decided)
    return [
        opened,
        *(Entry(d.on, Happened.DECISION, d.paragraphs, case.number, case) for d in decisions),
    ]


def _sanction(row: SanctionRow, known: _Known) -> Entry:
    """A sanction; one that grew out of a second warning says by which paragraph."""
    state, person = known.states.get(row.case_id), row.person_id
    ordered = set[SanctionKind]()
    for one in () if state is None else state.decided:
        if state is not None and one.decision.on.isoformat() == row.from_day:
            orders = orders_of(one.decision, state.known)
            ordered |= {order.kind for order in orders if order.person == person}
    grew = bool(ordered) and SanctionKind(row.kind) not in ordered
    return Entry(
        on=date.fromisoformat(row.from_day),
        what=Happened(row.kind),
        paragraphs=(SANCTIONS, AUTOMATIC) if grew else (SANCTIONS,),
        number=row.case,
        case=known.rows[row.case_id] if row.case_id in known.open else None,
        until=None if row.to_day is None else date.fromisoformat(row.to_day),
    )


def _is_his(told: Told, person_id: int, held: Rights) -> bool:
    """Whether it was he who did not answer, in a game that the reader may watch."""
    event = load_event(told.body)
    assert isinstance(event, LeaderTold)
    side = Side.WHITE if told.white_id == person_id else Side.BLACK
    return event.by is not side and held.may_watch(told.game_id, told.group_id)


def _silence(told: Told) -> Entry:
    event = load_event(told.body)
    assert isinstance(event, LeaderTold)
    return Entry(event.on, Happened.SILENCE, (_SILENT[Regulation(told.regulation)],), game=told)
