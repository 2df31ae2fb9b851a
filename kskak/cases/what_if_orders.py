"""Turns suppositions that were tried into a decision's orders for the game.

This saves typing them twice (§ 6.4.1). Not for trying (what_if.py) nor for deciding:
the official may change or leave out what is proposed here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.cases import what_if as wi
from kskak.cases.what_if_compared import Comparison, outcome_of
from kskak.game import events as ev
from kskak.play.evolve import EntryFault
from kskak.play.state import Terms
from kskak.regulation.quantities import Side
from kskak.statement.account import Account, account

_TRIAL = "trial"


@dataclass(frozen=True, slots=True)
class Carried:
    """The effects, and the rulings supposed away, which the decision annuls.

    ``is_exact``: whether they yield the supposed totals and outcome.
    """

    effects: tuple[ev.RulingEffect, ...]
    is_exact: bool
    annuls: tuple[str, ...] = ()


def _fact(supposition: wi.Supposition) -> ev.RulingEffect | None:
    """The effect that states the supposition itself; None when only its outcome can be ruled."""
    match supposition:
        case wi.SentOn(ply, day):
            return ev.DispatchCorrected(ply, day, None, "", "")
        case wi.ReceivedOn(ply, day):
            return ev.DispatchCorrected(ply, None, day, "", "")
        case wi.LeaveGranted(by, first, last, leave_type):
            return ev.LeaveBooked(by, first, last, None, leave_type)
        case wi.TimeStood(first, last, reason):
            return ev.Paused(first, last, reason)
        case wi.DaysCounted(by, days, on, paragraph, _):
            return ev.DaysCharged(by, on, days, paragraph, "")
        case wi.TotalsCounted(white, black):
            return ev.TotalsSet(white, black)
        case _:
            return None


def effects_from(
    terms: Terms,
    events: Sequence[ev.Event],
    supposed: Sequence[wi.Supposition],
    tried: Comparison,
    on: date,
) -> Carried:
    """The effects that give the game what was tried, for a ruling on ``on``.

    Facts as facts; what can't be stated that way as totals, which also reopen a game closed by
    an overstep (Kendelse 59); a result where the supposed account has one.
    """
    out = (one.ruling for one in supposed if isinstance(one, wi.RulingOut))
    annuls = tuple(dict.fromkeys(out))
    events = [*events, *(ev.RulingAnnulled(ruling) for ruling in annuls)]
    found = [_fact(supposition) for supposition in supposed]
    effects: list[ev.RulingEffect] = [effect for effect in found if effect is not None]
    wanted = tried.after
    if not _is_as(_after(terms, events, effects), wanted) and wanted.overstep is None:
        white, black = (max(wanted.state.clock(side).total, 0) for side in Side)
        effects.append(ev.TotalsSet(white, black))
    result = wanted.state.result
    if result is not None and not _is_as(_after(terms, events, effects), wanted):
        effects.append(ev.ResultRuled(result, on, "", ""))
    return Carried(tuple(effects), _is_as(_after(terms, events, effects), wanted), annuls)


def _after(
    terms: Terms, events: Sequence[ev.Event], effects: Sequence[ev.RulingEffect]
) -> Account | None:
    ruled = [ev.Ruled(_TRIAL, effect) for effect in effects]
    try:
        return account(terms, [*events, *ruled])
    except EntryFault:
        return None


def _is_as(reached: Account | None, wanted: Account) -> bool:
    """Whether totals and outcome agree; the running move depends on the day and is ignored."""
    if reached is None or outcome_of(reached) is not outcome_of(wanted):
        return False
    one, other = reached.state, wanted.state
    return (one.white.total, one.black.total) == (other.white.total, other.black.total)
