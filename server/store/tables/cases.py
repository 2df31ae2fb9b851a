"""The tables of offices, cases, sanctions, cards, publications, bulletins and prizes.

On the same metadata as base.py and by the same rules: instants in UTC microseconds, days as
ISO text, personal data apart from what is chained.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
)

from server.store.tables.base import Id, Micros, metadata, optional, required, row_table, table

offices = row_table(
    "offices",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("office", String(16), nullable=False),
    Column("group_id", Id, ForeignKey("groups.id"), index=True),
    Column("from_us", Micros, nullable=False),
    Column("to_us", Micros),
    Column("appointed_by", Id, nullable=False),
)
"""``office``: tl, deputy, kc, board, captain, admin; ``group_id`` null: all (§ 6.1.1-6.1.2)."""

cases = row_table(
    "cases",
    Column("number", String(24), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False, index=True),
    Column("game_id", Id, ForeignKey("games.id"), index=True),
    Column("person_id", Id, ForeignKey("people.id"), index=True),
    Column("state", String(16), nullable=False),
    Column("instance", String(8), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("head", LargeBinary(32), nullable=False),
    Column("snapshot", Text, nullable=False),
    Column("is_suspended", Boolean, nullable=False, index=True),
    Column("due_us", Micros),
    Column("opened_us", Micros, nullable=False, index=True),
    Column("closed_us", Micros, index=True),
    Index("ix_cases_state_due", "state", "due_us"),
)
"""``number`` is «year/count»; ``person_id``: whom it concerns; snapshot as for games."""

case_events = table(
    "case_events",
    Column("case_id", Id, ForeignKey("cases.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at_us", Micros, nullable=False, index=True),
    Column("actor_id", Id),
    Column("body", Text, nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
)

case_papers = row_table(
    "case_papers",
    Column("case_id", Id, ForeignKey("cases.id"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("person_id", Id),
    Column("title", Text, nullable=False),
    Column("media_type", String(64), nullable=False),
    Column("body", LargeBinary),
    Column("digest", LargeBinary(32), nullable=False),
    Column("at_us", Micros, nullable=False),
    *optional(Id, "inbox_id", "outbox_id"),
    Column("removed_us", Micros),
)
"""``kind``: statement, mail, letter, evidence, scan, note. ``body`` null when it was removed, which
``removed_us`` records."""

cards = table(
    "cards",
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("entered_by", Id, ForeignKey("people.id"), nullable=False),
    Column("is_legible", Boolean, nullable=False),
    Column("note", Text, nullable=False),
    Column("scan", LargeBinary),
    Column("scan_type", String(64)),
    Column("scan_digest", LargeBinary(32)),
    Column("at_us", Micros, nullable=False),
)
"""A postcard as entered: its dates are in the game's event ``seq`` (§ 6.3.2)."""

waiting_scans = row_table(
    "waiting_scans",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("scan", LargeBinary, nullable=False),
    Column("scan_type", String(64), nullable=False),
    Column("at_us", Micros, nullable=False, index=True),
)
"""A picture that an official has put in, until its card is entered; seen by him alone."""

sanctions = row_table(
    "sanctions",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("case_id", Id, ForeignKey("cases.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("group_id", Id, ForeignKey("groups.id")),
    Column("from_day", String(10), nullable=False),
    Column("to_day", String(10)),
    Column("annulled_us", Micros),
)
"""``kind``: warning, quarantine, expulsion (§ 6.4.2)."""

deaths = table(
    "deaths",
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("day", String(10), nullable=False),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""Who has died: nothing is sent to them, and no door is open for them (§ 6.2.8)."""

publications = row_table(
    "publications",
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("game_id", Id, ForeignKey("games.id")),
    *required(String(10), "day", "objections_until"),
    Column("prizes_until", String(10), index=True),
    Column("done_us", Micros),
    Index("ix_publications_kind_objections_until", "kind", "objections_until"),
    Index("ix_publications_kind_done_us", "kind", "done_us"),
)
"""``kind``: result, standing, takeover. Objections within 14 days, prizes
within 3 weeks (§ 6.4.5)."""

addresses = table(
    "addresses",
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("changed_us", Micros, nullable=False),
)
"""Postal addresses of players, for those who send them cards (§ 6.2.1)."""

calendar_keys = table(
    "calendar_keys",
    Column("digest", LargeBinary(32), primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("created_us", Micros, nullable=False),
)

bulletins = table(
    "bulletins",
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(String(10), "first", "last"),
    *required(Text, "foreword", "chosen"),
    Column("made_by", Id, ForeignKey("people.id"), nullable=False),
    Column("made_us", Micros, nullable=False),
    Column("issued_by", Id, ForeignKey("people.id")),
    Column("issued_us", Micros),
    Column("objections_until", String(10)),
    Column("facts", Text),
)
"""``chosen`` is JSON: cases and the official's text; ``facts`` the frozen bulletin once issued.
``issued_us`` null: the draft (§ 6.4.5.1)."""

bulletin_readers = table(
    "bulletin_readers",
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("since_us", Micros, nullable=False),
)

prizes = table(
    "prizes",
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("amount", Integer, nullable=False),
)
"""Money for a place in a group, in øre (§ 6.5.4, § 6.6.4)."""


# The tables of the controller's year and of the tournaments' accounts (§ 6.1.2).

assert publications.metadata is metadata, "one set of tables, whatever is imported"

year_deeds = row_table(
    "year_deeds",
    Column("form", String(16), nullable=False),
    Column("season", Integer, nullable=False, index=True),
    *required(String(16), "step", "kind"),
    Column("day", String(10)),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""``kind``: moved, called_off, done, reopened; for each step the last one counts."""

year_told = table(
    "year_told",
    Column("form", String(16), primary_key=True),
    Column("season", Integer, primary_key=True, autoincrement=False),
    Column("step", String(16), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("stage", String(8), primary_key=True),
    Column("told_us", Micros, nullable=False),
)
"""Which step, due on which day, the controller was reminded of, and at which stage."""

entries = row_table(
    "account_entries",
    Column("tournament", Text, nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("day", String(10), nullable=False),
    Column("ore", BigInteger, nullable=False),
    *required(Text, "party", "text"),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("at_us", Micros, nullable=False),
    Column("reverses", Id, ForeignKey("account_entries.id"), unique=True),
    Column("publication_id", Id, ForeignKey("publications.id")),
    Column("key", String(80), unique=True),
)
"""``ore``: positive into the account, negative out of it. ``reverses``: the entry it reverses, at
most once. ``key``: makes it harmless to submit the same form or file twice."""
