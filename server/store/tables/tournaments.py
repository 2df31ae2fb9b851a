"""The tables of the archive: tournaments, players, games and final tables from before the server.

On the same metadata as base.py and by the same rules. Players are spelled as in the files;
``person_id`` links them to the register where that is certain. What results are worth is read
from ``past_results`` (below), to which linked ones are copied.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Text,
    text,
)
from sqlalchemy import Index as Ix
from sqlalchemy import UniqueConstraint as Unique

from server.store.engine.rows import DayColumn
from server.store.tables.base import (
    Id,
    Micros,
    games,
    metadata,
    optional,
    required,
    row_table,
    table,
)

# The tables of entries: waiting lists, the entries on them, past results (§ 6.4.4).

entry_lists = row_table(
    "entry_lists",
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

entries = row_table(
    "entries",
    Column("list_id", Id, ForeignKey("entry_lists.id"), nullable=False),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("form_key", String(80)),
    Column("entered_day", String(10), nullable=False),
    Column("entered_by", Id, ForeignKey("people.id"), nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("member", String(40)),
    Column("club", String(120)),
    Column("born", String(10)),
    *optional(Integer, "otb_rating", "k_rating"),
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
    Ix("ix_entries_list_id_state", "list_id", "state"),
)
"""``since_day``: the day that counts on the waiting list; ``asks``: for a person's decision."""

entry_rulings = row_table(
    "entry_rulings",
    Column("entry_id", Id, ForeignKey("entries.id"), nullable=False, index=True),
    Column("paragraph", String(20), nullable=False),
    Column("office", String(4), nullable=False),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""Discretion: § 6.5.3.2 e by the leader, § 6.5.2.2 f by leader and controller, with reasons."""

past_results = row_table(
    "past_results",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("event", String(8), nullable=False),
    Column("wish", String(16), nullable=False),
    Column("name", String(120), nullable=False),
    Column("finished", DayColumn),
    *required(Integer, "halves", "games", "unfinished"),
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


# The tables of cups, titles, and how tied DMs were settled (§ 6.6, § 6.5.2).

assert entries.metadata is metadata, "one set of tables, whatever is imported"

cups = row_table(
    "cups",
    Column("edition", Integer, nullable=False, unique=True),
    Column("list_id", Id, ForeignKey("entry_lists.id"), nullable=False, unique=True),
    Column("semi_list_id", Id, ForeignKey("entry_lists.id"), unique=True),
    Column("opened_by", Id, ForeignKey("people.id"), nullable=False),
    Column("created_us", Micros, nullable=False),
)
"""``edition`` is the year it begins; name, leader and regulation are its list's;
``semi_list_id``: the list of those who enter at the semi-final (§ 6.6.1.6)."""

cup_draws = table(
    "cup_draws",
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

cup_groups = table(
    "cup_groups",
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("cup_id", Id, ForeignKey("cups.id"), nullable=False, index=True),
    Column("stage", String(12), nullable=False),
    Column("number", Integer, nullable=False),
)
"""Which round of which cup a group belongs to."""

cup_places = table(
    "cup_places",
    Column("cup_id", Id, ForeignKey("cups.id"), primary_key=True),
    Column("stage", String(12), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("way", String(12), nullable=False),
    Column("group_id", Id, ForeignKey("groups.id"), index=True),
    Column("from_group_id", Id, ForeignKey("groups.id")),
    *optional(Integer, "from_place", "strength"),
    Column("entry_id", Id, ForeignKey("entries.id")),
)
"""Who had a place in a round and how they got it; ``group_id`` null: did not advance, as recorded
by the leader. ``strength``: the rating by which the first round's groups were formed."""

title_ties = table(
    "title_ties",
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("playoff_id", Id, ForeignKey("groups.id"), unique=True),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""A tie for first in a DM group: the play-off's group, or null where all agreed to share
(``reason`` says how that is known)."""

titles = row_table(
    "titles",
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


# The tables of the league: divisions, teams, boards, reserves, changes, plans (§ 6.7).

league_divisions = table(
    "league_divisions",
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("division", Integer, nullable=False),
    Column("season", Integer, nullable=False, index=True),
    Column("stronger_by", Integer, nullable=False),
    Column("letters_on", String(10), nullable=False),
    Column("letters_us", Micros),
    *optional(Text, "lots_seed", "lots"),
    Column("lots_us", Micros),
    Column("lots_by", Id),
)
"""``season``: the year of the start; ``letters_on``: the day the letters to captains are due;
``letters_us``: when they were sent; ``lots``: the clubs as drawn for the places, in JSON."""

league_teams = row_table(
    "league_teams",
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("club", Text, nullable=False),
    Column("is_individual", Boolean, nullable=False),
    Column("captain_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("order_by_leader", Boolean, nullable=False),
    Unique("group_id", "number"),
)
"""``number`` is drawn by lot; ``is_individual``: a main district's individual members."""

league_boards = row_table(
    "league_boards",
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

league_games = table(
    "league_games",
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("board", Integer, nullable=False),
    Column("white_team", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
    Column("black_team", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
)

league_reserves = row_table(
    "league_reserves",
    Column("team_id", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
    Column("board", Integer, nullable=False),
    Column("replaced_id", Id, ForeignKey("people.id"), nullable=False),
    Column("person_id", Id, ForeignKey("people.id")),
    *required(Text, "name", "email", "club"),
    Column("rating", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("state", String(8), nullable=False),
    Column("asked_by", Id, nullable=False),
    Column("asked_us", Micros, nullable=False),
    *optional(String(10), "pause_first", "pause_last"),
    Column("decided_by", Id),
    Column("decided_us", Micros),
    Column("note", Text),
    Column("against", String(120), nullable=False, server_default=text("''")),
)
"""``against``: the objections despite which the leader let a reserve in, with the reason in
``note``. ``state``: asked, in, refused. ``email`` is cleared on the decision; ``person_id`` is
set when the reserve takes over."""

league_changes = row_table(
    "league_changes",
    Column("team_id", Id, ForeignKey("league_teams.id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    *required(Text, "before", "after", "reason"),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""What the leader changed: ``kind`` order (of the boards), captain. Names as they were then."""

league_reports = row_table(
    "league_reports",
    Column("game_id", Id, ForeignKey("games.id"), nullable=False, index=True),
    Column("team_id", Id, ForeignKey("league_teams.id"), nullable=False),
    Column("result", String(8), nullable=False),
    Column("note", Text, nullable=False),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""A result a captain reports for a game that is still open here (§ 6.7.6.1)."""

league_plans = row_table(
    "league_plans",
    Column("season", Integer, nullable=False, index=True),
    Column("deadline", String(10), nullable=False),
    *required(Text, "entered", "composed"),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
    Column("from_plan", Id),
    *optional(Text, "refused", "team_entries"),
)
"""Next season's divisions as composed: ``entered`` is a kskak-compose/1 document, ``composed`` the
outcome, each team with its reason (§ 6.7.5.1). ``from_plan``: the plan from which an answer made
this one; ``refused``: JSON, [[team number, division], …]; ``team_entries``: JSON, each team's
entry, null where the teams were typed in by hand."""

league_grants = table(
    "league_grants",
    Column("plan_id", Id, ForeignKey("league_plans.id"), primary_key=True, autoincrement=False),
    Column("club", Text, primary_key=True),
    Column("division", Integer, primary_key=True, autoincrement=False),
    Column("is_granted", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, nullable=False),
    Column("at_us", Micros, nullable=False),
)
"""The leader's dispensations for a plan (§ 6.7.5.1)."""


# The tables of the league's team entries, and of clubs' administrators (§ 6.7.3, § 6.7.4.1).

team_entries = row_table(
    "team_entries",
    Column("list_id", Id, ForeignKey("entry_lists.id"), nullable=False),
    Column("season", Integer, nullable=False),
    Column("club_id", Id, ForeignKey("clubs.id")),
    Column("district_id", Id, ForeignKey("districts.id")),
    Column("captain_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("continues", Id, ForeignKey("league_teams.id")),
    Column("form_key", String(80)),
    Column("entered_day", String(10), nullable=False),
    Column("entered_by", Id, ForeignKey("people.id"), nullable=False),
    *required(Micros, "created_us", "lineup_us"),
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
    Ix("ix_team_entries_season_state", "season", "state"),
)
"""``season``: the year of the start; one of ``club_id`` and ``district_id`` is set, the district
for individual members; ``continues``: the team of the last league that returns; ``lineup_us``:
when the line-up last changed; ``asks``: for the leader's permission for a player of two clubs."""

team_entry_boards = table(
    "team_entry_boards",
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

club_admins = row_table(
    "club_admins",
    Column("club_id", Id, ForeignKey("clubs.id"), nullable=False, index=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("from_us", Micros, nullable=False),
    Column("to_us", Micros),
    Column("by_id", Id, ForeignKey("people.id"), nullable=False),
)
"""Who besides its captains may enter a club's teams; ``to_us`` null: still in force."""


# The table of groups whose running games everybody may follow: when switched on and off.

live_groups = row_table(
    "live_groups",
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False, index=True),
    Column("from_us", Micros, nullable=False),
    Column("from_by", Id, ForeignKey("people.id")),
    Column("until_us", Micros),
    Column("until_by", Id, ForeignKey("people.id")),
    Ix(
        "uq_live_groups_standing",
        "group_id",
        unique=True,
        sqlite_where=text("until_us IS NULL"),
    ),
)
"""``until_us`` null: it is on, at most once a group. ``from_by`` null: since the group's start."""


# The tables of the archive: tournaments, players, games and final tables from before the server.

past_events = row_table(
    "past_events",
    Column("name", String(120), nullable=False),
    Column("key", String(240), nullable=False, unique=True),
)
"""``key``: the name in the form used for comparison (kskak.values)."""

past_players = row_table(
    "past_players",
    *required(String(120), "name", "number"),
    Column("key", String(240), nullable=False, index=True),
    Column("person_id", Id, ForeignKey("people.id"), index=True),
    Unique("name", "number", name="uq_past_players_name_number"),
)
"""``number``: the member number, "" where the file has none."""

past_imports = row_table(
    "past_imports",
    Column("name", Text, nullable=False),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    *required(Integer, "games", "lines"),
    Column("bytes", Id, nullable=False),
    *required(Integer, "added", "known", "refused"),
    Column("started_us", Micros, nullable=False),
    Column("finished_us", Micros),
)
"""A file by its SHA-256, and its progress: games, lines and bytes from its beginning."""

past_games = row_table(
    "past_games",
    Column("event_id", Id, ForeignKey("past_events.id"), nullable=False),
    Column("day", String(10), nullable=False),
    Column("white_id", Id, ForeignKey("past_players.id"), nullable=False, index=True),
    Column("black_id", Id, ForeignKey("past_players.id"), nullable=False, index=True),
    Column("result", String(8), nullable=False),
    Column("plies", Integer, nullable=False),
    Column("moves", LargeBinary, nullable=False),
    Column("digest", LargeBinary(16), nullable=False, index=True),
    *required(Text, "site", "round"),
    Column("fen", Text),
    Column("eco", String(3), nullable=False),
    Column("end", String(10), nullable=False),
    *required(Text, "white_club", "black_club"),
    *optional(Integer, "white_elo", "black_elo"),
    Column("ledger", Text),
    Column("source", Text, nullable=False),
    Column("code", String(3)),
    Column("opening", BigInteger),
    Column("own_id", Id, unique=True),
    Column("own_seq", Integer),
    Column("filed", String(10), nullable=False, server_default=text("''")),
    *optional(Integer, "white_days", "black_days"),
    Ix("ix_past_games_filed_id", "filed", "id"),
    Ix("ix_past_games_event_id_filed", "event_id", "filed"),
    Ix("ix_past_games_code_filed_id", "code", "filed", "id"),
    Ix(
        "ix_past_games_unread",
        "id",
        sqlite_where=text("code IS NULL"),
    ),
)
"""``day``, ``end``: ISO, 00 for unknown parts; ``filed``: by which of them it is listed; ``moves``:
two bytes each (archive.past_game); ``ledger``: the kskak-ledger/1 it came from; ``source``: file
and place. ``eco`` is the file's; ``code`` follows from the moves: NULL before the game is indexed,
"" for no known opening; ``opening`` is that opening's position. ``own_id``: a finished game of this
server, as of its event ``own_seq``; no foreign key, so that the archive never blocks changes to a
game."""

Ix(
    "ix_games_ended",
    games.c.id,
    games.c.seq,
    sqlite_where=games.c.result.is_not(None),
)
"""The server's finished games, for finding which have a copy; moves in running games do not
write to it."""

past_positions = table(
    "past_positions",
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", Integer, primary_key=True, autoincrement=False),
    Column("ply", SmallInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Which games had a position (archive.past_index), and after how many half-moves first. No foreign
key and a short id: there are dozens of rows per game."""

past_moves = table(
    "past_moves",
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("move", Integer, primary_key=True, autoincrement=False),
    *required(Integer, "games", "white", "draws", "black"),
    sqlite_with_rowid=False,
)
"""Counts of the moves played in opening positions and of the results, so that the commonest
positions are answered as fast as rare ones. ``move``: as packed (kskak.archive.past_game)."""

past_tallies = table(
    "past_tallies",
    Column("kind", String(8), primary_key=True),
    Column("name", String(8), primary_key=True),
    Column("games", Integer, nullable=False),
)
"""Counts for the archive's front page. ``kind``: decade, code."""

past_standings = row_table(
    "past_standings",
    Column("event_id", Id, ForeignKey("past_events.id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("wish", String(16), nullable=False),
    Column("finished", String(10), nullable=False),
    Column("player_id", Id, ForeignKey("past_players.id"), nullable=False, index=True),
    *required(Integer, "halves", "games"),
    Column("place", Integer),
    Column("entries", Integer, nullable=False),
    Column("semi_held", Boolean, nullable=False),
    Column("source", Text, nullable=False),
    Column("result_id", Id, ForeignKey("past_results.id")),
)
"""A line of a final table. ``kind``: emt, cup, iccf, other; ``wish``: class or round; ``halves``:
half points; ``result_id``: the past result that confers rights, once the player is known."""
