"""A player's scores by group and by opponent: one query each, however many games there are.

Not for the games themselves (play/own_games.py) nor for places, which need the whole table.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select

from kskak.regulation.quantities import Result
from server.store.engine.connection import AsyncConnection
from server.store.groups.followed import STANDING
from server.store.tables.base import games, groups, people


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won, drawn and lost (both may lose, § 6.3.3.4), and those still running."""

    won: int
    drawn: int
    lost: int
    running: int

    @property
    def finished(self) -> int:
        """Games that are over."""
        return self.won + self.drawn + self.lost

    @property
    def halves(self) -> int:
        """The score, in half points."""
        return 2 * self.won + self.drawn


@dataclass(frozen=True, slots=True)
class InGroup:
    """A player's score in a group; ``class_`` «league»: a division.

    ``is_live``: everybody may follow its games.
    """

    id: int
    is_live: bool
    name: str
    tournament: str
    class_: str
    start: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class Against:
    """A player's score against an opponent."""

    person_id: int
    name: str
    tally: Tally


def _sums(me: Any) -> tuple[ColumnElement[int], ...]:
    won = or_(
        and_(games.c.white_id == me, games.c.result == Result.WHITE_WINS.value),
        and_(games.c.black_id == me, games.c.result == Result.BLACK_WINS.value),
    )
    drawn = games.c.result == Result.DRAW.value
    return (
        func.sum(case((won, 1), else_=0)),
        func.sum(case((drawn, 1), else_=0)),
        func.count(games.c.result),
        func.count(),
    )


def _tally(won: int, drawn: int, finished: int, all_: int) -> Tally:
    return Tally(int(won), int(drawn), int(finished) - int(won) - int(drawn), all_ - finished)


def _mine(me: Any) -> ColumnElement[bool]:
    return or_(games.c.white_id == me, games.c.black_id == me)


def _by_group(me: Any) -> Select[*tuple[Any, ...]]:
    told = (groups.c.name, groups.c.tournament, groups.c["class"], groups.c.start)
    return (
        select(groups.c.id, groups.c.id.in_(STANDING), *told, *_sums(me))
        .join(games, games.c.group_id == groups.c.id)
        .where(_mine(me))
        .group_by(groups.c.id, *told)
        .order_by(groups.c.start.desc(), groups.c.name)
    )


def _by_opponent(me: Any, most: Any) -> Select[*tuple[Any, ...]]:
    other = case((games.c.white_id == me, games.c.black_id), else_=games.c.white_id)
    sums = (one.label(f"n{index}") for index, one in enumerate(_sums(me)))
    # Grouped by label: to PostgreSQL, the same expression with other parameters is a different one.
    met = select(other.label("other"), *sums).where(_mine(me)).group_by("other").subquery()
    return (
        select(people.c.id, people.c.name, met.c.n0, met.c.n1, met.c.n2, met.c.n3)
        .join(met, met.c.other == people.c.id)
        .order_by(met.c.n3.desc(), people.c.name, people.c.id)
        .limit(most)
    )


def _in_group(me: Any, group: Any) -> Select[*tuple[Any, ...]]:
    return select(*_sums(me)).where(_mine(me), games.c.group_id == group)


async def by_group(conn: AsyncConnection, person_id: int) -> tuple[InGroup, ...]:
    """The groups in which a player has games, newest first."""
    rows = await conn.execute(_by_group(person_id))
    return tuple(
        InGroup(id_, bool(is_live), name, tournament, class_, start, _tally(*sums))
        for id_, is_live, name, tournament, class_, start, *sums in rows
    )


async def in_group(conn: AsyncConnection, person_id: int, group_id: int) -> Tally:
    """A player's score in one group, where he has a game."""
    row = (await conn.execute(_in_group(person_id, group_id))).one()
    return _tally(*row)


async def by_opponent(conn: AsyncConnection, person_id: int, most: int) -> tuple[Against, ...]:
    """A player's opponents, most frequent first; at most ``most``."""
    rows = await conn.execute(_by_opponent(person_id, most))
    return tuple(Against(row[0], row[1], _tally(*row[2:])) for row in rows)
