"""Commands in a case, and all that follows from them, in one transaction (§ 6.4.1-6.4.3).

The games are locked first, then the case. kskak.cases.decide_case decides; then everything is
written together: the case's events and papers, the games' ledgers, sanctions, letters. Not for who
may ask for what (case_actions.py, case_decisions.py) nor for opening a case
(games/case_opening.py).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from kskak.cases.aftermath import drop_claims, suspension_effects
from kskak.cases.case import Actor, CaseCommand, CaseReason, CaseRefusal, CaseState, FilePaper
from kskak.cases.case_events import CaseDecided, CaseEvent, DecisionCited, PaperKind, game_events
from kskak.cases.decide_case import apply_case_events, decide_case
from kskak.game.game_events import Event, GameSetBack, RulingAnnulled, RulingApplied
from kskak.play.events_in_force import is_swapped
from kskak.play.evolve_game import NeedsHistory, advance
from kskak.play.game_state import LedgerFault
from kskak.regulation.days import local_day
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseRow, UnknownCase
from server.store.cases.papers import NewPaper
from server.store.mail import batch as batch_rows
from server.store.mail.outbox import NewOutbox
from server.usecases.context import Core, poster_of
from server.usecases.games.case_record import (
    CaseNews,
    append_to,
    captains_in,
    notices,
    officials_in,
    state_of,
)
from server.usecases.games.game_units import LockedGame, PlainUnit, Writes
from server.usecases.games.outbox_letters import Poster
from server.usecases.games.writer import BatchItemFailure, process
from server.usecases.play.game_requests import Origin, writes_of

CHANNEL = "case"


class ClaimUndecided(ValueError):
    """A decision leaves a claim of overstep neither upheld nor rejected (§ 6.4.1)."""


@dataclass(frozen=True, slots=True)
class EventsUnit(PlainUnit):
    """What a case does to one game, as a unit of the writer. Raises LedgerFault if impossible.

    ``settles``: it must decide the claim that stopped the game; raises ClaimUndecided if not.
    """

    game_id: int
    events: tuple[Event, ...]
    origin: Origin
    poster: Poster
    settles: bool = False

    def run(self, locked: LockedGame) -> tuple[Writes, object]:
        """Append the events, with the letters of a result that changed."""

        def history() -> Sequence[Event]:
            if locked.events is None:
                raise NeedsHistory
            return locked.events

        state = advance(locked.state, self.events, locked.row.seq, history)
        if self.settles and state.awaits_decision:
            raise ClaimUndecided
        if not self._changes_colours(history):
            return writes_of(locked, (self.events, state), self.origin, self.poster), None
        row = locked.row.with_colours_changed()
        locked, state = replace(locked, row=row), replace(state, terms=row.terms)
        writes = writes_of(locked, (self.events, state), self.origin, self.poster)
        return replace(writes, colours_changed=(self.game_id,)), None

    def _changes_colours(self, history: Callable[[], Sequence[Event]]) -> bool:
        """Whether the players exchange their sides (FIDE 7.3), or that is annulled (§ 6.4.3)."""
        if not any(
            isinstance(getattr(one, "effect", one), GameSetBack | RulingAnnulled)
            for one in self.events
        ):
            return False
        return is_swapped([*history(), *self.events]) is not is_swapped(history())


@dataclass(frozen=True, slots=True)
class CaseCommandStep:
    """A command, built once the case is locked, and who gives it."""

    build: Callable[[CaseState, CaseRow], CaseCommand]
    actor: Actor


def filing(paper: NewPaper, actor: Actor) -> CaseCommandStep:
    """The step that records a paper in the file."""
    command = FilePaper(PaperKind(paper.kind), paper.digest.hex(), paper.person_id)
    return CaseCommandStep(lambda _, __: command, actor)


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """The outcome: the case's row and state after it, and the new events."""

    case: CaseRow
    before: CaseState
    state: CaseState
    events: tuple[CaseEvent, ...]
    paper_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseTransaction:
    """Commands carried out together or not at all, with their papers and letters.

    ``follow`` is called in the transaction for further writes, and may raise Refused;
    ``letters`` are made once the ids of the papers are known. ``games``: to be locked besides
    those of the case.
    """

    case_id: int
    steps: tuple[CaseCommandStep, ...]
    by: int | None
    papers: tuple[NewPaper, ...] = ()
    letters: Callable[[Connection, CaseOutcome], Iterable[NewOutbox]] = lambda _, __: ()
    follow: Callable[[Connection, CaseOutcome], None] = lambda _, __: None
    games: tuple[int, ...] = ()


class CaseRefusedError(Exception):
    """Carries a refusal out of a transaction, which is rolled back."""

    def __init__(self, refusal: CaseRefusal) -> None:
        self.refusal = refusal


def list_new_game_events(
    events: Iterable[CaseEvent], before: CaseState
) -> dict[int, tuple[Event, ...]]:
    """What new events of a case add to each game's ledger, in order (§ 6.4.1)."""
    out: dict[int, tuple[Event, ...]] = {}
    known = before.known
    for event in events:
        effects: dict[int, tuple[Event, ...]] = {
            game: (one,)
            for made in (suspension_effects(event), drop_claims(before, event))
            for game, one in made.items()
        }
        if isinstance(event, DecisionCited):
            known[event.decision.ref] = event.decision
        if isinstance(event, CaseDecided):
            effects |= game_events(event.decision, known)
        for game, new in effects.items():
            out[game] = (*out.get(game, ()), *new)
    return out


def _decide_steps(
    state: CaseState, case: CaseRow, steps: tuple[CaseCommandStep, ...], now: datetime
) -> tuple[CaseState, tuple[CaseEvent, ...]]:
    today = local_day(now, case.zone)
    events: tuple[CaseEvent, ...] = ()
    for step in steps:
        decision = decide_case(state, step.build(state, case), today, step.actor)
        if isinstance(decision, CaseRefusal):
            raise CaseRefusedError(decision)
        if decision:
            state = apply_case_events(state, decision)
            events = (*events, *decision)
    return state, events


def _update_games(conn: Connection, units: list[EventsUnit]) -> None:
    for answer in process(conn, units):
        if isinstance(answer, BatchItemFailure):
            if isinstance(answer.error, LedgerFault):
                raise CaseRefusedError(CaseRefusal(CaseReason.IMPOSSIBLE)) from answer.error
            if isinstance(answer.error, ClaimUndecided):
                raise CaseRefusedError(CaseRefusal(CaseReason.CLAIM_UNDECIDED)) from answer.error
            raise answer.error


def _settles(before: CaseState, done: CaseState, game: int, new: tuple[Event, ...]) -> bool:
    """True if what a decision does to a game must leave no claim undecided there.

    Not in a case sent back: its claims are open again (§ 6.4.3).
    """
    if game in {claim.game for claim in done.claims}:
        return False
    is_claimed = game in {claim.game for claim in before.claims}
    is_undone = any(isinstance(event, RulingAnnulled) for event in new)
    return (is_claimed or is_undone) and any(
        isinstance(e, RulingApplied | RulingAnnulled) for e in new
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is done in a case, and by whom; ``by`` None: the server."""

    at: datetime
    by: int | None


def act_in(
    conn: Connection, core: Core, case: CaseRow, steps: tuple[CaseCommandStep, ...], moment: Moment
) -> CaseOutcome:
    """Carry out steps in a locked case, within a transaction. Raises Refused.

    Also for what follows from a decision in other cases; papers and letters are up to the caller.
    """
    before = state_of(case_rows.history(conn, case.id))
    state, events = _decide_steps(before, case, steps, moment.at)
    if events:
        append_to(conn, case, state, events, (core.now_us, moment.by))
        origin = Origin(moment.at, moment.by, CHANNEL)
        poster, touched = poster_of(core), list_new_game_events(events, before)
        _update_games(
            conn,
            [
                EventsUnit(game, new, origin, poster, _settles(before, state, game, new))
                for game, new in sorted(touched.items())
            ],
        )
    return CaseOutcome(case_rows.lock(conn, case.id), before, state, events)


def _work(conn: Connection, core: Core, deed: CaseTransaction, now: datetime) -> CaseOutcome:
    history = case_rows.history(conn, deed.case_id)
    if not history:
        raise UnknownCase(deed.case_id)
    batch_rows.lock_games(conn, {*state_of(history).opened.games, *deed.games})
    case = case_rows.lock(conn, deed.case_id)
    done = act_in(conn, core, case, deed.steps, Moment(now, deed.by))
    ids = tuple(paper_rows.add_paper(conn, case.id, paper) for paper in deed.papers)
    done = replace(done, paper_ids=ids)
    deed.follow(conn, done)
    batch_rows.write_outbox(conn, tuple(deed.letters(conn, done)))
    return done


async def run_transaction(core: Core, deed: CaseTransaction) -> CaseOutcome | CaseRefusal:
    """Carry out a deed, or say why not; all is written or nothing. Raises UnknownCase."""
    now = core.clock.now()
    try:
        return await core.writer.transact(lambda conn: _work(conn, core, deed, now))
    except CaseRefusedError as refused:
        return refused.refusal


def notices_to_others(
    conn: Connection, poster: Poster, done: CaseOutcome, notice: CaseNews
) -> tuple[NewOutbox, ...]:
    """To everybody the case concerns, their captains and its officials, except whoever did it."""
    case, concerned = done.case, sorted(done.state.may_appeal)
    officials = officials_in(conn, case, done.state, poster.now_us)
    captains = captains_in(conn, case.group_id, concerned, poster.now_us)
    told = [p for p in (*concerned, *officials, *captains) if p != notice.by]
    return notices(poster, case, notice, told)
