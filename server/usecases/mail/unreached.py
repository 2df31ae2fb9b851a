"""Who can't be reached by mail: what the player sees when he signs in, what his leader may do.

The leader stops the time, from the day the undelivered letter was sent (§ 6.8.2). Not for reading
reports (bounces.py).
"""

import json
from dataclasses import dataclass
from datetime import date, datetime

from kskak.regulation.days import ONE_DAY, local_day
from server.store.engine.types import DAY_US, from_us
from server.store.mail import daily_duties as duty_rows
from server.store.mail import mail_lists
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxRow
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.letter_params import told_in
from server.usecases.core.offices import rights
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.reply_keys import read_bounce_token
from server.usecases.mail.bounces import LATE, LOST, RELAYS, stop_from, unreached_name
from server.usecases.mail.opened_mail import own_mail
from server.usecases.mail.sort_mail import bounce_token
from server.usecases.play.observed import tell_game

SHOWN_US = 30 * DAY_US
"""How long after the newest report a player is told of it."""


@dataclass(frozen=True, slots=True)
class Unreached:
    """A person whose mail came back, when it last did, and what the newest report says."""

    person: PersonRow
    on: date
    said: str


@dataclass(frozen=True, slots=True)
class Stoppable:
    """A game in which the leader may stop the time of the player to move, from a day on."""

    unreached: Unreached
    since: date


async def unreached(core: Core, person: PersonRow) -> Unreached | None:
    """What to tell a person of mail to his present address that did not arrive; None if nothing."""
    async with core.store.read() as conn:
        day = await duty_rows.last(conn, unreached_name(person))
    return await unreached_on(core, person, day)


async def unreached_on(core: Core, person: PersonRow, day: str | None) -> Unreached | None:
    """The same where it is known when mail to him last failed to arrive (ISO; None: never)."""
    if day is None or date.fromisoformat(day) < local_day(_since(core), core.settings.clock.zone):
        return None
    rows = await _reports(core, person)
    said = next((row.note for row in reversed(rows) if row.note), "")
    return Unreached(person, date.fromisoformat(day), said)


def _since(core: Core) -> datetime:
    return from_us(core.now_us - SHOWN_US)


async def _reports(core: Core, person: PersonRow) -> tuple[InboxRow, ...]:
    async with core.store.read() as conn:
        return await mail_lists.with_outcome(conn, person.id, (LATE, LOST), core.now_us - SHOWN_US)


async def stoppable(core: Core, leader: PersonRow | None, game: GameRow) -> Stoppable | None:
    """What a leader may do about a letter of this game that was given up; None if nothing."""
    if leader is None or game.to_move_id is None:
        return None
    if not (await rights(core, leader)).leads(game.group_id):
        return None
    async with core.store.read() as conn:
        late = await person_rows.find(conn, game.to_move_id)
    found = None if late is None else await unreached(core, late)
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
        async with core.store.read() as conn:
            letter = await outbox_rows.find(conn, number)
        if letter is None or letter.kind not in RELAYS:
            continue
        is_told = letter.kind == Kind.DIGEST and game.id in told_in(letter)
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
    return await tell_game(core, game.id, stop_from(found.since), core.clock.now(), leader.id)
