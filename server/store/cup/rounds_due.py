"""Cups whose newest round is played out and published, while the next has not been drawn (§ 6.6.3).

One query, however many cups and groups there are. Not for the cups themselves (rounds.py).
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from server.store.cases.publications import Published
from server.store.cup.rounds import PRELIMINARY, SEMIFINAL
from server.store.engine.connection import AsyncConnection
from server.store.tables.base import games
from server.store.tables.cases import publications
from server.store.tables.cup import cup_draws, cup_groups, cups
from server.store.tables.entries import entry_lists

FINAL = "final"
_AFTER = {PRELIMINARY: (SEMIFINAL, FINAL), SEMIFINAL: (FINAL,)}
"""The rounds that may follow a round; times would not do, as two may be equal."""


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A cup's newest round, with all its groups published; objections until a day (ISO)."""

    cup_id: int
    edition: int
    stage: str
    list_id: int
    leader_id: int
    objections_until: str


def _is_newest() -> ColumnElement[bool]:
    """Whether a round has no later one drawn; False for a final, which has none to come."""
    later = cup_draws.alias("later")
    return or_(
        *(
            and_(
                cup_draws.c.stage == stage,
                ~exists().where(later.c.cup_id == cup_draws.c.cup_id, later.c.stage.in_(after)),
            )
            for stage, after in _AFTER.items()
        )
    )


def _is_played_out() -> ColumnElement[bool]:
    """Whether every game of the round is over and every group's result is published."""
    of_round, its_own = cup_groups.alias("of_round"), publications.alias("its_own")
    in_round = and_(of_round.c.cup_id == cup_draws.c.cup_id, of_round.c.stage == cup_draws.c.stage)
    is_published = exists().where(
        its_own.c.group_id == of_round.c.group_id, its_own.c.kind == Published.STANDING.value
    )
    is_running = exists().where(
        in_round, games.c.group_id == of_round.c.group_id, games.c.result.is_(None)
    )
    is_unpublished = exists(select(of_round.c.group_id).where(in_round, ~is_published))
    return and_(~is_running, ~is_unpublished)


def _over() -> Select[Any]:
    of_round = and_(cup_groups.c.cup_id == cups.c.id, cup_groups.c.stage == cup_draws.c.stage)
    until = (
        select(func.max(publications.c.objections_until))
        .where(publications.c.group_id == cup_groups.c.group_id)
        .where(publications.c.kind == Published.STANDING.value)
        .correlate(cup_groups)
        .scalar_subquery()
    )
    facts = (
        cups.c.id,
        cups.c.edition,
        cup_draws.c.stage,
        cups.c.list_id,
        entry_lists.c.leader_id,
    )
    return (
        select(*facts, func.max(until))
        .join(cup_draws, cup_draws.c.cup_id == cups.c.id)
        .join(entry_lists, entry_lists.c.id == cups.c.list_id)
        .join(cup_groups, of_round)
        .where(_is_newest(), _is_played_out())
        .group_by(*facts)
        .order_by(cups.c.id)
    )


_OVER = _over()
"""Asked at every look at what is due."""


async def rounds_over(conn: AsyncConnection) -> tuple[RoundOver, ...]:
    """Every cup awaiting its next round, or the end of the objection period."""
    return tuple(RoundOver(*row) for row in await conn.execute(_OVER))
