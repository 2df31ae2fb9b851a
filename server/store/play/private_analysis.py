"""A player's private analysis and notes on a game: every query names the person, so that nobody
sees another's.

Queries for pages are synchronous, to share one hop with the rest (usecases/play/own_side.py).
Not for reading the moves of a line (usecases/play/private_analysis.py).
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.engine.rows import Prepared, columns_of, quiet_insert
from server.store.tables.player import private_lines, private_notes


@dataclass(frozen=True, slots=True)
class LineRow:
    """A stored line: it starts after ``ply`` plies of the game, at ``fen``; moves in UCI."""

    id: int
    ply: int
    fen: str
    moves: str
    comment: str
    changed_us: int


@dataclass(frozen=True, slots=True)
class NoteRow:
    """The note on a game; ``stamp`` counts its edits, 0: there is none yet."""

    text: str
    stamp: int
    changed_us: int


NO_NOTE = NoteRow("", 0, 0)


_LINES = Prepared(
    lambda game, person: (
        select(*columns_of(LineRow, private_lines))
        .where(private_lines.c.game_id == game, private_lines.c.person_id == person)
        .order_by(private_lines.c.ply, private_lines.c.id)
    )
)
_NOTE = Prepared(
    lambda game, person: select(*columns_of(NoteRow, private_notes)).where(
        private_notes.c.game_id == game, private_notes.c.person_id == person
    )
)


def lines_of(conn: Connection, game_id: int, person_id: int) -> tuple[LineRow, ...]:
    """A person's lines in a game, by starting point, then oldest first."""
    return tuple(LineRow(*row) for row in conn.execute(*_LINES(game_id, person_id)))


async def count_lines(conn: AsyncConnection, game_id: int, person_id: int) -> int:
    """How many lines a person has in a game."""
    query = select(func.count()).select_from(private_lines)
    query = query.where(private_lines.c.game_id == game_id, private_lines.c.person_id == person_id)
    return int((await conn.execute(query)).scalar_one())


async def add_line(conn: AsyncConnection, game_id: int, person_id: int, new: LineRow) -> int:
    """Store a new line, ignoring its ``id``; return the new id."""
    values = _values(new) | {"game_id": game_id, "person_id": person_id}
    done = await conn.execute(insert(private_lines).values(values).returning(private_lines.c.id))
    return int(done.scalar_one())


async def change_line(conn: AsyncConnection, game_id: int, person_id: int, row: LineRow) -> bool:
    """Store a changed line; False when the person has no such line in the game."""
    done = await conn.execute(
        update(private_lines)
        .where(private_lines.c.game_id == game_id, private_lines.c.person_id == person_id)
        .where(private_lines.c.id == row.id)
        .values(_values(row))
    )
    return done.rowcount == 1


async def remove_line(conn: AsyncConnection, game_id: int, person_id: int, line: int) -> None:
    """Remove one of a person's lines, if it exists."""
    await conn.execute(
        delete(private_lines)
        .where(private_lines.c.game_id == game_id, private_lines.c.person_id == person_id)
        .where(private_lines.c.id == line)
    )


def _values(row: LineRow) -> dict[str, object]:
    return {
        "ply": row.ply,
        "fen": row.fen,
        "moves": row.moves,
        "comment": row.comment,
        "changed_us": row.changed_us,
    }


def note_of(conn: Connection, game_id: int, person_id: int) -> NoteRow:
    """A person's note on a game."""
    row = conn.execute(*_NOTE(game_id, person_id)).one_or_none()
    return NO_NOTE if row is None else NoteRow(*row)


async def save_note(conn: AsyncConnection, game_id: int, person_id: int, new: NoteRow) -> bool:
    """Store a note based on edit ``new.stamp``; False: it has changed since."""
    if new.stamp == 0:
        empty = {"game_id": game_id, "person_id": person_id, "text": "", "stamp": 0}
        first = quiet_insert(conn.dialect.name, private_notes)
        await conn.execute(first.values(empty | {"changed_us": new.changed_us}))
    done = await conn.execute(
        update(private_notes)
        .where(private_notes.c.game_id == game_id, private_notes.c.person_id == person_id)
        .where(private_notes.c.stamp == new.stamp)
        .values(text=new.text, stamp=new.stamp + 1, changed_us=new.changed_us)
    )
    return done.rowcount == 1
