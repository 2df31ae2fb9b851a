"""A case's events and its row: read back, and written together (§ 6.4.1).

Shared by every way into a case. Not for deciding (kskak.cases.decide_case) nor for what follows
from an event in games and letters (cases/case_transaction.py).
"""

import json
import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from sqlalchemy import Connection, or_, select

from kskak.cases.case import ENDS, CaseState
from kskak.cases.case_events import CaseEvent, Instance, load_case_event, proven_case_text
from kskak.cases.decide_case import apply_case_events
from kskak.ledger.ledger_files import JsonObject
from kskak.ledger.stored_events import CodecError
from kskak.regulation.days import ONE_DAY
from mail.office_letters.case_letters import CaseDecision, CaseNotice, CaseWord
from server.store import divisions as division_rows
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseEventRow, CaseRow
from server.store.engine.rows import to_us
from server.store.mail.outbox import NewOutbox
from server.store.play import people as person_rows
from server.store.play.people import Role
from server.store.tables.base import people, seats
from server.store.tables.cases import offices
from server.usecases.games.due_work import start_of_day
from server.usecases.games.outbox_letters import Poster

_log = logging.getLogger(__name__)


def dumps(value: JsonObject) -> bytes:
    """A JSON paper's body."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


class UnreadCase(ValueError):
    """An event of a case can't be read; ``seq``: its number."""

    def __init__(self, case_id: int, seq: int) -> None:
        super().__init__(f"case {case_id}: event {seq} can't be read")
        self.case_id, self.seq = case_id, seq


def events_in(rows: Iterable[CaseEventRow]) -> tuple[CaseEvent, ...]:
    """What happened in a case, or cases. Raises UnreadCase."""
    return tuple(map(_event_in, rows))


def _event_in(row: CaseEventRow) -> CaseEvent:
    try:
        return load_case_event(row.body)
    except (CodecError, RecursionError):
        raise UnreadCase(row.case_id, row.seq) from None


def state_of(events: Iterable[CaseEventRow]) -> CaseState:
    """A case's state from its events, which are few enough to be read every time.

    Raises UnreadCase.
    """
    return apply_case_events(None, events_in(events))


class KeptText(Protocol):
    """A row with an event's text."""

    @property
    def body(self) -> str:
        """The text."""
        ...


def readable_events(rows: Iterable[KeptText]) -> list[CaseEvent]:
    """The events that can be read, for what is about many cases and goes on with the others."""
    found = list[CaseEvent]()
    for row in rows:
        try:
            found.append(load_case_event(row.body))
        except (CodecError, RecursionError):
            _log.error("left out, can't be read: %s", row)
    return found


def readable(events: Iterable[CaseEventRow]) -> CaseState | None:
    """The same; None for a case that can't be read: what is about many goes on without it."""
    try:
        return state_of(events)
    except UnreadCase as unread:
        _log.error("left out: %s", unread)
        return None


def head_of(
    state: CaseState, zone: str, now_us: int, closed_us: int | None = None
) -> dict[str, Any]:
    """The row's columns that repeat the state; due when the last day of a time limit is over."""
    opened = state.opened
    summary = {
        "question": opened.question,
        "parties": list(opened.parties),
        "concerned": list(opened.concerned),
        "games": list(opened.games),
    }
    due = None if state.due is None else to_us(start_of_day(state.due + ONE_DAY, zone))
    return {
        "state": state.stage.value,
        "instance": state.instance.value,
        "snapshot": json.dumps(summary, ensure_ascii=False, separators=(",", ":")),
        "is_suspended": bool(state.suspended),
        "due_us": due,
        "closed_us": (closed_us or now_us) if state.stage in ENDS else None,
    }


def bodies_of(events: Iterable[CaseEvent]) -> tuple[str, ...]:
    """The events' texts to be kept, each proven to read back."""
    return tuple(map(proven_case_text, events))


def append_to(
    conn: Connection,
    case: CaseRow,
    state: CaseState,
    events: Iterable[CaseEvent],
    at: tuple[int, int | None],
) -> None:
    """Append new events to a locked case; ``at``: the instant and the actor."""
    head = head_of(state, case.zone, at[0], case.closed_us)
    case_rows.append(conn, case, head, bodies_of(events), at)


@dataclass(frozen=True, slots=True)
class CaseNews:
    """What happened, for the others in the case. ``by`` None: the server."""

    word: CaseWord
    by: int | None
    text: str = ""
    until: date | None = None


def notices(
    poster: Poster, case: CaseRow, notice: CaseNews, told: Iterable[int]
) -> tuple[NewOutbox, ...]:
    """One letter to each person named, even if named twice."""
    params: dict[str, object] = {
        "case": case.id,
        "word": notice.word.value,
        "by": notice.by,
        "text": notice.text,
        "until": None if notice.until is None else notice.until.isoformat(),
    }
    unique = f"{case.id}.{case.seq}.{notice.word.value}"
    return tuple(
        poster.to_person(CaseNotice, person, unique, params) for person in dict.fromkeys(told)
    )


def decision_letter(
    poster: Poster, case: CaseRow, ref: str, person_id: int, paper_id: int
) -> NewOutbox:
    """The letter of a decision; its Message-ID follows from case, ref and person (§ 6.4.3)."""
    params: dict[str, object] = {"case": case.id, "ref": ref, "paper": paper_id}
    return poster.to_person(CaseDecision, person_id, f"{case.id}.{ref}", params)


_HELD = {
    Instance.LEADER: ("tl", "deputy"),
    Instance.CONTROLLER: ("kc",),
    Instance.BOARD: ("board",),
}


def officials_in(conn: Connection, case: CaseRow, state: CaseState, now_us: int) -> tuple[int, ...]:
    """The officials whom a case is before: those in office who do not play in the group.

    The group's own leader comes before any others appointed.
    """
    seated = select(seats.c.person_id).where(seats.c.group_id == case.group_id)
    lasts = or_(offices.c.to_us.is_(None), offices.c.to_us > now_us)
    query = select(offices.c.person_id).where(
        offices.c.office.in_(_HELD[state.instance]),
        or_(offices.c.group_id.is_(None), offices.c.group_id == case.group_id),
        offices.c.from_us <= now_us,
        lasts,
        offices.c.person_id.not_in(seated),
    )
    found = list(conn.execute(query.order_by(offices.c.id)).scalars())
    if state.instance is Instance.LEADER:
        plays = set(conn.execute(seated).scalars())
        found = ([] if case.tl_id in plays else [case.tl_id]) + found
    if state.instance is Instance.CONTROLLER and not found:
        kc = select(people.c.id).where(people.c.role == Role.KC.value, people.c.id.not_in(seated))
        found = list(conn.execute(kc.order_by(people.c.id)).scalars())
    return tuple(dict.fromkeys(found))


# Which captains are told of a case, and which teams its players are in (§ 6.7.2.2, § 6.7.6.1).


def same_club(one: str | None, other: str | None) -> bool:
    """True if two clubs are the same, ignoring surrounding blanks and case."""
    first, second = ((name or "").strip().casefold() for name in (one, other))
    return bool(first) and first == second


def clubs_of(conn: Connection, group_id: int, players: Collection[int]) -> dict[int, str]:
    """The teams of players in a division, by player; empty for a group that is not one.

    A club's other team is in another division (§ 6.7.3.3), so club and group identify a team.
    """
    teams = {team.id: team.club for team in division_rows.teams(conn, group_id)}
    boards = division_rows.boards(conn, teams) if teams else ()
    return {row.person_id: teams[row.team_id] for row in boards if row.person_id in players}


def captains_in(
    conn: Connection, group_id: int, players: Collection[int], now_us: int
) -> tuple[int, ...]:
    """The captains of some players of a group, for a writer's own transaction."""
    captains = person_rows.captains_of(conn, group_id, now_us)
    if not captains:
        return ()
    if division_rows.division(conn, group_id) is not None:
        own = (division_rows.players_of_captain(conn, group_id, captain) for captain in captains)
        named = zip(captains, own, strict=True)
        return tuple(captain for captain, team in named if not team.isdisjoint(players))
    clubs = person_rows.clubs(conn, [*players, *captains])
    return tuple(
        captain
        for captain in captains
        if any(same_club(clubs.get(captain), clubs.get(player)) for player in players)
    )
