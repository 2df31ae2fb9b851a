"""Who decides alone, in whichever process: a lock that the transaction holds to its end.

What is decided from more than one row (a quota over all games of a tournament, one group at a time,
a place in a cup, a reserve, a fee, a title, the next number) is decided by one at a time, and read
after it is one's turn. PostgreSQL: an advisory lock on the name of what is decided. SQLite has one
writer anyway. To be taken before any row is locked: «once an asking», then these, games, cases. Not
for one game's ledger, whose row is its own lock (mail/batch.py).
"""

import hashlib
from typing import Final

from sqlalchemy import Connection, text

FEDERATION: Final = "federation"
"""Entries, groups, cups, the league, books, offices and titles: seldom, and hanging together."""

CASES: Final = "cases"
"""The numbers of cases, which have no gap."""

_HOLD = text("SELECT pg_advisory_xact_lock(k) FROM unnest(CAST(:keys AS bigint[])) k")


def leave_of(person_id: int) -> str:
    """A person's leave, in whatever tournaments (§ 6.3.6, § 6.8.8)."""
    return f"leave {person_id}"


def hold(conn: Connection, *names: str) -> None:
    """Wait for one's turn; several at once are taken in an order that all keep."""
    if conn.dialect.name == "postgresql" and names:
        conn.execute(_HOLD, {"keys": sorted({_key(name) for name in names})})


def _key(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
