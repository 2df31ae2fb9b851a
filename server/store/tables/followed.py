"""The table of groups whose running games everybody may follow, as it was switched on and off.

On the same metadata as base.py and by the same rules. Nothing else of a group stands here, so
that a move reads no more for it. Not for who may follow (usecases/play/who_sees.py).
"""

from sqlalchemy import Column, ForeignKey, Index, Table, text

from server.store.tables.base import Id, Micros, metadata

live_groups = Table(
    "live_groups",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False, index=True),
    Column("from_us", Micros, nullable=False),
    Column("from_by", Id, ForeignKey("people.id")),
    Column("until_us", Micros),
    Column("until_by", Id, ForeignKey("people.id")),
    Index(
        "uq_live_groups_standing",
        "group_id",
        unique=True,
        sqlite_where=text("until_us IS NULL"),
        postgresql_where=text("until_us IS NULL"),
    ),
)
"""``until_us`` null: it is on, once a group. ``from_by`` null: it came with the group's start."""
