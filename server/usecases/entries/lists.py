"""The waiting lists: opened, corrected, closed, given a leader by the controller (§ 6.1.1-6.1.2).

Not for the entries on them.
"""

from dataclasses import dataclass
from enum import StrEnum

from kskak.regulation.quantities import Regulation
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries.lists import ListRow, NewList
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch, NotAllowed, rights_in
from server.usecases.entries.judging import wish_of

MOST_FEE = 10_000_000
LONGEST_NAME, LONGEST_PREFIX = 120, 40
LONGEST_PAY = 500
"""Characters of the text that says how a fee is paid."""


class ListFault(StrEnum):
    """What is wrong with a list to be opened."""

    NAME = "name"
    NAME_TAKEN = "name_taken"
    WISH = "wish"
    PREFIX = "prefix"
    PREFIX_TAKEN = "prefix_taken"
    TOURNAMENT = "tournament"
    FEE = "fee"
    HOW_TO_PAY = "how_to_pay"
    NO_PAY = "no_pay"
    LEADER = "leader"


@dataclass(frozen=True, slots=True)
class Opening:
    """A list as the controller wants it; ``fee`` is in øre, ``leader`` an e-mail address.

    ``how_to_pay`` is where the fee is paid, in words that everybody may read (§ 6.4.4.1).
    """

    name: str
    event: str
    wish: str
    tournament: str
    regulation: Regulation
    prefix: str
    leader: str
    fee: int | None = None
    how_to_pay: str = ""


async def open_list(core: Core, by: PersonRow, asked: Opening) -> ListRow | ListFault:
    """Open a list. Raises NotAllowed."""
    async with core.store.deciding() as conn:
        if not (await rights_in(conn, by, core.now_us)).is_kc:
            raise NotAllowed
        return await open_list_in(core, conn, by, asked)


async def open_list_in(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: Opening
) -> ListRow | ListFault:
    """The same in the transaction of a caller who has looked at the rights."""
    leader = await person_rows.by_email(conn, asked.leader)
    fault = _fault(asked, await list_rows.everything(conn))
    if fault is not None or leader is None:
        return fault or ListFault.LEADER
    if asked.fee and not asked.how_to_pay.strip():
        return ListFault.NO_PAY
    new = NewList(
        name=asked.name,
        event=asked.event,
        wish=asked.wish,
        tournament=asked.tournament,
        regulation=asked.regulation.value,
        prefix=asked.prefix,
        leader_id=leader.id,
        fee=asked.fee,
        is_open=True,
        opened_by=by.id,
        created_us=core.now_us,
        how_to_pay=asked.how_to_pay.strip(),
    )
    made = await list_rows.find(conn, await list_rows.add(conn, new))
    assert made is not None
    return made


def _is_line(text: str, longest: int) -> bool:
    return 0 < len(text.strip()) <= longest and text.isprintable()


def _fault(asked: Opening, others: tuple[ListRow, ...]) -> ListFault | None:
    try:
        wish_of(asked.event, asked.wish)
    except ValueError:
        return ListFault.WISH
    checks = (
        (ListFault.NAME, _is_line(asked.name, LONGEST_NAME)),
        (ListFault.TOURNAMENT, _is_line(asked.tournament, LONGEST_NAME)),
        (ListFault.PREFIX, _is_line(asked.prefix, LONGEST_PREFIX)),
        (ListFault.NAME_TAKEN, all(row.name != asked.name for row in others)),
        (ListFault.PREFIX_TAKEN, all(row.prefix != asked.prefix for row in others)),
        (ListFault.FEE, asked.fee is None or 0 <= asked.fee <= MOST_FEE),
        (ListFault.HOW_TO_PAY, len(asked.how_to_pay) <= LONGEST_PAY),
    )
    return next((fault for fault, is_good in checks if not is_good), None)


async def change_list(
    core: Core,
    by: PersonRow,
    list_id: int,
    *,
    is_open: bool | None = None,
    leader: str = "",
    how_to_pay: str | None = None,
) -> ListRow | ListFault:
    """Close or reopen a list, appoint its leader, or set how its fee is paid.

    Raises NotAllowed, NoSuch.
    """
    if how_to_pay is not None and len(how_to_pay) > LONGEST_PAY:
        return ListFault.HOW_TO_PAY
    async with core.store.deciding() as conn:
        if not (await rights_in(conn, by, core.now_us)).is_kc:
            raise NotAllowed
        row = await list_rows.lock(conn, list_id)
        if row is None:
            raise NoSuch("list")
        if how_to_pay is not None and row.fee and not how_to_pay.strip():
            return ListFault.NO_PAY
        person = await person_rows.by_email(conn, leader) if leader else None
        if leader and person is None:
            return ListFault.LEADER
        new = None if person is None else person.id
        told = None if how_to_pay is None else how_to_pay.strip()
        await list_rows.change(conn, list_id, is_open=is_open, leader=new, how_to_pay=told)
        made = await list_rows.find(conn, list_id)
    assert made is not None
    return made


@dataclass(frozen=True, slots=True)
class Correction:
    """What a list is called, the account its fees are booked in, and its fee in øre."""

    name: str
    tournament: str
    fee: int | None


async def correct_list(
    core: Core, by: PersonRow, list_id: int, new: Correction
) -> ListRow | ListFault:
    """Correct a list; fees that were received stay as booked. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        if not (await rights_in(conn, by, core.now_us)).is_kc:
            raise NotAllowed
        row = await list_rows.lock(conn, list_id)
        if row is None:
            raise NoSuch("list")
        others = await list_rows.everything(conn)
        regulation = Regulation(row.regulation)
        kept = (regulation, row.prefix, "", new.fee, row.how_to_pay)
        asked = Opening(new.name, row.event, row.wish, new.tournament, *kept)
        fault = _fault(asked, tuple(one for one in others if one.id != list_id))
        if fault is not None:
            return fault
        await list_rows.correct(conn, list_id, new.name, new.tournament, new.fee)
        made = await list_rows.find(conn, list_id)
    assert made is not None
    return made
