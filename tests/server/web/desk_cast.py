"""A claim that has become a case, and its decision on the page. Its officials: fakes/site.py."""

import re
from html import unescape

from kskak.cases.case_events import CaseKind
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import SentLetter
from server.usecases.cases import case_actions
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers


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
