"""The tables of the register: clubs, main districts, memberships, ratings with their history.

On the same metadata as base.py and by the same rules. A person's own data (name, address, number,
birth date, citizenship) is in ``people``, where retention removes it; ``club``, ``rating`` and
``k_rating`` there are what lists print, written only together with these tables.
"""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from server.store.tables.base import Id, Micros, metadata

districts = Table(
    "districts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)
"""Main districts (hovedkredse); an individual member belongs to one, as does a club (§ 6.7.3)."""

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
"""``kind``: club, individual, none (§ 6.1). ``until``: the last day, null while it lasts."""

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
    Column("is_computed", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("person_id", "kind", "on_day", "is_computed"),
)
"""``kind``: k (K-skak), otb (over the board). Of each kind, the latest day's is in force.
``is_computed``: from tournaments (§ 4.5.4.1); it takes precedence over an entered one that day."""

rating_calculations = Table(
    "rating_calculations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("is_last", Boolean, nullable=False),
    Column("is_void", Boolean, nullable=False),
    Column("day", String(10), nullable=False, index=True),
    Column("start", String(10), nullable=False),
    Column("first_us", Micros, nullable=False),
    Column("seal", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("starts", Text, nullable=False),
    Column("reason", String(12), nullable=False),
    Column("made_us", Micros, nullable=False),
    Column("made_by", Id),
    UniqueConstraint("group_id", "number"),
)
"""A group's calculations, one row each time; ``is_last`` is in force unless ``is_void`` (play has
resumed). ``day``: when its gains are registered; ``first_us``: when it was first calculated, which
gives the order within that day; ``seal`` changes with the games' ledgers. ``facts``: the games and
the players; ``starts``: by person, the rating used and where it is from, the one registered at the
end, the result. Both are JSON and suffice to repeat the calculation."""

rated_players = Table(
    "rated_players",
    metadata,
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("day", String(10), nullable=False, index=True),
    Column("first_us", Micros, nullable=False),
    Column("games", Integer, nullable=False),
    Column("before", Integer, nullable=False),
    Column("basis", String(12), nullable=False),
    Column("registered", Integer, nullable=False),
    Column("rating", Integer, nullable=False),
    Index("ix_rated_players_person_id", "person_id", "day"),
)
"""Who has rated games in a group, according to its calculation in force."""

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
operator at the command line. Personal data, removed with the rest."""
