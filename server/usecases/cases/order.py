"""What an official decides, before it is a decision of the case (§ 6.4.1-6.4.3).

Not for carrying it out (deciding.py) nor for the form it comes from (web/cases/decision_form.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.cases.decide import after
from kskak.cases.decisions import AppealEnd, Decision, FactFound, GameOrder, SanctionOrder, effects
from kskak.cases.events import HearingClosed
from kskak.cases.state import CaseState, next_ref
from kskak.cases.suspension import claims_upheld
from kskak.cases.withdrawal import Withdrawal
from server.store.cases.cases_and_events import CaseRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What an official decides; for the fields see ``kskak.cases.decisions.Decision``."""

    paragraphs: tuple[str, ...]
    reasons: str
    facts: tuple[FactFound, ...] = ()
    games: tuple[GameOrder, ...] = ()
    sanctions: tuple[SanctionOrder, ...] = ()
    annuls: tuple[str, ...] = ()
    restores: tuple[str, ...] = ()
    grants: tuple[int, ...] = ()
    prizes_lost: tuple[int, ...] = ()
    appeal: AppealEnd | None = None
    leaving: tuple[Withdrawal, ...] = ()
    """Not part of the decision: withdrawals judged by the half rule, whose games the case takes
    in and whose letter tells it (§ 6.2.8)."""
    unheard: str = ""
    """Nor this: why the case is decided though the parties have not been heard out (§ 6.4.1)."""

    @property
    def named(self) -> tuple[str, ...]:
        """The earlier decisions that it annuls or restores."""
        return (*self.annuls, *self.restores)

    def as_heard(self, state: CaseState, on: date) -> CaseState:
        """The case when the order has closed its hearing, where it is to."""
        if not self.unheard or state.is_heard(on):
            return state
        return after(state, (HearingClosed(on, None, self.unheard),))

    def decision(self, case: CaseRow, state: CaseState, on: date) -> Decision:
        """The decision of the instance that the case is now before.

        A claim of overstep about which it orders nothing is upheld (§ 6.4.1, reading). One that
        sends the case back annuls the decisions appealed against (§ 6.4.3).
        """
        known, is_sent_back = state.known, self.appeal is AppealEnd.SENT_BACK
        again = (known[ref] for ref in self.restores if ref in known)
        ordered = {game for one in again for game in effects(one, known)}
        ordered |= {order.game for order in self.games}
        return Decision(
            ref=next_ref(case.number, state),
            instance=state.instance,
            on=on,
            paragraphs=self.paragraphs,
            reasons=self.reasons,
            facts=self.facts,
            games=(*self.games, *claims_upheld(state, ordered, on)),
            sanctions=self.sanctions,
            annuls=state.in_question if is_sent_back else self.annuls,
            restores=self.restores,
            grants=self.grants,
            prizes_lost=self.prizes_lost,
            appeal=self.appeal,
            votes=state.votes,
        )
