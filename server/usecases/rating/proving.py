"""Checking that the stored ratings are what recalculating everything gives (§ 4.5.4.1).

Read-only, in short transactions. A pending calculation is no finding: the daily duty makes it.
Not for calculating (computing.py) nor for chains and snapshots (desks/database_care.py).
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kskak.rating.lists import Rated
from server.store.engine.store import Store
from server.store.rating import calculations as rows
from server.store.rating.calculations import CalculationRow, RatedRow
from server.store.register import writing as writes
from server.usecases.rating.computing import FIRST_DAY
from server.usecases.rating.facts import Facts, gather, load_facts
from server.usecases.rating.in_order import rated_rows, ratings_made, replayed, starts_text

LAST_DAY = "9999-99-99"


@dataclass(frozen=True, slots=True)
class Proof:
    """``groups``: how many were recalculated; ``unread``: of these without games, for lack of time.

    ``findings``: whose ratings (a group, or «person 7») and what is wrong.
    """

    groups: int
    unread: int
    findings: tuple[tuple[str, str], ...]


async def prove(
    store: Store, is_late: Callable[[], bool], say: Callable[[int, int], None]
) -> Proof:
    """Recalculate everything and compare. ``say`` is told how many of how many groups are done.

    Once ``is_late``, no more games are read; what is stored is still checked for consistency.
    """
    async with store.read() as conn:
        if await writes.unsettled_since(conn) is not None:
            return Proof(0, 0, ())
        kept = await rows.in_force_since(conn, FIRST_DAY)
        heads = {row.group_id: (row, load_facts(row.facts)) for row in kept}
        people = {person for _, facts in heads.values() for person in facts.players}
        told = await rows.told_of(conn, people)
        stored = await rows.rated_before(conn, people, LAST_DAY)
        numbers = await rows.computed(conn)
    found: list[tuple[str, str]] = []
    unread = 0
    for number, (row, facts) in enumerate(heads.values(), 1):
        if is_late():
            unread = len(kept) - number + 1
            break
        if not await _rests_on(store, row, facts):
            found.append((facts.name, "the games that its ratings rest on are others"))
        say(number, len(kept))
    anew = await asyncio.to_thread(replayed, heads, told, ())
    found += _unlike_groups(kept, anew, stored)
    made = ratings_made(anew.values(), told, 0)
    wanted = {(one.person_id, one.on_day): (one.value, one.source) for one in made}
    found += [
        (f"person {person}", f"the K-rating of {day} is not what the groups give")
        for person, day in sorted(wanted.keys() | numbers.keys())
        if wanted.get((person, day)) != numbers.get((person, day))
    ]
    return Proof(len(kept), unread, tuple(found))


async def _rests_on(store: Store, row: CalculationRow, facts: Facts) -> bool:
    """Whether a group's games are those of its calculation, or it has or awaits another by now."""
    async with store.read() as conn:
        if await gather(conn, row.group_id) == facts:
            return True
        last = await rows.calculations_of(conn, [row.group_id])
        return last.get(row.group_id) != row or bool(await rows.waiting(conn, [row.group_id]))


def _unlike_groups(
    kept: Sequence[CalculationRow], anew: dict[int, Rated], stored: Sequence[RatedRow]
) -> list[tuple[str, str]]:
    """Groups whose players start with, or are registered with, different numbers."""
    by_group: dict[int, set[RatedRow]] = {}
    for one in stored:
        by_group.setdefault(one.group_id, set()).add(one)
    found = []
    for row in kept:
        now, name = anew[row.group_id], load_facts(row.facts).name
        if starts_text(now) != row.starts:
            found.append((name, "its calculation is not what its games give"))
        elif set(rated_rows(row.group_id, row, now)) != by_group.get(row.group_id, set()):
            found.append((name, "its players' ratings are not what its calculation gives"))
    return found
