"""What is still to be published or asked about results (§ 6.4.5, § 6.2.6): found by index.

The daily duty asks first which groups anything happened to, then about those alone: most groups
ended long ago. Not for what was published (publications.py) nor for deciding when
(usecases/results/publish_day.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import CompoundSelect, Select, and_, exists, func, select, union

from server.store.cases.publications import PublicationRow, Published, Standing
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.tables.base import events, games, groups
from server.store.tables.cases import case_events, cases, publications
from server.store.tables.cup import title_ties


@dataclass(frozen=True, slots=True)
class Ended:
    """Something that ended: a game, or a whole group (``game_id`` None)."""

    group_id: int
    game_id: int | None
    zone: str
    ended_us: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A group whose games have all ended; the day (ISO) it was last published, if ever.

    ``ruled_us``: when a decision last ruled on a result there and so may have changed one;
    ``spoken_us``: when one of its cases, which may have held it back, last went on.
    """

    ended: Ended
    published: str | None
    ruled_us: int | None
    spoken_us: int | None


async def changed_groups(conn: AsyncConnection, since_us: int | None) -> tuple[int, ...]:
    """The groups whose results may have changed since then, by id; None: every group.

    Those where a game ended or a case went on, those that came (with games that ended long ago),
    those of the cases that suspend games, and those whose tied first place is settled elsewhere.
    """
    if since_us is None:
        return tuple((await conn.execute(select(groups.c.id).order_by(groups.c.id))).scalars())
    return tuple(sorted((await conn.execute(_changed(since_us))).scalars()))


def _changed(since_us: int) -> CompoundSelect[int]:
    spoken = select(case_events.c.case_id).where(case_events.c.at_us >= since_us)
    return union(
        select(games.c.group_id).where(games.c.ended_us >= since_us),
        select(groups.c.id).where(groups.c.created_us >= since_us),
        select(cases.c.group_id).where(cases.c.id.in_(spoken)),
        select(cases.c.group_id).where(cases.c.is_suspended),
        select(title_ties.c.group_id),
    )


async def unpublished_games(conn: AsyncConnection, group_ids: Sequence[int]) -> tuple[Ended, ...]:
    """These groups' ended games whose result has not been published."""
    known = exists().where(
        publications.c.game_id == games.c.id, publications.c.group_id == games.c.group_id
    )
    query = (
        select(games.c.group_id, games.c.id, groups.c.zone, games.c.ended_us)
        .join(groups, groups.c.id == games.c.group_id)
        .where(games.c.group_id.in_(group_ids))
        .where(games.c.result.is_not(None), games.c.ended_us.is_not(None), ~known)
        .order_by(games.c.ended_us)
    )
    return tuple(Ended(*row) for row in await conn.execute(query))


async def finished_groups(conn: AsyncConnection, group_ids: Sequence[int]) -> tuple[Finished, ...]:
    """Those of these groups whose games have all ended, by id."""
    said = (
        select(func.max(publications.c.day))
        .where(publications.c.group_id == games.c.group_id)
        .where(publications.c.kind == Published.STANDING.value)
        .scalar_subquery()
    )
    is_ruling = and_(
        case_events.c.body.contains('"event":"decided"', autoescape=True),
        case_events.c.body.contains('"kind":"result"', autoescape=True),
    )
    spoken = (
        select(func.max(case_events.c.at_us))
        .join(cases, cases.c.id == case_events.c.case_id)
        .where(cases.c.group_id == games.c.group_id)
    )
    of_cases = spoken.where(is_ruling).scalar_subquery(), spoken.scalar_subquery()
    query = (
        select(games.c.group_id, groups.c.zone, func.max(games.c.ended_us), said, *of_cases)
        .join(groups, groups.c.id == games.c.group_id)
        .where(games.c.group_id.in_(group_ids))
        .group_by(games.c.group_id, groups.c.zone)
        .having(func.count() == func.count(games.c.result))
        .having(func.max(games.c.ended_us).is_not(None))
    )
    rows = await conn.execute(query.order_by(games.c.group_id))
    return tuple(Finished(Ended(group, None, zone, us), *of_it) for group, zone, us, *of_it in rows)


_SUSPENDED = select(cases.c.id, cases.c.seq).where(cases.c.is_suspended).order_by(cases.c.id)


async def suspended_at(conn: AsyncConnection) -> tuple[tuple[int, int], ...]:
    """The cases that suspend games, and how far each has come: two that are equal say the same."""
    return tuple((case, seq) for case, seq in await conn.execute(_SUSPENDED))


async def prizes_due(conn: AsyncConnection, first: str, last: str) -> tuple[Standing, ...]:
    """Groups' results whose prizes are not sent and due on these days (ISO), both included."""
    query = (
        select(*columns_of(PublicationRow, publications), groups.c.name, groups.c.tl_id)
        .join(groups, groups.c.id == publications.c.group_id)
        .where(publications.c.prizes_until.between(first, last))
        .where(publications.c.kind == Published.STANDING.value, publications.c.done_us.is_(None))
        .order_by(publications.c.id)
    )
    rows = await conn.execute(query)
    return tuple(Standing(PublicationRow(*row[:-2]), row[-2], row[-1]) for row in rows)


async def quiet_postal(conn: AsyncConnection, before_us: int) -> tuple[tuple[int, int], ...]:
    """Running postal games with nothing entered since an instant: game, last entry's instant."""
    return tuple((game, us) for game, us in await conn.execute(_quiet_postal(before_us)))


def _quiet_postal(before_us: int) -> Select[int, int]:
    last = func.coalesce(func.max(events.c.at_us), groups.c.created_us)
    return (
        select(games.c.id, last)
        .join(groups, groups.c.id == games.c.group_id)
        .outerjoin(events, and_(events.c.game_id == games.c.id, events.c.actor_id.is_not(None)))
        .where(groups.c.regulation == "postal", games.c.result.is_(None))
        .group_by(games.c.id, groups.c.created_us)
        .having(last < before_us)
        .order_by(games.c.id)
    )
