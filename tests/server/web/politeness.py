"""Sending faulty forms to the pages under test, and that each is answered politely."""

from sqlalchemy import update

from server.store.tables.base import people
from tests.fakes.faulty import Faulty, complaints, everything
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

LONG = ("Ærø " * 6000).strip()
"""24,000 characters: more than any field takes but those that are refused before."""


async def spoken(site: Site, lang: str) -> None:
    """Everybody reads this language."""
    async with site.core.store.write() as conn:
        await conn.execute(update(people).values(lang=lang))


async def refused(site: Site, browsers: Browsers, asked: list[Faulty]) -> None:
    """Send all of them; each is answered politely, and nothing is kept of any."""
    opened: dict[str, Browser] = {}
    wrong: list[str] = []
    for one in asked:
        if one.who not in opened:
            is_known = one.who != "stranger"
            opened[one.who] = await (browsers.of(one.who) if is_known else browsers.stranger())
        status, page = await opened[one.who].get(one.page)
        is_there = one.is_above or one.is_foreign or f'name="{one.at}"' in page
        assert status == 200 and is_there, (one.who, one.page, one.at, status)
        before = everything(site)
        answer = await opened[one.who].post(one.action, one.fields)
        text = await answer.text()
        wrong += complaints(one, answer.status, text)
        after = everything(site)
        wrong += [f"{one.action}: {name} changed" for name in before if before[name] != after[name]]
    assert not wrong, "\n".join(wrong)
