"""Sending faulty forms to the pages under test, and that each is answered politely."""

from itertools import groupby

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
    """Send all of them; each is answered politely, and nothing is kept of any.

    A page is opened once: as nothing is kept, it is the same for each of its faulty forms. What is
    kept is looked at after all posts to one address.
    """
    opened: dict[str, Browser] = {}
    pages: dict[tuple[str, str], str] = {}
    wrong: list[str] = []
    before = everything(site)
    for action, posts in groupby(asked, key=lambda one: one.action):
        for one in posts:
            if one.who not in opened:
                is_known = one.who != "stranger"
                opened[one.who] = await (browsers.of(one.who) if is_known else browsers.stranger())
                before = everything(site)
            browser, key = opened[one.who], (one.who, one.page)
            if key not in pages:
                status, pages[key] = await browser.get(one.page)
                assert status == 200, key
            is_there = one.is_above or one.is_foreign or f'name="{one.at}"' in pages[key]
            assert is_there, (*key, one.at)
            answer = await browser.post(one.action, one.fields)
            wrong += complaints(one, answer.status, await answer.text())
        after = everything(site)
        wrong += [f"{action}: {name} changed" for name in before if before[name] != after[name]]
        before = after
    assert not wrong, "\n".join(wrong)
