"""What a person takes away: everything the server keeps about them, and their calendar."""

import asyncio
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from kskak.archive.past_game import StartRatings, pgn
from kskak.ledger.ledger_files import JsonObject, JsonValue, ledger_json
from kskak.office.year import SeasonStep
from kskak.play.due_days import has_notice
from kskak.regulation.days import CAUSE_PARAGRAPH, ONE_DAY
from kskak.statement.account import account
from mail.text.catalogue import Words
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.account import retention as retention_rows
from server.store.account import sign_in as access
from server.store.account.retention import OWN, RemovalObstacles, Value
from server.store.engine.rows import from_us
from server.store.groups import GroupRow
from server.store.play import game_lists
from server.store.play import people as person_rows
from server.store.play.game_lists import WholeGames
from server.store.play.games import GameRow, read_events
from server.store.play.people import PersonRow
from server.usecases.cases.case_file import Part, as_zip, dump_json
from server.usecases.context import Core, today_of
from server.usecases.office import year_of
from server.usecases.play.game_views import build_pgn_facts
from server.usecases.reflection.leave import fields_of
from server.usecases.reflection.leave_year import TimeStoppage, leave_year
from server.usecases.rights import NotAllowed

# Everything the server keeps about a person: a zip of it, for that person alone; its removal.

_ENDINGS = {
    "message/rfc822": "eml",
    "application/json": "json",
    "application/pdf": "pdf",
    "image/png": "png",
    "image/jpeg": "jpg",
}


async def copy_of(core: Core, person: PersonRow) -> bytes:
    """The zip. Made in a thread: it replays the ledgers of all the person's games."""
    async with core.store.read() as conn:
        own = await game_lists.list_person_games(conn, person.id)
        rows = {one.table: await retention_rows.own_rows(conn, one, person.id) for one in OWN}
        files = await retention_rows.files_of(conn, person.id)
        groups = await group_rows.by_ids(conn, {row.group_id for row in own.games})
        ratings = await member_rows.start_ratings(conn, own.games)

    def parts() -> Iterator[Part]:
        day = Words.load(person.lang)("account.copy_index", name=person.name)
        yield "README.txt", (day + "\n").encode()
        for table, some in rows.items():
            if some:
                yield f"data/{table}.json", dump_json([_readable(row) for row in some])
        for kept in files:
            ending = _ENDINGS.get(kept.media_type.partition(";")[0], "txt")
            yield f"{kept.folder}/{kept.name}.{ending}", bytes(kept.octets)
        yield from _game_parts(own, groups, ratings)

    return await asyncio.to_thread(lambda: as_zip(sorted(parts())))


def _game_parts(
    own: WholeGames, groups: dict[int, GroupRow], ratings: dict[int, StartRatings]
) -> Iterator[Part]:
    transcripts = []
    for row in own.games:
        played = account(row.terms, read_events(own.events[row.id]))
        facts = build_pgn_facts(groups[row.group_id].tournament, row, played, ratings[row.id])
        transcripts.append(pgn(played, facts))
        folder = f"games/{row.name.replace('/', '-')}"
        yield f"{folder}/game.pgn", transcripts[-1].encode()
        for name, value in _of_game(row, own):
            yield f"{folder}/{name}.json", dump_json(value)
    if transcripts:
        yield "games.pgn", "\n".join(transcripts).encode()


def _of_game(row: GameRow, own: WholeGames) -> Iterator[tuple[str, JsonValue]]:
    """The ledger, the messages sent with moves, and the thread."""
    yield "ledger", ledger_json(row.terms, read_events(own.events[row.id]))
    names = {row.white_id: row.white, row.black_id: row.black}
    if said := own.messages[row.id]:
        messages: list[JsonValue] = [
            {"event": one.seq, "by": names.get(one.author_id), "text": one.text} for one in said
        ]
        yield "messages", messages
    if quiet := own.threads[row.id]:
        thread: list[JsonValue] = [
            {"at": _at(one.at_us), "by": names.get(one.author_id), "text": one.text}
            for one in quiet
        ]
        yield "thread", thread


def _at(us: int) -> str:
    return from_us(us).isoformat()


def _readable(row: dict[str, Value]) -> JsonObject:
    """A row with readable instants: microseconds become ISO times in UTC."""
    return {
        name.removesuffix("_us"): _at(value)
        if name.endswith("_us") and isinstance(value, int)
        else value
        for name, value in row.items()
    }


async def find_removal_obstacles(core: Core, person: PersonRow) -> RemovalObstacles:
    """What stands in the way of removal now."""
    today = today_of(core).isoformat()
    return await core.store.query(
        retention_rows.find_removal_obstacles, person.id, today, core.now_us
    )


async def remove(core: Core, person: PersonRow) -> RemovalObstacles | None:
    """Remove the account, all or nothing; returns None when done, else what stands in the way."""
    today = today_of(core).isoformat()
    async with core.store.write() as conn:
        found = await retention_rows.find_removal_obstacles(conn, person.id, today, core.now_us)
        if not found.is_free:
            return found
        await retention_rows.remove_account(conn, person.id)
    return None


# A person's calendar feed: leave, holidays, pauses and the last day to answer in each game.

_BYTES = 24
REFRESH = timedelta(hours=6)
"""How often a calendar program should refresh (RFC 7986)."""


ALARMS = (timedelta(days=-3, hours=9), timedelta(hours=9))
"""When a calendar program reminds of a last day: at nine three days before, and on the day."""


async def create_feed(core: Core, person_id: int) -> str:
    """A new key for a person's feed, shown once; the old one stops working."""
    key = secrets.token_urlsafe(_BYTES)
    await core.store.change(access.replace_key, access.CALENDAR, person_id, key, core.now_us)
    return key


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An all-day event, both ends included. ``uid`` is the same every time the feed is read."""

    uid: str
    first: date
    last: date
    summary: str
    description: str
    url: str
    is_due: bool = False
    """Whether it is a last day, of which a calendar program reminds (``ALARMS``)."""


async def calendar_of_key(core: Core, key: str) -> bytes | None:
    """The feed's text (RFC 5545); None for an unknown key."""
    async with core.store.read() as conn:
        person_id = await access.person_of(conn, key)
        person = None if person_id is None else await person_rows.find_person(conn, person_id)
    if person is None:
        return None
    words = Words.reaching(person.lang)
    entries = await _all(core, person, words)
    return await asyncio.to_thread(_text, core, words, entries)


async def _all(core: Core, person: PersonRow, words: Words) -> list[CalendarEvent]:
    """Entries for this year and the next, and for the games in which the person is to move."""
    year = today_of(core).year
    found: list[CalendarEvent] = []
    for each in (year, year + 1):
        stills = (await leave_year(core, person.id, each)).stills
        found += [_still(core, still, words) for still in stills]
    for field in await fields_of(core, person.id):
        for row in field.rows:
            found += _answers(core, row, person.id, words)
    return [*found, *await _steps(core, person, words, (year, year + 1))]


async def _steps(
    core: Core, person: PersonRow, words: Words, years: Iterable[int]
) -> list[CalendarEvent]:
    """The dated steps of the year, for the controller and administrators only (§ 6.1.2)."""
    try:
        plans = [await year_of(core, person, each) for each in years]
    except NotAllowed:
        return []
    return [_step(core, item, words) for plan in plans for item in plan.items if item.day]


def _step(core: Core, item: SeasonStep, words: Words) -> CalendarEvent:
    assert item.day is not None
    tournament, step = words(f"year.form.{item.form.value}"), words(f"year.step.{item.step.value}")
    summary = words("year.entry", tournament=tournament, season=item.season, step=step)
    state = words("year.done_mark") if item.is_done else words(f"year.state.{item.state.value}")
    text = words("year.feed_text", paragraph=f"§ {item.paragraph}", state=state)
    uid = f"year-{item.form.value}-{item.season}-{item.step.value}"
    url = core.url(f"/desk/kc/year?year={item.day.year}")
    return CalendarEvent(uid, item.day, item.day, summary, text, url)


def _still(core: Core, still: TimeStoppage, words: Words) -> CalendarEvent:
    """An entry for days on which time stands still, and why."""
    cause = words(f"statement.cause.{still.cause.value}")
    who = f"{still.name}: " if still.name else ""
    games = "-".join(still.games).replace("/", ".")
    uid = f"{still.cause.value}-{still.first}-{still.last}-{games}"
    text = words("leaves.feed.still", paragraph=CAUSE_PARAGRAPH[still.cause])
    named = "\n".join((text, ", ".join(still.games))) if still.games else text
    return CalendarEvent(uid, still.first, still.last, f"{who}{cause}", named, core.url("/leave"))


def _answers(core: Core, row: GameRow, person_id: int, words: Words) -> Iterator[CalendarEvent]:
    """The last day to answer in a game where the person is to move (§ 6.3.3.1)."""
    state = row.state()
    running = state.running()
    if running is None or running.flag_on is None or row.to_move_id != person_id:
        return
    opponent = row.black if row.white_id == person_id else row.white
    last = running.flag_on - ONE_DAY
    text = words("leaves.feed.answer_more", game=row.name, **state.terms.rules.cited)
    if has_notice(state):
        text = "\n".join((text, words("leaves.feed.noticed")))
    summary = words("leaves.feed.answer", opponent=opponent)
    url = core.url(f"/games/{row.id}")
    yield CalendarEvent(f"answer-{row.id}", last, last, summary, text, url, is_due=True)


def _text(core: Core, words: Words, entries: list[CalendarEvent]) -> bytes:
    # Nobody's start waits for this library; here, off the event loop, its loading delays nobody.
    import icalendar

    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//kskak//K-skak//DA")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", words("leaves.feed.name"))
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    for entry in entries:
        event = icalendar.Event()
        event.add("uid", f"{entry.uid}@{core.settings.mail.domain}")
        event.add("dtstamp", core.clock.now())
        event.add("dtstart", entry.first)
        event.add("dtend", entry.last + ONE_DAY)
        for name in ("summary", "description", "url"):
            event.add(name, getattr(entry, name))
        event.add("transp", "TRANSPARENT")
        for trigger in ALARMS if entry.is_due else ():
            alarm = icalendar.Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", entry.summary)
            alarm.add("trigger", trigger)
            event.add_component(alarm)
        calendar.add_component(event)
    return bytes(calendar.to_ical())
