"""Opening a cup: by the controller, on the waiting list that collects its entries (§ 6.1.2, § 6.6).

The list determines its name, leader, regulation and fee. Not for its rounds (rounds.py).
"""

from dataclasses import dataclass
from enum import StrEnum

from kskak.entries.entry import CupEntry
from server.store.cup import rounds as rows
from server.store.cup.rounds import CupRow, NewCup
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NotAllowed, rights_in
from server.usecases.entries.judging import CUP

FIRST_YEAR = 1900
YEARS_AHEAD = 1
"""A cup can be opened for next year at the latest: its first round starts in the last quarter of
its year (§ 6.6.3)."""


class CupFault(StrEnum):
    """What is wrong with a cup to be opened."""

    EDITION = "edition"
    EDITION_TAKEN = "edition_taken"
    LIST = "list"
    SEMI_LIST = "semi_list"


@dataclass(frozen=True, slots=True)
class Opened:
    """A cup as the controller wants it; ``semi_list``: for the semi-final only (§ 6.6.1.6)."""

    edition: int
    list_id: int
    semi_list: int | None = None


async def open_cup(core: Core, by: PersonRow, asked: Opened) -> CupRow | CupFault:
    """Open a cup. Raises NotAllowed."""
    async with core.store.deciding() as conn:
        if not (await rights_in(conn, by, core.now_us)).is_kc:
            raise NotAllowed
        return await open_cup_in(core, conn, by, asked)


async def open_cup_in(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: Opened
) -> CupRow | CupFault:
    """The same in the transaction of a caller who has looked at the rights."""
    latest = core.today(core.settings.clock.zone).year + YEARS_AHEAD
    fault = await _fault(conn, asked, latest)
    if fault is not None:
        return fault
    new = NewCup(asked.edition, asked.list_id, asked.semi_list, by.id, core.now_us)
    made = await rows.find(conn, await rows.add(conn, new))
    assert made is not None
    return made


async def _fault(conn: AsyncConnection, asked: Opened, latest: int) -> CupFault | None:
    if not FIRST_YEAR <= asked.edition <= latest:
        return CupFault.EDITION
    known = await rows.everything(conn)
    if any(cup.edition == asked.edition for cup in known):
        return CupFault.EDITION_TAKEN
    used = {number for cup in known for number in (cup.list_id, cup.semi_list_id)}
    if not await _is_list(conn, asked.list_id, CupEntry.PRELIMINARY, used):
        return CupFault.LIST
    semi = asked.semi_list
    if semi is not None and not await _is_list(conn, semi, CupEntry.SEMIFINAL, used):
        return CupFault.SEMI_LIST
    return None


async def _is_list(
    conn: AsyncConnection, list_id: int, wish: CupEntry, used: set[int | None]
) -> bool:
    found = await list_rows.find(conn, list_id)
    return found is not None and (found.event, found.wish) == (CUP, wish) and list_id not in used
