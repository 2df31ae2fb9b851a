"""The letters about no single position whose facts are found by what their row names.

Entries, who asks to join, the league, the quiet thread, moves that waited. Not for the others
(notice_facts.py) nor for words.
"""

from collections.abc import Awaitable, Callable

from mail.delayed_letters import NotSent
from mail.entry_letters import EntryLetter
from mail.join_letters import JoinLetter
from mail.league_letters import LeagueLetter
from mail.leave_letters import LeaveTold
from mail.thread_letters import ThreadLetter
from server.store.people import PersonRow
from server.usecases.core import Core
from server.usecases.delayed_letters import not_sent
from server.usecases.entry_notices import entry_letter
from server.usecases.join_letters import join_letter
from server.usecases.league_facts import LEAGUE
from server.usecases.leave_letters import leave_told
from server.usecases.letter_params import Params
from server.usecases.posting import Kind
from server.usecases.quiet_thread import thread_letter

Plain = EntryLetter | JoinLetter | LeagueLetter | ThreadLetter | NotSent | LeaveTold

PLAIN: dict[Kind, Callable[[Core, PersonRow, Params], Awaitable[Plain]]] = {
    Kind.ENTRY: entry_letter,
    Kind.JOIN: join_letter,
    Kind.THREAD: thread_letter,
    Kind.NOT_SENT: not_sent,
    Kind.LEAVE_TOLD: leave_told,
    **LEAGUE,
}
