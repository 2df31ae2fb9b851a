"""Final tables in the archive, line by line, and the past results that linked lines become.

Not for games (writing.py) nor for what a result is worth (kskak.entries.access).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, insert, select, update

from server.store.archive.writing import Spelled
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.entries.past_results import NewPastResult, add
from server.store.tables.archive import past_events, past_players, past_standings
from server.store.tables.entries import past_results

RIGHTS = ("emt", "cup", "iccf")
"""The kinds that confer rights (§ 6.5.3.2)."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A stored line; ``halves`` are half points."""

    id: int
    event_id: int
    kind: str
    wish: str
    finished: str
    player_id: int
    halves: int
    games: int
    place: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStanding:
    """A line to store."""

    event_id: int
    kind: str
    wish: str
    finished: str
    player_id: int
    halves: int
    games: int
    place: int | None
    entries: int
    semi_held: bool
    source: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A linked line that is not a past result yet."""

    id: int
    person_id: int
    event: str
    kind: str
    wish: str
    finished: str
    halves: int
    games: int
    place: int | None
    entries: int
    semi_held: bool
    source: str


async def of_events(
    conn: AsyncConnection, keys: Iterable[str]
) -> tuple[tuple[str, StandingRow, Spelled], ...]:
    """The lines of tournaments, by key, with the players' names and numbers as spelled there."""
    query = (
        select(
            past_events.c.key,
            past_players.c.name,
            past_players.c.number,
            *columns_of(StandingRow, past_standings),
        )
        .join(past_events, past_events.c.id == past_standings.c.event_id)
        .join(past_players, past_players.c.id == past_standings.c.player_id)
        .where(past_events.c.key.in_(set(keys)))
    )
    rows = await conn.execute(query)
    return tuple((row[0], StandingRow(*row[3:]), (row[1], row[2])) for row in rows)


async def add_standings(conn: AsyncConnection, new: Sequence[NewStanding]) -> None:
    """Store lines."""
    if new:
        await conn.execute(insert(past_standings), [values_of(one) for one in new])


async def waiting(conn: AsyncConnection) -> tuple[Waiting, ...]:
    """Lines of known people that confer rights and are not past results yet."""
    table = past_standings
    query = (
        select(
            *(table.c.id, past_players.c.person_id, past_events.c.name, table.c.kind),
            *(table.c.wish, table.c.finished, table.c.halves, table.c.games, table.c.place),
            *(table.c.entries, table.c.semi_held, table.c.source),
        )
        .join(past_players, past_players.c.id == table.c.player_id)
        .join(past_events, past_events.c.id == table.c.event_id)
        .where(table.c.result_id.is_(None), table.c.kind.in_(RIGHTS))
        .where(past_players.c.person_id.is_not(None))
        .order_by(table.c.id)
    )
    rows = (await conn.execute(query)).all()
    return tuple(Waiting(*tuple(row)) for row in rows)


async def to_result(conn: AsyncConnection, line: Waiting, now_us: int) -> bool:
    """Turn a line into a past result; False when one like it exists, even a removed one."""
    known = select(past_results.c.id).where(
        past_results.c.person_id == line.person_id,
        past_results.c.event == line.kind,
        past_results.c.wish == line.wish,
        past_results.c.finished == line.finished,
        past_results.c.halves == line.halves,
        past_results.c.games == line.games,
    )
    found = (await conn.execute(known.order_by(past_results.c.id).limit(1))).scalar_one_or_none()
    is_new = found is None
    result_id = await add(conn, _result(line, now_us)) if found is None else found
    done = update(past_standings).where(past_standings.c.id == line.id)
    await conn.execute(done.values(result_id=result_id))
    return is_new


def _result(line: Waiting, now_us: int) -> NewPastResult:
    return NewPastResult(
        person_id=line.person_id,
        event=line.kind,
        wish=line.wish,
        name=line.event,
        finished=line.finished,
        halves=line.halves,
        games=line.games,
        unfinished=0,
        place=line.place,
        entries=line.entries,
        semi_held=line.semi_held,
        source=line.source,
        entered_by=None,
        at_us=now_us,
    )


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


async def standings_of_person(conn: AsyncConnection, person_id: int) -> tuple[PastStanding, ...]:
    """A member's lines in final tables, newest first."""
    query = _STANDING.where(past_players.c.person_id == person_id).order_by(
        _S.finished.desc(), _S.id
    )
    rows = await conn.execute(query)
    return tuple(PastStanding(*row) for row in rows)
