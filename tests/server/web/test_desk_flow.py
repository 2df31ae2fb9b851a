"""From a claim to the Board's last word through the pages alone, as people press their buttons."""

import re

from server.store import cases as case_rows
from server.store import offices as office_rows
from server.store import people as person_rows
from server.store.cases import CaseRow
from server.store.offices import NewOffice, Office
from server.store.people import NewPerson
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers


async def _officials(site: Site) -> None:
    """Kaj is controller, Nina sits on the Board, Ole leads another group."""
    async with site.core.store.write() as conn:
        for name, office in (("kaj", Office.KC), ("nina", Office.BOARD), ("ole", Office.TL)):
            new = NewPerson(name=name.title(), email=f"{name}@example.org", created_us=0)
            person = await person_rows.add(conn, new)
            if office is not Office.TL:
                await office_rows.add(conn, NewOffice(person, office.value, None, 0, 1))


async def case_of(site: Site) -> CaseRow:
    async with site.core.store.read() as conn:
        return (await case_rows.listed(conn))[0]


async def claimed(site: Site, browsers: Browsers) -> str:
    """Anna lets her time run out, Bent claims: the case's address."""
    await site.play(await site.game(), "e4")
    await site.play(await site.game(), "e5")
    site.clock.turn(45)
    bent = await browsers.of("bent")
    game = await site.game()
    answer = await bent.post(f"/games/{game.id}/end/time", {"key": "k", "ply": "2"})
    assert answer.status == 303
    return f"/desk/cases/{(await case_of(site)).number}"


def hidden(text: str) -> dict[str, str]:
    """What the letter's form carries."""
    form = text[text.index("/decide") :]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    return {name: value for name, value in fields.items() if name != "csrf"}


async def test_a_claim_is_heard_decided_appealed_and_overturned(site: Site, browsers: Browsers):
    await _officials(site)
    path = await claimed(site, browsers)
    anna, tove = await browsers.of("anna"), await browsers.of("tove")
    status, text = await anna.get(path)
    assert status == 200
    assert "Har hvid overskredet tiden?" in text
    await anna.post(f"{path}/say", {"text": "Jeg har sendt i tide."})
    status, text = await tove.get(path)
    assert "Jeg har sendt i tide." in text
    assert (await tove.post(f"{path}/close", {"text": "Begge er hørt."})).status == 303
    status, text = await tove.get(path)
    print(text)
    answer = await tove.post(
        f"{path}/decide", {"reasons": "Tiden er brugt.", "paragraphs": "§ 6.3.3.1", "step": "draft"}
    )
    text = await answer.text()
    assert answer.status == 200, text
