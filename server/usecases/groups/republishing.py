"""When to publish a finished group, again if a ruling changed it (§ 6.4.5, § 6.4.3).

Not for publishing it nor for its letters (results/publish_day.py).
"""

from datetime import date

from kskak.regulation.days import local_day
from server.store.cases import cases_and_events as case_rows
from server.store.cases.unpublished import Finished
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.play import games as game_rows
from server.usecases.core.case_record import readable


def unpublished_since(one: Finished) -> date | None:
    """The day of the last result not yet published; None when everything is.

    A ruling on the day of publication or later may have changed a result: publish again.
    """
    last = local_day(from_us(one.ended.ended_us), one.ended.zone)
    if one.published is None or one.published < last.isoformat():
        return last
    ruled = None if one.ruled_us is None else local_day(from_us(one.ruled_us), one.ended.zone)
    is_new = ruled is not None and ruled > last and one.published <= ruled.isoformat()
    return ruled if is_new else None


async def resting_groups(conn: AsyncConnection) -> set[int]:
    """The groups with a game suspended by a case, whether or not the game has ended.

    A case that can't be read holds its own group.
    """
    held, resting = set[int](), set[int]()
    for case in await case_rows.suspending(conn):
        state = readable(await case_rows.events_of(conn, case.id))
        if state is None:
            resting.add(case.group_id)
        else:
            held |= set(state.suspended)
    games = await game_rows.load_many(conn, held) if held else ()
    return resting | {game.group_id for game in games}
