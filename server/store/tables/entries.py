"""The tables of entries: waiting lists, the entries on them, past results (§ 6.4.4).

On the same metadata as base.py and by the same rules. Personal data stated in an entry is removed
with the player's own (account/retention.py).
"""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, text
from sqlalchemy import UniqueConstraint as Unique

from server.store.tables import cases
from server.store.tables.base import Id, Micros, metadata

__all__ = ["cases", "entries", "entry_lists", "entry_rulings", "metadata", "past_results"]

entry_lists = Table(
    "entry_lists",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(120), nullable=False, unique=True),
    Column("event", String(8), nullable=False),
    Column("wish", String(12), nullable=False),
    Column("tournament", String(120), nullable=False),
    Column("regulation", String(8), nullable=False),
    Column("prefix", String(40), nullable=False),
    Column("leader_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("fee", Integer),
    Column("is_open", Boolean, nullable=False),
    Column("opened_by", Id, ForeignKey("people.id"), nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("how_to_pay", Text, nullable=False, server_default=text("''")),
)
"""A waiting list. ``event``: emt, cup, league, theme; ``wish``: class or round; ``fee``: øre;
``how_to_pay``: where it is paid, in the controller's words, "" when not stated."""

entries = Table(
    "entries",
    metadata,
    Column("id", Id, primary_key=True),
    Column("list_id", Id, ForeignKey("entry_lists.id"), nullable=False),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("form_key", String(80)),
    Column("entered_day", String(10), nullable=False),
    Column("entered_by", Id, ForeignKey("people.id"), nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("member", String(40)),
    Column("club", String(120)),
    Column("born", String(10)),
    Column("otb_rating", Integer),
    Column("k_rating", Integer),
    Column("proof", Text, nullable=False),
    Column("asks", Boolean, nullable=False),
    Column("fee_day", String(10)),
    Column("fee_by", Id, ForeignKey("people.id")),
    Column("fee_us", Micros),
    Column("proof_by", Id, ForeignKey("people.id")),
    Column("proof_us", Micros),
    Column("state", String(12), nullable=False),
    Column("since_day", String(10)),
    Column("paragraph", String(20)),
    Column("reason", Text),
    Column("decided_by", Id, ForeignKey("people.id")),
    Column("decided_us", Micros),
    Column("group_id", Id, ForeignKey("groups.id"), index=True),
    Unique("person_id", "form_key", name="uq_entries_person_id_form_key"),
    Index("ix_entries_list_id_state", "list_id", "state"),
)
"""``since_day``: the day that counts on the waiting list; ``asks``: for a person's decision."""

entry_rulings = Table(
    "entry_rulings",
    metadata,
    Column("id", Id, primary_key=True),
    Column("entry_id", Id, ForeignKey("entries.id"), nullable=False, index=True),
    Column("paragraph", String(20), nullable=False),
    Column("office", String(4), nullable=False),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""Discretion: § 6.5.3.2 e by the leader, § 6.5.2.2 f by leader and controller, with reasons."""

past_results = Table(
    "past_results",
    metadata,
    Column("id", Id, primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("event", String(8), nullable=False),
    Column("wish", String(16), nullable=False),
    Column("name", String(120), nullable=False),
    Column("finished", String(10)),
    Column("halves", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("unfinished", Integer, nullable=False),
    Column("place", Integer),
    Column("entries", Integer, nullable=False),
    Column("semi_held", Boolean, nullable=False),
    Column("source", Text, nullable=False),
    Column("entered_by", Id, ForeignKey("people.id")),
    Column("at_us", Micros, nullable=False),
    Column("removed_by", Id, ForeignKey("people.id")),
    Column("removed_us", Micros),
)
"""Results the server did not see itself: ``event`` emt, cup, iccf; ``halves``: half points;
``entered_by`` null: imported from a file."""
