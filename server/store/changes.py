"""Which games have changed lately, whoever changed them: this process, another, a command.

SQLite has one writer, so that an event's place in the file (its ``rowid``) tells the order of
commits: what stands behind the last one seen is new. PostgreSQL tells by itself (listening.py).
Nothing is written for this when a move is made. Not for who may hear of a change
(usecases/live.py).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, or_, select, text

from server.store.rows import Prepared, columns_of
from server.store.tables import games

MOST = 2000
"""Events looked at one by one; after more of them everybody is told to look for himself."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A game that has changed: the number of its last event, its players, its result if it has."""

    id: int
    seq: int
    white_id: int
    black_id: int
    result: str | None
    ply: int = 0


def told_number(ply: int, result: str | None) -> int:
    """What an onlooker's page knows of a game: it grows with a move and with the end alone.

    The number of the last event would tell of what is not shown, as a draw that was offered.
    """
    return 2 * ply + (result is not None)


_SELECT = select(*columns_of(Changed, games))
_NEWEST = text("SELECT coalesce(max(rowid), 0) FROM events")
_AFTER = text("SELECT DISTINCT game_id FROM events WHERE rowid > :after")


def newest_event(conn: Connection) -> int:
    """The place of the last event. SQLite only; one step down a tree."""
    return int(conn.execute(_NEWEST).scalar_one())


def changed_after(conn: Connection, after: int) -> tuple[Changed, ...]:
    """The games with events behind a place, as they stand now. SQLite only."""
    return changed_of(conn, [row[0] for row in conn.execute(_AFTER, {"after": after})])


def changed_of(conn: Connection, ids: Collection[int]) -> tuple[Changed, ...]:
    """Some games as they stand now."""
    if not ids:
        return ()
    rows = conn.execute(_SELECT.where(games.c.id.in_(sorted(ids))).order_by(games.c.id))
    return tuple(Changed(*row) for row in rows)


_STANDING = Prepared(
    lambda person: select(games.c.id, games.c.seq).where(
        or_(games.c.white_id == person, games.c.black_id == person), games.c.result.is_(None)
    )
)


def standing_of(conn: Connection, person_id: int) -> dict[int, int]:
    """A person's running games with the number of each one's last event."""
    return {row[0]: row[1] for row in conn.execute(*_STANDING(person_id))}


_ONE = Prepared(lambda game: _SELECT.where(games.c.id == game))


def one(conn: Connection, game_id: int) -> Changed | None:
    """A game as it stands now; None where there is no such game."""
    row = conn.execute(*_ONE(game_id)).one_or_none()
    return None if row is None else Changed(*row)
