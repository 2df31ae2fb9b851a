"""Saves a person's preferences and applies their immediate effects.

Not for which preferences exist (core/preferences.py) nor for the pages that ask.
"""

import asyncio
from collections.abc import Mapping

from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import preferences as rows
from server.store.play.people import PersonRow
from server.store.tables.player import REMINDERS
from server.usecases.core.context import Core
from server.usecases.core.preferences import Pace, Preferences, faulty, read, text_of
from server.usecases.reflection.reset_due_work import RearmUnit


async def of_person(core: Core, person_id: int) -> Preferences:
    """The preferences in force for a person."""
    return await core.store.look(lambda conn: read(rows.of(conn, person_id)))


async def speak(core: Core, person: PersonRow, lang: str) -> None:
    """Use this language for pages and letters from now on. ``lang`` must be a supported one."""
    async with core.store.write() as conn:
        await person_rows.speak(conn, person.id, lang)


async def keep(core: Core, person: PersonRow, chosen: Mapping[str, str]) -> tuple[str, ...]:
    """Save a person's choices for some fields; returns the invalid fields, () when saved.

    All are saved or none. Raises KeyError for an unknown field.
    """
    wrong = faulty(chosen)
    if not wrong:
        held = read(chosen.items())
        async with core.store.write() as conn:
            await rows.keep(conn, person.id, {name: text_of(held, name) for name in chosen})
        if REMINDERS in chosen:
            await _set_reminders(core, person)
    return wrong


async def send_moves_again(core: Core, person_id: int) -> None:
    """A mail for each of the opponent's moves, as before anything was chosen."""
    async with core.store.write() as conn:
        await rows.keep(conn, person_id, {"letters": Pace.MOVES.value})


async def _set_reminders(core: Core, person: PersonRow) -> None:
    """Reschedule the games in which the person is to move by the new reminder setting.

    A warning already sent is not repeated: its Message-ID contains its day.
    """
    async with core.store.read() as conn:
        running = await game_rows.of_person(conn, person.id, running=True)
    mine = [row.id for row in running if row.to_move_id == person.id]
    await asyncio.gather(*(core.writer.submit(RearmUnit(game_id)) for game_id in mine))
