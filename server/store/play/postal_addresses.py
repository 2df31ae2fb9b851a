"""Postal addresses: one per person, removed with the contact data (§ 6.2.1, § 6.5.2.1).

They have a table of their own, so that code reading people never reads them. Not for who may
see one (usecases/postal/addresses.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from server.store.engine.connection import AsyncConnection
from server.store.tables.cases import addresses


@dataclass(frozen=True, slots=True)
class AddressRow:
    """A stored address; its lines are those of ``text``."""

    person_id: int
    text: str
    changed_us: int


async def keep(conn: AsyncConnection, row: AddressRow) -> None:
    """Store an address, replacing any previous one; an empty text just removes it."""
    await forget(conn, [row.person_id])
    if row.text:
        values = {"person_id": row.person_id, "text": row.text, "changed_us": row.changed_us}
        await conn.execute(insert(addresses).values(values))


async def of_people(conn: AsyncConnection, ids: Iterable[int]) -> dict[int, AddressRow]:
    """The addresses on record, by person."""
    query = select(addresses.c.person_id, addresses.c.text, addresses.c.changed_us).where(
        addresses.c.person_id.in_(list(ids))
    )
    rows = await conn.execute(query)
    return {row[0]: AddressRow(*row) for row in rows}


async def forget(conn: AsyncConnection, ids: Iterable[int]) -> None:
    """Remove people's addresses."""
    await conn.execute(delete(addresses).where(addresses.c.person_id.in_(list(ids))))
