"""The quiet thread: what players write to each other about a game without a move (§ 6.2.3).

Kept in the game's thread and sent as a letter. It is no dispatch (§ 6.2.1, § 6.8.2): no event, no
answer to the opponent's move, no notice of long thinking (§ 6.3.4), and nobody's time depends on
it. It is correspondence of the game (§ 6.2.3): the leader can demand it, so it is in the case
file, as are the messages that went with moves. Not for those (``messages``).
"""

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from kskak.game.events import MoveSent
from kskak.play.standing_events import dispatches
from kskak.regulation.days import local_day
from mail.game_letters.thread import ThreadLetter
from server.store.engine.types import DAY_US, from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import quiet_thread as rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.quiet_thread import Mark, QuietMessage
from server.usecases.core.context import Core, poster_of
from server.usecases.core.letter_facts import NoLetter, game_of
from server.usecases.core.letter_params import Params
from server.usecases.core.outbox_letters import Kind
from server.usecases.play.game_views import GameView

LONGEST = 2000
MOST_LINES = 40
"""Characters and lines of a message: what a letter passes on."""
MOST_A_DAY = 10
"""Messages of a player in one game within 24 hours: each may be a letter to the other."""


class ThreadFault(StrEnum):
    """Why a message is not taken."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    TOO_OFTEN = "too_often"


async def write(
    core: Core, game: GameRow, author_id: int, text: str, key: str
) -> ThreadFault | None:
    """Store a player's message and mail it to the other; sent twice, it is stored once."""
    if not text:
        return ThreadFault.EMPTY
    if len(text) > LONGEST or len(text.splitlines()) > MOST_LINES:
        return ThreadFault.TOO_LONG
    other = game.black_id if author_id == game.white_id else game.white_id
    async with core.writer.together() as conn:
        await rows.lock(conn, game.id)
        if await rows.knows(conn, author_id, key):
            return None
        since = core.now_us - DAY_US
        if await rows.written_since(conn, game.id, author_id, since) >= MOST_A_DAY:
            return ThreadFault.TOO_OFTEN
        made = await rows.add(conn, game.id, author_id, text, core.now_us, key)
        mark = await conn.run_sync(rows.mark_of, game.id, other)
        if made is not None and not mark.is_quiet:
            params: dict[str, object] = {"message": made}
            letter = poster_of(core).to_person(Kind.THREAD, other, str(made), params)
            # Of the game, but without the position's key: an answer to it is never a move.
            letter = replace(letter, game_id=game.id, seq=game.seq)
            await outbox_rows.enqueue(conn, [letter])
    return None


async def note_seen(core: Core, game_id: int, person_id: int, seen_id: int) -> None:
    """Record that a player has seen the thread, up to this message."""
    await core.store.note(lambda conn: rows.mark(conn, game_id, person_id, seen_id=seen_id))


async def make_quiet(core: Core, game_id: int, person_id: int, *, is_quiet: bool) -> None:
    """Set whether a player wants letters from a game's thread; the page has the messages anyway."""
    await core.store.transact(lambda conn: rows.mark(conn, game_id, person_id, is_quiet=is_quiet))


@dataclass(frozen=True, slots=True)
class Said:
    """A message in the thread as the page shows it: with a move (``is_quiet`` False) or without.

    ``is_new``: the reader has not seen it. ``ply``: the last ply of the move that it came with,
    counted from 1; 0 if it came with none.
    """

    name: str
    day: date
    text: str
    is_quiet: bool = False
    is_new: bool = False
    ply: int = 0


def _plies(view: GameView) -> dict[int, int]:
    """The last ply of each dispatch, by its event's number."""
    found = {}
    for ply, place in dispatches(view.events).items():
        event = view.events[place]
        assert isinstance(event, MoveSent)
        found[view.rows[place].seq] = ply + len(event.plies) - 1
    return found


def said_of(
    view: GameView, thread: tuple[QuietMessage, ...], mark: Mark, reader_id: int
) -> tuple[Said, ...]:
    """All that the players wrote to each other, oldest first."""
    names = {person.id: person.name for person in (view.white, view.black)}
    at = {row.seq: row.at_us for row in view.rows}
    zone, plies = view.game.zone, _plies(view)
    found = []
    for seq, with_it in view.messages.items():
        name, day = names.get(with_it.author_id, ""), local_day(from_us(at[seq]), zone)
        found.append((at[seq], Said(name, day, with_it.text, ply=plies.get(seq, 0))))
    for one in thread:
        is_new = one.author_id != reader_id and one.id > mark.seen_id
        name, day = names.get(one.author_id, ""), local_day(from_us(one.at_us), zone)
        found.append((one.at_us, Said(name, day, one.text, True, is_new)))
    return tuple(said for _, said in sorted(found, key=lambda each: each[0]))


async def thread_letter(core: Core, reader: PersonRow, params: Params) -> ThreadLetter:
    """The letter of a message. Raises NoLetter."""
    number = params.get("message")
    async with core.store.read() as conn:
        one = await rows.find(conn, number) if isinstance(number, int) else None
        game = None if one is None else await game_rows.load(conn, one.game_id)
        group = None if game is None else await group_rows.find(conn, game.group_id)
        if one is None or game is None or group is None:
            raise NoLetter("no such message")
        ids = (game.tl_id, game.white_id, game.black_id, one.author_id)
        people = await person_rows.by_ids(conn, ids)
    facts = game_of(core, game, group, people)
    writer = people[one.author_id]
    page = core.url(f"/games/{game.id}/private#thread")
    return ThreadLetter(reader.name, facts, writer.name, one.text, page)
