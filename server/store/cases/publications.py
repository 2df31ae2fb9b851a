"""What was published about groups and games, with the deadlines that follow (§ 6.4.5).

Not for what is still to be published (unpublished.py) nor for deciding when
(usecases/results/publish_day.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, insert, or_, select, true, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.base import games, groups, outbox
from server.store.tables.cases import publications


class Published(StrEnum):
    """What was published."""

    RESULT = "result"
    STANDING = "standing"
    TAKEOVER = "takeover"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPublication:
    """A publication to store; days are ISO."""

    group_id: int
    kind: str
    game_id: int | None
    day: str
    objections_until: str
    prizes_until: str | None
    done_us: int | None = None


@dataclass(frozen=True, slots=True)
class PublicationRow:
    """A stored publication. ``done_us``: when the prizes were sent."""

    id: int
    group_id: int
    kind: str
    game_id: int | None
    day: str
    objections_until: str
    prizes_until: str | None
    done_us: int | None


_SELECT = select(*columns_of(PublicationRow, publications)).order_by(publications.c.id)


async def add(conn: AsyncConnection, new: NewPublication) -> int:
    """Store a publication and return its id."""
    made = insert(publications).values(values_of(new)).returning(publications.c.id)
    return int((await conn.execute(made)).scalar_one())


async def find(conn: AsyncConnection, publication_id: int) -> PublicationRow | None:
    """One publication."""
    row = (await conn.execute(_SELECT.where(publications.c.id == publication_id))).one_or_none()
    return None if row is None else PublicationRow(*row)


async def everything(conn: AsyncConnection) -> tuple[PublicationRow, ...]:
    """Every publication, for verifying them."""
    return tuple(PublicationRow(*row) for row in await conn.execute(_SELECT))


async def of_group(conn: AsyncConnection, group_id: int) -> tuple[PublicationRow, ...]:
    """A group's publications, oldest first."""
    rows = await conn.execute(_SELECT.where(publications.c.group_id == group_id))
    return tuple(PublicationRow(*row) for row in rows)


@dataclass(frozen=True, slots=True)
class Standing:
    """A group's published result with the group's name and leader."""

    row: PublicationRow
    group: str
    tl_id: int


def _of(mine: Any) -> ColumnElement[bool]:
    """The groups asked for; None: all."""
    return true() if mine is None else groups.c.id.in_(mine)


def _some(mine: frozenset[int] | None) -> list[int] | None:
    return None if mine is None else list(mine)


def _standing_since(day: Any, mine_ids: Any) -> Select[Any]:
    runs = or_(publications.c.objections_until >= day, publications.c.done_us.is_(None))
    return (
        select(*columns_of(PublicationRow, publications), groups.c.name, groups.c.tl_id)
        .join(groups, groups.c.id == publications.c.group_id)
        .where(publications.c.kind == Published.STANDING.value, runs, _of(mine_ids))
        .order_by(publications.c.id)
    )


async def standing_since(
    conn: AsyncConnection, day: str, mine: frozenset[int] | None = None
) -> tuple[Standing, ...]:
    """Groups' results still open to objection on a day (ISO), or whose prizes are not sent."""
    rows = await conn.execute(_standing_since(day, _some(mine)))
    return tuple(Standing(PublicationRow(*row[:-2]), row[-2], row[-1]) for row in rows)


def _takeovers_since(day: Any, mine_ids: Any) -> Select[Any]:
    return (
        select(*columns_of(PublicationRow, publications), groups.c.name, groups.c.tl_id)
        .join(groups, groups.c.id == publications.c.group_id)
        .where(publications.c.kind == Published.TAKEOVER.value, _of(mine_ids))
        .where(publications.c.objections_until >= day)
        .order_by(publications.c.id)
    )


async def takeovers_since(
    conn: AsyncConnection, day: str, mine: frozenset[int] | None = None
) -> tuple[Standing, ...]:
    """Groups taken over that are still open to objection on a day (ISO)."""
    rows = await conn.execute(_takeovers_since(day, _some(mine)))
    return tuple(Standing(PublicationRow(*row[:-2]), row[-2], row[-1]) for row in rows)


async def set_done(conn: AsyncConnection, publication_id: int, now_us: int) -> bool:
    """Record that the prizes were sent; False when that was already recorded."""
    of = and_(publications.c.id == publication_id, publications.c.done_us.is_(None))
    done = await conn.execute(update(publications).where(of).values(done_us=now_us))
    return done.rowcount == 1


async def objections_until(
    conn: AsyncConnection, group_id: int, game_ids: Sequence[int]
) -> str | None:
    """The last day (ISO) to object to these results or the group's; None: unpublished."""
    of_it = or_(
        publications.c.game_id.in_(list(game_ids)),
        publications.c.kind == Published.STANDING.value,
    )
    query = select(func.max(publications.c.objections_until)).where(
        publications.c.group_id == group_id, of_it
    )
    found: str | None = (await conn.execute(query)).scalar_one()
    return found


@dataclass(frozen=True, slots=True)
class Untold:
    """An ended game whose result has not reached the group's leader."""

    game_id: int
    name: str
    group: str
    zone: str
    ended_us: int


def _untold(mine_ids: Any) -> Select[Any]:
    of_game = and_(outbox.c.game_id == games.c.id, outbox.c.kind == "game_over")
    last = (
        select(func.max(outbox.c.id))
        .where(of_game, outbox.c.person_id == groups.c.tl_id)
        .correlate(games, groups)
        .scalar_subquery()
    )
    failed = outbox.alias("failed")
    # Of few letters, by an index of their own; a leader has many games.
    tried = select(failed.c.game_id).where(failed.c.last_error.is_not(None))
    mine = true() if mine_ids is None else (groups.c.id + 0).in_(mine_ids)
    return (
        select(games.c.id, games.c.name, groups.c.name, groups.c.zone, games.c.ended_us)
        .join(groups, groups.c.id == games.c.group_id)
        .join(outbox, outbox.c.id == last)
        .where(games.c.id.in_(tried), mine)
        .where(outbox.c.state != "sent", outbox.c.last_error.is_not(None))
        .where(games.c.result.is_not(None), games.c.ended_us.is_not(None))
        .order_by(games.c.ended_us)
    )


async def untold(conn: AsyncConnection, mine: frozenset[int] | None = None) -> tuple[Untold, ...]:
    """Ended games whose report to the leader was tried but has not been sent (§ 6.2.6).

    A letter merely waiting its turn is nobody's concern. A changed result has a later letter:
    only the last one counts.
    """
    return tuple(Untold(*row) for row in await conn.execute(_untold(_some(mine))))
