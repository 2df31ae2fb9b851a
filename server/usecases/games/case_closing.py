"""How the server itself closes a case: an answer, an admission, a return, a ruling elsewhere.

What stood open in a game is compared before and after its new events; the undecided cases about it
close when nothing is left in them to decide (§ 6.3.4, § 6.3.3.5, § 6.8.1). Not for decisions
(cases/case_decisions.py).
"""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import Connection

from kskak.cases.case import ENDS, REPORTED, REPORTS, SERVER, CaseRefusal, CaseState, SettleCase
from kskak.cases.case_events import CaseEvent, CaseKind, CaseNarrowed, ClaimClosed, ClaimEnd
from kskak.cases.decide_case import apply_case_events, decide_case
from kskak.game.game_events import Event, LeaveBooked, RulingApplied
from kskak.play.game_state import GameState
from kskak.reflection import has_bounced
from kskak.regulation.days import local_day
from kskak.regulation.editions import Ending, LeaveType, OverstepFinding, Result, Side
from mail.office_letters.case_letters import CaseWord
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.engine.rows import to_us
from server.store.mail import batch as batch_rows
from server.usecases.games.case_hearers import officials_in
from server.usecases.games.case_opening import (
    ABOUT_PLAYER,
    OF_PLAYER,
    UNDECIDED,
    CaseNews,
    States,
    append_to,
    captains_in,
    notices,
    readable,
    state_of,
)
from server.usecases.games.game_units import CaseCause, ClaimEnded, SilenceBroken
from server.usecases.games.outbox_letters import Poster

# What stands open in a game, and what ends it.


def list_matters(state: GameState, today: date) -> frozenset[CaseKind]:
    """What stands open in a game, about its side to move or the one whose time is up.

    A silence known to the leader, an absence, an overstep that nobody has claimed (§ 6.3.4).
    """
    if state.result is not None:
        return frozenset()
    found = {
        CaseKind.SILENCE: bool(state.turn.said.leader_told) and not _is_excused(state, today),
        CaseKind.OFFLINE: has_bounced(state.bookings),
        CaseKind.OVERSTEP: _is_over(state, today),
    }
    return frozenset(kind for kind, stands in found.items() if stands)


def _is_over(state: GameState, today: date) -> bool:
    """Whether time is up and nobody has claimed it; once found, or passed by a dispatch."""
    if state.overstep is not None:
        return state.overstep.finding is OverstepFinding.OPEN
    running = None if state.turn.warned is None else state.running()
    return running is not None and running.flag_on is not None and running.flag_on <= today


def _side_of_matters(state: GameState) -> Side:
    return state.mover if state.overstep is None else state.overstep.by


def list_broken(
    cause: CaseCause, events: Sequence[Event], states: States
) -> tuple[SilenceBroken, ...]:
    """The end of what stood open in a game (``list_matters``), or of the game by a ruling.

    By an answer, the game's end, a ruling, or special leave that covers today (§ 6.3.6.4).
    """
    (before, after), today = states, local_day(cause.at, cause.game.zone)
    ruling = next((one.ruling for one in events if isinstance(one, RulingApplied)), None)
    is_move = after.position.ply != before.position.ply
    is_end = after.result is not None and before.result is None
    stood = list_matters(before, today)
    gone, is_granted = stood - list_matters(after, today), not _is_excused(before, today)
    is_leave = CaseKind.SILENCE in gone and is_granted and _is_excused(after, today)
    is_over = bool(stood) and not is_leave and (is_move or is_end or bool(gone))
    if not (is_over or is_leave or is_end):
        return ()
    is_answer = is_move or cause.by == cause.game.person_of(before.mover)
    whole = (cause.game, cause.by, cause.at, cause.poster)
    is_plain = not (is_over or is_leave or ruling)
    return (SilenceBroken(*whole, is_leave, is_end, is_answer, ruling, is_plain),)


def _is_excused(state: GameState, today: date) -> bool:
    """Whether the side to move has special leave today (§ 6.3.6.4)."""
    booked = (one.booked for one in state.bookings)
    return any(
        isinstance(leave, LeaveBooked)
        and leave.leave_type is LeaveType.SPECIAL
        and leave.by is state.mover
        and leave.first <= today <= leave.last
        for leave in booked
    )


# How the server itself closes a case: an answer, an admission, a return (§ 6.3.4, § 6.8.1).

ANSWERED, RETURNED, ADMITTED, ON_LEAVE = "@answered", "@returned", "@admitted", "@on_leave"
OVER, CLEARED, LAPSED, RULED = "@over", "@cleared", "@lapsed", "@ruled"
"""Why a case was closed, as keys of the catalogues; the last with the ruling's name after it."""
_ANSWERABLE = frozenset(
    {*OF_PLAYER, CaseKind.OVERSTEP, CaseKind.DAYS, CaseKind.FAULTY, CaseKind.LEAVE,
     CaseKind.ADJUDICATION}
)  # fmt: skip
"""What a game's end by a ruling answers: the count of its days, its result, who is silent."""


def close_ended_claim(conn: Connection, ended: ClaimEnded) -> None:
    """Close an overstep that was admitted (§ 6.3.3.5), or that leave has removed (§ 6.3.6.4).

    Its case too, if nothing else is in it. The players are told of a result by its own letters, of
    a game that goes on by this.
    """
    game, now_us = ended.game, ended.poster.now_us
    among = case_rows.open_cases(conn, game.id, state=UNDECIDED)
    about = [one for one in among if CaseKind.OVERSTEP in one.kinds]
    known = next((one for one in about if ended.is_leave or game.id in one.claims), None)
    if known is None:
        return
    case, today = case_rows.lock(conn, known.id), local_day(ended.at, known.zone)
    state = state_of(case_rows.history(conn, case.id))
    why, word = (LAPSED, CaseWord.LAPSED) if ended.is_leave else (ADMITTED, CaseWord.ADMITTED)
    end = ClaimEnd.LAPSED if ended.is_leave else ClaimEnd.ADMITTED
    is_claimed = game.id in {claim.game for claim in state.claims}
    closed = (ClaimClosed(today, game.id, None, end),) if is_claimed else ()
    left: CaseState | None = apply_case_events(state, closed)
    if left is not None and is_still_open(conn, case, left, today):
        _append_narrowed(conn, case, left, closed, ended.at)
    else:
        left = _close_without_decision(conn, case, ended.at, why, is_held=True)
    if left is not None and (closed or left.stage in ENDS):
        parties = left.opened.parties
        told = [
            *officials_in(conn, case, left, now_us),
            *captains_in(conn, case.group_id, parties, now_us),
        ]
        told += parties if ended.is_leave else ()
        batch_rows.write_outbox(conn, notices(ended.poster, case, CaseNews(word, None), told))


def close_answered_cases(conn: Connection, broken: SilenceBroken) -> None:
    """Close the cases about a game in which nothing is left to decide after what happened there.

    A case whose game the leader has suspended is in the leader's hands and stays open.
    """
    for known in case_rows.open_cases(conn, broken.game.id):
        kinds, is_his = set(known.kinds), bool(OF_PLAYER & set(known.kinds))
        is_reported = broken.is_end and known.question in (REPORTED, REPORTS)
        if not (is_reported or _may_be_answered(broken, kinds)):
            continue
        case = case_rows.lock(conn, known.id)
        state = readable(case_rows.history(conn, case.id))
        if state is None or (state.decided and not (is_his and broken.is_answer)):
            continue  # it stays open: no move waits for it
        is_raised = state.opened.claimant is not None and not state.was_claimed
        if is_raised and not (broken.ruling or is_reported):
            continue  # what a player raised himself only a ruling answers
        gone = CaseKind.OFFLINE if broken.is_answer else None
        if is_still_open(conn, case, state, local_day(broken.at, case.zone), gone):
            _append_narrowed(conn, case, state, (), broken.at)
            continue
        why = _why_closed(broken, kinds)
        done = _close_without_decision(conn, case, broken.at, why)
        if done is None and (broken.is_answer or broken.is_leave):
            _say_so(conn, broken, case)
        elif done is not None and why is RETURNED:
            notify_of_return(conn, broken.poster, case, done)
        elif done is not None and why.startswith(RULED):
            notice = CaseNews(CaseWord.SETTLED, None, why)
            told = notices(broken.poster, case, notice, sorted(done.may_appeal))
            batch_rows.write_outbox(conn, told)


def _may_be_answered(broken: SilenceBroken, kinds: set[str]) -> bool:
    is_missing = broken.is_leave and CaseKind.SILENCE not in kinds
    return kinds <= _ANSWERABLE and not (broken.is_plain or is_missing)


def _why_closed(broken: SilenceBroken, kinds: set[str]) -> str:
    """The key of the catalogues; only of who has written himself it is said that he answered."""
    if broken.is_leave:
        return ON_LEAVE
    if broken.ruling is not None:
        return f"{RULED} {broken.ruling}"
    if broken.is_answer and kinds & OF_PLAYER:
        return ANSWERED if CaseKind.OFFLINE not in kinds else RETURNED
    return OVER if broken.is_end else CLEARED


def is_still_open(
    conn: Connection, case: CaseRow, state: CaseState, today: date, gone: CaseKind | None = None
) -> bool:
    """Whether something in a case still waits: a claim, a withdrawal, a player's own dispute, or
    a game in which he is as silent, absent or late as before.

    ``gone``: what is over though the games say otherwise, as an absent player who is heard from is
    back everywhere (§ 6.8.1).
    """
    kinds = set(state.kinds)
    if state.claims or CaseKind.WITHDRAWAL in kinds:
        return True
    is_raised = state.opened.claimant is not None and not state.was_claimed
    is_his = not is_raised and kinds <= ABOUT_PLAYER and case.person_id is not None
    for game in case_rows.games_in(conn, state.opened.games):
        now = game.state()
        matters = (list_matters(now, today) & kinds) - {gone}
        is_about = game.person_of(_side_of_matters(now)) == case.person_id
        if now.result is None and (not is_his or (matters and is_about)):
            return True
        # Lost by both by playing on: who rules on the overstep may read it otherwise (§ 6.3.3.4).
        is_reading = now.result is Result.BOTH_LOSE and now.ended is not Ending.RULING
        if is_reading and CaseKind.OVERSTEP in kinds:
            return True
    return False


def _append_narrowed(
    conn: Connection, case: CaseRow, state: CaseState, events: tuple[CaseEvent, ...], at: datetime
) -> None:
    """Append what happened in a case that goes on, and what of it stands in no game any more.

    What a player raised himself, or claims, stands until it is answered.
    """
    today, stands = local_day(at, case.zone), set[CaseKind]()
    for game in case_rows.games_in(conn, state.opened.games):
        now = game.state()
        if game.person_of(_side_of_matters(now)) == case.person_id:
            stands |= list_matters(now, today)
        if now.result is Result.BOTH_LOSE:
            stands.add(CaseKind.OVERSTEP)
    over = tuple(kind for kind in state.kinds if kind in _MATTERS and kind not in stands)
    is_asked = state.claims or state.opened.claimant is not None
    if over and over != state.kinds and not is_asked:
        events = (*events, CaseNarrowed(today, over))
        state = apply_case_events(state, events[-1:])
    if events:
        append_to(conn, case, state, events, (to_us(at), None))


_MATTERS = (CaseKind.SILENCE, CaseKind.OFFLINE, CaseKind.OVERSTEP)


def _say_so(conn: Connection, broken: SilenceBroken, case: CaseRow) -> None:
    """Tell the leader about a case that stays open, as its game is suspended or it is decided."""
    state = state_of(case_rows.history(conn, case.id))
    officials = officials_in(conn, case, state, broken.poster.now_us)
    word = CaseWord.EXCUSED if broken.is_leave else CaseWord.ANSWERED
    batch_rows.write_outbox(conn, notices(broken.poster, case, CaseNews(word, None), officials))


def _close_without_decision(
    conn: Connection, case: CaseRow, at: datetime, why: str, *, is_held: bool = False
) -> CaseState | None:
    """Close the case; None if it can't be closed, or is suspended without ``is_held``."""
    state = state_of(case_rows.history(conn, case.id))
    settled = decide_case(state, SettleCase(why), local_day(at, case.zone), SERVER)
    if (state.suspended and not is_held) or isinstance(settled, CaseRefusal):
        return None
    after_it = apply_case_events(state, settled)
    append_to(conn, case, after_it, settled, (to_us(at), None))
    return after_it


def notify_of_return(conn: Connection, poster: Poster, case: CaseRow, state: CaseState) -> None:
    """Tell the leader and the opponents that an absent player is back (§ 6.8.1)."""
    officials = officials_in(conn, case, state, poster.now_us)
    others = [person for person in sorted(state.may_appeal) if person != case.person_id]
    notice = CaseNews(CaseWord.RETURNED, None)
    batch_rows.write_outbox(conn, notices(poster, case, notice, (*officials, *others)))
