"""Mails that were handled yesterday are kept packed: a reply quotes the letter that it answers.

Not when they come, when a player's program waits for the answer; not for what goes out.
"""

from functools import partial

from server.store.engine.types import DAY_US
from server.store.mail import packing as rows
from server.usecases.core.context import Core

_BACK_US = 4 * DAY_US
"""Packed a few days late where the server stood still."""
_PORTION = 20
"""Mails read and written at once."""


async def daily(core: Core) -> None:
    """Pack what was handled lately."""
    ids = await core.store.reading(partial(_unpacked, core))
    for at in range(0, len(ids), _PORTION):
        some = await core.store.reading(partial(_read, core, ids[at : at + _PORTION]))
        async with core.store.write() as conn:
            await rows.pack(conn, some)


async def _unpacked(core: Core) -> tuple[int, ...]:
    async with core.store.read() as conn:
        return await rows.unpacked(conn, core.now_us - _BACK_US)


async def _read(core: Core, ids: tuple[int, ...]) -> dict[int, bytes]:
    async with core.store.read() as conn:
        return await rows.raw_of(conn, ids)
