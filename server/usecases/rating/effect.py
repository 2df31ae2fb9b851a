"""What entering a rating would change, before it is written: recalculated groups, with numbers.

§ 4.5.4.1: later tournaments started from a rating of a past day, so a correction may change ratings
that are public. Nothing is written here; it is worked out by the same replay as the calculation
itself (computing.py).
"""

import asyncio
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from server.store.engine.connection import AsyncConnection
from server.store.play import people as person_rows
from server.store.rating import calculations as rows
from server.store.rating.calculations import ToldRow
from server.usecases.rating.facts import load_facts
from server.usecases.rating.in_order import Head, replayed, starts_text

_AFTER = 3
"""Where a calculation's list of a player's numbers has the resulting rating."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A group that would be recalculated: players with their results before and after the change.

    Either number is None for a player with no rated game in it.
    """

    group: str
    players: tuple[tuple[str, int | None, int | None], ...]


def _key(row: ToldRow) -> tuple[int, str, str]:
    return row.person_id, row.kind, row.on_day


async def moved_by(
    conn: AsyncConnection, new: Sequence[ToldRow], gone: Collection[tuple[int, str, str]] = ()
) -> tuple[Moved, ...]:
    """The groups that these ratings, entered or removed (person, kind, ISO day), would change."""
    days = [row.on_day for row in new] + [day for _, _, day in gone]
    if not days:
        return ()
    since = min(days)
    found = await rows.in_force_since(conn, since)
    heads: dict[int, Head] = {row.group_id: (row, load_facts(row.facts)) for row in found}
    if not heads:
        return ()
    people = {person for _, facts in heads.values() for person in facts.players}
    told = await rows.told_of(conn, people)
    before = await rows.rated_before(conn, people, since)
    replaced = {_key(row) for row in new} | set(gone)
    kept = [row for row in told if _key(row) not in replaced]
    other = [*kept, *(row for row in new if row.person_id in people)]
    other.sort(key=lambda row: (row.on_day, row.entered_us))
    now = await asyncio.to_thread(replayed, heads, told, before)
    then = await asyncio.to_thread(replayed, heads, other, before)
    names = await person_rows.by_ids(conn, people)
    moved = []
    for group_id, one in now.items():
        first, second = json.loads(starts_text(one)), json.loads(starts_text(then[group_id]))
        changed = [person for person in first if first[person] != second[person]]
        if changed:
            lines = [
                (names[int(person)].name, first[person][_AFTER], second[person][_AFTER])
                for person in changed
            ]
            moved.append(Moved(heads[group_id][1].name, tuple(sorted(lines))))
    return tuple(moved)
