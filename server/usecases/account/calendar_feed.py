"""A person's calendar feed: leave, holidays, pauses and the last day to answer in each game.

The controller's and the administrators' feeds also list the dated steps of the year (§ 6.1.2).
Anyone with the address can read the feed, so its key is random, made on request and revocable;
no moves are in it. Not for the web page (server.web).
"""

import asyncio
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from kskak.office.year import Item
from kskak.play.due_days import has_notice
from kskak.regulation.days import CAUSE_PARAGRAPH, ONE_DAY
from mail.text.words import Words
from server.store.account import calendar_keys
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NotAllowed
from server.usecases.office.year import year_of
from server.usecases.reflection.leave import fields_of
from server.usecases.reflection.leave_year import Still, leave_year

if TYPE_CHECKING:
    import icalendar

_BYTES = 24
REFRESH = timedelta(hours=6)
"""How often a calendar program should refresh (RFC 7986)."""


async def new_feed(core: Core, person_id: int) -> str:
    """A new key for a person's feed, shown once; the old one stops working."""
    key = secrets.token_urlsafe(_BYTES)
    async with core.store.write() as conn:
        await calendar_keys.replace(conn, person_id, key, core.now_us)
    return key


async def end_feed(core: Core, person_id: int) -> None:
    """Revoke a person's feed."""
    async with core.store.write() as conn:
        await calendar_keys.revoke(conn, person_id)


async def has_feed(core: Core, person_id: int) -> bool:
    """True if the person has a feed."""
    async with core.store.read() as conn:
        return await calendar_keys.has_key(conn, person_id)


@dataclass(frozen=True, slots=True)
class Entry:
    """An all-day event, both ends included. ``uid`` is the same every time the feed is read."""

    uid: str
    first: date
    last: date
    summary: str
    description: str
    url: str


async def calendar_of_key(core: Core, key: str) -> bytes | None:
    """The feed's text (RFC 5545); None for an unknown key."""
    async with core.store.read() as conn:
        person_id = await calendar_keys.person_of(conn, key)
        person = None if person_id is None else await person_rows.find(conn, person_id)
    if person is None:
        return None
    words = Words.reaching(person.lang)
    entries = await _all(core, person, words)
    return await asyncio.to_thread(_text, core, words, entries)


async def _all(core: Core, person: PersonRow, words: Words) -> list[Entry]:
    """Entries for this year and the next, and for the games in which the person is to move."""
    year = core.today(core.settings.clock.zone).year
    found: list[Entry] = []
    for each in (year, year + 1):
        stills = (await leave_year(core, person.id, each)).stills
        found += [_still(core, still, words) for still in stills]
    for field in await fields_of(core, person.id):
        for row in field.rows:
            found += _answers(core, row, person.id, words)
    return [*found, *await _steps(core, person, words, (year, year + 1))]


async def _steps(core: Core, person: PersonRow, words: Words, years: Iterable[int]) -> list[Entry]:
    """The dated steps of the year, for the controller and administrators only (§ 6.1.2)."""
    try:
        plans = [await year_of(core, person, each) for each in years]
    except NotAllowed:
        return []
    return [_step(core, item, words) for plan in plans for item in plan.items if item.day]


def _step(core: Core, item: Item, words: Words) -> Entry:
    assert item.day is not None
    tournament, step = words(f"year.form.{item.form.value}"), words(f"year.step.{item.step.value}")
    summary = words("year.entry", tournament=tournament, season=item.season, step=step)
    state = words("year.done_mark") if item.is_done else words(f"year.state.{item.state.value}")
    text = words("year.feed_text", paragraph=f"§ {item.paragraph}", state=state)
    uid = f"year-{item.form.value}-{item.season}-{item.step.value}"
    url = core.url(f"/desk/kc/year?year={item.day.year}")
    return Entry(uid, item.day, item.day, summary, text, url)


def _still(core: Core, still: Still, words: Words) -> Entry:
    """An entry for days on which time stands still, and why."""
    cause = words(f"statement.cause.{still.cause.value}")
    who = f"{still.name}: " if still.name else ""
    games = "-".join(still.games).replace("/", ".")
    uid = f"{still.cause.value}-{still.first}-{still.last}-{games}"
    text = words("leaves.feed.still", paragraph=CAUSE_PARAGRAPH[still.cause])
    named = "\n".join((text, ", ".join(still.games))) if still.games else text
    return Entry(uid, still.first, still.last, f"{who}{cause}", named, core.url("/leave"))


def _answers(core: Core, row: GameRow, person_id: int, words: Words) -> Iterator[Entry]:
    """The last day to answer in a game where the person is to move (§ 6.3.3.1)."""
    state = row.state()
    running = state.running()
    if running is None or running.flag_on is None or row.to_move_id != person_id:
        return
    opponent = row.black if row.white_id == person_id else row.white
    last = running.flag_on - ONE_DAY
    text = words("leaves.feed.answer_more", game=row.name)
    if has_notice(state):
        text = "\n".join((text, words("leaves.feed.noticed")))
    summary = words("leaves.feed.answer", opponent=opponent)
    yield Entry(f"answer-{row.id}", last, last, summary, text, core.url(f"/games/{row.id}"))


def _text(core: Core, words: Words, entries: list[Entry]) -> bytes:
    # Nobody's start waits for this library; here, off the event loop, its loading delays nobody.
    import icalendar

    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//kskak//K-skak//DA")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", words("leaves.feed.name"))
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    for entry in entries:
        calendar.add_component(_event(entry, core.settings.mail.domain, core.clock.now()))
    return bytes(calendar.to_ical())


def _event(entry: Entry, domain: str, now: datetime) -> "icalendar.Event":
    import icalendar

    event = icalendar.Event()
    event.add("uid", f"{entry.uid}@{domain}")
    event.add("dtstamp", now)
    event.add("dtstart", entry.first)
    event.add("dtend", entry.last + ONE_DAY)
    event.add("summary", entry.summary)
    event.add("description", entry.description)
    event.add("url", entry.url)
    event.add("transp", "TRANSPARENT")
    return event
