"""How the server itself closes a case: an answer, an admission, a return (§ 6.3.4, § 6.8.1).

In the transaction of what closes it. Not for how a case begins (case_opening.py) nor for what its
leader does (cases/transaction.py).
"""

from datetime import datetime

from sqlalchemy import Connection

from kskak.cases.commands import SERVER, SettleCase
from kskak.cases.decide import after, decide_case
from kskak.cases.events import (
    CaseKind,
)
from kskak.cases.refusals import CaseRefusal
from kskak.cases.state import CaseState
from kskak.reflection.leave import open_pause
from kskak.regulation.days import local_day
from kskak.regulation.quantities import PauseReason
from server.store.cases import cases_and_events as case_rows
from server.store.cases import game_cases
from server.store.cases.cases_and_events import CaseRow
from server.store.engine.types import to_us
from server.store.mail import batch as ledger
from server.usecases.core.case_opening import UNDECIDED
from server.usecases.core.case_record import (
    CaseWord,
    Notice,
    append_to,
    games_of,
    notices,
    officials_in,
    readable,
    state_of,
)
from server.usecases.core.game_work import ClaimAdmitted, SilenceBroken
from server.usecases.core.outbox_letters import Poster
from server.usecases.core.team_captains import captains_in

ANSWERED = "@answered"
RETURNED = "@returned"
ADMITTED = "@admitted"
ON_LEAVE = "@on_leave"
"""Why a case was closed, as keys of the catalogues."""


def settle_admitted(conn: Connection, admitted: ClaimAdmitted) -> None:
    """Close the case of a claim that the late player admitted, without a decision (§ 6.3.3.5)."""
    known = case_rows.open_of_game(conn, admitted.game.id, CaseKind.OVERSTEP.value)
    if known is None or known.state not in UNDECIDED:
        return
    case = case_rows.lock(conn, known.id)
    done = _settled(conn, case, admitted.at, ADMITTED, is_held=True)
    if done is not None:
        captains = captains_in(conn, case.group_id, done.opened.parties, admitted.poster.now_us)
        notice = Notice(CaseWord.ADMITTED, None)
        told = [*officials_in(conn, case, done, admitted.poster.now_us), *captains]
        ledger.write_outbox(conn, notices(admitted.poster, case, notice, told))


def settle_silence(conn: Connection, broken: SilenceBroken) -> None:
    """Close the case of a silent or absent player who has answered, unless it was decided.

    A case whose game the leader has suspended is in the leader's hands and stays open.
    """
    reasons = ((CaseKind.SILENCE, ANSWERED), (CaseKind.OFFLINE, RETURNED))
    for kind, why in ((CaseKind.SILENCE, ON_LEAVE),) if broken.is_leave else reasons:
        known = game_cases.open_with_game(conn, broken.game.id, kind.value)
        if known is None or _is_still_out(conn, broken, known):
            continue
        case = case_rows.lock(conn, known.id)
        if readable(case_rows.history(conn, case.id)) is None:
            continue  # it stays open: no move waits for it
        done = _settled(conn, case, broken.at, why)
        if done is None:
            _say_so(conn, broken, case)
        elif kind is CaseKind.OFFLINE:
            tell_returned(conn, broken.poster, case, done)


def _is_still_out(conn: Connection, broken: SilenceBroken, case: CaseRow) -> bool:
    """Whether the player is as silent or absent as before in another game of the case.

    An absent player who moves is back, everywhere (§ 6.8.1); a silent one has answered there only.
    """
    is_silence = case.kind == CaseKind.SILENCE
    if not (is_silence or broken.is_end):
        return False
    others = (game for game in games_of(case) if game != broken.game.id)
    states = (game.state() for game in game_cases.games_in(conn, others))
    return any(
        state.turn.said.leader_told
        if is_silence
        else open_pause(state.bookings, PauseReason.BOUNCE)
        for state in states
        if state.result is None
    )


def _say_so(conn: Connection, broken: SilenceBroken, case: CaseRow) -> None:
    """Tell the leader about a case that stays open, as its game is suspended or it is decided."""
    state = state_of(case_rows.history(conn, case.id))
    officials = officials_in(conn, case, state, broken.poster.now_us)
    word = CaseWord.EXCUSED if broken.is_leave else CaseWord.ANSWERED
    ledger.write_outbox(conn, notices(broken.poster, case, Notice(word, None), officials))


def _settled(
    conn: Connection, case: CaseRow, at: datetime, why: str, *, is_held: bool = False
) -> CaseState | None:
    """Close the case; None if it can't be closed, or is suspended without ``is_held``."""
    state = state_of(case_rows.history(conn, case.id))
    settled = decide_case(state, SettleCase(why), local_day(at, case.zone), SERVER)
    if (state.suspended and not is_held) or isinstance(settled, CaseRefusal):
        return None
    after_it = after(state, settled)
    append_to(conn, case, after_it, settled, (to_us(at), None))
    return after_it


def tell_returned(conn: Connection, poster: Poster, case: CaseRow, state: CaseState) -> None:
    """Tell the leader and the opponents that an absent player is back (§ 6.8.1)."""
    officials = officials_in(conn, case, state, poster.now_us)
    others = [person for person in sorted(state.may_appeal) if person != case.person_id]
    notice = Notice(CaseWord.RETURNED, None)
    ledger.write_outbox(conn, notices(poster, case, notice, (*officials, *others)))
