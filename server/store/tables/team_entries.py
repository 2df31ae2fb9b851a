"""The tables of the league's team entries, and of clubs' administrators (§ 6.7.3, § 6.7.4.1).

On the same metadata as base.py and by the same rules. No names or addresses: those are in
``people``. Not for teams already playing (league.py).
"""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique

from server.store.tables import entries as entry_tables
from server.store.tables import league as league_tables
from server.store.tables import register as register_tables
from server.store.tables.base import Id, Micros, metadata

__all__ = ["club_admins", "metadata", "team_entries", "team_entry_boards"]
for _tables in (entry_tables, league_tables, register_tables):
    assert _tables.metadata is metadata, "one set of tables, whatever is imported"

team_entries = Table(
    "team_entries",
    metadata,
    Column("id", Id, primary_key=True),
    Column("list_id", Id, ForeignKey("entry_lists.id"), nullable=False),
    Column("season", Integer, nullable=False),
    Column("club_id", Id, ForeignKey("clubs.id")),
    Column("district_id", Id, ForeignKey("districts.id")),
    Column("captain_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("continues", Id, ForeignKey("league_teams.id")),
    Column("form_key", String(80)),
    Column("entered_day", String(10), nullable=False),
    Column("entered_by", Id, ForeignKey("people.id"), nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("lineup_us", Micros, nullable=False),
    Column("asks", Boolean, nullable=False),
    Column("fee_day", String(10)),
    Column("fee_by", Id, ForeignKey("people.id")),
    Column("fee_us", Micros),
    Column("state", String(12), nullable=False),
    Column("paragraph", String(20)),
    Column("reason", Text),
    Column("decided_by", Id, ForeignKey("people.id")),
    Column("decided_us", Micros),
    Column("group_id", Id, ForeignKey("groups.id"), index=True),
    Unique("entered_by", "form_key", name="uq_team_entries_entered_by_form_key"),
    Index("ix_team_entries_season_state", "season", "state"),
)
"""``season``: the year of the start; one of ``club_id`` and ``district_id`` is set, the district
for individual members; ``continues``: the team of the last league that returns; ``lineup_us``:
when the line-up last changed; ``asks``: for the leader's permission for a player of two clubs."""

team_entry_boards = Table(
    "team_entry_boards",
    metadata,
    Column("entry_id", Id, ForeignKey("team_entries.id"), primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("told_rating", Integer),
    Column("told_class", String(40)),
    Column("own_entry", Id, ForeignKey("entries.id")),
    Column("leave_by", Id, ForeignKey("people.id")),
    Column("leave_us", Micros),
    Column("leave_reason", Text),
)
"""The players in board order. ``told_*``: what the club states where the register has no rating;
``own_entry``: an individual member's own entry; ``leave_*``: permission to play for two clubs."""

club_admins = Table(
    "club_admins",
    metadata,
    Column("id", Id, primary_key=True),
    Column("club_id", Id, ForeignKey("clubs.id"), nullable=False, index=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("from_us", Micros, nullable=False),
    Column("to_us", Micros),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
)
"""Who besides its captains may enter a club's teams; ``to_us`` null: still in force."""
