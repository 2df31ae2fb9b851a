"""Alarms for whoever runs the server: a letter to every administrator at once, one a day for each.

Not for words (mail.office_letters.service) nor for what is wrong at this moment (readiness,
metrics).
"""

from collections.abc import Iterable, Mapping

from mail.office_letters.notice_facts import Alarm, OperatorAlert
from server.store.engine.connection import AsyncConnection
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import people as person_rows
from server.store.play.offices import Office, holders
from server.store.play.people import PersonRow, Role
from server.usecases.core.context import Core, poster_of, today_of
from server.usecases.core.letter_facts import official
from server.usecases.core.letter_params import Params, text
from server.usecases.core.outbox_letters import Kind


async def raise_alarm(core: Core, alarm: Alarm, about: str, detail: str) -> None:
    """Tell every administrator, once a day for the same ``about``, with the first ``detail``."""
    unique = f"{alarm.value}.{about}.{today_of(core)}"
    async with core.store.write() as conn:
        await send_alarm(core, conn, alarm, unique, detail)


async def send_alarm(
    core: Core,
    conn: AsyncConnection,
    alarm: Alarm,
    unique: str,
    detail: str,
    *,
    count: int = 1,
    also: Iterable[int] = (),
) -> None:
    """Tell every administrator, and ``also`` these persons, in the caller's transaction."""
    params: dict[str, object] = {"alarm": alarm.value, "detail": detail[:500], "count": count}
    told = await administrators(core, conn) | set(also)
    letters = [poster_of(core).to_person(Kind.ALARM, who, unique, params) for who in sorted(told)]
    await outbox_rows.enqueue(conn, letters)


async def administrators(core: Core, conn: AsyncConnection) -> set[int]:
    """Those who run the server, by role or office."""
    told = {person.id for person in await person_rows.everybody(conn, Role.ADMIN)}
    return told | {held.person_id for held in await holders(conn, Office.ADMIN, core.now_us)}


async def send_report(
    core: Core, conn: AsyncConnection, alarm: Alarm, counts: Mapping[str, int], detail: str
) -> None:
    """Tell every administrator once a day how many there were of what."""
    unique, count = f"{alarm.value}.{today_of(core)}", sum(counts.values())
    params: dict[str, object] = {"alarm": alarm.value, "detail": detail, "count": count}
    params["counts"] = dict(counts)
    told = sorted(await administrators(core, conn))
    letters = [poster_of(core).to_person(Kind.ALARM, who, unique, params) for who in told]
    await outbox_rows.enqueue(conn, letters)


async def _letter(core: Core, reader: PersonRow, params: Params, row: OutboxRow) -> OperatorAlert:
    alarm, detail = Alarm(text(params, "alarm")), text(params, "detail")
    count, counts = params.get("count", 1), params.get("counts", {})
    said = counts.items() if isinstance(counts, dict) else ()
    return OperatorAlert(
        official(core),
        alarm,
        count if isinstance(count, int) else 1,
        (detail,),
        tuple((str(name), n) for name, n in said if isinstance(n, int)),
    )


ALARMS = {Kind.ALARM: _letter}
