"""The day's letter to administrators about the mail: held, failed, given up, come back.

Only if there was any since the last one. Not for what officials are told within the hour
(held_mail.py).
"""

from functools import partial

from mail.office_letters.notice_facts import Alarm
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import DAY_US
from server.store.mail import mail_lists
from server.store.mail.inbox import InboxState
from server.store.mail.mail_lists import Which
from server.store.tables import settings
from server.usecases.core.alarms import send_report
from server.usecases.core.context import Core
from server.usecases.mail.bounces import bouncing
from server.usecases.mail.letter_readers import addressed
from server.usecases.mail.sift_mail import Show, listed

SINCE = "mail_report_us"
"""Up to when the mail was reported (µs)."""
_SHOWN = 5
"""The most lines of each kind."""
MOST_DEAD = 1000


async def daily(core: Core) -> None:
    """Write the letter, if the day has one. Whoever does it second finds nothing new."""
    since, is_any = await core.store.reading(partial(_news, core))
    if not is_any:
        return
    counts, lines = await _found(core, since)
    async with core.store.deciding() as conn:
        if await _told(core, conn) != since:
            return
        await settings.put(conn, SINCE, str(core.now_us))
        if counts:
            await send_report(core, conn, Alarm.MAIL_REPORT, counts, "\n".join(lines))


async def _told(core: Core, conn: AsyncConnection) -> int:
    """Up to when it was told; a day back when it never was."""
    return int(await settings.get(conn, SINCE) or core.now_us - DAY_US)


async def _news(core: Core) -> tuple[int, bool]:
    """Since when, and whether there was any mail or dead letter."""
    async with core.store.read() as conn:
        since = await _told(core, conn)
        came = await mail_lists.count(conn, Which(since_us=since))
        return since, bool(came or await mail_lists.dead(conn, since, 1))


async def _found(core: Core, since: int) -> tuple[dict[str, int], list[str]]:
    """How many of what, without what there was none of; and the first of each by name."""
    held = await listed(core, Which((InboxState.HELD,), since))
    known = [line for line in held if Show.STRANGERS not in line.kinds]
    async with core.store.read() as conn:
        shunted = await mail_lists.count(conn, Which((InboxState.SHUNTED,), since))
        dead = await _dead(conn, since)
    bounced = await bouncing(core, since)
    counts = {
        "held": len(known),
        "strangers": len(held) - len(known),
        "shunted": shunted,
        "dead": len(dead),
        "bounced": len(bounced),
    }
    lines = [f"{line.sender}: {line.subject[:80]}" for line in known[:_SHOWN]]
    lines += dead[:_SHOWN] + [one.address for one in bounced[:_SHOWN]]
    return {name: count for name, count in counts.items() if count}, lines


async def _dead(conn: AsyncConnection, since: int) -> list[str]:
    letters = await addressed(conn, await mail_lists.dead(conn, since, MOST_DEAD))
    known = [one for one in letters if not one.is_gone]
    return [f"{one.address}: {(one.letter.last_error or '')[:120]}" for one in known]
