"""Whether a person is named on a public page: who plays or played, leads, or holds an office.

Everybody in the register has a row in ``people``, and nobody agreed to be found by it: the list
of players names those who play or played, with what tables and lists print of them. Not for
what a player's page shows (groups/player_results.py), nor for a club's players (clubs.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, exists, func, or_, select, union

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import has_word
from server.store.tables.archive import past_players
from server.store.tables.base import groups, people, seats
from server.store.tables.cases import offices
from server.store.tables.cup import cup_places, titles
from server.store.tables.league import league_boards, league_teams
from server.store.tables.register import clubs, ratings

_PLAYS_IN: tuple[ColumnElement[int], ...] = (
    seats.c.person_id,
    league_boards.c.person_id,
    cup_places.c.person_id,
    titles.c.person_id,
    past_players.c.person_id,
)
_NAMED_IN = (*_PLAYS_IN, groups.c.tl_id, offices.c.person_id, league_teams.c.captain_id)


@dataclass(frozen=True, slots=True)
class Player:
    """A player as named in the list of players. ``club_id`` None: the club has no page."""

    id: int
    name: str
    club: str | None
    club_id: int | None
    rating: int | None
    k_rating: int | None


async def is_named(conn: AsyncConnection, person_id: int) -> bool:
    """Whether groups, lists, titles, the archive or an office name a person. One query."""
    lists = (
        exists().where(ratings.c.person_id == person_id, ratings.c.kind == "k"),
        exists().where(people.c.id == person_id, people.c.k_rating.is_not(None)),
    )
    found = (exists().where(column == person_id) for column in _NAMED_IN)
    return bool((await conn.execute(select(or_(*lists, *found)))).scalar_one())


_LISTS = (
    *(select(column).where(column.is_not(None)) for column in _PLAYS_IN),
    select(ratings.c.person_id).where(ratings.c.kind == "k"),
    select(people.c.id).where(people.c.k_rating.is_not(None)),
)
_IS_LISTED = people.c.id.in_(union(*_LISTS))
"""Who plays or played: evaluated once, so that the register's size does not matter."""
_PLAYS = or_(
    *(exists().where(column == people.c.id) for column in _PLAYS_IN),
    exists().where(ratings.c.person_id == people.c.id, ratings.c.kind == "k"),
    people.c.k_rating.is_not(None),
)
"""The same, asked of one after the other, so that it does not matter how many there are."""


async def players(
    conn: AsyncConnection, words: Sequence[str], portion: tuple[int, int], *, are_many: bool
) -> tuple[Player, ...]:
    """The players who match all words by name or club, by name.

    ``portion``: the first, and how many at the most; ``are_many``: thousands play, so that a
    portion of all is soon found by going through the names.
    """
    who = _PLAYS if are_many and not words else _IS_LISTED
    first, most = portion
    ids = select(people.c.id).where(who, *_fitting(words)).order_by(people.c.name, people.c.id)
    shown = (people.c.id, people.c.name, people.c.club, clubs.c.id, people.c.rating)
    query = (
        select(*shown, people.c.k_rating)
        .outerjoin(clubs, clubs.c.name == people.c.club)
        .where(people.c.id.in_(ids.offset(first).limit(most)))
        .order_by(people.c.name, people.c.id)
    )
    return tuple(Player(*row) for row in await conn.execute(query))


def _count_all(most: Any) -> Select[Any]:
    some = (one.distinct().limit(most).subquery() for one in _LISTS)
    found = union(*(select(*each.c) for each in some)).subquery()
    return select(func.count()).select_from(select(found).limit(most).subquery())


async def count_players(conn: AsyncConnection, words: Sequence[str], most: int | None) -> int:
    """How many players match all words; of all no more than ``most`` are counted."""
    if not words:
        return int((await conn.execute(_count_all(most))).scalar_one())
    found = select(func.count()).select_from(people).where(_IS_LISTED, *_fitting(words))
    return int((await conn.execute(found)).scalar_one())


def _fitting(words: Sequence[str]) -> list[ColumnElement[bool]]:
    return [or_(has_word(people.c.name, one), has_word(people.c.club, one)) for one in words]
