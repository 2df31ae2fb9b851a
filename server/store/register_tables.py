"""The tables of the register: clubs, main districts, memberships, ratings with their history.

On the same metadata as tables.py and by the same rules. A person's own facts (name, address,
number, birth date, citizenship) stay in ``people``, where retention removes them; ``club``,
``rating`` and ``k_rating`` there are what lists print, written only together with these tables.
"""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from server.store.tables import Id, Micros, metadata

districts = Table(
    "districts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)
"""Main districts (hovedkredse); an individual member belongs to one, a club too (§ 6.7.3)."""

clubs = Table(
    "clubs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("number", String(16), unique=True),
    Column("name", Text, nullable=False, unique=True),
    Column("district_id", Id, ForeignKey("districts.id"), index=True),
)

members = Table(
    "members",
    metadata,
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("kind", String(12), nullable=False),
    Column("club_id", Id, ForeignKey("clubs.id"), index=True),
    Column("district_id", Id, ForeignKey("districts.id"), index=True),
    Column("since", String(10)),
    Column("until", String(10)),
)
"""``kind``: club, individual, none (§ 6.1). ``until``: the last day, null while it stands."""

ratings = Table(
    "ratings",
    metadata,
    Column("id", Id, primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False),
    Column("kind", String(4), nullable=False),
    Column("on_day", String(10), nullable=False),
    Column("value", Integer, nullable=False),
    Column("is_provisional", Boolean, nullable=False),
    Column("source", Text, nullable=False),
    Column("entered_us", Micros, nullable=False),
    Column("entered_by", Id),
    UniqueConstraint("person_id", "kind", "on_day"),
)
"""``kind``: k (K-skak), otb (over the board). One a day and kind; the last day's is in force."""

member_changes = Table(
    "member_changes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("at_us", Micros, nullable=False),
    Column("by_id", Id),
    Column("channel", String(8), nullable=False),
    Column("reason", Text, nullable=False),
    Column("fields", Text, nullable=False),
)
"""Who changed what and why; ``fields`` is JSON: [[field, before, after], …]. Null ``by_id``: the
operator at the command line. Personal data, removed with the rest of it."""
