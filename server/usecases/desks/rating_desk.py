"""The rating desk: calculations due, the latest ones, and one click to calculate (§ 4.5.4.1).

For the controller and the administrator, who keep the register. Not for the calculation itself
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
    """What is due and what was made. ``unsettled``: ISO day from which ratings must be redone."""

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
    """Calculate what is due, for a keeper of the register. Raises NotAllowed."""
    await changing(core, by)
    return await computing.compute(core, by.id, everything=everything)
