"""How a game stands after a decision, or why the decision can't be carried out (§ 6.4.1).

A decision says one thing about a game: who won, or that it goes on. Its orders must take
effect, and its days lie within the game's own. Readings: a game goes on from a day between the
last sending and half a year ahead (Kendelse 59, Kendelse 120); leave and pauses lie at most a
year ahead. A ledger has no such bounds. Not for who may decide (verdicts.py).
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta

from kskak.cases.decisions import Decision, effects, game_events
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseState
from kskak.cases.suspension import rest_after, suspension_effects
from kskak.cases.what_if_compared import Outcome, outcome_of
from kskak.game import events as ev
from kskak.game.lawful_days import lawful_days, unlawful_day
from kskak.play.evolve import EntryFault, replay
from kskak.play.standing_events import is_swapped
from kskak.play.state import GameState, LedgerFault, Terms
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import DISPUTES
from kskak.regulation.quantities import Side
from kskak.statement.account import Account, account


@dataclass(frozen=True, slots=True)
class TurnDays:
    """Days used on the move that a game resumes with: before the decision, and after it."""

    by: Side
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Aftermath:
    """A game after a decision, on its day. ``turn`` only where the decision resumes it."""

    outcome: Outcome
    turn: TurnDays | None = None


def clash(decision: Decision, state: CaseState) -> CaseReason | None:
    """How a decision contradicts itself, whatever has happened in the games (§ 6.4.1)."""
    if set(decision.annuls) & set(decision.restores):
        return CaseReason.TWO_ANSWERS
    for ordered in effects(decision, state.known).values():
        kinds = {type(effect) for effect in ordered}
        if ev.ResultRuled in kinds and kinds & {ev.GameResumed, ev.GameSetBack}:
            return CaseReason.RESULT_AND_RESUME
        if ev.GameSetBack in kinds and ev.GameResumed not in kinds:
            return CaseReason.SET_BACK_UNDATED
        said = dict[object, object]()
        for about, what in (pair for effect in ordered for pair in _sayings(effect)):
            if said.setdefault(about, what) != what:
                return CaseReason.TWO_ANSWERS
    return None


def _sayings(effect: ev.RulingEffect) -> Iterator[tuple[object, object]]:
    """What an effect fixes, as pairs of subject and value: each subject can have only one value."""
    match effect:
        case ev.ResultRuled(result):
            yield "result", result
        case ev.GameResumed(on):
            yield "resume", on
        case ev.GameSetBack(ply, _, swaps_colours):
            yield "set_back", (ply, swaps_colours)
        case ev.TotalsSet(white, black):
            sides = zip(Side, (white, black), strict=True)
            yield from ((side, total) for side, total in sides if total is not None)
        case ev.DispatchCorrected(ply, sent, received):
            days = (("sent", sent), ("received", received))
            yield from (((ply, name), day) for name, day in days if day is not None)


def ledger_events(decision: Decision, state: CaseState) -> dict[int, tuple[ev.Event, ...]]:
    """The events for the games a decision rules on, including those of their suspension."""
    out = game_events(decision, state.known)
    for rest in rest_after(decision, state):
        for game, event in suspension_effects(rest).items():
            if game in out:
                out[game] = (*out[game], event)
    return out


def aftermath(
    terms: Terms, events: Sequence[ev.Event], new: Sequence[ev.Event], on: date
) -> Aftermath | CaseRefusal:
    """The game after a decision's events, or why they don't achieve what it orders."""
    ordered = [one.effect for one in new if isinstance(one, ev.Ruled)]
    outside = unlawful_day(tuple(ordered), terms.start, on)
    if not _is_of_no_colour(ordered) and is_swapped([*events, *new]) is not is_swapped(events):
        return CaseRefusal(CaseReason.COLOURS_ALONE, game=terms.game)
    try:
        # Nothing is counted with a mistyped year: its bounds are those of the game as it is.
        after = account(terms, [*events, *new] if outside is None else events, on)
    except (EntryFault, LedgerFault):
        return CaseRefusal(CaseReason.IMPOSSIBLE, game=terms.game)
    wrong = _misdated(ordered, after, on)
    if wrong is None and outside is not None:
        since, until = lawful_days(terms.start, on)
        wrong = CaseRefusal(CaseReason.GAME_DATES, until, None, since, outside, terms.game)
    if wrong is not None:
        return wrong
    refs = {one.ruling for one in new if isinstance(one, ev.Ruled)}
    if not _took_effect(ordered, after, refs):
        return CaseRefusal(CaseReason.STILL_OVER, game=terms.game)
    resumed = [effect for effect in ordered if isinstance(effect, ev.GameResumed)]
    if not resumed:
        return Aftermath(outcome_of(after))
    others = [event for event in new if not isinstance(event, ev.Ruled)]
    now = _days_on_turn(after.state, on)
    if any(isinstance(effect, ev.GameSetBack) for effect in ordered):  # another turn than before
        return Aftermath(outcome_of(after), TurnDays(after.state.mover, now, now))
    before = _days_on_turn(replay(terms, [*events, *others]), on)
    return Aftermath(outcome_of(after), TurnDays(after.state.mover, before, now))


def _is_of_no_colour(ordered: Sequence[ev.RulingEffect]) -> bool:
    """Whether the orders name neither player by colour, so that none can be taken for the other."""
    return all(
        isinstance(one, ev.GameResumed) or (isinstance(one, ev.GameSetBack) and one.ply == 0)
        for one in ordered
    )


def _days_on_turn(state: GameState, on: date) -> int:
    """The days that count which the side to move has used on the current move."""
    overstep, total = state.overstep, state.clock(state.mover).total
    if overstep is not None and overstep.by is state.mover and overstep.used > total:
        return overstep.used - total
    return 0 if state.receipt is None else state.live_watch.days(state.receipt, on)


def _took_effect(
    ordered: Sequence[ev.RulingEffect], after: Account, refs: AbstractSet[str]
) -> bool:
    """Whether the orders took effect: nothing but a result changes a game that is over."""
    state = after.state
    if any(isinstance(one, ev.GameResumed) for one in ordered) and state.result is not None:
        return False
    charged = [one for one in ordered if isinstance(one, ev.DaysCharged)]
    if len([one for one in after.charges if one.ruling in refs]) < len(charged):
        return False
    set_to: dict[Side, int] = {}
    for one in ordered:
        if isinstance(one, ev.TotalsSet):
            told = zip(Side, (one.white, one.black), strict=True)
            set_to |= {side: total for side, total in told if total is not None}
        elif isinstance(one, ev.DaysCharged) and one.by in set_to:
            set_to[one.by] += one.days
    return all(state.clock(side).total == total for side, total in set_to.items())


def _misdated(ordered: Sequence[ev.RulingEffect], after: Account, on: date) -> CaseRefusal | None:
    """The first day of a decision that lies outside what the game allows, with its bounds."""
    for effect in ordered:
        for day, first, last in _bounds(effect, after, on):
            if not first <= day <= last:
                reason, game = CaseReason.GAME_DATES, after.terms.game
                return CaseRefusal(reason, until=last, since=first, day=day, game=game)
    return None


def _bounds(effect: ev.RulingEffect, after: Account, on: date) -> Iterator[tuple[date, date, date]]:
    """Each day of an effect, with the first and the last that make sense."""
    start, ahead = after.terms.start, on + timedelta(days=DISPUTES.ahead_days)
    match effect:
        case ev.GameResumed(day):
            soon = on + timedelta(days=DISPUTES.resume_ahead_days)
            yield day, after.state.turn.opponent_sent or start, soon
        case ev.DispatchCorrected(ply, sent, received):
            if received is not None:
                yield received, _answered(ply, after), on
            if sent is not None:
                yield sent, start, on
        case ev.DaysCharged(on=day) | ev.ResultRuled(on=day):
            yield day, start, on
        case ev.LeaveBooked(first=first, last=last):
            yield last, max(first, start), ahead
        case ev.Paused(first, last, _):
            yield first, start, ahead
            if last is not None:
                yield last, first, ahead
        case ev.PauseEnded(_, last):
            yield last, start - ONE_DAY, ahead


def _answered(ply: int, after: Account) -> date:
    """The day the move answered by the dispatch at a ply was sent; the start for the first."""
    sent = [row.dates.sent for row in after.rows if row.ply < ply and row.dates.sent is not None]
    return sent[-1] if sent else after.terms.start
