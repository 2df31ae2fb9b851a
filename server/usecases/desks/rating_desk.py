"""The rating desk: what waits to be calculated, what was calculated last, one click (§ 4.5.4.1).

The controller's and the administrator's, who keep the register. Not for how it is done
(rating/computing.py).
"""

from dataclasses import dataclass

from server.store.play.people import PersonRow
from server.store.rating import calculations as rating_rows
from server.store.rating import lists as rating_lists
from server.store.rating.calculations import Waiting
from server.store.rating.lists import Made
from server.store.register import writing as register_writes
from server.usecases.core.context import Core
from server.usecases.rating import computing
from server.usecases.register.views import changing

NEWEST = 20
"""Calculations on the desk."""


@dataclass(frozen=True, slots=True)
class RatingDesk:
    """What waits and what was made. ``unsettled``: an ISO day from which told ratings changed."""

    waiting: tuple[Waiting, ...]
    unsettled: str | None
    newest: tuple[Made, ...]


async def desk(core: Core, viewer: PersonRow) -> RatingDesk:
    """The rating desk. Raises NotAllowed."""
    await changing(core, viewer)
    async with core.store.read() as conn:
        return RatingDesk(
            await rating_rows.waiting(conn),
            await register_writes.unsettled_since(conn),
            await rating_lists.newest(conn, NEWEST),
        )


async def compute(core: Core, by: PersonRow, *, everything: bool = False) -> computing.Done:
    """Calculate what waits, for who keeps the register. Raises NotAllowed."""
    await changing(core, by)
    return await computing.compute(core, by.id, everything=everything)
