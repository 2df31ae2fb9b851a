"""Entries whose day has come: looked at once a day (§ 6.5.1.2, § 6.4.2).

A danger of relegation passes as games end, a quarantine runs out, a result opens a class: what
waited for nothing else becomes valid by itself. Not for what an official does (deeds.py).
"""

from kskak.entries.admission import EntryState
from mail.office_letters.entry_letters import EntryNews
from server.store.entries import lists as list_rows
from server.store.entries import of_players as entry_rows
from server.store.mail import daily_duties as duty_rows
from server.usecases.core.context import Core, today_of
from server.usecases.entries.deeds import settle
from server.usecases.entries.judging import judge_kept


async def daily(core: Core) -> None:
    """Look through what waits, a list at a time, each in one transaction."""
    today = today_of(core).isoformat()
    async with core.store.write() as conn:
        if not await duty_rows.take(conn, "entries", today, core.now_us):
            return
        ids = [row.id for row in await list_rows.everything(conn)]
    for list_id in ids:
        await _look(core, list_id)


async def _look(core: Core, list_id: int) -> None:
    async with core.store.deciding() as conn:
        of = await list_rows.lock(conn, list_id)
        assert of is not None
        for row in await entry_rows.on_lists(conn, [list_id], [EntryState.WAITING.value]):
            judged = await judge_kept(conn, row, today_of(core))
            if judged.state is EntryState.VALID:
                await settle(core, conn, of, row.id, EntryNews.VALID)
