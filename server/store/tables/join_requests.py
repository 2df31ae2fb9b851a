"""The table of requests to join from people not yet registered (§ 6.1, § 6.4.4.1).

On the same metadata as base.py and by the same rules. Personal data: kept for some days while
the address is unproved, and for as long as an official needs it (usecases/desks/retention.py).
"""

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, String, Table, Text, UniqueConstraint

from server.store.tables.base import Id, Micros, metadata

join_requests = Table(
    "join_requests",
    metadata,
    Column("id", Id, primary_key=True),
    Column("digest", LargeBinary(32), nullable=False),
    Column("email", Text, nullable=False, index=True),
    Column("lang", String(2), nullable=False),
    Column("name", Text, nullable=False),
    Column("birth", String(10)),
    Column("kind", String(12), nullable=False),
    Column("club", Text),
    Column("member", String(40)),
    Column("address", Text),
    Column("state", String(12), nullable=False),
    Column("asked_us", Micros, nullable=False),
    Column("confirmed_us", Micros),
    Column("person_id", Id, ForeignKey("people.id"), index=True),
    Column("decided_by", Id, ForeignKey("people.id")),
    Column("decided_us", Micros),
    Column("reason", Text),
    UniqueConstraint("digest"),
    Index("ix_join_requests_state_asked_us", "state", "asked_us"),
)
"""``state``: asked (address unproved), confirmed, admitted, declined. ``digest`` is of the mailed
link's secret. ``kind``: club, individual, none, as for members; ``birth``: ISO."""
