"""Entries and payments pasted on the controller's page: shown first, counted when ticked."""

from html import unescape

from server.store import entries as entry_rows
from server.store.entries import EntryRow
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.faulty.test_faulty_deeds import PASTED
from tests.server.web.filled import fields_in

PLAYERS = "Klasse\tNavn\tFødt\tNr\nCup\tBent Bæk\t1950-02-28\t4711\n\t<b>Ukendt</b>\t\t"
BANK = "Dato;Tekst;Beløb\n01-09-2026;Fra Bent Bæk;150,00\n01-09-2026;Gebyr;-5,00\n"


async def opened(site: Site) -> None:
    """The officials, and a list of the cup with a fee."""
    await officials(site)
    kaj = await site.person("kaj")
    await site.open_list(kaj, "Cup", "cup preliminary", "P", "tove", tournament="Pokal", fee=15_000)


async def entries(site: Site) -> list[EntryRow]:
    async with site.core.store.read() as conn:
        return list(await entry_rows.on_lists(conn, None, ("waiting", "valid")))


async def test_lines_are_shown_then_entered_then_paid(site: Site, browsers: Browsers):
    await opened(site)
    kaj = await browsers.of("kaj")
    answer = await kaj.post(PASTED, {"what": "entries", "lines": PLAYERS, "step": "look"})
    raw = await answer.text()
    assert answer.status == 200 and "&lt;b&gt;Ukendt&lt;/b&gt;" in raw and "<b>Ukendt" not in raw
    assert "Der er ingen i registret" in raw and "Fundet på navnet." in unescape(raw)
    fields = fields_in(raw, PASTED)
    assert sum(name.startswith("take-") for name in fields) == 1
    assert await entries(site) == []
    answer = await kaj.post(PASTED, fields | {"step": "take"})
    assert "1 spiller er tilmeldt" in unescape(await answer.text())
    (row,) = await entries(site)
    assert (row.player, row.born, row.member) == ("Bent Bæk", "1950-02-28", "4711")
    answer = await kaj.post(PASTED, {"what": "fees", "lines": BANK, "step": "look"})
    raw = await answer.text()
    assert "Det er ikke en indbetaling." in raw
    answer = await kaj.post(PASTED, fields_in(raw, PASTED) | {"step": "take"})
    assert "1 indskud er noteret." in await answer.text()
    (row,) = await entries(site)
    assert (row.state, row.fee_day) == ("valid", "2026-09-01")
    answer = await kaj.post(PASTED, {"what": "fees", "lines": BANK, "step": "take"})
    assert "Intet var afkrydset." in await answer.text()
    assert (await kaj.post(PASTED, {"what": "andet", "lines": "x"})).status == 400
