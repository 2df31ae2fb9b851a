"""What people hold that a deed can take or give back: seats, entries, captaincies, offices, titles.

Pure; not for what takes it or gives it back (consequences.py).
"""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum


class HoldingKind(StrEnum):
    """What a person may hold that a deed can take."""

    SEAT = "seat"
    ENTRY = "entry"
    CUP_PLACE = "cup_place"
    BOARD = "board"
    CAPTAIN = "captain"
    OFFICE = "office"
    PRIZE = "prize"
    TITLE = "title"
    RIGHT = "right"
    TEAM_PLACE = "team_place"


@dataclass(frozen=True, slots=True)
class Holding:
    """Something that a person has: a seat in a group, an entry, an office, a title.

    ``of``: the group, list, team, office, title or class by its name; ``form``: of tournament
    (emt, cup, league, theme); ``begins``: its first playing day, None where there is none;
    ``club``: for which he holds it; ``place``: the one it was earned by; ``heir``: who would have
    it after him, the next in order.
    """

    kind: HoldingKind
    person: int
    of: str
    form: str = ""
    begins: date | None = None
    club: str = ""
    place: int | None = field(default=None, compare=False)
    number: int = 0
    heir: int | None = field(default=None, compare=False)

    @property
    def is_earned(self) -> bool:
        """Whether it rests on results."""
        return self.kind in _EARNED

    @property
    def is_in_team(self) -> bool:
        """Whether it is a team's, entered or drawn."""
        return self.kind in (HoldingKind.BOARD, HoldingKind.CAPTAIN)

    @property
    def key(self) -> str:
        """What a decision calls it that takes it, or lets it stand: with the day on which it
        begins; of a cup's place the round."""
        is_place = self.kind is HoldingKind.CUP_PLACE
        begins = self.of.partition(" ")[0] if is_place else self.begins or ""
        return f"{self.kind.value}-{self.number}-{begins}"


_EARNED = (
    HoldingKind.CUP_PLACE,
    HoldingKind.PRIZE,
    HoldingKind.TITLE,
    HoldingKind.RIGHT,
    HoldingKind.TEAM_PLACE,
)


class Hindrance(StrEnum):
    """Why something is not given back though what took it has fallen."""

    BEGUN = "begun"
    DRAWN = "drawn"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class TakenHolding:
    """What the ruling ``ref`` took, as it is now: given to another since (``heir``, if known), or
    drawn without its holder."""

    ref: str
    holding: Holding
    is_taken: bool = False
    is_drawn: bool = False

    def find_hindrance(self, on: date) -> Hindrance | None:
        """Why it can't be given back on a day."""
        begins = self.holding.begins
        if not (self.is_taken or self.is_drawn):
            return None
        if begins is not None and begins <= on:
            return Hindrance.BEGUN
        return Hindrance.TAKEN if self.is_taken else Hindrance.DRAWN
