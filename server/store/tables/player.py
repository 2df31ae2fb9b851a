"""The tables of what a player has beside a game: own analysis and notes, the quiet thread,
moves that wait a few minutes before they are sent; his choices, notifications, last looks.

None of it is the ledger's: no event hangs on it and no exported file of a game has it, but for
the thread in the case file. Not for what goes with a move (``messages`` in base.py).
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

private_lines = Table(
    "private_lines",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game_id", Id, ForeignKey("games.id"), nullable=False),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("fen", Text, nullable=False),
    Column("moves", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("changed_us", Micros, nullable=False),
    Index("ix_private_lines_game_id_person_id", "game_id", "person_id"),
)
"""``ply`` plies of the game come before the line's first move; ``fen`` is the position there and
``moves`` are UCI moves with blanks between."""

private_notes = Table(
    "private_notes",
    metadata,
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("stamp", Integer, nullable=False),
    Column("changed_us", Micros, nullable=False),
)
"""``stamp`` counts the edits, from 1: who saves says which one he had before him."""

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
"""What players write to each other without a move. ``key`` is the form's: sent twice, kept once."""

quiet_marks = Table(
    "quiet_marks",
    metadata,
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("seen_id", Id, nullable=False),
    Column("is_quiet", Boolean, nullable=False),
)
"""How far a player has read the thread, and whether he wants no letters of it."""

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
"""A move that is sent at ``due_us`` unless its player takes it back. ``fen`` and ``moves`` (UCI)
are what he was shown; ``dropped``: why it was not sent, until he has seen it; ``wake_us`` is
null then."""


looks = Table(
    "looks",
    metadata,
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("skipped_us", Micros),
)
"""``seq`` of the last event when the player last opened the game's page; ``skipped_us`` when he
last went on to his next game without moving in this one."""


REMINDERS = "reminders"
"""The one name that a game's due work asks for."""

preferences = Table(
    "preferences",
    metadata,
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Only what somebody has chosen stands here; all else is as the program has it."""


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
"""``endpoint``: where the browser's maker takes messages for it; ``key`` and ``auth``: what they
are encrypted with, so that only this browser reads them. ``browser``: its name in a list."""

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
before then again, the end of a claim or of a pause."""
