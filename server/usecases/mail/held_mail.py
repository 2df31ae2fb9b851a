"""Officials are told of held mail within the hour, of strangers' alone once a day.

One letter tells of all that has come since the last one, so that a thousand spam mails are one
letter. Not for the desk on which they are judged (mail_desk.py).
"""

from sqlalchemy.ext.asyncio import AsyncConnection

from mail.incoming.inbound import parse
from mail.office_letters.notice_facts import Alarm
from server.store.engine.types import DAY_US, HOUR_US
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import InboxRow, InboxState
from server.store.tables import settings
from server.usecases.core.alarms import send_alarm
from server.usecases.core.context import Core
from server.usecases.mail.sort_mail import Why
from server.usecases.office.year import controllers

TOLD = "held_mail_told"
"""The id of the newest held mail that a letter told of, and when that was (µs)."""
_SHOWN, _MOST = 5, 1000


async def is_due(core: Core) -> bool:
    """True if officials are to be told of held mail now."""
    async with core.store.read() as conn:
        return bool(await _untold(core, conn))


async def tell(core: Core) -> None:
    """Write to administrators and controllers, with the newest mails that are no strangers'."""
    async with core.store.deciding() as conn:
        found = await _untold(core, conn)
        if found:
            newest = max(row.id for row in found)
            detail = "\n".join(_line(row) for row in found[:_SHOWN])
            also, unique = await controllers(conn, core.now_us), f"{TOLD}.{newest}"
            await settings.put(conn, TOLD, f"{newest} {core.now_us}")
            await send_alarm(
                *(core, conn, Alarm.MAIL_HELD, unique, detail), count=len(found), also=also
            )


async def _untold(core: Core, conn: AsyncConnection) -> tuple[InboxRow, ...]:
    """The mails of which it is time to tell, strangers' last; none before their time."""
    newest, told_us = (int(part) for part in (await settings.get(conn, TOLD) or "0 0").split())
    waited = core.now_us - told_us
    if waited < HOUR_US:
        return ()
    found = await inbox_rows.in_state(
        conn, InboxState.HELD, _MOST, after=newest, least=Why.UNREGISTERED
    )
    is_urgent = any(row.note != Why.UNREGISTERED for row in found)
    return found if is_urgent or waited >= DAY_US else ()


def _line(row: InboxRow) -> str:
    mail = parse(row.raw)
    return f"{mail.from_addr or row.mail_from or '?'}: {mail.subject[:80]}"
