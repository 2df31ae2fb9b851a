"""The tables of notifications: browsers that want them, and what each was told of which game.

On the same metadata as base.py and by the same rules. A browser's row goes with its session:
who signs out, or is signed out, is notified there no more.
"""

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, String, Table, Text

from server.store.tables.base import Id, Micros, metadata

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
