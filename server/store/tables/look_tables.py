"""The table of looks: how far a player has seen his games, and which he passed over.

On the same metadata as base.py and by the same rules. Nobody's rights hang on it: a row that
is lost costs a mark in a list. Not for what happens in a game (events).
"""

from sqlalchemy import Column, ForeignKey, Integer, Table

from server.store.tables.base import Id, Micros, metadata

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
