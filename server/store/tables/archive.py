"""The tables of the archive: tournaments, players, games and final tables from before the server.

On the same metadata as base.py and by the same rules. Players are spelled as in the files;
``person_id`` links them to the register where that is certain. What results are worth is read
from ``past_results`` (entries.py), to which linked ones are copied.
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
    Table,
    Text,
    text,
)
from sqlalchemy import Index as Ix
from sqlalchemy import UniqueConstraint as Unique

from server.store.tables import entries as entry_tables
from server.store.tables.base import Id, Micros, games, metadata

__all__ = [
    "entry_tables",
    "metadata",
    "past_events",
    "past_games",
    "past_imports",
    "past_moves",
    "past_players",
    "past_positions",
    "past_standings",
    "past_tallies",
]

past_events = Table(
    "past_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(120), nullable=False),
    Column("key", String(240), nullable=False, unique=True),
)
"""``key``: the name in the form used for comparison (kskak.values.names)."""

past_players = Table(
    "past_players",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(120), nullable=False),
    Column("number", String(120), nullable=False),
    Column("key", String(240), nullable=False, index=True),
    Column("person_id", Id, ForeignKey("people.id"), index=True),
    Unique("name", "number", name="uq_past_players_name_number"),
)
"""``number``: the member number, "" where the file has none."""

past_imports = Table(
    "past_imports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("games", Integer, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("bytes", Id, nullable=False),
    Column("added", Integer, nullable=False),
    Column("known", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("started_us", Micros, nullable=False),
    Column("finished_us", Micros),
)
"""A file by its SHA-256, and its progress: games, lines and bytes from its beginning."""

past_games = Table(
    "past_games",
    metadata,
    Column("id", Id, primary_key=True),
    Column("event_id", Id, ForeignKey("past_events.id"), nullable=False),
    Column("day", String(10), nullable=False),
    Column("white_id", Id, ForeignKey("past_players.id"), nullable=False, index=True),
    Column("black_id", Id, ForeignKey("past_players.id"), nullable=False, index=True),
    Column("result", String(8), nullable=False),
    Column("plies", Integer, nullable=False),
    Column("moves", LargeBinary, nullable=False),
    Column("digest", LargeBinary(16), nullable=False, index=True),
    Column("site", Text, nullable=False),
    Column("round", Text, nullable=False),
    Column("fen", Text),
    Column("eco", String(3), nullable=False),
    Column("end", String(10), nullable=False),
    Column("white_club", Text, nullable=False),
    Column("black_club", Text, nullable=False),
    Column("white_elo", Integer),
    Column("black_elo", Integer),
    Column("ledger", Text),
    Column("source", Text, nullable=False),
    Column("code", String(3)),
    Column("opening", BigInteger),
    Column("own_id", Id, unique=True),
    Column("own_seq", Integer),
    Ix("ix_past_games_day_id", "day", "id"),
    Ix("ix_past_games_event_id_day", "event_id", "day"),
    Ix("ix_past_games_code_day_id", "code", "day", "id"),
    Ix(
        "ix_past_games_unread",
        "id",
        sqlite_where=text("code IS NULL"),
    ),
)
"""``day``, ``end``: ISO, 00 for unknown parts; ``moves``: two bytes each (archive.past_game);
``ledger``: the kskak-ledger/1 it came from; ``source``: file and place. ``eco`` is the file's;
``code`` follows from the moves: NULL before the game is indexed, "" for no known opening;
``opening`` is that opening's position. ``own_id``: a finished game of this server, as of its event
``own_seq``; no foreign key, so that the archive never blocks changes to a game."""

Ix(
    "ix_games_ended",
    games.c.id,
    games.c.seq,
    sqlite_where=games.c.result.is_not(None),
)
"""The server's finished games, for finding which have a copy; moves in running games do not
write to it."""

past_positions = Table(
    "past_positions",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", Integer, primary_key=True, autoincrement=False),
    Column("ply", SmallInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Which games had a position (archive.past_index), and after how many half-moves first. No foreign
key and a short id: there are dozens of rows per game."""

past_moves = Table(
    "past_moves",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("move", Integer, primary_key=True, autoincrement=False),
    Column("games", Integer, nullable=False),
    Column("white", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("black", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Counts of the moves played in opening positions and of the results, so that the commonest
positions are answered as fast as rare ones. ``move``: as packed (kskak.archive.past_game)."""

past_tallies = Table(
    "past_tallies",
    metadata,
    Column("kind", String(8), primary_key=True),
    Column("name", String(8), primary_key=True),
    Column("games", Integer, nullable=False),
)
"""Counts for the archive's front page. ``kind``: decade, code."""

past_standings = Table(
    "past_standings",
    metadata,
    Column("id", Id, primary_key=True),
    Column("event_id", Id, ForeignKey("past_events.id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("wish", String(16), nullable=False),
    Column("finished", String(10), nullable=False),
    Column("player_id", Id, ForeignKey("past_players.id"), nullable=False, index=True),
    Column("halves", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("place", Integer),
    Column("entries", Integer, nullable=False),
    Column("semi_held", Boolean, nullable=False),
    Column("source", Text, nullable=False),
    Column("result_id", Id, ForeignKey("past_results.id")),
)
"""A line of a final table. ``kind``: emt, cup, iccf, other; ``wish``: class or round; ``halves``:
half points; ``result_id``: the past result that confers rights, once the player is known."""
