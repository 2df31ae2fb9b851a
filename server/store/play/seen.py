"""How far players have seen their games, which they skipped, and what is new to them.

Not for what happened in a game (games.py), nor for who may see one.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    ScalarSelect,
    Select,
    and_,
    func,
    select,
    update,
)

from server.store.engine.rows import insert_of
from server.store.play.whose_move import awaits
from server.store.tables.base import events, games, messages
from server.store.tables.player import looks


@dataclass(frozen=True, slots=True)
class News:
    """Events by others in a game since a player last looked, and how many carry messages."""

    events: int
    messages: int


def note(conn: Connection, person_id: int, game_id: int, seq: int) -> None:
    """Record that a player has opened a game that then had ``seq`` events."""
    _keep(conn, {"person_id": person_id, "game_id": game_id, "seq": seq}, "seq")


def skip(conn: Connection, person_id: int, game_id: int, now_us: int) -> None:
    """Record that a player skipped a game without moving; what was seen of it stays."""
    row = {"person_id": person_id, "game_id": game_id, "seq": 0, "skipped_us": now_us}
    _keep(conn, row, "skipped_us")


def unskip(conn: Connection, person_id: int) -> None:
    """Forget which games a player skipped."""
    conn.execute(update(looks).where(looks.c.person_id == person_id).values(skipped_us=None))


def _keep(conn: Connection, row: dict[str, int], name: str) -> None:
    made = insert_of(conn.dialect.name, looks).values(**row)
    key = ["person_id", "game_id"]
    conn.execute(made.on_conflict_do_update(index_elements=key, set_={name: made.excluded[name]}))


def seen(conn: Connection, person_id: int, game_id: int) -> int:
    """How many events had happened when the player last opened the game; 0 for never."""
    query = select(looks.c.seq).where(looks.c.person_id == person_id, looks.c.game_id == game_id)
    return conn.execute(query).scalar_one_or_none() or 0


def _skipped(person: int, since: int) -> Select[int]:
    return (
        select(looks.c.game_id)
        .join(games, games.c.id == looks.c.game_id)
        .where(
            looks.c.person_id == person,
            looks.c.skipped_us >= since,
            awaits(person),
        )
    )


def skipped(conn: Connection, person_id: int, since_us: int) -> frozenset[int]:
    """The games awaiting a player's move that the player has skipped since an instant."""
    return frozenset(conn.execute(_skipped(person_id, since_us)).scalars())


def _news(person: int, game_ids: Collection[int]) -> Select[int, int, int]:
    written = and_(
        messages.c.game_id == events.c.game_id,
        messages.c.seq == events.c.seq,
        messages.c.author_id != person,
    )
    return (
        select(events.c.game_id, func.count(), func.count(messages.c.seq))
        .select_from(games)
        .join(events, events.c.game_id == games.c.id)
        .outerjoin(messages, written)
        .where(
            games.c.id.in_(game_ids),
            events.c.seq > func.coalesce(_last_done(person), 0),
            events.c.seq > func.coalesce(last_seen(person), 0),
            events.c.actor_id != person,
        )
        .group_by(events.c.game_id)
    )


def _last_done(person: Any) -> ScalarSelect[int]:
    """The number of the last event in a game that is the player's own."""
    own = events.alias("own")
    mine = select(own.c.seq).where(own.c.game_id == games.c.id, own.c.actor_id == person)
    return mine.order_by(own.c.seq.desc()).limit(1).scalar_subquery()


def last_seen(person: Any) -> ScalarSelect[int]:
    """The number of the last event when a person opened a game."""
    seen = select(looks.c.seq).where(looks.c.game_id == games.c.id, looks.c.person_id == person)
    return seen.scalar_subquery()


def news(conn: Connection, person_id: int, game_ids: Collection[int]) -> dict[int, News]:
    """What is new to a player in some of his games, by game, in one query.

    Events already on the page when the player opened it are not new, nor are those before the
    player's own last action in the game: whoever answers by mail has read them.
    """
    rows = conn.execute(_news(person_id, sorted(game_ids)))
    return {game: News(done, said) for game, done, said in rows}
