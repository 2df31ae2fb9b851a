"""Books a fee that the leader received into the tournament's account (§ 6.1.2, § 6.4.4.1).

Booked with the entry's own deed, once per entry, at the list's fee on that day. Refunds after a
withdrawal or refusal are for the controller to book, who holds the money. Not for entries
made in the books by hand (office/books.py).
"""

from datetime import date
from typing import Protocol

from kskak.office.books import Entry, EntryKind
from server.store.engine.connection import AsyncConnection
from server.store.entries.lists import ListRow
from server.store.office import books as rows
from server.usecases.core.context import Core
from server.usecases.office.books import new_entry, tidy


class Paid(Protocol):
    """An entry, a player's or a team's, with its fee."""

    @property
    def id(self) -> int:
        """Its number among its kind."""

    @property
    def fee_day(self) -> str | None:
        """The ISO day on which the fee came."""

    @property
    def fee_by(self) -> int | None:
        """Who received it."""


async def book_fee(core: Core, conn: AsyncConnection, of: ListRow, paid: Paid, party: str) -> None:
    """Book the fee of ``party``'s entry; does nothing without a fee, or if already booked."""
    if paid.fee_day is None or paid.fee_by is None or not of.fee:
        return
    entry = Entry(
        tournament=of.tournament,
        kind=EntryKind.FEE,
        day=date.fromisoformat(paid.fee_day),
        ore=of.fee,
        party=party,
        text=of.name,
    )
    key = f"{type(paid).__name__}.{paid.id}"
    await rows.add(conn, [new_entry(tidy(entry), paid.fee_by, core.now_us, key)])
