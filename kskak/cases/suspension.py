"""Games that stand still while a case is pending: what a suspension does to them (§ 6.4.1).

Also what becomes of the claims that halted them (§ 6.3.3.5). Not for when a game is
suspended (decide.py, appeals.py).
"""

from collections.abc import Iterable
from datetime import date

from kskak.cases import events as ce
from kskak.cases.decisions import GameOrder
from kskak.cases.state import CaseState
from kskak.game import events as ev
from kskak.regulation.days import ONE_DAY
from kskak.regulation.quantities import PauseReason


def lifted(state: CaseState, now: date) -> tuple[ce.SuspensionLifted, ...]:
    """The end of any suspension in force."""
    return (ce.SuspensionLifted(now, state.suspended),) if state.suspended else ()


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
