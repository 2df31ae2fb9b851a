"""The table of groups whose running games everybody may follow: when switched on and off.

On the same metadata as base.py and by the same rules. It is kept out of ``groups`` so that a move
reads nothing extra for it. Not for who may follow (usecases/play/who_sees.py).
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
    ),
)
"""``until_us`` null: it is on, at most once a group. ``from_by`` null: since the group's start."""
