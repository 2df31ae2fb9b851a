"""A game played elsewhere up to a certain day, and on the server from then on.

Readings, so that a mistake of ours never costs a player time. The account follows the game's
own record, before and after the takeover. The effects of silence (§ 6.3.4, § 6.8.3) are counted
from the takeover at the earliest: the server watches only from then on. Time that had run out
by then is neither warned of nor claimed by the server: both players see it in the statement,
and it is for the opponent to claim (§ 6.3.3.5, § 6.8.7). Errors in the takeover may be
objected to for as long as a published result (§ 6.4.5). Not for reading files.
"""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.objections import may_object, terms_of


@dataclass(frozen=True, slots=True)
class TakenOver:
    """From this day the server runs the game; changes no day and no result."""

    on: date

    @property
    def objections_until(self) -> date:
        """The last day to object to what was taken over (reading of § 6.4.5)."""
        return terms_of(self.on).objections_until

    def may_be_objected_to(self, on: date) -> bool:
        """Whether an objection made on this day is heard (reading of § 6.4.5)."""
        return may_object(self.objections_until, on)
