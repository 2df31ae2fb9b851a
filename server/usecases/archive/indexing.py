"""Brings the archive's index up to date: imported games, and finished games of this server.

A few games per transaction, so that it can be stopped at any moment and resumed; several processes
may do it. A new table of openings means that everything is indexed again. Not for what the index
holds (store/archive/index.py).
"""

import asyncio
from collections.abc import Callable

from server.store.archive import index as archive_index
from server.store.archive import writing
from server.store.tables import settings as settings_table
from server.usecases.archive import own_games
from server.usecases.archive.found_by import entry_of
from server.usecases.core.context import Core
from server.usecases.play.openings import openings

OPENINGS = "archive-openings"
"""The setting that says which openings table the index was made with."""
AT_ONCE = 250
"""Games per transaction in the command, which runs alone."""
BESIDE = 25
"""The same beside a working server: about 20 ms."""
CLEARED_AT_ONCE = 5000
"""Games marked per transaction: about 50 ms."""
PAUSE_S = 0.05


async def some(core: Core, most: int = BESIDE) -> int:
    """Index some games; returns how many."""
    async with core.store.read() as conn:
        if not await archive_index.unread(conn, 1):
            return 0
    async with core.store.write() as conn:
        await writing.hold(conn)
        found = await archive_index.unread(conn, most)
        await archive_index.put(conn, [entry_of(game) for game in found])
    return len(found)


async def clear_outdated(core: Core) -> bool:
    """Clear some of an index made with another table of openings; True if there may be more.

    A portion at a time: one statement for all would take minutes, and a database that falls silent
    could not be told from one that works.
    """
    async with core.store.read() as conn:
        if await settings_table.get(conn, OPENINGS) == openings().version:
            return False
    async with core.store.write() as conn:
        await writing.hold(conn)
        if await archive_index.forget_codes(conn, CLEARED_AT_ONCE):
            return True
        await archive_index.clear(conn)
        await settings_table.put(conn, OPENINGS, openings().version)
    return False


async def everything(core: Core, step: Callable[[int, int], None]) -> int:
    """Index everything, own games too; ``step`` is called with the number done and the total."""
    while await clear_outdated(core):
        pass
    while await own_games.follow(core):
        pass
    done = 0
    while count := await some(core, AT_ONCE):
        async with core.store.read() as conn:
            left = await archive_index.unread_count(conn)
        done += count
        step(done, done + left)
    return done


async def keep_up(core: Core) -> bool:
    """Do a little of all, for the server's poller; True if there may be more."""
    if await clear_outdated(core):
        return True
    more = await own_games.follow(core)
    more = bool(await some(core)) or more
    await asyncio.sleep(PAUSE_S if more else 0)
    return more
