"""Which groups are open for everybody to follow, since when, and who switched this on and off.

Not for who may see a game (usecases/play/who_sees.py) nor for switching
(usecases/groups/following.py).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, exists, insert, or_, select, union, update

from server.store.engine.connection import AsyncConnection
from server.store.tables.base import games, groups, people
from server.store.tables.cup import cup_groups, title_ties
from server.store.tables.followed import live_groups
from server.store.tables.league import league_divisions

STANDING = select(live_groups.c.group_id).where(live_groups.c.until_us.is_(None))
"""The groups everybody may follow now."""
NONE: frozenset[int] = frozenset()


async def which_of(conn: AsyncConnection, group_ids: Collection[int]) -> frozenset[int]:
    """Those of some groups that everybody may follow: one query, or none for no groups."""
    if not group_ids:
        return NONE
    return await conn.run_sync(which_in, group_ids)


_RUNNING = STANDING.where(
    exists().where(games.c.group_id == live_groups.c.group_id, games.c.result.is_(None))
)


async def all_of(conn: AsyncConnection, *, running: bool = False) -> frozenset[int]:
    """All groups everybody may follow; ``running``: only those with a running game."""
    return frozenset(row[0] for row in await conn.execute(_RUNNING if running else STANDING))


def which_in(conn: Connection, group_ids: Collection[int]) -> frozenset[int]:
    """Those of some groups that everybody may follow, on a synchronous connection."""
    query = STANDING.where(live_groups.c.group_id.in_(group_ids))
    return frozenset(conn.execute(query).scalars())


@dataclass(frozen=True, slots=True)
class Spell:
    """A period in which everybody could follow a group; instants are UTC microseconds.

    ``from_by`` None: since the group's start; ``until_us`` None: still open.
    """

    from_us: int
    from_by: str | None
    until_us: int | None
    until_by: str | None


_on, _off = people.alias("switched_on"), people.alias("switched_off")


async def spells_of(conn: AsyncConnection, group_id: int) -> tuple[Spell, ...]:
    """The periods in which a group was open to everybody, latest first."""
    query = (
        select(live_groups.c.from_us, _on.c.name, live_groups.c.until_us, _off.c.name)
        .outerjoin(_on, _on.c.id == live_groups.c.from_by)
        .outerjoin(_off, _off.c.id == live_groups.c.until_by)
        .where(live_groups.c.group_id == group_id)
        .order_by(live_groups.c.id.desc())
    )
    return tuple(Spell(*row) for row in await conn.execute(query))


def begin(conn: Connection, group_ids: Collection[int], now_us: int, by: int | None) -> None:
    """Let everybody follow these groups from now on; those already open are left as they are."""
    held = which_in(conn, group_ids)
    new = [
        {"group_id": group_id, "from_us": now_us, "from_by": by}
        for group_id in sorted(group_ids)
        if group_id not in held
    ]
    if new:
        conn.execute(insert(live_groups), new)


def end(conn: Connection, group_ids: Collection[int], now_us: int, by: int) -> None:
    """From now on, show these groups' running games only to those playing or involved in them."""
    standing = live_groups.c.group_id.in_(sorted(group_ids)) & live_groups.c.until_us.is_(None)
    conn.execute(update(live_groups).where(standing).values(until_us=now_us, until_by=by))


def together_with(conn: Connection, group_id: int) -> dict[int, str]:
    """The groups of a group's tournament, itself included: names by id.

    All rounds of a cup (§ 6.6.1), all divisions of a season (§ 6.7.1), a DM with its play-off
    (§ 6.5.2); any other group stands alone. Empty when there is no such group.
    """
    cup = select(cup_groups.c.cup_id).where(cup_groups.c.group_id == group_id)
    season = select(league_divisions.c.season).where(league_divisions.c.group_id == group_id)
    tied = title_ties.c.playoff_id
    others = union(
        select(cup_groups.c.group_id).where(cup_groups.c.cup_id.in_(cup)),
        select(league_divisions.c.group_id).where(league_divisions.c.season.in_(season)),
        select(title_ties.c.group_id).where(tied == group_id),
        select(tied).where(title_ties.c.group_id == group_id, tied.is_not(None)),
    ).subquery()
    query = select(groups.c.id, groups.c.name).where(
        or_(groups.c.id == group_id, groups.c.id.in_(select(others.c.group_id)))
    )
    return {row[0]: row[1] for row in conn.execute(query.order_by(groups.c.name))}


async def of_season(conn: AsyncConnection, season: int) -> tuple[int, ...]:
    """The league divisions of a season that have started."""
    query = select(league_divisions.c.group_id).where(league_divisions.c.season == season)
    return tuple((await conn.execute(query)).scalars())
