"""Stored titles, each with its source, and how a tied DM was settled (§ 6.5.2, § 6.6.1.5).

Not for who has earned one (kskak.groups.honours, server/usecases/results/titles.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, func, insert, or_, select, union, update

from server.store.cases.publications import Published
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.base import games, groups, people
from server.store.tables.cases import publications
from server.store.tables.cup import cup_groups, title_ties, titles
from server.store.tables.league import league_divisions


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTitle:
    """A title to store: won in a group here (``group_id``), or entered with its ``source``."""

    title: str
    edition: int
    person_id: int | None
    name: str | None
    group_id: int | None
    is_shared: bool
    paragraph: str
    day: str | None
    source: str
    entered_by: int | None
    at_us: int


@dataclass(frozen=True, slots=True)
class TitleRow:
    """A valid title; ``name`` is the person's if they are registered."""

    id: int
    title: str
    edition: int
    person_id: int | None
    name: str
    group_id: int | None
    is_shared: bool
    paragraph: str
    day: str | None
    source: str
    entered_by: int | None
    at_us: int
    group: str | None


@dataclass(frozen=True, slots=True)
class TieRow:
    """How a tie for first in a DM group was settled; no ``playoff_id``: shared by agreement."""

    group_id: int
    playoff_id: int | None
    reason: str
    by_id: int
    at_us: int


FINAL = "final"
_NAME = func.coalesce(people.c.name, titles.c.name)
_COLUMNS = [
    _NAME if field.name == "name" else groups.c.name if field.name == "group"
    else titles.c[field.name]
    for field in fields(TitleRow)
]  # fmt: skip
_SELECT = (
    select(*_COLUMNS)
    .outerjoin(people, people.c.id == titles.c.person_id)
    .outerjoin(groups, groups.c.id == titles.c.group_id)
    .where(titles.c.removed_us.is_(None))
)
_TIE = select(*columns_of(TieRow, title_ties))


async def add(conn: AsyncConnection, new: Sequence[NewTitle]) -> tuple[int, ...]:
    """Store titles and return their ids."""
    found = []
    for one in new:
        made = await conn.execute(insert(titles).values(values_of(one)).returning(titles.c.id))
        found.append(int(made.scalar_one()))
    return tuple(found)


def _everything(title: Any) -> Select[*tuple[Any, ...]]:
    query = _SELECT if title is None else _SELECT.where(titles.c.title == title)
    return query.order_by(titles.c.edition.desc(), titles.c.title, titles.c.id)


async def everything(conn: AsyncConnection, title: str | None = None) -> tuple[TitleRow, ...]:
    """The valid titles, newest year first."""
    return tuple(TitleRow(*row) for row in await conn.execute(_everything(title)))


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[TitleRow, ...]:
    """A player's titles, newest first."""
    query = _SELECT.where(titles.c.person_id == person_id).order_by(
        titles.c.edition.desc(), titles.c.id
    )
    rows = await conn.execute(query)
    return tuple(TitleRow(*row) for row in rows)


async def of_group(conn: AsyncConnection, group_id: int) -> tuple[TitleRow, ...]:
    """The titles won in a group."""
    rows = await conn.execute(_SELECT.where(titles.c.group_id == group_id).order_by(titles.c.id))
    return tuple(TitleRow(*row) for row in rows)


async def find(conn: AsyncConnection, title_id: int) -> TitleRow | None:
    """One valid title."""
    row = (await conn.execute(_SELECT.where(titles.c.id == title_id))).one_or_none()
    return None if row is None else TitleRow(*row)


async def remove(conn: AsyncConnection, ids: Sequence[int], by_id: int | None, now_us: int) -> None:
    """Revoke titles; they stay on record. ``by_id`` None: the server."""
    query = update(titles).where(titles.c.id.in_(list(ids)), titles.c.removed_us.is_(None))
    await conn.execute(query.values(removed_by=by_id, removed_us=now_us))


async def groups_with_titles(conn: AsyncConnection) -> tuple[int, ...]:
    """The DM groups, cup finals and 1st divisions published as finished (§ 6.4.5.1)."""
    return tuple((await conn.execute(_of_title())).scalars())


@cache
def _of_title() -> Select[int]:
    of_title = union(
        select(groups.c.id).where(groups.c["class"] == "DM"),
        select(cup_groups.c.group_id).where(cup_groups.c.stage == FINAL),
        select(league_divisions.c.group_id).where(league_divisions.c.division == 1),
    ).subquery()
    is_published = exists().where(
        publications.c.group_id == of_title.c.id,
        publications.c.kind == Published.STANDING.value,
    )
    return select(of_title.c.id).where(is_published).order_by(of_title.c.id)


async def tie_of(conn: AsyncConnection, group_id: int) -> TieRow | None:
    """How a DM group's tie for first was settled, if it was."""
    row = (await conn.execute(_TIE.where(title_ties.c.group_id == group_id))).one_or_none()
    return None if row is None else TieRow(*row)


async def ties_of(conn: AsyncConnection, group_ids: Sequence[int]) -> tuple[TieRow, ...]:
    """How the ties of several groups were settled; no query when there are none."""
    query = _TIE.where(title_ties.c.group_id.in_(list(group_ids)))
    rows = await conn.execute(query) if group_ids else ()
    return tuple(TieRow(*row) for row in rows)


async def tie_by_playoff(conn: AsyncConnection, playoff_id: int) -> TieRow | None:
    """The tie that a play-off group settles."""
    row = (await conn.execute(_TIE.where(title_ties.c.playoff_id == playoff_id))).one_or_none()
    return None if row is None else TieRow(*row)


_SETTLED = (
    select(title_ties.c.group_id, title_ties.c.at_us, func.max(games.c.ended_us))
    .outerjoin(games, games.c.group_id == title_ties.c.playoff_id)
    .group_by(title_ties.c.group_id, title_ties.c.at_us)
    .having(func.count(games.c.id) == func.count(games.c.result))
)


async def ties_settled(conn: AsyncConnection) -> dict[int, int]:
    """When each settled DM tie was settled: at the play-off's last game, or by the agreement."""
    return {group: ended or at_us for group, at_us, ended in await conn.execute(_SETTLED)}


async def settle_tie(conn: AsyncConnection, row: TieRow) -> None:
    """Store how a tie was settled. StoreConflict when it already was."""
    await conn.execute(insert(title_ties).values(values_of(row)))


def forget(conn: Connection, group_id: int) -> None:
    """Forget the tie a group had or settled, as its start is undone: a tie is open again."""
    of_it = or_(title_ties.c.group_id == group_id, title_ties.c.playoff_id == group_id)
    conn.execute(delete(title_ties).where(of_it))
