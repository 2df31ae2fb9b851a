"""A player as everybody may see him: titles, groups with scores, opponents, games by the page.

The number of queries does not grow with the games, and no position is read. Not for how
ratings come about (rating) nor for the games before this server (history).
"""

from dataclasses import dataclass

from server.store.engine.connection import AsyncConnection
from server.store.groups import player_results as result_rows
from server.store.groups import titles as title_rows
from server.store.groups.player_results import Against, InGroup
from server.store.groups.titles import TitleRow
from server.store.play import own_games as game_rows
from server.store.play.own_games import Brief, Wanted
from server.store.play.people import PersonRow
from server.store.register import clubs as club_rows
from server.store.register import named_people
from server.usecases.core.context import Core
from server.usecases.core.paging import page_asked
from server.usecases.people.ended_games import PAGE, Portion
from server.usecases.rating.lists import History, points_in

MOST_RUNNING = 100
MOST_OPPONENTS = 100


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player. ``club_id`` None: his club has no page; ``history``: of his K-rating;
    ``live``: the groups of his running games that everybody may follow (ids).

    ``is_named``: on a public page; anyone else is only in the register, which is not public.
    """

    person: PersonRow
    club_id: int | None
    titles: tuple[TitleRow, ...]
    groups: tuple[InGroup, ...]
    opponents: tuple[Against, ...]
    running: tuple[Brief, ...]
    ended: Portion
    history: History
    is_named: bool
    live: frozenset[int]


async def player_view(core: Core, person_id: int, page: int) -> PlayerView | None:
    """A player with a page of finished games, the newest first; None if there is no such person."""
    page = page_asked(page)
    async with core.store.read() as conn:
        found = await club_rows.of_person(conn, person_id)
        if found is None:
            return None
        groups = await result_rows.by_group(conn, person_id)
        held = await title_rows.of_person(conn, person_id)
        points = await points_in(conn, person_id)
        is_known = bool(groups or held or points)
        running = await _running(conn, person_id, groups)
        count = sum(one.tally.finished for one in groups)
        return PlayerView(
            person=found[0],
            club_id=found[1],
            titles=held,
            groups=groups,
            opponents=await result_rows.by_opponent(conn, person_id, MOST_OPPONENTS),
            running=running,
            ended=Portion(await _ended(conn, person_id, count, page), count, page),
            history=History(found[0], points),
            is_named=is_known or await named_people.is_named(conn, person_id),
            live=frozenset(one.id for one in groups if one.is_live),
        )


async def _running(
    conn: AsyncConnection, person_id: int, groups: tuple[InGroup, ...]
) -> tuple[Brief, ...]:
    """The running games; not queried where no group has one."""
    if not any(one.tally.running for one in groups):
        return ()
    return await game_rows.page(conn, person_id, Wanted(ended=False), 0, MOST_RUNNING)


async def _ended(conn: AsyncConnection, person_id: int, count: int, page: int) -> tuple[Brief, ...]:
    """A page of the finished games; not queried past the last one."""
    first = (page - 1) * PAGE
    if first >= count:
        return ()
    return await game_rows.page(conn, person_id, Wanted(ended=True), first, PAGE)
