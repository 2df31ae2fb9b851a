"""Keeping what a person chose, and what follows from it at once.

Not for what can be chosen (core/preferences.py) nor for the pages that ask.
"""

import asyncio
from collections.abc import Mapping

from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import preferences as rows
from server.store.play.people import PersonRow
from server.store.tables.player import REMINDERS
from server.usecases.core.context import Core
from server.usecases.core.preferences import Preferences, faulty, read, text_of
from server.usecases.reflection.reset_due_work import RearmUnit


async def of_person(core: Core, person_id: int) -> Preferences:
    """What holds for one person."""
    return await core.store.look(lambda conn: read(rows.of(conn, person_id)))


async def speak(core: Core, person: PersonRow, lang: str) -> None:
    """Pages and letters are in this language from now on. ``lang`` is one that there is."""
    async with core.store.write() as conn:
        await person_rows.speak(conn, person.id, lang)


async def keep(core: Core, person: PersonRow, chosen: Mapping[str, str]) -> tuple[str, ...]:
    """Keep a person's own choice of some fields; () when kept, else which of them are faulty.

    All are kept or none. KeyError for a field that there is not.
    """
    wrong = faulty(chosen)
    if not wrong:
        held = read(chosen.items())
        async with core.store.write() as conn:
            await rows.keep(conn, person.id, {name: text_of(held, name) for name in chosen})
        if REMINDERS in chosen:
            await _set_reminders(core, person)
    return wrong


async def _set_reminders(core: Core, person: PersonRow) -> None:
    """Let the games that wait for him fall due by his new choice.

    What was said already is not said again: each warning has its day in its Message-ID.
    """
    async with core.store.read() as conn:
        running = await game_rows.of_person(conn, person.id, running=True)
    mine = [row.id for row in running if row.to_move_id == person.id]
    await asyncio.gather(*(core.writer.submit(RearmUnit(game_id)) for game_id in mine))
