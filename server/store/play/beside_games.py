"""What My games shows beside the games, asked in one statement: mostly there is nothing.

Not for what it is, which is asked where there is any.
"""

from dataclasses import dataclass

from sqlalchemy import Select, exists, literal, select, union

from server.store.engine.connection import AsyncConnection
from server.store.play.offices import captained
from server.store.tables.base import duties, seats
from server.store.tables.cases import cases
from server.store.tables.player import delayed_moves


@dataclass(frozen=True, slots=True)
class Beside:
    """``has_delayed``: a waiting or dropped move; ``has_case``: an open case in a group in which
    the person plays or is captain; ``done_for``: the day a duty was last done for, ISO.
    """

    has_delayed: bool
    has_case: bool
    done_for: str | None


def _beside(person: int, now: int, duty: str) -> Select[bool, bool, str]:
    own = union(
        select(seats.c.group_id).where(seats.c.person_id == person),
        captained(literal(person), literal(now)),
    )
    is_open = (cases.c.closed_us.is_(None), cases.c.group_id.in_(own))
    return select(
        exists().where(delayed_moves.c.person_id == person),
        exists().where(*is_open),
        select(duties.c.done_for).where(duties.c.name == duty).scalar_subquery(),
    )


async def beside(conn: AsyncConnection, person_id: int, now_us: int, duty: str) -> Beside:
    """What there is beside a person's games; ``duty``: the name of one about him."""
    has_delayed, has_case, day = (await conn.execute(_beside(person_id, now_us, duty))).one()
    return Beside(bool(has_delayed), bool(has_case), day)
