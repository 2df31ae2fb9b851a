"""What players write to each other without a move, and how far each has read it.

Not for messages sent with a move (below), nor for the thread's letters.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Select, Table, and_, delete, func, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, insert_of, one_of, quiet_insert, rows_of
from server.store.play import games as game_rows
from server.store.tables.base import games, messages
from server.store.tables.people import (
    private_notes,
    private_trees,
    quiet_marks,
    quiet_messages,
    sheet_words,
)

# A player's private tree of variations and notes on a game: every query names the person, so that
# nobody sees another's.


@dataclass(frozen=True, slots=True)
class OwnText:
    """A tree or a note; ``stamp`` counts its edits, 0: there is none yet."""

    text: str
    stamp: int
    changed_us: int


NONE_YET = OwnText("", 0, 0)


TREES, NOTES = private_trees, private_notes


def find_text(conn: Connection, table: Table, game_id: int, person_id: int) -> OwnText:
    """A person's tree on a game, or note."""
    mine = (table.c.game_id == game_id, table.c.person_id == person_id)
    row = conn.execute(select(*columns_of(OwnText, table)).where(*mine)).one_or_none()
    return NONE_YET if row is None else OwnText(*row)


def save_text(conn: Connection, table: Table, game_id: int, person_id: int, new: OwnText) -> bool:
    """Store a tree or note based on edit ``new.stamp``; False: it has changed since."""
    if new.stamp == 0:
        empty = {"game_id": game_id, "person_id": person_id, "text": "", "stamp": 0}
        first = quiet_insert(conn.dialect.name, table)
        conn.execute(first.values(empty | {"changed_us": new.changed_us}))
    done = conn.execute(
        update(table)
        .where(table.c.game_id == game_id, table.c.person_id == person_id)
        .where(table.c.stamp == new.stamp)
        .values(text=new.text, stamp=new.stamp + 1, changed_us=new.changed_us)
    )
    return done.rowcount == 1


def read_sharing(conn: Connection, game_id: int) -> frozenset[int]:
    """Who agrees to share his analysis of a game with the other player."""
    query = select(private_trees.c.person_id).where(private_trees.c.game_id == game_id)
    return frozenset(conn.execute(query.where(private_trees.c.shared_us.is_not(None))).scalars())


def share(conn: Connection, game_id: int, person_id: int, now_us: int | None) -> bool:
    """Agree to share an analysis, or no longer (None); False where nothing changes by it."""
    mine = {"game_id": game_id, "person_id": person_id}
    first = quiet_insert(conn.dialect.name, private_trees)
    conn.execute(first.values(mine | {"text": "", "stamp": 0, "changed_us": now_us or 0}))
    table = private_trees.c
    is_other = table.shared_us.is_(None) if now_us else table.shared_us.is_not(None)
    its = (table.game_id == game_id, table.person_id == person_id, is_other)
    return conn.execute(update(private_trees).where(*its).values(shared_us=now_us)).rowcount == 1


# What players write to each other without a move, and how far each has read it.


@dataclass(frozen=True, slots=True)
class QuietMessage:
    """A message without a move. ``at_us``: when it was written."""

    id: int
    game_id: int
    author_id: int
    text: str
    at_us: int
    hidden_us: int | None = None


_SELECT = select(*columns_of(QuietMessage, quiet_messages))


def thread_of_game(conn: Connection, game_id: int) -> tuple[QuietMessage, ...]:
    """A game's thread, oldest first."""
    query = _SELECT.where(quiet_messages.c.game_id == game_id).order_by(quiet_messages.c.id)
    return rows_of(QuietMessage, conn.execute(query))


async def add(
    conn: AsyncConnection, game_id: int, author_id: int, text: str, at_us: int, key: str
) -> int | None:
    """Store a message; its id, or None when its author has sent this form before."""
    values = {"game_id": game_id, "author_id": author_id, "text": text, "at_us": at_us, "key": key}
    new = quiet_insert(conn.dialect.name, quiet_messages).values(values)
    found = (await conn.execute(new.returning(quiet_messages.c.id))).scalar_one_or_none()
    if found is not None:
        await game_rows.announce_change(conn, game_id)
    return None if found is None else int(found)


async def find(conn: AsyncConnection, message_id: int) -> QuietMessage | None:
    """One message."""
    return one_of(
        QuietMessage, await conn.execute(_SELECT.where(quiet_messages.c.id == message_id))
    )


async def lock(conn: AsyncConnection, game_id: int) -> None:
    """Lock a game's thread until the transaction ends, so that limits hold."""
    await conn.execute(select(games.c.id).where(games.c.id == game_id).with_for_update())


async def knows(conn: AsyncConnection, author_id: int, key: str) -> bool:
    """Whether the author has sent this form before."""
    query = select(quiet_messages.c.id).where(
        quiet_messages.c.author_id == author_id, quiet_messages.c.key == key
    )
    return (await conn.execute(query)).first() is not None


async def written_since(conn: AsyncConnection, game_id: int, author_id: int, since_us: int) -> int:
    """How many messages a player wrote in a game after an instant."""
    query = select(func.count()).select_from(quiet_messages)
    query = query.where(
        quiet_messages.c.game_id == game_id,
        quiet_messages.c.author_id == author_id,
        quiet_messages.c.at_us > since_us,
    )
    return int((await conn.execute(query)).scalar_one())


def mark_of(conn: Connection, game_id: int, person_id: int) -> tuple[int, bool]:
    """How far a player has read a thread, as a message id, and whether he wants no letters."""
    query = select(quiet_marks.c.seen_id, quiet_marks.c.is_quiet).where(
        quiet_marks.c.game_id == game_id, quiet_marks.c.person_id == person_id
    )
    row = conn.execute(query).one_or_none()
    return (0, False) if row is None else (row.seen_id, row.is_quiet)


def mark(
    conn: Connection, game_id: int, person_id: int, *,
    seen_id: int | None = None, is_quiet: bool | None = None,
) -> None:  # fmt: skip
    """Record how far a player has read (never moving back), or whether they want no letters."""
    first = {"game_id": game_id, "person_id": person_id, "seen_id": 0, "is_quiet": False}
    conn.execute(quiet_insert(conn.dialect.name, quiet_marks).values(first))
    mine = update(quiet_marks).where(
        quiet_marks.c.game_id == game_id, quiet_marks.c.person_id == person_id
    )
    if seen_id is not None:
        conn.execute(mine.where(quiet_marks.c.seen_id < seen_id).values(seen_id=seen_id))
    if is_quiet is not None:
        conn.execute(mine.values(is_quiet=is_quiet))


def _unread(person: int, game_ids: Collection[int]) -> Select[int, int]:
    marks = and_(
        quiet_marks.c.game_id == quiet_messages.c.game_id, quiet_marks.c.person_id == person
    )
    return (
        select(quiet_messages.c.game_id, func.count())
        .select_from(quiet_messages.outerjoin(quiet_marks, marks))
        .where(
            quiet_messages.c.game_id.in_(game_ids),
            quiet_messages.c.author_id != person,
            quiet_messages.c.id > func.coalesce(quiet_marks.c.seen_id, 0),
        )
        .group_by(quiet_messages.c.game_id)
    )


async def unread_of(
    conn: AsyncConnection, person_id: int, game_ids: Collection[int]
) -> Mapping[int, int]:
    """How many of the opponent's messages a person has not seen, by game, in one query.

    Games without any are left out. Messages sent with moves do not count: they show with the move.
    """
    rows = await conn.execute(_unread(person_id, sorted(game_ids)))
    return {int(game_id): int(count) for game_id, count in rows}


# Messages sent with moves between the players. Not for the quiet thread's messages.


@dataclass(frozen=True, slots=True)
class MessageRow:
    """What a player wrote to the opponent with the event ``seq``."""

    game_id: int
    seq: int
    author_id: int
    text: str
    hidden_us: int | None = None


_SELECT_MESSAGES = select(*columns_of(MessageRow, messages)).order_by(messages.c.seq)


async def messages_of_game(conn: AsyncConnection, game_id: int) -> tuple[MessageRow, ...]:
    """What the players wrote to each other, in order."""
    query = _SELECT_MESSAGES.where(messages.c.game_id == game_id)
    return rows_of(MessageRow, await conn.execute(query))


def hide(conn: Connection, game_id: int, mark: str, now_us: int) -> None:
    """Hide a reported message from both players; ``mark``: «m» and its event, or «q» and its id."""
    table, number = (messages, "seq") if mark[0] == "m" else (quiet_messages, "id")
    that = (table.c.game_id == game_id, table.c[number] == int(mark[1:]))
    conn.execute(update(table).where(*that).values(hidden_us=now_us))


# What players say about a finished game on its sheet, each by his own wish.


def list_sheet_words(conn: Connection, game_id: int) -> dict[int, str]:
    """What is said of a game, by person."""
    query = select(sheet_words.c.person_id, sheet_words.c.text)
    rows = conn.execute(query.where(sheet_words.c.game_id == game_id))
    return {int(person): str(text) for person, text in rows}


async def say(conn: AsyncConnection, game_id: int, person_id: int, text: str, now_us: int) -> None:
    """Keep what a player says in place of what he said; an empty text: nothing."""
    his = (sheet_words.c.game_id == game_id, sheet_words.c.person_id == person_id)
    if not text:
        await conn.execute(delete(sheet_words).where(*his))
        return
    row = {"game_id": game_id, "person_id": person_id, "text": text, "changed_us": now_us}
    made = insert_of(conn.dialect.name, sheet_words).values(row)
    new = {name: made.excluded[name] for name in ("text", "changed_us")}
    await conn.execute(
        made.on_conflict_do_update(index_elements=["game_id", "person_id"], set_=new)
    )
