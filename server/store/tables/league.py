"""The tables of the league: divisions, teams, boards, reserves, changes, plans (§ 6.7).

On the same metadata as base.py and by the same rules. A division is a group; its games are
ordinary games, and ``league_games`` says which teams meet in them. Not for queries.
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
    text,
)

from server.store.tables.base import Id, Micros, metadata

league_divisions = Table(
    "league_divisions",
    metadata,
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("division", Integer, nullable=False),
    Column("season", Integer, nullable=False, index=True),
    Column("stronger_by", Integer, nullable=False),
    Column("letters_on", String(10), nullable=False),
    Column("letters_us", Micros),
    Column("lots_seed", Text),
    Column("lots", Text),
    Column("lots_us", Micros),
    Column("lots_by", Id),
)
"""``season``: the year of the start; ``letters_on``: the day the letters to captains are due;
``letters_us``: when they were sent; ``lots``: the clubs as drawn for the places, in JSON."""

league_teams = Table(
    "league_teams",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("club", Text, nullable=False),
    Column("is_individual", Boolean, nullable=False),
    Column("captain_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("order_by_leader", Boolean, nullable=False),
    UniqueConstraint("group_id", "number"),
)
"""``number`` is drawn by lot; ``is_individual``: a main district's individual members."""

league_boards = Table(
    "league_boards",
    metadata,
    Column("id", Id, primary_key=True),
    Column("team_id", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
    Column("board", Integer, nullable=False),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("rating", Integer, nullable=False),
    Column("two_clubs", Boolean, nullable=False),
    Column("from_us", Micros, nullable=False),
    Column("to_us", Micros),
)
"""Who played which board from when; ``to_us`` null: still playing it. ``rating`` as entered;
``two_clubs``: the leader's dispensation (§ 6.7.3.2)."""

league_games = Table(
    "league_games",
    metadata,
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("board", Integer, nullable=False),
    Column("white_team", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
    Column("black_team", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
)

league_reserves = Table(
    "league_reserves",
    metadata,
    Column("id", Id, primary_key=True),
    Column("team_id", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
    Column("board", Integer, nullable=False),
    Column("replaced_id", Id, ForeignKey("people.id"), nullable=False),
    Column("person_id", Id, ForeignKey("people.id")),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("club", Text, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("state", String(8), nullable=False),
    Column("asked_by", Id, nullable=False),
    Column("asked_us", Micros, nullable=False),
    Column("pause_first", String(10)),
    Column("pause_last", String(10)),
    Column("decided_by", Id),
    Column("decided_us", Micros),
    Column("note", Text),
    Column("against", String(120), nullable=False, server_default=text("''")),
)
"""``against``: the objections despite which the leader let a reserve in, with the reason in
``note``. ``state``: asked, in, refused. ``email`` is cleared on the decision; ``person_id`` is
set when the reserve takes over."""

league_changes = Table(
    "league_changes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("team_id", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""What the leader changed: ``kind`` order (of the boards), captain. Names as they were then."""

league_reports = Table(
    "league_reports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game_id", Id, ForeignKey("games.id"), nullable=False, index=True),
    Column("team_id", Id, ForeignKey("league_teams.id"), nullable=False),
    Column("result", String(8), nullable=False),
    Column("note", Text, nullable=False),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""A result a captain reports for a game that is still open here (§ 6.7.6.1)."""

league_plans = Table(
    "league_plans",
    metadata,
    Column("id", Id, primary_key=True),
    Column("season", Integer, nullable=False, index=True),
    Column("deadline", String(10), nullable=False),
    Column("entered", Text, nullable=False),
    Column("composed", Text, nullable=False),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
    Column("from_plan", Id),
    Column("refused", Text),
    Column("team_entries", Text),
)
"""Next season's divisions as composed: ``entered`` is a kskak-compose/1 document, ``composed`` the
outcome, each team with its reason (§ 6.7.5.1). ``from_plan``: the plan from which an answer made
this one; ``refused``: JSON, [[team number, division], …]; ``team_entries``: JSON, each team's
entry, null where the teams were typed in by hand."""

league_grants = Table(
    "league_grants",
    metadata,
    Column("plan_id", Id, ForeignKey("league_plans.id"), primary_key=True, autoincrement=False),
    Column("club", Text, primary_key=True),
    Column("division", Integer, primary_key=True, autoincrement=False),
    Column("is_granted", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""The leader's dispensations for a plan (§ 6.7.5.1)."""
