"""A letter that did not arrive: its report is read, leader and player are told (§ 6.8.2).

A report counts if it names the address the letter went to, and came to the letter's own return
path, with a null sender, by our relay. Even so the recipient could have made it himself: it stops
nobody's time; the leader may (below). What our own relay refused is no report, but our
own record, and does stop it. Also the addresses that bounce: whose, how often, and when last. Not
for letters that are merely late on our side (silence_and_outages.py).
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b

from kskak.game.game_commands import Command, StopTime
from kskak.play.game_state import GameState
from kskak.reflection import open_pause
from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.editions import PauseReason, Regulation, Side
from mail.game_letters.move_letters import PositionLetter, Relay
from mail.game_letters.time_letters import Digest, Reminder
from mail.incoming.mime import split_headers
from mail.incoming.parse_mail import read_addresses
from mail.incoming.robots import DeliveryReport, DeliveryStatus, read_report
from mail.office_letters.service_letters import DeliveryTrouble
from server.store.account.retention import is_gone
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, from_us
from server.store.mail import due_work as due_rows
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxMark, InboxRow, InboxState, MailFilter
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.context import Core, poster_of
from server.usecases.games.outbox_letters import read_bounce_token
from server.usecases.letter_facts import (
    NoLetter,
    Params,
    day,
    loads,
    number,
    official,
    person,
    read_digest_events,
    text,
    texts,
)
from server.usecases.mail.parsed_mail import is_trusted, own_mail
from server.usecases.mail.sort_mail import Bounce, bounce_token
from server.usecases.play.game_requests import Observe, submit_observation
from server.usecases.rights import rights

# To whom letters went, or would go: a letter names a person until it is sent.


@dataclass(frozen=True, slots=True)
class AddressedLetter:
    """A letter with its address. ``is_gone``: its reader's account was removed."""

    letter: OutboxRow
    address: str
    name: str
    is_gone: bool


async def add_addresses(
    conn: AsyncConnection, letters: Sequence[OutboxRow]
) -> tuple[AddressedLetter, ...]:
    """Letters with their addresses, in the same order."""
    ids = {letter.person_id for letter in letters if letter.person_id is not None}
    people = await person_rows.by_ids(conn, ids)
    found = []
    for letter in letters:
        person = people.get(letter.person_id or 0)
        name, email = ("", "") if person is None else (person.name, person.email)
        address = sent_to(letter, letter.to_addr or email)
        found.append(AddressedLetter(letter, address, name, is_gone(email)))
    return tuple(found)


def sent_to(letter: OutboxRow, now: str | None) -> str:
    """The address a letter went to, else ``now``, where it would go; he may have another by now."""
    to = () if not letter.raw else read_addresses(split_headers(letter.raw), "to")
    return to[0] if to else now or ""


# A letter that did not arrive: its report is read, leader and player are told (§ 6.8.2).

RELAYS = frozenset({Relay.kind, PositionLetter.kind, Reminder.kind, Digest.kind})
"""The letters by which a player learns that it is his move."""
KEPT, LATE, LOST = "bounce", "delayed", "undelivered"
"""Outcomes of reports: of no consequence, that a letter is late, that it was given up."""
SEVERAL = 3
WITHIN_US = 7 * DAY_US
"""So many reports in so long that letters to somebody are late are worth telling."""


async def note_report(core: Core, row: InboxRow, bounce: Bounce) -> str:
    """Act on what came back for a letter of ours; the mail's outcome."""
    letter = await _letter(core, row, bounce.token)
    mark = InboxMark(row.id, InboxState.DONE, KEPT)
    if letter is not None and letter.person_id is not None:
        person = await core.store.query(person_rows.find_person, letter.person_id)
        report = None if person is None else _read(row, letter, person, bounce)
        if person is not None and report is not None:
            outcome = LOST if report.fate is DeliveryStatus.FAILED else LATE
            mark = InboxMark(row.id, mark.state, outcome, report.said, person.id, letter.game_id)
            since = row.received_us - WITHIN_US
            late = await core.store.query(inbox_rows.with_outcome, person.id, (LATE,), since)
            if outcome == LOST or len(late) + 1 >= SEVERAL:
                told = {"is_report": True, "is_trying": outcome == LATE}
                await _notify_leaders(core, letter, person, row.received_us, report.said, **told)
    await core.store.change(inbox_rows.mark, mark)
    return mark.outcome


async def _letter(core: Core, row: InboxRow, token: str | None) -> OutboxRow | None:
    """The letter a mail reports on; None if the mail is not to be believed."""
    relays = core.settings.mail.in_.trusted_relays
    if token is None or row.mail_from or (relays and not is_trusted(core, row.peer)):
        return None
    outbox_id = read_bounce_token(core.secret, token)
    if outbox_id is None:
        return None
    return await core.store.query(outbox_rows.find, outbox_id)


def _read(
    row: InboxRow, letter: OutboxRow, person: PersonRow, bounce: Bounce
) -> DeliveryReport | None:
    """The report on a letter; None if it says nothing of the address the letter went to."""
    report = read_report(row.raw, sent_to(letter, person.email), is_daemons=bounce.is_daemons)
    return report if report.names_address and report.fate is not DeliveryStatus.NONE else None


async def note_undeliverable(core: Core, letter: OutboxRow, at_us: int, reason: str) -> None:
    """Act on a letter that our relay refused, or would not take for days: the time is stopped."""
    person = await core.store.query(person_rows.find_person, letter.person_id or 0)
    if person is None:
        return
    await _notify_leaders(core, letter, person, at_us, reason)
    for game in await list_letter_games(core, letter):
        if letter.kind in RELAYS and game.to_move_id == person.id != game.tl_id:
            day = local_day(from_us(letter.created_us), game.zone)
            await submit_observation(core, game.id, stop_from(day), from_us(at_us))


async def list_letter_games(core: Core, letter: OutboxRow) -> list[GameRow]:
    """The games a letter is about: a daily letter counts as the relay of each of its games."""
    ids = list(read_digest_events(letter)) if letter.kind == Digest.kind else [letter.game_id]
    async with core.store.read() as conn:
        found = [await game_rows.load(conn, one) for one in ids if one is not None]
    return [game for game in found if game is not None]


def unreached_name(person: PersonRow) -> str:
    """Where it is kept when mail to a person's present address last failed to arrive."""
    address = blake2b((person.email or "").encode(), digest_size=8).hexdigest()
    return f"unreached.{person.id}.{address}"


async def _notify_leaders(
    core: Core, letter: OutboxRow, person: PersonRow, at_us: int, said: str,
    *, is_report: bool = False, is_trying: bool = False,
) -> None:  # fmt: skip
    """Tell the leaders once a day, and the player where he signs in, that a letter did not arrive.

    ``said``: by whom is told. ``is_report``: a report says it, not our own record. ``is_trying``:
    it may yet arrive.
    """
    running = await core.store.query(game_rows.list_person_games, person.id, running=True)
    about = await list_letter_games(core, letter) or list(running)
    now = from_us(at_us)
    today = local_day(now, about[0].zone if about else core.settings.clock.zone).isoformat()
    unique = f"{person.id}.{today}{'.late' if is_trying else ''}"
    letters = []
    for tl_id in sorted({game.tl_id for game in about} - {person.id}):
        names = sorted({game.name for game in (*about, *running) if game.tl_id == tl_id})
        params: dict[str, object] = {"player": person.id, "games": names, "since": today}
        params |= {"reason": said, "is_report": is_report, "is_trying": is_trying}
        letters.append(poster_of(core).to_person(DeliveryTrouble, tl_id, unique, params))
    async with core.store.write() as conn:
        await outbox_rows.enqueue(conn, letters)
        if sent_to(letter, person.email) == person.email:
            await due_rows.take(conn, unreached_name(person), today, at_us)


def stop_from(day: date) -> Observe:
    """Stop the time from a day on, until he moves or the leader ends it; once (§ 6.8.2)."""

    def build(state: GameState, _: Side | None) -> Command | None:
        stands_still = open_pause(state.bookings, PauseReason.BOUNCE) is not None
        return None if stands_still else StopTime(day, None, PauseReason.BOUNCE)

    return build


LISTED_DAYS = 30
MOST = 200
"""How many bounces are looked at, newest first."""


@dataclass(frozen=True, slots=True)
class Bouncing:
    """An address that our letters come back from. ``name``: whose it is, if it is anybody's."""

    address: str
    name: str
    count: int
    last_us: int


async def list_bouncing_addresses(core: Core, since_us: int | None = None) -> tuple[Bouncing, ...]:
    """Addresses with permanent failures in the last month, the latest first."""
    since = core.now_us - LISTED_DAYS * DAY_US if since_us is None else since_us
    async with core.store.read() as conn:
        heads = await inbox_rows.heads(conn, MailFilter(since_us=since, outcome=LOST), MOST)
        rows = await inbox_rows.whole(conn, [head.id for head in heads])
        letter_of = _letters(core, rows.values())
        letters = await outbox_rows.by_ids(conn, sorted(set(letter_of.values())))
        known = {one.letter.id: one for one in await add_addresses(conn, list(letters.values()))}
    found: dict[str, Bouncing] = {}
    for row_id, letter_id in sorted(letter_of.items()):
        one = known.get(letter_id)
        if one is None or one.is_gone or not one.address:
            continue
        count = found[one.address].count + 1 if one.address in found else 1
        last_us = rows[row_id].received_us
        found[one.address] = Bouncing(one.address, one.name, count, last_us)
    return tuple(sorted(found.values(), key=lambda one: -one.last_us))


def _letters(core: Core, rows: Iterable[InboxRow]) -> dict[int, int]:
    """The letter that each report is about, by inbox id."""
    found: dict[int, int] = {}
    for row in rows:
        token = bounce_token(json.loads(row.rcpt_to or "[]"), own_mail(core))
        letter = None if token is None else read_bounce_token(core.secret, token)
        if letter is not None:
            found[row.id] = letter
    return found


# Who can't be reached by mail: what the player sees when he signs in, what his leader may do.

LISTED_US = 30 * DAY_US
"""How long after the newest report a player is told of it."""


@dataclass(frozen=True, slots=True)
class UnreachedPerson:
    """A person whose mail came back, when it last did, and what the newest report says."""

    person: PersonRow
    on: date
    said: str


@dataclass(frozen=True, slots=True)
class Stoppable:
    """A game in which the leader may stop the time of the player to move, from a day on."""

    unreached: UnreachedPerson
    since: date


async def find_unreached_notice(core: Core, person: PersonRow) -> UnreachedPerson | None:
    """What to tell a person of mail to his present address that did not arrive; None if nothing."""
    day = await core.store.query(due_rows.last, unreached_name(person))
    return await unreached_on(core, person, day)


async def unreached_on(core: Core, person: PersonRow, day: str | None) -> UnreachedPerson | None:
    """The same where it is known when mail to him last failed to arrive (ISO; None: never)."""
    if day is None or date.fromisoformat(day) < local_day(
        from_us(core.now_us - LISTED_US), core.settings.clock.zone
    ):
        return None
    rows = await _reports(core, person)
    said = next((row.note for row in reversed(rows) if row.note), "")
    return UnreachedPerson(person, date.fromisoformat(day), said)


async def _reports(core: Core, person: PersonRow) -> tuple[InboxRow, ...]:
    return await core.store.query(
        inbox_rows.with_outcome, person.id, (LATE, LOST), core.now_us - LISTED_US
    )


async def stoppable(core: Core, leader: PersonRow | None, game: GameRow) -> Stoppable | None:
    """What a leader may do about a letter of this game that was given up; None if nothing."""
    if leader is None or game.to_move_id is None:
        return None
    if not (await rights(core, leader)).leads(game.group_id):
        return None
    late = await core.store.query(person_rows.find_person, game.to_move_id)
    found = None if late is None else await find_unreached_notice(core, late)
    if found is None or stop_from(found.on)(game.state(), None) is None:
        return None
    since = await _first_lost(core, found.person, game)
    return None if since is None else Stoppable(found, since)


async def _first_lost(core: Core, person: PersonRow, game: GameRow) -> date | None:
    """The day of the first lost letter by which he was to learn of the move he is to answer."""
    own, days = own_mail(core), []
    running = game.state().running()
    for row in await _reports(core, person):
        token = bounce_token(json.loads(row.rcpt_to), own)
        number = None if token is None else read_bounce_token(core.secret, token)
        if number is None or row.outcome != LOST:
            continue
        letter = await core.store.query(outbox_rows.find, number)
        if letter is None or letter.kind not in RELAYS:
            continue
        is_told = letter.kind == Digest.kind and game.id in read_digest_events(letter)
        day = local_day(from_us(letter.created_us), game.zone)
        is_now = running is None or day >= running.since - ONE_DAY
        if (letter.game_id == game.id or is_told) and is_now:
            days.append(day)
    return min(days, default=None)


async def stop_time(core: Core, leader: PersonRow, game: GameRow) -> bool:
    """Stop the time as the leader asks; False when there is nothing to stop it for."""
    found = await stoppable(core, leader, game)
    if found is None:
        return False
    return await submit_observation(
        core, game.id, stop_from(found.since), core.clock.now(), leader.id
    )


@loads(DeliveryTrouble)
async def _trouble(core: Core, reader: PersonRow, params: Params) -> DeliveryTrouble:
    player = await core.store.query(person_rows.find_person, number(params, "player"))
    if player is None:
        raise NoLetter("no such player")
    games = tuple(texts(params, "games"))
    about = await core.store.query(game_rows.by_name, games[0]) if games else None
    return DeliveryTrouble(
        reader=reader.name,
        official=official(core),
        player=person(player),
        games=games,
        since=day(params, "since"),
        reason=text(params, "reason"),
        is_final=params.get("is_trying") is not True,
        is_report=params.get("is_report") is True,
        regulation=Regulation.EMAIL if about is None else about.terms.regulation,
    )
