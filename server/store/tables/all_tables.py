"""All the program's tables, and the notes of hashes that cover some of them.

Offices, the accounts and fees received are noted with their rows' digests, so that a row that is
invented, changed or removed is found (``kskak verify``). A note has nothing personal in it. Not for
the ledgers of games and cases, whose events are chained themselves (engine/chain.py).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    LargeBinary,
    String,
    Table,
    insert,
    select,
    update,
)

from server.store.engine.chain import ChainLink, link
from server.store.engine.connection import AsyncConnection
from server.store.tables import cases as case_tables
from server.store.tables import people as people_tables
from server.store.tables import tournaments as tournament_tables
from server.store.tables.base import Id, Micros, settings, table
from server.store.tables.cases import entries, offices
from server.store.tables.tournaments import entries as tournaments_entries
from server.store.tables.tournaments import team_entries

# Rows that a chain of hashes covers beside the ledgers: offices, the accounts, fees received.

seals = table(
    "seals",
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at_us", Micros, nullable=False),
    Column("of_table", String(20), nullable=False),
    Column("row_id", Id, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
)
"""The notes, in their order; the last one's number and hash are a value of ``settings``."""
HEAD = "seals"
NONE = f"0 {bytes(32).hex()}"
REGISTER = 0
"""The owner in the chain's hashes: no game or case has this number."""
_FEE = ("id", "fee_day", "fee_by", "fee_us")
SEALED: Mapping[Table, tuple[str, ...]] = {
    offices: tuple(offices.c.keys()),
    entries: tuple(entries.c.keys()),
    tournaments_entries: _FEE,
    team_entries: _FEE,
}
"""The columns that are covered; of entries, once a fee is received."""


def _rows(
    conn: Connection, table: Table, ids: Iterable[int] | None = None
) -> Iterator[tuple[int, str]]:
    query = select(*(table.c[name] for name in SEALED[table])).order_by(table.c.id)
    if ids is not None:
        query = query.where(table.c.id.in_(list(ids)))
    if "fee_day" in SEALED[table]:
        query = query.where(table.c.fee_day.is_not(None))
    texts = (
        (row.id, json.dumps(dict(row._mapping), sort_keys=True, separators=(",", ":")))
        for row in conn.execute(query)
    )
    return ((row_id, hashlib.sha256(text.encode()).hexdigest()) for row_id, text in texts)


async def seal(conn: AsyncConnection, table: Table, ids: Iterable[int], at_us: int) -> None:
    """Note what rows hold now that were written; to be called in the same transaction."""
    await conn.run_sync(seal_rows, table, ids, at_us)


def seal_rows(conn: Connection, table: Table, ids: Iterable[int], at_us: int) -> None:
    """The same, also for a writer's own transaction."""
    head = select(settings.c.value).where(settings.c.name == HEAD).with_for_update()
    end = conn.execute(head).scalar_one().split()
    seq, last = int(end[0]), bytes.fromhex(end[1])
    for row_id, digest in _rows(conn, table, ids):
        seq += 1
        last = link(last, REGISTER, seq, at_us, f"{table.name} {row_id} {digest}")
        note = {
            "seq": seq,
            "at_us": at_us,
            "of_table": table.name,
            "row_id": row_id,
            "digest": digest,
        }
        conn.execute(insert(seals).values(note | {"hash": last}))
    new = update(settings).where(settings.c.name == HEAD).values(value=f"{seq} {last.hex()}")
    conn.execute(new)


@dataclass(frozen=True, slots=True)
class Seals:
    """The chain of all notes, where it ends, and the rows that are not as the notes say."""

    links: tuple[ChainLink, ...]
    end: tuple[int, bytes]
    wrong: tuple[str, ...]


async def everything(conn: AsyncConnection) -> Seals:
    """All notes, held against the rows that they are about."""
    value = await conn.execute(select(settings.c.value).where(settings.c.name == HEAD))
    seq, _, last = str(value.scalar_one_or_none() or NONE).partition(" ")
    links, noted = [], dict[tuple[str, int], str]()
    for one in await conn.execute(select(seals).order_by(seals.c.seq)):
        body = f"{one.of_table} {one.row_id} {one.digest}"
        links.append(ChainLink(one.seq, one.at_us, body, bytes(one.hash)))
        noted[one.of_table, one.row_id] = one.digest
    kept = {
        (table.name, row_id): digest
        for table in SEALED
        for row_id, digest in await conn.run_sync(_rows, table)
    }
    wrong = [
        f"{of} {row_id} is not as it was written, or never was"
        for of, row_id in sorted(kept.keys() | noted.keys())
        if kept.get((of, row_id)) != noted.get((of, row_id))
    ]
    return Seals(tuple(links), (int(seq), bytes.fromhex(last)), tuple(wrong))


LOADED = (case_tables, people_tables, tournament_tables)
"""Every module of tables is imported here, so that the metadata knows them all."""
