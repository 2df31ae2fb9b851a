"""The table of what people have chosen. Not for what a choice means (usecases/preferences.py)."""

from sqlalchemy import (
    Column,
    ForeignKey,
    ScalarSelect,
    String,
    Table,
    Text,
    literal_column,
    select,
)

from server.store.tables import Id, metadata

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


def reminders_of(person: Column[int]) -> ScalarSelect[str]:
    """What a player has chosen, as a column of another question; ``person`` is that one's own.

    The name is literal, since ``rows.ByIds`` hands a statement nothing but ids.
    """
    named = preferences.c.name == literal_column(f"'{REMINDERS}'")
    chosen = select(preferences.c.value).where(preferences.c.person_id == person, named)
    return chosen.correlate(person.table).scalar_subquery()
