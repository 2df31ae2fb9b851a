"""Letters not about a single position, whose facts are looked up by what their row names.

Entries, requests to join, the league, the quiet thread, delayed moves, leave, what a leader
writes to a group. Not for the others
(notices.py) nor for wording.
"""

from collections.abc import Awaitable, Callable

from mail.game_letters.delayed import NotSent
from mail.game_letters.leave import LeaveTold
from mail.game_letters.thread import ThreadLetter
from mail.office_letters.duties import PauseProposal
from mail.office_letters.entries import EntryLetter
from mail.office_letters.join_letters import JoinLetter
from mail.office_letters.leader_letter import LeaderLetter
from mail.office_letters.league_facts import LeagueLetter
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.letter_params import Params
from server.usecases.core.outbox_letters import Kind
from server.usecases.entries.letters import entry_letter
from server.usecases.groups.leader_letter import to_all
from server.usecases.play.delayed_letters import not_sent
from server.usecases.play.quiet_thread import thread_letter
from server.usecases.reflection.leave_letters import leave_told
from server.usecases.reflection.outages import proposal_letter
from server.usecases.register.join_letters import join_letter
from server.usecases.season.league_letters import LEAGUE

Plain = (
    EntryLetter
    | JoinLetter
    | LeagueLetter
    | ThreadLetter
    | NotSent
    | LeaveTold
    | LeaderLetter
    | PauseProposal
)

PLAIN: dict[Kind, Callable[[Core, PersonRow, Params], Awaitable[Plain]]] = {
    Kind.ENTRY: entry_letter,
    Kind.JOIN: join_letter,
    Kind.THREAD: thread_letter,
    Kind.NOT_SENT: not_sent,
    Kind.LEAVE_TOLD: leave_told,
    Kind.TO_ALL: to_all,
    Kind.OUTAGE: proposal_letter,
    **LEAGUE,
}
