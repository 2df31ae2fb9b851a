"""The same deed on several things: rehearsed to tell the letters it sends, then done one by one.

A rehearsal does them all in one transaction that is rolled back, so that what it tells is what
would happen, one deed's effect on the next included. In earnest each is a transaction of its own:
done whole or, with a reason, not at all. Not for what a deed does, nor for who may do it.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from server.store.engine.connection import AsyncConnection
from server.store.engine.turns import FEDERATION
from server.store.mail.outbox import NewOutbox, watched
from server.usecases.core.context import Core

MOST = 40
"""Deeds at once: while they are rehearsed on SQLite, nobody else writes."""
Deed = Callable[[], Awaitable[None]]
"""Raises Refused when it is not to be done."""


class Refused(Exception):
    """Why a deed is not done, in the reader's words; whatever it had written is undone."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A deed that was done or rehearsed, and its letters; or why not, ``refusal``."""

    letters: tuple[NewOutbox, ...] = ()
    refusal: str = ""


class _Over(Exception):
    """The rehearsal is over: roll back."""


async def rehearsed(core: Core, deeds: Sequence[Deed]) -> list[Carried]:
    """What the deeds would do, one after the other; nothing is kept."""
    found: list[Carried] = []
    try:
        async with core.writer.together(FEDERATION) as conn:
            for deed in deeds:
                found.append(await _carried(conn, deed, found))
            raise _Over
    except _Over:
        return found


async def done(core: Core, deeds: Sequence[Deed]) -> list[Carried]:
    """Do them, each in a transaction of its own; a refused one leaves the others."""
    found: list[Carried] = []
    for deed in deeds:
        async with core.writer.together(FEDERATION) as conn:
            found.append(await _carried(conn, deed, found))
    return found


async def _carried(conn: AsyncConnection, deed: Deed, before: Sequence[Carried]) -> Carried:
    known = {letter.message_id for one in before for letter in one.letters}
    try:
        async with conn.begin_nested():
            with watched() as letters:
                await deed()
    except Refused as refused:
        return Carried(refusal=str(refused))
    fresh = {one.message_id: one for one in letters if one.message_id not in known}
    return Carried(tuple(fresh.values()))  # the same letter twice is sent once
