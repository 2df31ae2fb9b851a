"""Games that stand still while a case is pending: what a suspension does to them (§ 6.4.1).

Also what becomes of the claims that halted them (§ 6.3.3.5). Not for when a game is
suspended (decide.py, appeals.py).
"""

from collections.abc import Iterable
from datetime import date

from kskak.cases import events as ce
from kskak.cases.decisions import AppealEnd, Decision, GameOrder, effects
from kskak.cases.state import CaseState
from kskak.game import events as ev
from kskak.regulation.days import ONE_DAY
from kskak.regulation.quantities import PauseReason


def lifted(state: CaseState, now: date) -> tuple[ce.SuspensionLifted, ...]:
    """The end of any suspension in force."""
    return (ce.SuspensionLifted(now, state.suspended),) if state.suspended else ()


def rest_after(
    decision: Decision, state: CaseState
) -> tuple[ce.GamesSuspended | ce.SuspensionLifted, ...]:
    """What a decision does to the suspension: it ends, unless the case is sent back (§ 6.4.1).

    Reading: then the games that the lapsed decisions ruled on stand still until it is decided
    anew, for time that ran meanwhile would be charged to a player.
    """
    if decision.appeal is not AppealEnd.SENT_BACK:
        return lifted(state, decision.on)
    ruled = {game for ref in decision.annuls for game in effects(state.known[ref], state.known)}
    new = tuple(sorted(ruled - {*state.suspended}))
    return (ce.GamesSuspended(decision.on, new, "6.4.1"),) if new else ()


def suspension_effects(event: ce.CaseEvent) -> dict[int, ev.Event]:
    """The event for each game's ledger when it is suspended or resumed; empty for other events.

    Time stands still from the day of the suspension to the day before it is lifted (§ 6.4.1).
    """
    match event:
        case ce.GamesSuspended(on, games, _):
            return {game: ev.Paused(on, None, PauseReason.DISPUTE) for game in games}
        case ce.SuspensionLifted(on, games):
            return {game: ev.PauseEnded(PauseReason.DISPUTE, on - ONE_DAY) for game in games}
        case _:
            return {}


def claims_upheld(state: CaseState, ordered: Iterable[int], on: date) -> tuple[GameOrder, ...]:
    """The claims that a decision upholds by ordering nothing else in their games.

    Reading of § 6.4.1: what the account shows stands unless the decision changes it.
    ``ordered``: the games that the decision has an order for.
    """
    known = set(ordered)
    return tuple(
        GameOrder(claim.game, ev.ClaimStands(claim.late, on))
        for claim in state.claims
        if claim.game not in known
    )


def claims_dropped(before: CaseState, event: ce.CaseEvent) -> dict[int, ev.Event]:
    """The claims dropped when a case closes undecided: their games go on (§ 6.4.1)."""
    if not isinstance(event, ce.CaseWithdrawn | ce.CaseSettled):
        return {}
    return {claim.game: ev.ClaimDropped(event.on) for claim in before.claims}
