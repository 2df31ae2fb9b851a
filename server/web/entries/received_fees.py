"""Fees received for several entries in one go, from the entry desk (§ 6.4.4.1).

Not for one entry's page (entry_desk.py), nor for lines of a bank (pasted.py).
"""

from collections.abc import Iterable

from aiohttp import web

from kskak.entries.admission import EntryRefusal, EntryState
from server.store.entries import of_players as entry_rows
from server.store.entries.of_players import EntryRow
from server.usecases.entries import deeds
from server.usecases.office.rehearsal import Refused
from server.web.desks.bulk import Row
from server.web.desks.overview import held
from server.web.entries.page import entry_words
from server.web.frame.context import core, words
from server.web.frame.form_faults import Fault
from server.web.frame.forms import Form


def unpaid(rows: Iterable[EntryRow], person_id: int) -> list[Row]:
    """The waiting entries whose fee is missing; nobody handles his own."""
    return [
        Row(str(row.id), f"{row.player}, {row.list_name}", f"{row.state} {row.entered_day}")
        for row in rows
        if row.state == EntryState.WAITING and not row.fee_day and row.person_id != person_id
    ]


async def unpaid_now(request: web.Request) -> list[Row]:
    """The same for the viewer, as it is now; nothing for who only reads the desk."""
    person, rights = await held(request)
    if not (rights.is_kc or rights.lists):
        return []
    mine = None if rights.is_kc else rights.lists
    async with core(request).store.read() as conn:
        rows = await entry_rows.on_lists(conn, mine, [EntryState.WAITING.value])
    return unpaid(rows, person.id)


async def receive(request: web.Request, row: Row, form: Form) -> None:
    """Record one fee, as on the entry's own page."""
    (person, _), on = await held(request), form.day("on")
    assert on is not None
    done = await deeds.record_fee(core(request), person, int(row.key), on)
    if isinstance(done, EntryRefusal):
        raise Refused(" ".join(entry_words(request).refused(done)))


def check_day(request: web.Request, form: Form) -> None:
    """Raise Fault unless the day on which the fees came can be read, and is not to come."""
    on = form.day("on")
    if on is None or on > core(request).today(core(request).settings.clock.zone):
        raise Fault("on", words(request).words("bulk.bad_day"))
