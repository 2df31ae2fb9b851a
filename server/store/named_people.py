"""Whether somebody is named on a public page: who plays or played, leads, or holds an office.

Everybody of the register has a row in ``people``, and nobody agreed to be found there. Not for
what is shown of him (player_results.py), nor for a club's players (clubs.py).
"""

from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.archive_tables import past_players
from server.store.case_tables import offices
from server.store.cup_tables import cup_places, titles
from server.store.league_tables import league_boards, league_teams
from server.store.register_tables import ratings
from server.store.tables import groups, people, seats

_NAMED_IN: tuple[ColumnElement[int], ...] = (
    seats.c.person_id,
    groups.c.tl_id,
    offices.c.person_id,
    league_teams.c.captain_id,
    league_boards.c.person_id,
    cup_places.c.person_id,
    titles.c.person_id,
    past_players.c.person_id,
)


async def is_named(conn: AsyncConnection, person_id: int) -> bool:
    """Whether groups, lists, titles, the archive or an office name a person. One question."""
    lists = (
        exists().where(ratings.c.person_id == person_id, ratings.c.kind == "k"),
        exists().where(people.c.id == person_id, people.c.k_rating.is_not(None)),
    )
    found = (exists().where(column == person_id) for column in _NAMED_IN)
    return bool((await conn.execute(select(or_(*lists, *found)))).scalar_one())
