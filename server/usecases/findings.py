"""From what was tried on the case page to what a decision orders (§ 6.4.1).

A date tried becomes a finding about the dispatch, leave becomes leave granted; what a ruling
can't say as such (a charge left out, a notice given) becomes the days it makes. Not for trying
(kskak.whatif) nor for deciding.
"""

from collections.abc import Sequence
from datetime import date

from kskak import events as ev
from kskak import whatif as wi
from kskak.comparing import Comparison
from kskak.decisions import GameOrder
from kskak.quantities import Side
from kskak.state import Terms

_AS_DAYS = wi.SpoiledByPost | wi.EntryOut | wi.NoticeGiven
"""What changes the account only: a ruling says its days."""


def orders_of(
    game_id: int,
    terms: Terms,
    events: Sequence[ev.Event],
    supposed: Sequence[wi.Supposition],
    today: date,
) -> tuple[GameOrder, ...]:
    """What a decision orders in a game so that the account becomes what was tried."""
    plain = [effect for one in supposed if (effect := _effect(one, today)) is not None]
    counted = [one for one in supposed if isinstance(one, _AS_DAYS)]
    if counted:
        compared = wi.what_if(terms, events, counted, today)
        if isinstance(compared, Comparison):
            plain += _days(compared, counted, today)
    return tuple(GameOrder(game_id, effect) for effect in plain)


def rulings_out(supposed: Sequence[wi.Supposition]) -> tuple[str, ...]:
    """The earlier rulings that were left out: the decision annuls them (§ 6.4.3)."""
    return tuple(one.ruling for one in supposed if isinstance(one, wi.RulingOut))


def _effect(one: wi.Supposition, today: date) -> ev.RulingEffect | None:
    match one:
        case wi.SentOn(ply, day):
            return ev.DispatchCorrected(ply, day, None, "", "")
        case wi.ReceivedOn(ply, day):
            return ev.DispatchCorrected(ply, None, day, "", "")
        case wi.TurnReceivedOn(day):
            return ev.GameResumed(day)
        case wi.LeaveGranted(by, first, last, leave_type):
            return ev.LeaveBooked(by, first, last, None, leave_type)
        case wi.TimeStood(first, last, reason):
            return ev.Paused(first, last, reason)
        case wi.DaysCounted(by, days, _, paragraph, _):
            return ev.DaysCharged(by, today, days, paragraph, "")
        case wi.TotalsCounted(white, black):
            return ev.TotalsSet(white, black)
        case _:
            return None


def _days(
    compared: Comparison, counted: Sequence[wi.Supposition], today: date
) -> list[ev.RulingEffect]:
    paragraph = "6.3.4" if any(isinstance(one, wi.NoticeGiven) for one in counted) else "6.4.1"
    found: list[ev.RulingEffect] = []
    for side in Side:
        before, after = compared.totals(side)
        if before != after:
            found.append(ev.DaysCharged(side, today, after - before, paragraph, ""))
    return found
