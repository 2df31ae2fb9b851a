"""Deciding one at a time across processes: locks held until the transaction ends.

What depends on more than one row (a quota over all games of a tournament, one group at a time, a
place in a cup, a reserve, a fee, a title, the next number) is decided by one at a time, and read
once the lock is held. PostgreSQL: an advisory lock on the name of what is decided. SQLite has one
writer anyway. Take them before locking any row; order: idempotency key, these, games, cases. Not
for one game's ledger, whose row is its own lock (mail/batch.py).
"""

import hashlib
from typing import Final

from sqlalchemy import Connection, text

FEDERATION: Final = "federation"
"""Entries, groups, cups, the league, books, offices and titles: rarely changed, interrelated."""

SIGNING_IN: Final = "signing in"
"""How many links and requests an address has that are not used yet."""

CASES: Final = "cases"
"""The numbers of cases, which have no gaps."""

_HOLD = text("SELECT pg_advisory_xact_lock(k) FROM unnest(CAST(:keys AS bigint[])) k")


def leave_of(person_id: int) -> str:
    """The lock on a person's leave, in any tournament (§ 6.3.6, § 6.8.8)."""
    return f"leave {person_id}"


def hold(conn: Connection, *names: str) -> None:
    """Wait for these locks; several at once are taken in the same order everywhere."""
    if conn.dialect.name == "postgresql" and names:
        conn.execute(_HOLD, {"keys": sorted({_key(name) for name in names})})


def _key(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
