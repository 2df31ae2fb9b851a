"""The tables of cups, titles, and how tied DMs were settled (§ 6.6, § 6.5.2).

On the same metadata as base.py and by the same rules. A group's round is stored here, not with
the group itself: most groups have none.
"""

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Table, Text

from server.store.tables import entries as entry_tables
from server.store.tables.base import Id, Micros, metadata

__all__ = ["cup_draws", "cup_groups", "cup_places", "cups", "metadata", "title_ties", "titles"]
assert entry_tables.entries.metadata is metadata, "one set of tables, whatever is imported"

cups = Table(
    "cups",
    metadata,
    Column("id", Id, primary_key=True),
    Column("edition", Integer, nullable=False, unique=True),
    Column("list_id", Id, ForeignKey("entry_lists.id"), nullable=False, unique=True),
    Column("semi_list_id", Id, ForeignKey("entry_lists.id"), unique=True),
    Column("opened_by", Id, ForeignKey("people.id"), nullable=False),
    Column("created_us", Micros, nullable=False),
)
"""``edition`` is the year it begins; name, leader and regulation are its list's;
``semi_list_id``: the list of those who enter at the semi-final (§ 6.6.1.6)."""

cup_draws = Table(
    "cup_draws",
    metadata,
    Column("cup_id", Id, ForeignKey("cups.id"), primary_key=True),
    Column("stage", String(12), primary_key=True),
    Column("seed", Text, nullable=False),
    Column("start", String(10), nullable=False),
    Column("places", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""A round as drawn. ``stage``: preliminary, semi, final; the first ``places`` of each group of the
previous round advanced, 0 in the first; ``reason``: for what was the leader's choice."""

cup_groups = Table(
    "cup_groups",
    metadata,
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("cup_id", Id, ForeignKey("cups.id"), nullable=False, index=True),
    Column("stage", String(12), nullable=False),
    Column("number", Integer, nullable=False),
)
"""Which round of which cup a group belongs to."""

cup_places = Table(
    "cup_places",
    metadata,
    Column("cup_id", Id, ForeignKey("cups.id"), primary_key=True),
    Column("stage", String(12), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("way", String(12), nullable=False),
    Column("group_id", Id, ForeignKey("groups.id"), index=True),
    Column("from_group_id", Id, ForeignKey("groups.id")),
    Column("from_place", Integer),
    Column("strength", Integer),
    Column("entry_id", Id, ForeignKey("entries.id")),
)
"""Who had a place in a round and how they got it; ``group_id`` null: did not advance, as recorded
by the leader. ``strength``: the rating by which the first round's groups were formed."""

title_ties = Table(
    "title_ties",
    metadata,
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("playoff_id", Id, ForeignKey("groups.id"), unique=True),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""A tie for first in a DM group: the play-off's group, or null where all agreed to share
(``reason`` says how that is known)."""

titles = Table(
    "titles",
    metadata,
    Column("id", Id, primary_key=True),
    Column("title", String(20), nullable=False),
    Column("edition", Integer, nullable=False),
    Column("person_id", Id, ForeignKey("people.id"), index=True),
    Column("name", Text),
    Column("group_id", Id, ForeignKey("groups.id"), index=True),
    Column("is_shared", Boolean, nullable=False),
    Column("paragraph", String(20), nullable=False),
    Column("day", String(10)),
    Column("source", Text, nullable=False),
    Column("entered_by", Id, ForeignKey("people.id")),
    Column("at_us", Micros, nullable=False),
    Column("removed_by", Id, ForeignKey("people.id")),
    Column("removed_us", Micros),
)
"""Who has held which title. From a group on this server: ``group_id``, by the server; from before:
``source``, by an official, with a ``name`` where the person is not registered."""
