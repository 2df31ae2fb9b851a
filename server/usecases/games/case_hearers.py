"""Who hears a case: the officials of its instance, the Board's three, or nobody (§ 6.1.1, § 1.3.9).

A case that nobody may hear is the administrators' to see to, the same day. Not for what those who
hear it may do (kskak.cases.decide_case).
"""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, or_, select

from kskak.cases.board import list_absences, seat_board
from kskak.cases.case import BoardSeat, CaseStage, CaseState
from kskak.cases.case_events import Instance
from kskak.regulation.editions import DISPUTES
from server.store.cases.cases import CaseRow
from server.store.play.people import Office, Role
from server.store.tables.base import games, people, seats
from server.store.tables.cases import offices

_HELD = {
    Instance.LEADER: (Office.TL, Office.DEPUTY),
    Instance.CONTROLLER: (Office.KC,),
    Instance.BOARD: (Office.BOARD,),
}
_UNDECIDED = (CaseStage.OPENED, CaseStage.HEARD, CaseStage.APPEALED)


def _in_office(names: Collection[Office], now_us: int) -> ColumnElement[bool]:
    lasts = or_(offices.c.to_us.is_(None), offices.c.to_us > now_us)
    return offices.c.office.in_(names) & (offices.c.from_us <= now_us) & lasts


def read_board(conn: Connection, now_us: int) -> tuple[list[int], list[int]]:
    """The members and the substitutes in office, each in the order of appointment (§ 1.3.9)."""
    both = (Office.BOARD, Office.SUBSTITUTE)
    query = select(offices.c.office, offices.c.person_id).where(_in_office(both, now_us))
    rows = conn.execute(query.order_by(offices.c.id)).all()
    members, substitutes = ([one for office, one in rows if office == name] for name in both)
    return members, substitutes


def list_barred(conn: Connection, group_id: int, officials: Collection[int]) -> frozenset[int]:
    """Those who play in a group, or against somebody with a running game there (§ 6.1.1)."""
    pair, runs = (games.c.white_id, games.c.black_id), games.c.result.is_(None)
    plays = select(seats.c.person_id).where(seats.c.group_id == group_id)
    barred = {one for one in conn.execute(plays).scalars() if one in officials}
    there = select(*pair).where(runs, games.c.group_id == group_id)
    rivals = {one for both in conn.execute(there) for one in both}
    own = select(*pair).where(runs, or_(*(one.in_(officials) for one in pair)))
    for white, black in conn.execute(own):
        barred |= {me for me, other in ((white, black), (black, white)) if other in rivals}
    return frozenset(barred & set(officials))


def panel_of(
    conn: Connection, case: CaseRow, state: CaseState, now_us: int
) -> tuple[BoardSeat, ...]:
    """Who sits in a case before the Board, as things stand (§ 1.3.9)."""
    members, substitutes = read_board(conn, now_us)
    barred = list_barred(conn, case.group_id, [*members, *substitutes])
    return seat_board(members, substitutes, list_absences(state, barred))


def officials_in(conn: Connection, case: CaseRow, state: CaseState, now_us: int) -> tuple[int, ...]:
    """The officials whom a case is before: those in office who do not play in the group.

    The group's own leader comes before any others appointed; of the Board those who sit.
    """
    if state.instance is Instance.BOARD:
        return tuple(seat.member for seat in panel_of(conn, case, state, now_us))
    seated = select(seats.c.person_id).where(seats.c.group_id == case.group_id)
    query = select(offices.c.person_id).where(
        _in_office(_HELD[state.instance], now_us),
        or_(offices.c.group_id.is_(None), offices.c.group_id == case.group_id),
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


def who_may_hear(
    conn: Connection, case: CaseRow, state: CaseState, now_us: int
) -> tuple[int, ...] | None:
    """Those who may hear a case that waits for its instance; None where nobody may.

    The Board hears it as three. Empty for a case that waits for nobody.
    """
    if state.stage not in _UNDECIDED:
        return ()
    found = officials_in(conn, case, state, now_us)
    if state.instance is Instance.BOARD:
        return found if len(found) == DISPUTES.board_members else None
    barred = list_barred(conn, case.group_id, found) | state.may_appeal | state.deciders
    return tuple(one for one in found if one not in barred) or None


def list_administrators(conn: Connection, now_us: int) -> tuple[int, ...]:
    """Whoever runs the server, by role or office."""
    held = select(offices.c.person_id).where(_in_office((Office.ADMIN,), now_us))
    query = select(people.c.id).where(or_(people.c.role == Role.ADMIN.value, people.c.id.in_(held)))
    return tuple(conn.execute(query.order_by(people.c.id)).scalars())
