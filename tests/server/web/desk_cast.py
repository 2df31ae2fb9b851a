"""The officials of the desk's tests, and a claim that has become a case.

Kaj is controller, Nina sits on the Board, Ole leads another group; Tove leads this one.
"""

import re
from html import unescape

from kskak.cases.case_events import CaseKind
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import SentLetter
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, NewPerson, Office
from server.usecases.cases import case_actions
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.site import Site, group_text
from tests.server.web.conftest import Browser, Browsers

OTHER = "K-26-99"
MEMBERS = ("nina", "nils", "nora")
HELD = (("kaj", Office.KC), *((name, Office.BOARD) for name in MEMBERS))


async def officials(site: Site) -> None:
    """Appoint them; Ole's group has the same players, so that only its leader differs."""
    async with site.core.store.write() as conn:
        for name, office in HELD:
            new = NewPerson(name=name.title(), email=f"{name}@example.org", created_us=0)
            person = await person_rows.add_person(conn, new)
            await person_rows.add_office(conn, NewOffice(person, office.value, None, 0, 1))
        new = NewPerson(name="Ole", email="ole@example.org", created_us=0)
        await person_rows.add_person(conn, new)
    text = group_text(OTHER).replace("tove@example.org", "ole@example.org")
    await start_group(site.core, read_group_file(text))


async def case_of(site: Site) -> CaseRow:
    """The newest case."""
    async with site.core.store.read() as conn:
        return (await case_rows.list_cases(conn))[0]


async def claimed(site: Site, browsers: Browsers) -> str:
    """Anna lets her time run out, Bent claims on the page: the case's address."""
    await site.play(await site.game(), "e4")
    await site.play(await site.game(), "e5")
    site.clock.turn(45)
    bent = await browsers.of("bent")
    game = await site.game()
    answer = await bent.post(f"/games/{game.id}/end/time", {"key": "k", "ply": "2"})
    assert answer.status == 303
    return str(answer.headers["Location"])


async def objected(site: Site) -> str:
    """Anna asks whether the days are right: the case's address."""
    game, anna = await site.game(), await site.person("anna@example.org")
    case = await case_actions.object_to(site.core, anna, game.id, CaseKind.DAYS, "Nej.")
    assert isinstance(case, CaseRow)
    return f"/desk/cases/{case.number}"


async def letters_go(site: Site) -> None:
    """All letters are taken by their readers' servers now."""
    store, now = site.core.store, site.core.now_us
    while rows := await outbox_rows.claim(store, now):
        await outbox_rows.mark_sent(store, [SentLetter(row.id, None) for row in rows], now)


async def decided(browser: Browser, path: str, fields: dict[str, str]) -> str:
    """Write a decision, read its letter, tick, send: the letter's page as it was read."""
    answer = await browser.post(f"{path}/decide", fields | {"step": "draft"})
    text = unescape(await answer.text())
    assert answer.status == 200, text
    carried = carried_fields(text)
    sent = carried | {"step": "send", "confirm": "1", "letter": letter_in(text)}
    answer = await browser.post(f"{path}/decide", sent)
    assert answer.status == 303, unescape(await answer.text())
    return text


def carried_fields(text: str, of: str = "decide") -> dict[str, str]:
    """What the letter's form carries of the decision."""
    form = text[text.index(f'/{of}">') :]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    areas = re.findall(r'<textarea (?:id="reasons" )?name="([^"]+)"[^>]*>([^<]*)</textarea>', form)
    return {name: value for name, value in {**fields, **dict(areas)}.items() if name != "csrf"}


def letter_in(text: str) -> str:
    """The letter's text in its field."""
    found = re.search(r'<textarea id="letter"[^>]*>([^<]*)</textarea>', text)
    assert found is not None
    return found[1]
