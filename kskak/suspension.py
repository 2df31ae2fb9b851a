"""Games that stand still while a case is treated: what a suspension does to them (§ 6.4.1).

Not for when a game is suspended (disputes.py, appeals.py).
"""

from datetime import date

from kskak import case_events as ce
from kskak import events as ev
from kskak.case_state import CaseState
from kskak.days import ONE_DAY
from kskak.quantities import PauseReason


def lifted(state: CaseState, now: date) -> tuple[ce.SuspensionLifted, ...]:
    """The end of whatever suspension stands."""
    return (ce.SuspensionLifted(now, state.suspended),) if state.suspended else ()


def suspension_effects(event: ce.CaseEvent) -> dict[int, ev.Event]:
    """What each game's ledger gets when it is suspended or goes on; empty for other events.

    Time stands still from the day of the suspension to the day before it is lifted (§ 6.4.1).
    """
    match event:
        case ce.GamesSuspended(on, games, _):
            return {game: ev.Paused(on, None, PauseReason.DISPUTE) for game in games}
        case ce.SuspensionLifted(on, games):
            return {game: ev.PauseEnded(PauseReason.DISPUTE, on - ONE_DAY) for game in games}
        case _:
            return {}
