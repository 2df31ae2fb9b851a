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
from kskak.cases.case_events import (
    CaseDecided,
    CaseEvent,
    DecisionCited,
    Instance,
    PaperKind,
    game_events,
)
from kskak.cases.decide_case import apply_case_events, decide_case
from kskak.game.game_events import Event, GameSetBack, RulingAnnulled, RulingApplied
from kskak.play.events_in_force import is_swapped
from kskak.play.evolve_game import NeedsHistory, advance
from kskak.play.game_state import LedgerFault
from kskak.regulation.days import local_day
from mail.game_letters.move_letters import GameOver
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseRow, UnknownCase
from server.store.cases.papers import NewPaper
from server.store.mail import batch as batch_rows
from server.store.mail.outbox import NewOutbox
from server.usecases.context import Core, poster_of
from server.usecases.games import case_opening
from server.usecases.games.case_hearers import officials_in
from server.usecases.games.game_units import LockedGame, Origin, PlainUnit, Writes
from server.usecases.games.outbox_letters import Poster
from server.usecases.games.writer import write_all
from server.usecases.play.game_requests import writes_of

CHANNEL = "case"


class ClaimUndecided(ValueError):
    """A decision leaves a claim of overstep neither upheld nor rejected (§ 6.4.1)."""


@dataclass(frozen=True, slots=True)
class EventsUnit(PlainUnit):
    """What a case does to one game, as a unit of the writer. Raises LedgerFault if impossible.

    ``settles``: it must decide the claim that stopped the game; raises ClaimUndecided if not.
    ``told``: who learns of the game's end by the decision's own letter, and has no other.
    """

    game_id: int
    events: tuple[Event, ...]
    origin: Origin
    poster: Poster
    settles: bool = False
    told: frozenset[int] = frozenset()

    def run(self, locked: LockedGame) -> tuple[Writes, object]:
        """Append the events, with the letters of a result that changed."""

        def history() -> Sequence[Event]:
            if locked.events is None:
                raise NeedsHistory
            return locked.events

        state = advance(locked.state, self.events, locked.row.seq, history)
        if self.settles and state.awaits_decision:
            raise ClaimUndecided
        changed = (self.game_id,) if self._changes_colours(history) else ()
        if changed:
            row = locked.row.with_colours_changed()
            locked, state = replace(locked, row=row), replace(state, terms=row.terms)
        writes = writes_of(locked, (self.events, state), self.origin, self.poster)
        letters = tuple(
            one
            for one in writes.outbox
            if one.kind != GameOver.kind or one.person_id not in self.told
        )
        return replace(writes, outbox=letters, colours_changed=changed), None

    def _changes_colours(self, history: Callable[[], Sequence[Event]]) -> bool:
        """Whether the players exchange their sides (FIDE 7.3), or that is annulled (§ 6.4.3)."""
        if not any(
            isinstance(getattr(one, "effect", one), GameSetBack | RulingAnnulled)
            for one in self.events
        ):
            return False
        return is_swapped([*history(), *self.events]) is not is_swapped(history())


Step = tuple[CaseCommand | Callable[[CaseState, CaseRow], CaseCommand], Actor]
"""A command, or what builds it once the case is locked; and who gives it."""


def filing(paper: NewPaper, actor: Actor) -> Step:
    """The step that records a paper in the file."""
    said = (paper.claimed_dates, paper.claimed_result)
    return FilePaper(PaperKind(paper.kind), paper.digest.hex(), paper.person_id, *said), actor


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """The outcome: the case's row and state after it, and the new events."""

    case: CaseRow
    before: CaseState
    state: CaseState
    events: tuple[CaseEvent, ...]
    paper_ids: tuple[int, ...] = ()


Then = Callable[[Connection, CaseOutcome], Iterable[NewOutbox]]
"""Called in the transaction for what follows from the steps, the letters among it. May raise
CaseRefusedError."""


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
    state: CaseState, case: CaseRow, steps: Iterable[Step], now: datetime
) -> tuple[CaseState, tuple[CaseEvent, ...]]:
    today = local_day(now, case.zone)
    events: tuple[CaseEvent, ...] = ()
    for asked, actor in steps:
        command = asked(state, case) if callable(asked) else asked
        decision = decide_case(state, command, today, actor)
        if isinstance(decision, CaseRefusal):
            raise CaseRefusedError(decision)
        if decision:
            state = apply_case_events(state, decision)
            events = (*events, *decision)
    return state, events


def _update_games(conn: Connection, units: list[EventsUnit]) -> None:
    try:
        write_all(conn, units)
    except LedgerFault as fault:
        raise CaseRefusedError(CaseRefusal(CaseReason.IMPOSSIBLE)) from fault
    except ClaimUndecided as undecided:
        raise CaseRefusedError(CaseRefusal(CaseReason.CLAIM_UNDECIDED)) from undecided


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


def list_officials(conn: Connection, case: CaseRow, state: CaseState, now_us: int) -> list[int]:
    """Officials of this instance and those below, and whoever has decided before (§ 6.4.3)."""
    found: list[int] = []
    for instance in Instance:
        found += officials_in(conn, case, replace(state, instance=instance), now_us)
        if instance is state.instance:
            break
    return [*found, *(row.by for row in state.decided)]


def act_in(
    conn: Connection,
    core: Core,
    case: CaseRow,
    steps: Iterable[Step],
    now: datetime,
    by: int | None = None,
) -> CaseOutcome:
    """Carry out steps in a locked case, within a transaction. Raises CaseRefusedError.

    ``by`` None: the server does. Also for what follows from a decision in other cases; papers and
    letters are up to the caller.
    """
    before = case_opening.state_of(case_rows.history(conn, case.id))
    state, events = _decide_steps(before, case, steps, now)
    if events:
        case_opening.append_to(conn, case, state, events, (core.now_us, by))
        origin, poster = Origin(now, by, CHANNEL), poster_of(core)
        touched = list_new_game_events(events, before)
        is_decided = any(isinstance(event, CaseDecided) for event in events)
        told = {*state.may_appeal, *list_officials(conn, case, state, core.now_us)}
        _update_games(
            conn,
            [
                EventsUnit(
                    *(game, new, origin, poster, _settles(before, state, game, new)),
                    frozenset(told if is_decided else ()),
                )
                for game, new in sorted(touched.items())
            ],
        )
    return CaseOutcome(case_rows.lock(conn, case.id), before, state, events)


async def run_transaction(
    core: Core,
    case_id: int,
    steps: Iterable[Step],
    by: int | None,
    papers: Sequence[NewPaper] = (),
    then: Then = lambda _, __: (),
    games: Iterable[int] = (),
) -> CaseOutcome | CaseRefusal:
    """Carry out steps with their papers, or say why not; all is written or nothing.

    ``then`` knows the papers' ids; ``games``: to be locked besides those of the case. Raises
    UnknownCase.
    """
    now = core.clock.now()

    def work(conn: Connection) -> CaseOutcome:
        history = case_rows.history(conn, case_id)
        if not history:
            raise UnknownCase(case_id)
        batch_rows.lock_games(conn, {*case_opening.state_of(history).opened.games, *games})
        case = case_rows.lock(conn, case_id)
        done = act_in(conn, core, case, steps, now, by)
        ids = tuple(paper_rows.add_paper(conn, case.id, paper) for paper in papers)
        done = replace(done, paper_ids=ids)
        unheard = case_opening.warn_of_no_hearers(conn, done.case, done.state, poster_of(core))
        batch_rows.write_outbox(conn, (*then(conn, done), *unheard))
        return done

    try:
        return await core.writer.transact(work)
    except CaseRefusedError as refused:
        return refused.refusal


def notify(
    conn: Connection,
    core: Core,
    case: CaseRow,
    state: CaseState,
    notice: case_opening.CaseNews,
    *,
    is_new: bool = False,
) -> tuple[NewOutbox, ...]:
    """To everybody the case concerns, their captains and its officials, except whoever did it.

    Of a new case its parties are told, and whoever opened it as well.
    """
    is_private = case_opening.PRIVATE in case.kinds and bool(notice.text)
    people = state.opened.parties if is_new else sorted(state.may_appeal)
    if is_private:
        people = tuple(one for one in state.opened.parties if one == case.person_id)
    officials = officials_in(conn, case, state, core.now_us)
    captains = case_opening.captains_in(conn, case.group_id, people, core.now_us)
    recipients = (*people, *officials, *captains)
    but = None if is_new else notice.by
    return case_opening.notices(
        poster_of(core), case, notice, (one for one in recipients if one != but)
    )
