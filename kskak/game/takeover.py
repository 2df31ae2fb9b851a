"""A game that was played elsewhere until a day, and by the server from then on.

Readings, so that a mistake of ours never costs a player time. The account counts as the game's
own record says, before and after the takeover. What follows from silence (§ 6.3.4, § 6.8.3) is
counted from the takeover at the earliest: the server watches only from then on. A time that was
up by then is neither warned of nor claimed by the server: both are told of it in the statement,
and it is the opponent's to claim (§ 6.3.3.5, § 6.8.7). What is wrong in the takeover may be
objected to for as long as a published result (§ 6.4.5). Not for reading files.
"""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.objections import may_object, terms_of


@dataclass(frozen=True, slots=True)
class TakenOver:
    """From this day the server leads the game; changes no day and no result."""

    on: date

    @property
    def objections_until(self) -> date:
        """The last day to object to what was taken over (reading of § 6.4.5)."""
        return terms_of(self.on).objections_until

    def may_be_objected_to(self, on: date) -> bool:
        """Whether an objection that comes on this day is heard (reading of § 6.4.5)."""
        return may_object(self.objections_until, on)
