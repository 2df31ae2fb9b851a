"""A player's private tree of variations and notes on a game: every query names the person, so
that nobody sees another's.

Queries for pages are synchronous, to be read together with the rest (usecases/play/own_side.py).
Not for reading what a tree holds (kskak.board.analysis_tree).
"""

from dataclasses import dataclass

from sqlalchemy import Connection, Table, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, quiet_insert
from server.store.tables.player import private_notes, private_trees


@dataclass(frozen=True, slots=True)
class OwnText:
    """A tree or a note; ``stamp`` counts its edits, 0: there is none yet."""

    text: str
    stamp: int
    changed_us: int


NONE_YET = OwnText("", 0, 0)


def tree_of(conn: Connection, game_id: int, person_id: int) -> OwnText:
    """A person's tree on a game."""
    return _found(conn, private_trees, game_id, person_id)


def note_of(conn: Connection, game_id: int, person_id: int) -> OwnText:
    """A person's note on a game."""
    return _found(conn, private_notes, game_id, person_id)


def _found(conn: Connection, table: Table, game_id: int, person_id: int) -> OwnText:
    mine = (table.c.game_id == game_id, table.c.person_id == person_id)
    row = conn.execute(select(*columns_of(OwnText, table)).where(*mine)).one_or_none()
    return NONE_YET if row is None else OwnText(*row)


async def save_tree(conn: AsyncConnection, game_id: int, person_id: int, new: OwnText) -> bool:
    """Store a tree based on edit ``new.stamp``; False: it has changed since."""
    return await _save(conn, private_trees, (game_id, person_id), new)


async def save_note(conn: AsyncConnection, game_id: int, person_id: int, new: OwnText) -> bool:
    """The same for a note."""
    return await _save(conn, private_notes, (game_id, person_id), new)


async def _save(conn: AsyncConnection, table: Table, whose: tuple[int, int], new: OwnText) -> bool:
    game_id, person_id = whose
    if new.stamp == 0:
        empty = {"game_id": game_id, "person_id": person_id, "text": "", "stamp": 0}
        first = quiet_insert(conn.dialect.name, table)
        await conn.execute(first.values(empty | {"changed_us": new.changed_us}))
    done = await conn.execute(
        update(table)
        .where(table.c.game_id == game_id, table.c.person_id == person_id)
        .where(table.c.stamp == new.stamp)
        .values(text=new.text, stamp=new.stamp + 1, changed_us=new.changed_us)
    )
    return done.rowcount == 1
