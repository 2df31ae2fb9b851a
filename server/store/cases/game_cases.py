"""The cases about a game, whether their only one, one of many, or one added later.

Not for cases by group, instance or number (cases_and_events.py).
"""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, literal, or_, select

from server.store.cases.cases_and_events import SELECT_CASE, CaseEventRow, CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import games
from server.store.tables.cases import case_events, cases


def _about(game: Any, *places: Any) -> ColumnElement[bool]:
    group = select(games.c.group_id).where(games.c.id == game).scalar_subquery()
    # SQLite compiles a statement anew each time a pattern that stands alone is given.
    among = or_(*(cases.c.snapshot.like(place.op("||")("")) for place in places))
    return or_(cases.c.game_id == game, and_(cases.c.group_id == group, among))


def _places(game_id: int) -> list[str]:
    """LIKE patterns that find the game in a row's summary, where the games come last."""
    places = (f"[{game_id}]}}", f"[{game_id},%", f"[%,{game_id},%", f"[%,{game_id}]}}")
    return [f'%"games":{place}' for place in places]


def about_game(game_id: int) -> ColumnElement[bool]:
    """Whether a case is about a game: its only one, one of many, or one added later.

    The games are the last list of the row's summary (usecases/core/case_record.py).
    """
    return _about(game_id, *map(literal, _places(game_id)))


async def of_game(conn: AsyncConnection, game_id: int) -> tuple[CaseRow, ...]:
    """Every case about a game, alone or among others, oldest first."""
    rows = await conn.execute(SELECT_CASE.where(about_game(game_id)).order_by(cases.c.id))
    return tuple(CaseRow(*row) for row in rows)


def open_with_game(conn: Connection, game_id: int, kind: str) -> CaseRow | None:
    """The newest open case of a kind about a game, alone or among others."""
    query = SELECT_CASE.where(
        about_game(game_id), cases.c.kind == kind, cases.c.closed_us.is_(None)
    )
    row = conn.execute(query.order_by(cases.c.id.desc()).limit(1)).one_or_none()
    return None if row is None else CaseRow(*row)


def games_in(conn: Connection, ids: Iterable[int]) -> tuple[GameRow, ...]:
    """The games of a case as a transaction sees them, not locked; by id."""
    query = SELECT_GAME.where(games.c.id.in_(sorted(ids))).order_by(games.c.id)
    return tuple(GameRow(*row) for row in conn.execute(query))


_SETTLED = '{"event":"settled",'
"""How the body of the event begins that closed a case (kskak.cases.stored_events)."""


def _settled(since: Any, most: Any, ids: Any) -> Select[*tuple[Any, ...]]:
    query = SELECT_CASE.add_columns(*columns_of(CaseEventRow, case_events)).where(
        case_events.c.case_id == cases.c.id,
        case_events.c.body.startswith(_SETTLED, autoescape=True),
        case_events.c.actor_id.is_(None),
        cases.c.state == "settled",
        cases.c.closed_us >= since,
    )
    among = query if ids is None else query.where(cases.c.group_id.in_(ids))
    return among.order_by(cases.c.closed_us.desc()).limit(most)


async def settled_since(
    conn: AsyncConnection, group_ids: Collection[int] | None, since_us: int, limit: int = 20
) -> tuple[tuple[CaseRow, CaseEventRow], ...]:
    """Cases that the server closed undecided since an instant, newest first, with that event."""
    ids = None if group_ids is None else list(group_ids)
    rows = await conn.execute(_settled(since_us, limit, ids))
    at = len(CaseRow.__dataclass_fields__)
    return tuple((CaseRow(*row[:at]), CaseEventRow(*row[at:])) for row in rows)
