"""Bulletins: the draft and those issued, their subscribers, and what happened in a period.

§ 6.4.5.1. Not for their contents (usecases/results/bulletin_facts.py) nor their timing
(kskak.office.bulletin_periods).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import and_, delete, func, select, update

from server.store.account.retention import GONE
from server.store.cases.publications import PublicationRow, Published
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, quiet_insert
from server.store.groups.groups_and_seats import GroupRow
from server.store.tables.base import games, groups, people
from server.store.tables.cases import bulletin_readers, bulletins, case_events, publications


@dataclass(frozen=True, slots=True)
class BulletinRow:
    """A stored bulletin; days are ISO. ``issued_us`` None: it is the draft."""

    number: int
    first: str
    last: str
    foreword: str
    chosen: str
    made_by: int
    made_us: int
    issued_by: int | None
    issued_us: int | None
    objections_until: str | None
    facts: str | None


_SELECT = select(*columns_of(BulletinRow, bulletins))


async def issued(
    conn: AsyncConnection, since: str = "", most: int | None = None
) -> tuple[BulletinRow, ...]:
    """The issued bulletins, newest first: those of periods that end on a day (ISO) or later."""
    query = (
        _SELECT.where(bulletins.c.issued_us.is_not(None), bulletins.c.last >= since)
        .order_by(bulletins.c.number.desc())
        .limit(most)
    )
    return tuple(BulletinRow(*row) for row in await conn.execute(query))


async def find(conn: AsyncConnection, number: int) -> BulletinRow | None:
    """One bulletin, issued or not."""
    query = _SELECT.where(bulletins.c.number == number)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else BulletinRow(*row)


_NEWEST = _SELECT.order_by(bulletins.c.number.desc()).limit(1)


async def newest(conn: AsyncConnection) -> BulletinRow | None:
    """The latest one, issued or not."""
    row = (await conn.execute(_NEWEST)).one_or_none()
    return None if row is None else BulletinRow(*row)


async def put_draft(conn: AsyncConnection, row: BulletinRow) -> bool:
    """Store a draft, new or changed; False when a bulletin with this number was issued."""
    values = {"first": row.first, "last": row.last, "foreword": row.foreword, "chosen": row.chosen}
    fresh = values | {"number": row.number, "made_by": row.made_by, "made_us": row.made_us}
    made = await conn.execute(quiet_insert(conn.dialect.name, bulletins).values(fresh))
    if made.rowcount == 1:
        return True
    of = and_(bulletins.c.number == row.number, bulletins.c.issued_us.is_(None))
    return (await conn.execute(update(bulletins).where(of).values(values))).rowcount == 1


async def set_issued(
    conn: AsyncConnection, number: int, by: int, now_us: int, until: str, facts: str
) -> bool:
    """Issue the draft with these facts; False when it already was."""
    of = and_(bulletins.c.number == number, bulletins.c.issued_us.is_(None))
    values = {"issued_by": by, "issued_us": now_us, "objections_until": until, "facts": facts}
    return (await conn.execute(update(bulletins).where(of).values(values))).rowcount == 1


async def readers(conn: AsyncConnection) -> tuple[int, ...]:
    """All subscribers who still have an address."""
    query = (
        select(bulletin_readers.c.person_id)
        .join(people, people.c.id == bulletin_readers.c.person_id)
        .where(people.c.email.not_like(f"%@{GONE}"))
        .order_by(bulletin_readers.c.person_id)
    )
    return tuple((await conn.execute(query)).scalars())


async def is_reader(conn: AsyncConnection, person_id: int) -> bool:
    """Whether a person subscribes."""
    query = select(bulletin_readers.c.person_id).where(bulletin_readers.c.person_id == person_id)
    return (await conn.execute(query)).scalar_one_or_none() is not None


async def add_reader(conn: AsyncConnection, person_id: int, now_us: int) -> None:
    """Subscribe a person; doing so again changes nothing."""
    row = {"person_id": person_id, "since_us": now_us}
    await conn.execute(quiet_insert(conn.dialect.name, bulletin_readers).values(row))


async def drop_reader(conn: AsyncConnection, person_id: int) -> None:
    """Unsubscribe a person."""
    of = bulletin_readers.c.person_id == person_id
    await conn.execute(delete(bulletin_readers).where(of))


async def first_start(conn: AsyncConnection) -> str | None:
    """The day (ISO) the very first group started."""
    found: str | None = (await conn.execute(select(func.min(groups.c.start)))).scalar_one()
    return found


async def begun(conn: AsyncConnection, first: str, last: str) -> tuple[GroupRow, ...]:
    """The groups that started between two days, by start and name."""
    query = select(*columns_of(GroupRow, groups)).where(groups.c.start.between(first, last))
    rows = await conn.execute(query.order_by(groups.c.start, groups.c.name))
    return tuple(GroupRow(*row) for row in rows)


async def ended(
    conn: AsyncConnection, from_us: int, to_us: int
) -> tuple[tuple[int, int, int, str], ...]:
    """Games that ended between two instants: group, game, instant, the group's zone."""
    query = (
        select(games.c.group_id, games.c.id, games.c.ended_us, groups.c.zone)
        .join(groups, groups.c.id == games.c.group_id)
        .where(games.c.result.is_not(None), games.c.ended_us.between(from_us, to_us))
        .order_by(games.c.group_id, games.c.ended_us)
    )
    return tuple((g, i, us, zone) for g, i, us, zone in await conn.execute(query))


async def published(conn: AsyncConnection, first: str, last: str) -> tuple[PublicationRow, ...]:
    """Finished groups published between two days; only a group's latest publication there."""
    later = (
        select(func.max(publications.c.id))
        .where(
            publications.c.kind == Published.STANDING.value,
            publications.c.day.between(first, last),
        )
        .group_by(publications.c.group_id)
    )
    query = select(*columns_of(PublicationRow, publications)).where(publications.c.id.in_(later))
    rows = await conn.execute(query.order_by(publications.c.day, publications.c.group_id))
    return tuple(PublicationRow(*row) for row in rows)


async def extend(
    conn: AsyncConnection, group_ids: Collection[int], days: tuple[str, str], term: tuple[str, str]
) -> None:
    """Extend the objection deadline of what was published between two days; all days are ISO.

    ``term``: today and the new deadline; a deadline that passed before today stays passed.
    """
    today, until = term
    of = and_(
        publications.c.group_id.in_(list(group_ids)),
        publications.c.day.between(*days),
        publications.c.objections_until.between(today, until),
    )
    await conn.execute(update(publications).where(of).values(objections_until=until))


async def cases_touched(conn: AsyncConnection, from_us: int, to_us: int) -> tuple[int, ...]:
    """The cases in which anything happened between two instants."""
    query = select(case_events.c.case_id).where(case_events.c.at_us.between(from_us, to_us))
    return tuple((await conn.execute(query.distinct().order_by(case_events.c.case_id))).scalars())
