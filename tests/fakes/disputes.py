"""Disputes over time as stories: told to the claim, their case's page read and decided.

Not a test; the worlds are made in scenarios/cases/conftest.py.
"""

import re
from collections.abc import Callable
from datetime import date
from html import unescape

from kskak.game import game_events as ev
from kskak.regulation.editions import Channel, MoveFault, Side
from server.store.cases import cases as case_rows
from tests.fakes.desk import Desk, begin_group, desk_of, enter
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.told_once import Telling
from tests.fakes.world import ANNA, TL, World
from tests.regulation.record import EMAIL, POSTAL, Record, after

START = date(2026, 9, 1)


def _postmark() -> Record:
    """Kendelse 38: the postmark is a day after the day that the sender wrote."""
    record = Record(POSTAL, start=START).rounds(9, black=30).think(0)
    card = ev.CardDates(after(record.day, 1), stated=record.day)
    return record.dispatch(record.day, card, Channel.POST)


def _spoiled() -> Record:
    """Kendelse 59: 28 days, and three for a move that came washed out."""
    record = Record(POSTAL, start=START).rounds(8, white=24, black=26).think(0)
    record.add(ev.FaultySent(Side.BLACK, record.day, MoveFault.ILLEGIBLE)).think(0)
    return record.rounds(1, black=2)


def _late_mail() -> Record:
    """§ 6.8.6: 41 of 40."""
    return Record(EMAIL, start=START).rounds(9).think(0).think(41)


def _unsent() -> Record:
    """Nobody has answered, and time is up."""
    record = Record(EMAIL, start=START).rounds(1).think(0)
    return record.add(ev.LongThinkNotified(Side.BLACK, record.day))


STORIES: dict[str, tuple[Callable[[], Record], int, int]] = {
    "postmark": (_postmark, 3, 2),
    "spoiled": (_spoiled, 3, 3),
    "late_mail": (_late_mail, 1, 2),
    "unsent": (_unsent, 45, 2),
}
"""The game, days from its last sending to the claim, and how many readings the case has."""
EACH = [(name, index) for name, (_, _, many) in STORIES.items() for index in range(many)]


def _telling(name: str) -> Telling:
    make, days, _ = STORIES[name]

    async def tell(world: World) -> None:
        record = make()
        await begin_group(world, record.terms.regulation.value)
        await enter(world, record.events, after(record.day, days))
        async with desk_of(world) as desk:
            await desk.call(ANNA, "POST", f"/games/{world.game}/claim")

    return tell


TELLINGS = {name: _telling(name) for name in STORIES}


async def case_of(world: World) -> tuple[int, str]:
    async with world.core.store.read() as conn:
        row = (await case_rows.list_cases(conn))[0]
    return row.id, f"/desk/cases/{row.number}"


def cards_of(page: Page) -> list[str]:
    """The cards in words, in order."""
    cards = re.findall(r'<article aria-labelledby="reading-.*?</article>', page.html, re.S)
    return [re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", " ", one))) for one in cards]


async def press(tl: Browser, page: Page, number: int, ending: str, button: str) -> Page:
    """One press of a button, nothing filled in."""
    forms = [form for form in page.forms if form.action.endswith(ending)]
    form = forms[number]
    name, value, _ = next(one for one in form.buttons if one[1] == button)
    return await tl.post(form.action, form.fields | {name: value})


async def led(desk: Desk, chosen: int) -> tuple[int, str]:
    """The leader has chosen a reading; the case and its page."""
    case, path = await case_of(desk.world)
    await desk.hear(TL, case)
    async with browser(desk.world) as tl:
        await tl.sign_in(TL)
        letter = await press(tl, await tl.get(path), chosen, "/decide", "draft")
        await press(tl, letter, 0, "/decide", "send")
    await desk.world.pump()
    return case, path
