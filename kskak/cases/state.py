"""A case as it stands, and the questions it answers about itself (§ 6.4.1-6.4.3).

Not for how it changes (evolve.py) nor for what may be asked (decide.py).
"""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from kskak.cases.decisions import Decision, Instance, SanctionKind, SanctionOrder, Vote
from kskak.cases.events import (
    Appealed,
    CaseOpened,
    Decided,
    DecisionDelivered,
    Deposit,
    GameClaimed,
)
from kskak.regulation.editions import DISPUTES


class CaseStage(StrEnum):
    """The stage a case has reached; the last three end it."""

    OPENED = "opened"
    HEARD = "heard"
    DECIDED = "decided"
    APPEALED = "appealed"
    FINAL = "final"
    SETTLED = "settled"
    WITHDRAWN = "withdrawn"


ENDS = frozenset({CaseStage.FINAL, CaseStage.SETTLED, CaseStage.WITHDRAWN})


@dataclass(frozen=True, slots=True)
class Hearing:
    """Who was asked for a statement, until when, and who has answered."""

    until: date
    asked: tuple[int, ...]
    answered: tuple[int, ...] = ()
    is_closed: bool = False

    def is_over(self, now: date) -> bool:
        """Whether all have answered or the last day is past."""
        return now > self.until or set(self.asked) <= set(self.answered)


@dataclass(frozen=True, slots=True)
class HeldDeposit:
    """The deposit for an appeal to the Board: stated, received, settled, paid back (§ 6.4.3).

    ``is_returned`` None until that is decided.
    """

    person: int
    stated: Deposit
    received: Deposit | None = None
    is_returned: bool | None = None
    paid_back: Deposit | None = None

    @property
    def is_awaited(self) -> bool:
        """Whether it has not been received and is still due."""
        return self.received is None and not self.is_returned

    @property
    def is_owed(self) -> bool:
        """Whether it has to be paid back."""
        return self.received is not None and bool(self.is_returned) and self.paid_back is None


@dataclass(frozen=True, slots=True)
class CaseState:
    """A case; ``instance`` is the one it is before, or the one that decided last.

    ``opened`` includes later widening. ``appeals`` are the undecided ones against the latest
    decision. ``cited`` are decisions of other cases that were brought in,
    ``annulled_elsewhere`` those of this one that a decision of another case annulled. ``claims``
    are the claims of overstep it has yet to decide (§ 6.3.3.5).
    """

    opened: CaseOpened
    stage: CaseStage
    instance: Instance
    hearing: Hearing | None = None
    suspended: tuple[int, ...] = ()
    decided: tuple[Decided, ...] = ()
    delivered: tuple[DecisionDelivered, ...] = ()
    appeals: tuple[Appealed, ...] = ()
    closed_on: date | None = None
    cited: tuple[Decision, ...] = ()
    annulled_elsewhere: tuple[str, ...] = ()
    claims: tuple[GameClaimed, ...] = ()
    claims_decided: tuple[GameClaimed, ...] = ()
    """Those that a decision was made on: open again when the case is sent back (§ 6.4.3)."""
    votes: tuple[Vote, ...] = ()
    """The Board's, on the appeal before it."""
    deposits: tuple[HeldDeposit, ...] = ()
    """For appeals to the Board, in order."""

    @property
    def latest(self) -> Decision | None:
        """The decision that stands, None before the first."""
        return self.decided[-1].decision if self.decided else None

    @property
    def decisions(self) -> dict[str, Decision]:
        """All decisions by ref, annulled ones too: the history stays."""
        return {row.decision.ref: row.decision for row in self.decided}

    @property
    def known(self) -> dict[str, Decision]:
        """All decisions, by ref, that a decision of this case can annul or restore."""
        return {decision.ref: decision for decision in self.cited} | self.decisions

    @property
    def annulled(self) -> frozenset[str]:
        """The decisions that a later one has annulled, here or elsewhere."""
        here = (ref for row in self.decided for ref in row.decision.annuls)
        return frozenset((*here, *self.annulled_elsewhere))

    @property
    def in_question(self) -> tuple[str, ...]:
        """The decisions a new one is about; it is weighed as if they did not exist (§ 6.4.3).

        On appeal all that stand; before one the latest, which a new decision replaces.
        """
        if self.stage is CaseStage.APPEALED:
            refs = (row.decision.ref for row in self.decided)
            return tuple(ref for ref in refs if ref not in self.annulled)
        if self.stage is CaseStage.DECIDED and self.latest is not None:
            return (self.latest.ref,)
        return ()

    @property
    def may_appeal(self) -> frozenset[int]:
        """Those with standing: the parties and all whom the case or a decision names (§ 6.4.3)."""
        named = {order.person for row in self.decided for order in row.decision.sanctions}
        return frozenset({*self.opened.parties, *self.opened.concerned, *named})

    def standing_sanctions(self) -> tuple[SanctionOrder, ...]:
        """The sanctions of the decisions that stand, restored ones included."""
        by_ref = self.known
        standing: dict[str, tuple[SanctionOrder, ...]] = {}
        for row in self.decided:
            for ref in row.decision.annuls:
                standing.pop(ref, None)
            again = tuple(o for ref in row.decision.restores for o in by_ref[ref].sanctions)
            standing[row.decision.ref] = (*again, *row.decision.sanctions)
        for ref in self.annulled_elsewhere:
            standing.pop(ref, None)
        return tuple(order for orders in standing.values() for order in orders)

    @property
    def shuts_out(self) -> bool:
        """Whether a quarantine or expulsion stands (§ 6.4.3)."""
        return any(o.kind is not SanctionKind.WARNING for o in self.standing_sanctions())

    def appeal_until(self, person: int) -> date | None:
        """The last day on which the person may appeal against the latest decision.

        None until it has been delivered to them: their term has not begun (§ 6.4.3).
        """
        ref = self.latest.ref if self.latest is not None else None
        for row in self.delivered:
            if row.ref == ref and row.person == person:
                return last_day_of_appeal(row.on)
        return None

    def is_heard(self, now: date) -> bool:
        """Whether the parties have spoken, or had their time, or were not to be asked (§ 6.4.1)."""
        if self.hearing is not None and not self.hearing.is_closed:
            return self.hearing.is_over(now)
        return self.stage is not CaseStage.OPENED

    @property
    def due(self) -> date | None:
        """The next day that matters: the hearing's last, or the last day of any appeal."""
        if self.hearing is not None and not self.hearing.is_closed:
            return self.hearing.until
        if self.stage is not CaseStage.DECIDED:
            return None
        known = [self.appeal_until(person) for person in self.may_appeal]
        days = [day for day in known if day is not None]
        return max(days) if days and len(days) == len(known) else None


def last_day_of_appeal(delivered: date) -> date:
    """The last day of the term that began when the decision was delivered (§ 6.4.3, § 6.8.10).

    Reading: § 6.8.10 names no term, so that of § 6.4.3 applies to e-mail games.
    """
    return delivered + timedelta(days=DISPUTES.appeal_days)


def next_ref(number: str, state: CaseState) -> str:
    """The name of a case's next decision and of its ruling in the games' ledgers."""
    return f"{number}/{len(state.decided) + 1}"
