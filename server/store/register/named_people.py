"""Whether a person is named on a public page: who plays or played, leads, or holds an office.

Everybody in the register has a row in ``people``, and nobody agreed to be found by it: the list
of players names those who play or played, with what tables and lists print of them. Not for
what a player's page shows (groups/player_results.py), nor for a club's players (clubs.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, exists, func, or_, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

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


_PLAYERS = union(
    *(select(column).where(column.is_not(None)) for column in _PLAYS_IN),
    select(ratings.c.person_id).where(ratings.c.kind == "k"),
    select(people.c.id).where(people.c.k_rating.is_not(None)),
)
"""Who plays or played: evaluated once, so that the register's size does not matter."""


async def players(
    conn: AsyncConnection, words: Sequence[str], first: int, most: int
) -> tuple[int, tuple[Player, ...]]:
    """How many players match all words by name or club; ``most`` from ``first`` on, by name."""
    found = [or_(has_word(people.c.name, one), has_word(people.c.club, one)) for one in words]
    where = (people.c.id.in_(_PLAYERS), *found)
    count = (
        await conn.execute(select(func.count()).select_from(people).where(*where))
    ).scalar_one()
    ids = select(people.c.id).where(*where).order_by(people.c.name, people.c.id)
    shown = (people.c.id, people.c.name, people.c.club, clubs.c.id, people.c.rating)
    query = (
        select(*shown, people.c.k_rating)
        .outerjoin(clubs, clubs.c.name == people.c.club)
        .where(people.c.id.in_(ids.offset(first).limit(most)))
        .order_by(people.c.name, people.c.id)
    )
    return count, tuple(Player(*row) for row in await conn.execute(query))
