"""Leave by mail: the words that book it and that shorten it (CONTRACTS "Mail", § 6.3.6).

Not for reading them (mail.grammar.keywords) nor for what they do (reflection/leave.py,
reflection/shorter_leave.py).
"""

from mail.grammar.keywords import Keyword, Word
from server.usecases.core.context import Core
from server.usecases.mail.opened_mail import Opened
from server.usecases.reflection.leave import Leave, NotBooked, book, tell
from server.usecases.reflection.shorter_leave import Shortening, shorten

LEAVE_WORDS = (Word.LEAVE, Word.LEAVE_END)


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
