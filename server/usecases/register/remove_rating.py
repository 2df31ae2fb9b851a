"""Removing a rating that should not be in the register, with a recorded reason (§ 6.4.4).

Ratings from tournaments are not removed here: they follow from the games, and a number entered for
the same day overrides them. Not for changing a rating (editing.py).
"""

from dataclasses import dataclass

from kskak.values.names import is_line
from server.store.play.people import PersonRow
from server.store.register import members as rows
from server.store.register import writing as writes
from server.store.register.members import RatingKind, RatingRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch
from server.usecases.rating.computing import settle
from server.usecases.rating.effect import Moved, moved_by
from server.usecases.register.facts import RATED
from server.usecases.register.members_in import change_of
from server.usecases.register.reading import Value, token
from server.usecases.register.report import Change, Doer, Slip
from server.usecases.register.views import changing


@dataclass(frozen=True, slots=True)
class Removal:
    """Which rating is to go, and why; ``on``: its ISO day; ``is_seen``: as for an edit."""

    person_id: int
    kind: RatingKind
    on: str
    reason: str
    channel: str
    is_seen: bool = False


async def remove_rating(
    core: Core, by: PersonRow, asked: Removal
) -> Slip | tuple[Moved, ...] | None:
    """Remove a rating that people entered; else a slip says why not, or the groups it would change.

    What rested on it is recalculated (§ 4.5.4.1). Raises NotAllowed, and NoSuch where nothing was
    entered for that day.
    """
    await changing(core, by)
    reason = asked.reason.strip()
    if not reason or not is_line(reason):
        return Slip("no_reason", "reason")
    async with core.store.write() as conn:
        await writes.hold(conn)
        told = (await rows.ratings_of(conn, asked.person_id)).told
        found = [row for row in told if (row.kind, row.on_day) == (asked.kind.value, asked.on)]
        if not found:
            raise NoSuch("rating")
        (gone,) = found
        key = (asked.person_id, asked.kind.value, asked.on)
        moves = () if asked.is_seen else await moved_by(conn, (), [key])
        if moves:
            return moves
        await writes.remove_rating(conn, asked.person_id, asked.kind.value, asked.on)
        doer = Doer(by.id, asked.channel, reason)
        change = change_of(asked.person_id, _changes(asked.kind, gone), doer, core.now_us)
        await writes.put_changes(conn, [change])
    await settle(core, by.id)
    return None


def _changes(kind: RatingKind, gone: RatingRow) -> tuple[Change, ...]:
    """Value, status, day and source, as they stood."""
    values: tuple[Value, ...] = (gone.value, gone.is_provisional, gone.on_day, gone.source)
    return tuple(
        Change(name, token(value, name), None)
        for name, value in zip(RATED[kind], values, strict=True)
        if name
    )
