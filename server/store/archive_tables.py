"""The tables of the archive: tournaments, players, games and final tables from before the server.

On the same metadata as tables.py and by the same rules. A player is here as the files spell him;
``person_id`` says who of the register he is, where that is sure. What his results are worth is
read from ``past_results`` (entry_tables.py), which linked ones are copied to.
"""

from sqlalchemy import Boolean, Column, ForeignKey, Integer, LargeBinary, String, Table, Text
from sqlalchemy import Index as Ix
from sqlalchemy import UniqueConstraint as Unique

from server.store import entry_tables
from server.store.tables import Id, Micros, metadata

__all__ = [
    "entry_tables",
    "metadata",
    "past_events",
    "past_games",
    "past_imports",
    "past_players",
    "past_standings",
]

past_events = Table(
    "past_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(120), nullable=False),
    Column("key", String(240), nullable=False, unique=True),
)
"""``key``: the name as names are compared (kskak.names)."""

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
"""``number``: the member's, "" where the file has none."""

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
"""A file by its SHA-256 and how far it is done: games, lines and bytes from its beginning."""

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
    Ix("ix_past_games_day_id", "day", "id"),
    Ix("ix_past_games_event_id_day", "event_id", "day"),
)
"""``day``, ``end``: ISO, 00 for what is unknown; ``moves``: two bytes each (kskak.past);
``ledger``: the kskak-ledger/1 it came from; ``source``: file and place."""

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
half points; ``result_id``: the right's result, once the player is known."""
