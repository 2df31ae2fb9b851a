"""What the controller says for the Union: the Board's deposit, and where the regulation is read.

Kept in the database, so that a season needs no operator; until it is said the operator's settings
hold. Not for numbers of the regulation (kskak.regulation.editions).
"""

from dataclasses import dataclass

from server.store.engine.connection import AsyncConnection
from server.store.tables import settings as settings_table
from server.usecases.core.context import Core

DEPOSIT, REGULATION = "union.board_deposit", "union.regulation_url"
ORE = 100


@dataclass(frozen=True, slots=True)
class UnionValues:
    """``deposit``: whole kroner, 0 when it is not known (§ 6.4.3); ``regulation_url`` may be ""."""

    deposit: int
    regulation_url: str


async def union_values(core: Core, conn: AsyncConnection) -> UnionValues:
    """What holds now."""
    deposit = await settings_table.get(conn, DEPOSIT)
    url = await settings_table.get(conn, REGULATION)
    return UnionValues(
        core.settings.cases.board_deposit if deposit is None else int(deposit),
        core.settings.groups.regulation_url if url is None else url,
    )


async def deposit_due(core: Core) -> int:
    """The deposit of an appeal to the Board in øre; 0 when it is not known (§ 6.4.3)."""
    async with core.store.read() as conn:
        return (await union_values(core, conn)).deposit * ORE


async def keep_union_values(core: Core, said: UnionValues) -> None:
    """From now on these hold: for appeals to come, and for groups that are yet to start."""
    async with core.store.write() as conn:
        await settings_table.put(conn, DEPOSIT, str(said.deposit))
        await settings_table.put(conn, REGULATION, said.regulation_url)
