"""When to stop answering: two robots that answer each other must fall silent.

Programs that mark their mails as automatic are never answered (mail.incoming.guard); this is for
the others. A move is still read, however often its sender wrote nonsense before. The limits are
counted where the answers are written, with their game locked, so they hold for any number of
simultaneous mails and across processes.
"""

from collections.abc import Sequence
from hashlib import sha256

from sqlalchemy import Connection

from server.store.engine.connection import AsyncConnection
from server.store.engine.types import DAY_US
from server.store.mail import daily_duties as duty_rows
from server.store.mail.outbox import NewOutbox, letters_since
from server.usecases.core.outbox_letters import Kind

MOST_ANSWERS = 10
"""Answers «no move was made» a day, about one position, to one player."""
MOST_QUESTIONS = 5
"""Questions «was this you?» a day, about one position."""
_LIMITS = {Kind.NOT_MADE: MOST_ANSWERS, Kind.HELD: MOST_QUESTIONS}
MOST_LISTS = 5
"""Lists of games a day to a player who did not ask for one."""
MOST_ASKED_LISTS = 20
"""Lists of games a day to a player who did."""


def same_words(words: str, day: str) -> str:
    """What mails of the same words and day have in common."""
    return f"{day}.{sha256(' '.join(words.split()).encode()).hexdigest()[:20]}"


def not_hushed(conn: Connection, answers: Sequence[NewOutbox]) -> list[NewOutbox]:
    """The answers about positions that may still be sent, in order.

    Called in the transaction that writes them, which holds their games' locks.
    """
    told = _told(conn, answers)
    may_go: list[NewOutbox] = []
    for letter in answers:
        before = told.setdefault(_position(letter), set())
        if letter.message_id in before or len(before) < _LIMITS[Kind(letter.kind)]:
            before.add(letter.message_id)
            may_go.append(letter)
    return may_go


_Position = tuple[int | None, int | None, int | None, str]


def _position(letter: NewOutbox) -> _Position:
    return letter.game_id, letter.seq, letter.person_id, letter.kind


def _told(conn: Connection, answers: Sequence[NewOutbox]) -> dict[_Position, set[str]]:
    """The Message-IDs of the last 24 hours' letters about the same positions."""
    games = {letter.game_id for letter in answers if letter.game_id is not None}
    since = max(letter.created_us for letter in answers) - DAY_US
    kinds = {letter.kind for letter in answers}
    found: dict[_Position, set[str]] = {}
    for row in letters_since(conn, games, kinds, since):
        found.setdefault((row.game_id, row.seq, row.person_id, row.kind), set()).add(row.message_id)
    return found


async def may_list(
    conn: AsyncConnection, person_id: int, today: str, now_us: int, *, asked: bool
) -> bool:
    """True if a player may still get a list of games today (ISO); counts it if so."""
    for number in range(MOST_ASKED_LISTS if asked else MOST_LISTS):
        name = f"list.{person_id}.{number}" if asked else f"unclear.{person_id}.{number}"
        if await duty_rows.take(conn, name, today, now_us):
            return True
    return False
