"""The tables of the controller's year and of the tournaments' accounts (§ 6.1.2).

On the same metadata as base.py and by the same rules. Both are histories: rows are added,
never changed and never removed.
"""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Table, Text

from server.store.tables import cases
from server.store.tables.base import Id, Micros, metadata

__all__ = ["entries", "metadata", "year_deeds", "year_told"]
assert cases.publications.metadata is metadata, "one set of tables, whatever is imported"

year_deeds = Table(
    "year_deeds",
    metadata,
    Column("id", Id, primary_key=True),
    Column("form", String(16), nullable=False),
    Column("season", Integer, nullable=False, index=True),
    Column("step", String(16), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("day", String(10)),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""``kind``: moved, called_off, done, reopened; for each step the last one counts."""

year_told = Table(
    "year_told",
    metadata,
    Column("form", String(16), primary_key=True),
    Column("season", Integer, primary_key=True, autoincrement=False),
    Column("step", String(16), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("stage", String(8), primary_key=True),
    Column("told_us", Micros, nullable=False),
)
"""Which step, due on which day, the controller was reminded of, and at which stage."""

entries = Table(
    "account_entries",
    metadata,
    Column("id", Id, primary_key=True),
    Column("tournament", Text, nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("day", String(10), nullable=False),
    Column("ore", BigInteger, nullable=False),
    Column("party", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("at_us", Micros, nullable=False),
    Column("reverses", Id, ForeignKey("account_entries.id"), unique=True),
    Column("publication_id", Id, ForeignKey("publications.id")),
    Column("key", String(80), unique=True),
)
"""``ore``: positive into the account, negative out of it. ``reverses``: the entry it reverses, at
most once. ``key``: makes it harmless to submit the same form or file twice."""
