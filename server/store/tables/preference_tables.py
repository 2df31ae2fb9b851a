"""The table of what people have chosen. Not for what a choice means (core/preferences.py)."""

from sqlalchemy import Column, ForeignKey, String, Table, Text

from server.store.tables.base import Id, metadata

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
