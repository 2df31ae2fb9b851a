"""Officials are told of held mail within the hour, of strangers' alone once a day.

One letter tells of all that has come since the last one, so that a thousand spam mails are one
letter. Not for the desk on which they are judged (mail_desk.py).
"""

from mail.incoming.inbound import parse
from mail.office_letters.notice_facts import Alarm
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import DAY_US, HOUR_US
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import InboxRow
from server.store.tables import settings
from server.usecases.core.alarms import send_alarm
from server.usecases.core.context import Core
from server.usecases.mail.sort_mail import Why
from server.usecases.office.year import controllers

TOLD = "held_mail_told"
"""The id of the newest held mail that a letter told of, and when that was (µs)."""
_SHOWN = 5


async def is_due(core: Core) -> bool:
    """True if officials are to be told of held mail now."""
    async with core.store.read() as conn:
        return bool(await _untold(core, conn))


async def tell(core: Core) -> None:
    """Write to administrators and controllers, with the newest mails that are no strangers'."""
    async with core.store.deciding() as conn:
        found = await _untold(core, conn)
        if found:
            newest = max(row_id for row_id, _ in found)
            urgent_first = sorted(found, key=lambda row: (row[1] == Why.UNREGISTERED, -row[0]))
            shown = [await inbox_rows.find(conn, row_id) for row_id, _ in urgent_first[:_SHOWN]]
            detail = "\n".join(_line(row) for row in shown if row is not None)
            also, unique = await controllers(conn, core.now_us), f"{TOLD}.{newest}"
            await settings.put(conn, TOLD, f"{newest} {core.now_us}")
            await send_alarm(
                *(core, conn, Alarm.MAIL_HELD, unique, detail), count=len(found), also=also
            )


async def _untold(core: Core, conn: AsyncConnection) -> tuple[tuple[int, str], ...]:
    """The ids and notes of the mails of which it is time to tell; none before their time."""
    newest, told_us = (int(part) for part in (await settings.get(conn, TOLD) or "0 0").split())
    waited = core.now_us - told_us
    if waited < HOUR_US:
        return ()
    found = await inbox_rows.held_after(conn, newest)
    is_urgent = any(note != Why.UNREGISTERED for _, note in found)
    return found if is_urgent or waited >= DAY_US else ()


def _line(row: InboxRow) -> str:
    mail = parse(row.raw)
    return f"{mail.from_addr or row.mail_from or '?'}: {mail.subject[:80]}"
