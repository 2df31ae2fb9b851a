"""A person's games for a list, by page and search words, without reading their positions.

Two queries however many games there are. Not for lists that show the time left (games.py).
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from kskak.regulation.quantities import Side
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import has_word
from server.store.tables.base import games, groups, people


@dataclass(frozen=True, slots=True)
class Brief:
    """A game without its position. ``result`` None: still running."""

    id: int
    name: str
    group_id: int
    group: str
    tournament: str
    class_: str
    zone: str
    white_id: int
    white: str
    black_id: int
    black: str
    ply: int
    to_move_id: int | None
    result: str | None
    ended_us: int | None

    def opponent_of(self, person_id: int) -> tuple[int, str]:
        """Id and name of the other player."""
        if person_id == self.white_id:
            return self.black_id, self.black
        return self.white_id, self.white

    def side_of(self, person_id: int) -> Side | None:
        """The side a person plays; None for everybody else."""
        if person_id == self.white_id:
            return Side.WHITE
        return Side.BLACK if person_id == self.black_id else None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of a person's games: those matching all words, and only finished or running ones.

    ``ended`` None: both, running ones first.
    """

    words: tuple[str, ...] = ()
    ended: bool | None = None


_white, _black = people.alias("white"), people.alias("black")
_FROM = (
    games.join(groups, groups.c.id == games.c.group_id)
    .join(_white, _white.c.id == games.c.white_id)
    .join(_black, _black.c.id == games.c.black_id)
)
_SELECT: Select[*tuple[Any, ...]] = select(
    *(games.c.id, games.c.name, groups.c.id, groups.c.name, groups.c.tournament, groups.c["class"]),
    *(groups.c.zone, games.c.white_id, _white.c.name, games.c.black_id, _black.c.name),
    *(games.c.ply, games.c.to_move_id, games.c.result, games.c.ended_us),
).select_from(_FROM)
"""The columns of ``Brief``, in its order."""


def _fits(person: Any, word: str) -> ColumnElement[bool]:
    """Whether a word is in the opponent's, tournament's or game's name, or is the game's number.

    A single digit only matches the game's number in its group.
    """
    number = games.c.name.endswith(f"/{word}", autoescape=True)
    if len(word) == 1 and word.isdigit():
        return number
    return or_(
        number,
        and_(games.c.white_id == person, has_word(_black.c.name, word)),
        and_(games.c.black_id == person, has_word(_white.c.name, word)),
        has_word(games.c.name, word),
        has_word(groups.c.tournament, word),
    )


def _where(person: Any, wanted: Wanted) -> list[ColumnElement[bool]]:
    made: list[ColumnElement[bool]] = [
        or_(games.c.white_id == person, games.c.black_id == person),
        *(_fits(person, word) for word in wanted.words),
    ]
    if wanted.ended is not None:
        made.append(games.c.result.is_not(None) if wanted.ended else games.c.result.is_(None))
    return made


def _count(person: Any, wanted: Wanted) -> Select[int]:
    query = select(func.count()).select_from(_FROM if wanted.words else games)
    return query.where(*_where(person, wanted))


def _page(person: int, wanted: Wanted, first: int, most: int) -> Select[*tuple[Any, ...]]:
    ended = games.c.ended_us
    order = (games.c.result.is_not(None), ended.is_(None), ended.desc(), games.c.name, games.c.id)
    # Ids first: sorting ten thousand whole rows takes several times as long.
    ids = select(games.c.id).select_from(_FROM if wanted.words else games)
    ids = ids.where(*_where(person, wanted)).order_by(*order).offset(first).limit(most)
    return _SELECT.where(games.c.id.in_(ids)).order_by(*order)


async def portion(
    conn: AsyncConnection, person_id: int, wanted: Wanted, first: int, most: int
) -> tuple[int, tuple[Brief, ...]]:
    """How many games match, and a ``page`` of them."""
    count = _count(person_id, wanted).correlate(None).scalar_subquery()
    query = _page(person_id, wanted, first, most).add_columns(count)
    rows = (await conn.execute(query)).all()
    if not rows and first:
        return int((await conn.execute(_count(person_id, wanted))).scalar_one()), ()
    return (int(rows[0][-1]) if rows else 0), tuple(Brief(*row[:-1]) for row in rows)


async def page(
    conn: AsyncConnection, person_id: int, wanted: Wanted, first: int, most: int
) -> tuple[Brief, ...]:
    """Running games first, then the most recently ended; ``most`` games from ``first`` on."""
    return tuple(Brief(*row) for row in await conn.execute(_page(person_id, wanted, first, most)))
