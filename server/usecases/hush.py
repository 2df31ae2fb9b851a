"""When to stop answering: two robots that answer each other must fall silent.

A program that marks its mails as automatic is never answered at all (mail.guard); this is for
those that do not. A move is read all the same, however often somebody wrote nonsense before.
Not for spent keys, which have their one answer (mail_answers.py).
"""

from hashlib import sha256

from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import duties as duty_rows
from server.store.mail_facts import MailFacts
from server.usecases.core import Core
from server.usecases.posting import Kind

MOST_ANSWERS = 10
"""Answers «no move was made» a day, about one position, to one player."""
MOST_QUESTIONS = 5
"""Questions «was this you?» a day, about one position."""
MOST_LISTS = 5
"""Lists of his games a day to a player who did not ask for one."""
MOST_ASKED_LISTS = 20
"""Lists of his games a day to a player who did."""


def same_words(words: str, day: str) -> str:
    """What names an answer that costs nothing: the same words are answered once a day."""
    return f"{day}.{sha256(' '.join(words.split()).encode()).hexdigest()[:20]}"


def is_hushed(facts: MailFacts, game_id: int, person_id: int, kind: Kind) -> bool:
    """Whether a player was told enough about this position today."""
    told = facts.told.get((game_id, person_id, kind.value), 0)
    return told >= (MOST_QUESTIONS if kind is Kind.HELD else MOST_ANSWERS)


async def may_list(conn: AsyncConnection, core: Core, person_id: int, *, asked: bool) -> bool:
    """Whether a player still gets a list of his games today; counts it if so."""
    today = core.today(core.settings.clock.zone).isoformat()
    for number in range(MOST_ASKED_LISTS if asked else MOST_LISTS):
        name = f"list.{person_id}.{number}" if asked else f"unclear.{person_id}.{number}"
        if await duty_rows.take(conn, name, today, core.now_us):
            return True
    return False
