"""Leave, status, mails and help in a mail: words that concern the player, not a position.

Not for what leave does to the days (reflection/leave.py) nor for whose mail it is (sort_mail.py).
"""

from datetime import timedelta

from kskak.regulation.days import local_day
from mail.grammar.keywords import Keyword, Word
from mail.grammar.move_lines import read_move_line
from mail.grammar.read_text import read_keywords
from server.usecases.core.context import Core
from server.usecases.mail.opened_mail import Opened
from server.usecases.reflection.leave import Leave, NotBooked, book, tell
from server.usecases.reflection.shorter_leave import Shortening, shorten

LEAVE_WORDS = (Word.LEAVE, Word.LEAVE_END)
ABOUT_PLAYER = (*LEAVE_WORDS, Word.STATUS, Word.HELP, Word.MAILS)
FAR_AHEAD = timedelta(days=183)
"""Leave that ends later than this is asked about: a year is easily mistyped."""


def keywords_in(opened: Opened, zone: str) -> tuple[Keyword, ...]:
    """The keywords of a mail, each alone on its line."""
    today = local_day(opened.at, zone)
    return read_keywords(opened.words, today=today)


def standing_alone(opened: Opened, zone: str) -> Keyword | None:
    """A keyword that concerns no position: leave, status, mails, help."""
    return next((k for k in keywords_in(opened, zone) if k.word in ABOUT_PLAYER), None)


def plays_too(opened: Opened) -> bool:
    """Whether a mail with such a keyword has a move line as well."""
    return any(read_move_line(line) is not None for line in opened.words.split("\n"))


def is_far_ahead(word: Keyword, opened: Opened, zone: str) -> bool:
    """Whether leave asked for lies so far ahead that it may be a slip of the pen."""
    if word.word not in LEAVE_WORDS or word.end is None:
        return False
    return word.end > local_day(opened.at, zone) + FAR_AHEAD


async def book_leave(core: Core, opened: Opened, person_id: int, word: Keyword) -> bool:
    """Book or shorten leave, or tell why not; False when there is no game or leave for it."""
    assert word.end is not None
    if word.start is None:
        asked = Leave(person_id, word.end, word.end, "mail", opened.at)
        outcome = await shorten(core, Shortening(person_id, word.end, "mail", opened.at))
        is_about_none = isinstance(outcome, NotBooked) and outcome.game is None
    else:
        asked = Leave(person_id, word.start, word.end, "mail", opened.at)
        outcome = await book(core, asked)
        is_about_none = isinstance(outcome, NotBooked) and outcome.refusal is None
    if isinstance(outcome, NotBooked) and not is_about_none:
        await tell(core, asked, outcome, str(opened.row.id))
    return not is_about_none
