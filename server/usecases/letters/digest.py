"""Which letters that merely pass on a move go at once, wait for the morning, or are not wanted.

Notices that the regulation requires (rulings, silence, claims, leave, time), answers to a mail and
questions are never held: only the relay of the opponent's move, and the confirmation of one's own
move made on the web. When a letter arrives changes nobody's days: the move counts from its sending
(§ 6.3.2.1, § 6.8.6), and a daily letter is sent before the following day is over. Reading: a daily
letter delayed in transit moves no day of receipt, since its reader chose to check for himself; one
that does not arrive is told, and may stop his time, as a relay (§ 6.8.2, mail/bounces.py).

Not for what the daily letter says (mail.game_letters.time_letters).
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from mail.game_letters.move_letters import Confirmation, Relay
from mail.game_letters.time_letters import Digest, DigestGame, RelayedDispatch
from mail.incoming.parse_mail import reply_address
from server.store.engine.rows import to_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import HeldLetterRow, NewOutbox, OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.context import Core, poster_of
from server.usecases.games.reply_keys import (
    ReplyPosition,
    make_key,
    read_unsubscribe_token,
    unsubscribe_token,
)
from server.usecases.letter_facts import (
    NoLetter,
    Params,
    game_facts,
    loads,
    official,
    read_digest_events,
)
from server.usecases.preferences import Pace, read_people_preferences
from server.usecases.results import bulletins

_log = logging.getLogger(__name__)

MORNING = time(7)
"""When the daily letter is written, in the tournaments' time zone."""
MAIL = "mail"
"""The channel of events that came by mail; their confirmation is an answer to that mail."""


def next_morning(now: datetime, zone: str) -> datetime:
    """The next seven o'clock after an instant, in UTC."""
    local = now.astimezone(ZoneInfo(zone))
    day = local.date() + timedelta(days=local.time() >= MORNING)
    return datetime.combine(day, MORNING, ZoneInfo(zone)).astimezone(UTC)


async def sort_out(core: Core, claimed: Sequence[OutboxRow]) -> tuple[OutboxRow, ...]:
    """The letters to send now; the others are durably put off or left out."""
    passing = [row for row in claimed if row.kind in (Relay.kind, Confirmation.kind)]
    if not passing:
        return tuple(claimed)
    paces = await core.store.look(lambda conn: _paces(conn, passing))
    if not paces:
        return tuple(claimed)
    later = [row.id for row in passing if paces.get(row.id) is Pace.DAILY]
    never = [row.id for row in passing if paces.get(row.id) is Pace.DEADLINES]
    until = to_us(next_morning(core.clock.now(), core.settings.clock.zone))
    async with core.store.write() as conn:
        await outbox_rows.put_off_held_letter(conn, later, until)
        await outbox_rows.leave_out(conn, never, core.now_us)
    return tuple(row for row in claimed if row.id not in paces)


def _paces(conn: Connection, passing: Iterable[OutboxRow]) -> dict[int, Pace]:
    """Which of these letters do not go at once, with the pace their reader chose."""
    chosen = read_people_preferences(
        conn, {row.person_id for row in passing if row.person_id is not None}
    )
    slow = {who: held.letters for who, held in chosen.items() if held.letters is not Pace.MOVES}
    found = [row for row in passing if row.person_id in slow]
    own = [row for row in found if row.kind == Confirmation.kind]
    channels = outbox_rows.channels_of(conn, {_moment(row) for row in own})
    at_once = {row.id for row in own if channels.get(_moment(row)) == MAIL}
    return {row.id: slow[row.person_id or 0] for row in found if row.id not in at_once}


def _moment(row: OutboxRow) -> tuple[int, int]:
    assert row.game_id is not None and row.seq is not None  # every letter about a game has both
    return row.game_id, row.seq


async def gather(core: Core) -> int:
    """Write the daily letters due, each in one transaction with all it reports; how many."""
    now_us, count = core.now_us, 0
    for reader in await core.store.look(lambda conn: outbox_rows.readers_due(conn, now_us)):
        try:
            async with core.store.write() as conn:
                held = await outbox_rows.take(conn, reader, now_us)
                if held:
                    await outbox_rows.enqueue(conn, [_letter(core, reader, held)])
                    count += 1
        except Exception:  # all other letters come after it
            _log.exception("the daily letter to person %s is not written", reader)
    return count


def _letter(core: Core, reader: int, held: Sequence[HeldLetterRow]) -> NewOutbox:
    params: dict[str, object] = {"told": [[one.game_id, one.seq] for one in held]}
    unique = f"{held[0].id}.{held[-1].id}"
    return poster_of(core).to_person(Digest, reader, unique, params)


SETTINGS = "/settings/letters"


@loads(Digest)
async def _digest(core: Core, reader: PersonRow, params: Params) -> Digest:
    """A reader's daily letter. Raises NoLetter when none of its games can be told of any more."""
    games = []
    for game_id, seqs in read_digest_events(params.row).items():
        try:
            games.append(await _game(core, params.row, game_id, seqs))
        except NoLetter:
            continue
    if not games:
        raise NoLetter("nothing to tell")
    games.sort(key=_urgency)
    return Digest(reader.name, official(core), tuple(games), core.url(SETTINGS))


def _urgency(one: DigestGame) -> tuple[bool, date]:
    running = one.account.running
    flag_on = None if running is None else running.flag_on
    return one.reply_to is None, flag_on or date.max


async def _game(core: Core, letter: OutboxRow, game_id: int, seqs: Iterable[int]) -> DigestGame:
    row = await core.store.query(game_rows.load, game_id)
    if row is None:
        raise NoLetter("no such game")
    now = await game_facts(core, replace(letter, game_id=game_id, seq=row.seq))
    passed = []
    for seq in seqs:
        then = await game_facts(core, replace(letter, game_id=game_id, seq=seq))
        dispatch = then.dispatch()
        if dispatch is not None and then.side is now.side:  # else void since: FIDE 7.3
            passed.append(RelayedDispatch(dispatch, then.account, then.message))
    reply_to: str | None = None
    if now.state.to_move is now.side:
        position = ReplyPosition(game_id, now.state.position.ply, now.side)
        settings = core.settings.mail
        reply_to = reply_address(settings.local, make_key(core.secret, position), settings.domain)
    return DigestGame(now.game, now.side, now.account, tuple(passed), reply_to)


# Ending letters that nobody has to get, by a link in them: no sign-in, one press (RFC 8058).


class Series(StrEnum):
    """Letters that can be ended together: word of the opponent's moves, the daily letter that
    gathers it, or the bulletins.

    ``MOVES`` is in no header any more: its links are in letters sent before.
    """

    MOVES = "moves"
    DAILY = "daily"
    BULLETINS = "bulletins"


def link_to_end(core: Core, series: Series, person_id: int) -> str:
    """The address that ends them for a person; whoever has it got one of them."""
    return core.url(f"/unsubscribe/{series}/{unsubscribe_token(core.secret, person_id)}")


async def reader_of(core: Core, token: str) -> PersonRow | None:
    """Whose letters a link ends; None for a link that we did not make."""
    person_id = read_unsubscribe_token(core.secret, token)
    if person_id is None:
        return None
    return await core.store.look(lambda conn: person_rows.by_id(conn, person_id))


async def end(core: Core, series: Series, person: PersonRow) -> None:
    """End them; repeating it is harmless. Reminders of the time control still come.

    An old link to end the daily letter ends nothing else, for who gets each move at once now.
    """
    if series is Series.BULLETINS:
        await bulletins.wants(core, person, it=False)
    elif (
        series is Series.MOVES
        or (await signin.read_preferences(core, person.id)).letters is Pace.DAILY
    ):
        await signin.keep(core, person, {"letters": Pace.DEADLINES.value})
