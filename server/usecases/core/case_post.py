"""Which letters a case causes, as outbox rows in its own transaction.

As for games a row says which letter, to whom and about which case; the words are composed when
it is sent. Not for text (mail.office_letters.cases) nor for who may do what.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, or_, select

from kskak.cases.decisions import Instance
from kskak.cases.state import CaseState
from mail.office_letters.case_letters import CaseWord
from server.store.cases.cases_and_events import CaseRow
from server.store.mail.outbox import NewOutbox
from server.store.play.people import Role
from server.store.tables.base import people, seats
from server.store.tables.cases import offices
from server.usecases.core.outbox_letters import Kind, Poster

__all__ = ["CaseWord", "Notice", "decision_letter", "notices", "officials_in"]


@dataclass(frozen=True, slots=True)
class Notice:
    """What happened, for the others in the case. ``by`` None: the server."""

    word: CaseWord
    by: int | None
    text: str = ""
    until: date | None = None


def notices(
    poster: Poster, case: CaseRow, notice: Notice, told: Iterable[int]
) -> tuple[NewOutbox, ...]:
    """One letter to each person named, whoever is named twice."""
    params: dict[str, object] = {
        "case": case.id,
        "word": notice.word.value,
        "by": notice.by,
        "text": notice.text,
        "until": None if notice.until is None else notice.until.isoformat(),
    }
    unique = f"{case.id}.{case.seq}.{notice.word.value}"
    return tuple(
        poster.to_person(Kind.CASE, person, unique, params) for person in dict.fromkeys(told)
    )


def decision_letter(
    poster: Poster, case: CaseRow, ref: str, person_id: int, paper_id: int
) -> NewOutbox:
    """The letter of a decision; its Message-ID is known again by case, ref and person (§ 6.4.3)."""
    params: dict[str, object] = {"case": case.id, "ref": ref, "paper": paper_id}
    return poster.to_person(Kind.DECISION, person_id, f"{case.id}.{ref}", params)


_HELD = {
    Instance.LEADER: ("tl", "deputy"),
    Instance.CONTROLLER: ("kc",),
    Instance.BOARD: ("board",),
}


def officials_in(conn: Connection, case: CaseRow, state: CaseState, now_us: int) -> tuple[int, ...]:
    """Whom the case stands before: who holds the office and does not play in the group.

    The group's own leader stands before those appointed beside him.
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
