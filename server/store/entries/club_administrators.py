"""Who besides its captains may enter a club's teams (§ 6.7.2.2, § 6.7.4.1).

Not for captains, whose office belongs to a division (play/offices.py, league/divisions.py).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import insert, select, update

from server.store.engine.connection import AsyncConnection
from server.store.tables.base import people
from server.store.tables.register import clubs
from server.store.tables.team_entries import club_admins


@dataclass(frozen=True, slots=True)
class ClubAdminRow:
    """A club administrator, with the names of club and person."""

    id: int
    club_id: int
    person_id: int
    club: str
    name: str


_SELECT = (
    select(
        club_admins.c.id,
        club_admins.c.club_id,
        club_admins.c.person_id,
        clubs.c.name,
        people.c.name,
    )
    .join(clubs, clubs.c.id == club_admins.c.club_id)
    .join(people, people.c.id == club_admins.c.person_id)
    .where(club_admins.c.to_us.is_(None))
    .order_by(clubs.c.name, people.c.name)
)


async def standing(
    conn: AsyncConnection, person_id: int | None = None, clubs_: Collection[int] | None = None
) -> tuple[ClubAdminRow, ...]:
    """The current club administrators: all, one person's, or of some clubs."""
    query = _SELECT
    if person_id is not None:
        query = query.where(club_admins.c.person_id == person_id)
    if clubs_ is not None:
        query = query.where(club_admins.c.club_id.in_(clubs_))
    return tuple(ClubAdminRow(*row) for row in await conn.execute(query))


async def add(conn: AsyncConnection, club_id: int, person_id: int, by_id: int, now_us: int) -> None:
    """Make somebody a club's administrator from now on."""
    row = {"club_id": club_id, "person_id": person_id, "from_us": now_us, "by_id": by_id}
    await conn.execute(insert(club_admins).values(row))


async def end(conn: AsyncConnection, row_id: int, now_us: int) -> bool:
    """End an administrator's term; False when it is not running."""
    query = update(club_admins).where(club_admins.c.id == row_id, club_admins.c.to_us.is_(None))
    return (await conn.execute(query.values(to_us=now_us))).rowcount == 1
