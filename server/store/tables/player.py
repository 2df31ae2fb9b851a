"""The tables of a player's own things around a game: analysis and notes, the quiet thread, moves
that wait a few minutes before being sent, preferences, notifications, last looks.

None of it belongs to the ledger: no event depends on it and no exported game file contains it,
except the thread in the case file. Not for messages sent with a move (``messages`` in base.py).
"""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from server.store.tables.base import Id, Micros, metadata


def _private(name: str) -> Table:
    return Table(
        name,
        metadata,
        Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
        Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
        Column("text", Text, nullable=False),
        Column("stamp", Integer, nullable=False),
        Column("changed_us", Micros, nullable=False),
    )


private_trees = _private("private_trees")
"""A player's tree of variations on a game, as PGN (kskak.board.analysis_tree)."""
private_notes = _private("private_notes")
"""``stamp`` of both counts the edits, from 1: saving states which edit the new text is based on."""

sheet_words = Table(
    "sheet_words",
    metadata,
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("changed_us", Micros, nullable=False),
)
"""What a player says of a finished game to all who may see its sheet; no row: nothing."""

quiet_messages = Table(
    "quiet_messages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game_id", Id, ForeignKey("games.id"), nullable=False),
    Column("author_id", Id, ForeignKey("people.id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("at_us", Micros, nullable=False),
    Column("key", String(64), nullable=False),
    UniqueConstraint("author_id", "key", name="uq_quiet_messages_author_id_key"),
    Index("ix_quiet_messages_game_id", "game_id"),
)
"""What players write to each other without a move. ``key``: the form's; sent twice, stored once."""

quiet_marks = Table(
    "quiet_marks",
    metadata,
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("seen_id", Id, nullable=False),
    Column("is_quiet", Boolean, nullable=False),
)
"""How far a player has read the thread, and whether they want no letters about it."""

delayed_moves = Table(
    "delayed_moves",
    metadata,
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("fen", Text, nullable=False),
    Column("moves", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("offers_draw", Boolean, nullable=False),
    Column("lang", String(2), nullable=False),
    Column("key", String(64), nullable=False),
    Column("entered_us", Micros, nullable=False),
    Column("due_us", Micros, nullable=False),
    Column("wake_us", Micros, index=True),
    Column("dropped", String(24)),
    Column("last_error", Text),
    Index("ix_delayed_moves_person_id", "person_id"),
)
"""A move to be sent at ``due_us`` unless its player takes it back. ``fen`` and ``moves`` (UCI) are
what the player was shown; ``dropped``: why it was not sent, until the player has seen that;
``wake_us`` is null then."""


looks = Table(
    "looks",
    metadata,
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("skipped_us", Micros),
)
"""``seq``: of the last event when the player last opened the game's page; ``skipped_us``: when the
player last went on to the next game without moving in this one."""


REMINDERS = "reminders"
"""The only preference that a game's due work reads."""

preferences = Table(
    "preferences",
    metadata,
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Only explicit choices are stored; everything else follows the program's defaults."""


push_browsers = Table(
    "push_browsers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column(
        "session",
        LargeBinary(32),
        ForeignKey("sessions.digest", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("endpoint", Text, nullable=False, unique=True),
    Column("key", LargeBinary(65), nullable=False),
    Column("auth", LargeBinary(16), nullable=False),
    Column("browser", String(40), nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("ok_us", Micros),
    Column("failures", Integer, nullable=False, server_default="0"),
)
"""``endpoint``: where the browser vendor accepts messages for it; ``key`` and ``auth`` encrypt
them, so that only this browser can read them. ``browser``: its name in a list."""

push_told = Table(
    "push_told",
    metadata,
    Column(
        "browser_id",
        Id,
        ForeignKey("push_browsers.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("due_us", Micros, nullable=False),
)
"""``ply``: the game's length when the browser was last told of it, or enrolled; ``due_us``: not
again before then, the end of a claim or of a wait."""
