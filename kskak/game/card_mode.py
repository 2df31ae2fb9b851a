"""How the moves of a postal game travel: by card, or electronically once both want it (§ 6.2.1).

Reading: moving by e-mail in a postal game offers it, and answering the same way accepts. A player
who doesn't want it says so, and then only cards count until they say otherwise. Not for the
days (§ 6.3.2, § 6.3.2.1: reflection/counted_days.py) nor for recording cards
(play/decide_cards.py).
"""

from dataclasses import dataclass, replace
from datetime import date

from kskak.regulation.quantities import Side


@dataclass(frozen=True, slots=True)
class EmailAnswered:
    """A player of a postal game agrees to moves by fax or e-mail, or does not (§ 6.2.1)."""

    by: Side
    on: date
    agrees: bool


@dataclass(frozen=True, slots=True)
class Means:
    """What each player has said about moves by fax or e-mail; None: nothing yet (§ 6.2.1)."""

    white: bool | None = None
    black: bool | None = None

    def of(self, side: Side) -> bool | None:
        """What a player has said."""
        return self.white if side is Side.WHITE else self.black

    def saying(self, side: Side, agrees: bool) -> "Means":
        """The answers after a player's statement, or after a move by e-mail."""
        if side is Side.WHITE:
            return replace(self, white=agrees)
        return replace(self, black=agrees)

    @property
    def is_agreed(self) -> bool:
        """Whether both have agreed; the leader need not be asked (§ 6.2.1)."""
        return self.white is True and self.black is True


NOTHING_SAID = Means()
