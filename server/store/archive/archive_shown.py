"""Final tables of the archive as pages show them. Not how they come in (final_tables.py)."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.engine.rows import Prepared
from server.store.tables.archive import past_events, past_players, past_standings

_S = past_standings.c


@dataclass(frozen=True, slots=True)
class PastStanding:
    """A line of a final table; ``halves`` are half points."""

    event_id: int
    event: str
    kind: str
    wish: str
    finished: str
    name: str
    person_id: int | None
    halves: int
    games: int
    place: int | None


_STANDING: Select[*tuple[Any, ...]] = (
    select(
        *(_S.event_id, past_events.c.name, _S.kind, _S.wish, _S.finished, past_players.c.name),
        *(past_players.c.person_id, _S.halves, _S.games, _S.place),
    )
    .join(past_events, past_events.c.id == _S.event_id)
    .join(past_players, past_players.c.id == _S.player_id)
)


async def tables_of(conn: AsyncConnection, event_id: int) -> tuple[PastStanding, ...]:
    """A tournament's final tables, line by line, by class and place."""
    ordered = _STANDING.where(_S.event_id == event_id).order_by(
        _S.finished.desc(), _S.wish, _S.place.is_(None), _S.place, _S.halves.desc(), _S.id
    )
    return tuple(PastStanding(*row) for row in await conn.execute(ordered))


_STANDINGS_OF = Prepared(
    lambda person: _STANDING.where(past_players.c.person_id == person).order_by(
        _S.finished.desc(), _S.id
    )
)


async def standings_of_person(conn: AsyncConnection, person_id: int) -> tuple[PastStanding, ...]:
    """What a member reached, the newest first."""
    rows = await conn.execute(*_STANDINGS_OF(person_id))
    return tuple(PastStanding(*row) for row in rows)
