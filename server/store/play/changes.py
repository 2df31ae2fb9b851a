"""Which games have changed recently, whoever changed them: this process, another, a command.

SQLite has one writer, so an event's ``rowid`` gives the order of commits: whatever follows the
last one seen is new. PostgreSQL notifies us itself (engine/postgres.py). A move writes
nothing extra for this. The players' messages without a move are announced in the same way, but
only to the two of them. Not for who may hear of a change (usecases/play/open_pages.py).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, or_, select, text

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import one_of, rows_of
from server.store.play.games import TURNING, is_turning
from server.store.tables.base import events, games
from server.store.tables.people import quiet_messages

MOST = 2000
"""Changes looked at one by one; after more than that, every page is told to look for itself."""


@dataclass(frozen=True, slots=True)
class ChangedGame:
    """A changed game: the number of its last event, its players, its result if any.

    ``turns`` counts the entries after which a position may have stood twice; ``said`` is the id of
    the last message in its quiet thread; 0: there is none.
    """

    id: int
    seq: int
    white_id: int
    black_id: int
    result: str | None
    ply: int = 0
    turns: int = 0
    said: int = 0

    def version_for(self, person_id: int | str | None) -> int:
        """The version a person's page of the game shows: grows with every change they may see."""
        is_player = person_id in (self.white_id, self.black_id)
        return version(self.seq, self.said if is_player else 0)


def compute_public_version(ply: int, result: str | None, turns: int) -> int:
    """The version an onlooker's page shows: it grows only with what the page shows.

    That is a move, the end of the game, and a ruling that goes back on either. The last event's
    number would reveal what is not shown, such as a draw offer.
    """
    return (turns << 20) + 2 * ply + (result is not None)


def turns_in(bodies: Iterable[str]) -> int:
    """How often a game was set back or had a ruling annulled, by its stored events."""
    return sum(map(is_turning, bodies))


def version(seq: int, said: int) -> int:
    """Both in one number: the last event's alone while nobody has written."""
    return (said << 20) + seq


_NEWEST_US = select(func.max(games.c.last_us))


async def newest_us(conn: AsyncConnection) -> int | None:
    """The latest instant of any game's events; None when there are none."""
    newest: int | None = (await conn.execute(_NEWEST_US)).scalar_one()
    return newest


@dataclass(frozen=True, slots=True)
class ChangeCursor:
    """How far changes have been processed: positions of the last event and the last message."""

    event: int
    message: int

    @property
    def all(self) -> int:
        """Both together, which measures how many changes there have been."""
        return self.event + self.message


NEWEST_MESSAGE_ID = (
    select(func.coalesce(func.max(quiet_messages.c.id), 0))
    .where(quiet_messages.c.game_id == games.c.id)
    .correlate(games)
    .scalar_subquery()
)
"""The number of the last message in a game's quiet thread."""
_TURNS = (
    select(func.count())
    .where(events.c.game_id == games.c.id, or_(*(events.c.body.contains(k) for k in TURNING)))
    .correlate(games)
    .scalar_subquery()
)
_SELECT: Select[Any] = select(
    *(games.c[name] for name in ("id", "seq", "white_id", "black_id", "result", "ply")),
    _TURNS,
    NEWEST_MESSAGE_ID,
)
_NEWEST = text(
    "SELECT (SELECT coalesce(max(rowid), 0) FROM events),"
    " (SELECT coalesce(max(id), 0) FROM quiet_messages)"
)
_AFTER = text(
    "SELECT game_id FROM events WHERE rowid > :event"
    " UNION SELECT game_id FROM quiet_messages WHERE id > :message"
)
_SAY = text("SELECT pg_notify('kskak_games', :game)")


def newest(conn: Connection) -> ChangeCursor:
    """The place of the last change. SQLite only; two B-tree lookups."""
    return ChangeCursor(*conn.execute(_NEWEST).one())


def changed_after(conn: Connection, after: ChangeCursor) -> tuple[ChangedGame, ...]:
    """The games with changes after a place, as they stand now. SQLite only."""
    places = {"event": after.event, "message": after.message}
    return changed_of(conn, [row[0] for row in conn.execute(_AFTER, places)])


async def say(conn: AsyncConnection, game_id: int) -> None:
    """Announce a change without an event, once committed; SQLite is polled instead."""
    if conn.dialect.name == "postgresql":
        await conn.execute(_SAY, {"game": str(game_id)})


def changed_of(conn: Connection, ids: Collection[int]) -> tuple[ChangedGame, ...]:
    """Some games as they stand now."""
    if not ids:
        return ()
    return rows_of(
        ChangedGame, conn.execute(_SELECT.where(games.c.id.in_(sorted(ids))).order_by(games.c.id))
    )


def list_game_versions(conn: Connection, person_id: int) -> dict[int, int]:
    """A person's running games with the version of each."""
    query = select(games.c.id, games.c.seq, NEWEST_MESSAGE_ID).where(
        or_(games.c.white_id == person_id, games.c.black_id == person_id), games.c.result.is_(None)
    )
    return {row[0]: version(row[1], row[2]) for row in conn.execute(query)}


def one(conn: Connection, game_id: int) -> ChangedGame | None:
    """A game as it stands now; None when there is no such game."""
    return one_of(ChangedGame, conn.execute(_SELECT.where(games.c.id == game_id)))
