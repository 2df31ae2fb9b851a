"""A group's recorded prizes: an amount in øre for each place (§ 6.5.4, § 6.6.4).

Not for who wins them (kskak.groups.honours) nor whether they were sent (cases/publications.py).
"""

from collections.abc import Sequence

from sqlalchemy import delete, insert, select

from server.store.engine.connection import AsyncConnection
from server.store.tables.cases import prizes


async def of_group(conn: AsyncConnection, group_id: int) -> tuple[int, ...]:
    """The prizes from the first place down, in øre."""
    query = select(prizes.c.amount).where(prizes.c.group_id == group_id).order_by(prizes.c.place)
    return tuple((await conn.execute(query)).scalars())


async def of_groups(conn: AsyncConnection, group_ids: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The prizes of several groups, by group; no query when there are none."""
    found: dict[int, list[int]] = {group_id: [] for group_id in group_ids}
    if found:
        query = select(prizes.c.group_id, prizes.c.amount).order_by(prizes.c.place)
        for group_id, amount in await conn.execute(query.where(prizes.c.group_id.in_(found))):
            found[group_id].append(amount)
    return {group_id: tuple(amounts) for group_id, amounts in found.items()}


async def put(conn: AsyncConnection, group_id: int, amounts: Sequence[int]) -> None:
    """Record the prizes from the first place down, in øre, replacing any earlier ones."""
    await conn.execute(delete(prizes).where(prizes.c.group_id == group_id))
    rows = [
        {"group_id": group_id, "place": place, "amount": amount}
        for place, amount in enumerate(amounts, 1)
    ]
    if rows:
        await conn.execute(insert(prizes), rows)
