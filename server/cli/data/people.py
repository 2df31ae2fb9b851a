"""What the commands about people share: finding one person by address.

Not a command itself.
"""

import asyncio
from collections.abc import Awaitable, Callable

from server.app import opened
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core


def for_person(
    settings: Settings, email: str, make: Callable[[Core, PersonRow], Awaitable[str]]
) -> str:
    """What ``make`` returns for the person with this address. InputError if there is none."""

    async def work() -> str:
        async with opened(settings) as core:
            async with core.store.read() as conn:
                found = await person_rows.by_email(conn, email)
            if found is None:
                raise InputError(f"{email} is not registered: kskak user add NAME EMAIL")
            return await make(core, found)

    try:
        return asyncio.run(work())
    except StoreError as error:
        raise InputError(str(error)) from error
