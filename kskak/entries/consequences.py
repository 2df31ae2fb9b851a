"""What a finished group means in the EMT: each player's right, with its paragraph and last day.

§ 6.5.2.2-6.5.3.3, § 6.6.2. One group on its own; a player's other results are for access.py.
Not for titles (groups/honours.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.entries.cup_rights import CupRound, classes_of
from kskak.entries.emt import EmtClass, Outcome, Score, outcomes
from kskak.groups.group_table import GroupTable
from kskak.regulation.days import years_later
from kskak.regulation.tournament_numbers import CUP, EMT


@dataclass(frozen=True, slots=True)
class Consequence:
    """The class open to the player with this number after the group, and until when.

    ``paragraph`` is the rule of the outcome; ``until`` the last day of the right.
    """

    number: int
    outcome: Outcome
    opens: EmtClass
    paragraph: str
    until: date


@dataclass(frozen=True, slots=True)
class CupRight:
    """The highest class that a round of the cup opens to the player with this number."""

    number: int
    opens: EmtClass
    paragraph: str
    until: date


def cup_rights_won(cup: CupRound, table: GroupTable, finished: date) -> tuple[CupRight, ...]:
    """What a finished semi-final or final is worth in the EMT, in the order of places (§ 6.6.2).

    Nobody loses anything through the cup (§ 6.6.2.3). Empty while a game is unfinished.
    """
    if not table.is_finished:
        return ()
    until = years_later(finished, CUP.years)
    found = []
    for line in table.lines:
        opened = classes_of(cup, Score(line.points, line.games, 0, line.place))
        best = next((one for one in EmtClass if one in opened), None)
        if best is not None:
            found.append(CupRight(line.player.number, best, cup.paragraph, until))
    return tuple(found)


def consequences(group_class: str, table: GroupTable, finished: date) -> tuple[Consequence, ...]:
    """The rights won, kept and lost by a finished group, in the order of places.

    Empty for any form but the EMT, and while a game is unfinished (§ 6.5.3.2, § 6.5.3.3).
    """
    if group_class not in set(EmtClass) or not table.is_finished:
        return ()
    emt_class = EmtClass(group_class)
    scores = {str(line.player.number): Score(line.points, line.games) for line in table.lines}
    found = outcomes(emt_class, scores)
    return tuple(
        _consequence(line.player.number, emt_class, found[str(line.player.number)], finished)
        for line in table.lines
    )


def _consequence(
    number: int, group_class: EmtClass, outcome: Outcome, finished: date
) -> Consequence:
    match outcome:
        case Outcome.RISES:
            above = group_class.above
            assert above is not None, "nobody rises from the DM"
            paragraph = "6.5.2.2" if above is EmtClass.DM else "6.5.3.2"
            until = years_later(finished, EMT.promotion_years)
            return Consequence(number, outcome, above, paragraph, until)
        case Outcome.FALLS:
            below = group_class.below
            assert below is not None, "nobody falls from Å"
            paragraph = "6.5.2.3" if group_class is EmtClass.DM else "6.5.3.3"
            until = years_later(finished, EMT.stay_years)
            return Consequence(number, outcome, below, paragraph, until)
        case Outcome.STAYS:
            paragraph = "6.5.2.2" if group_class is EmtClass.DM else "6.5.3.2"
            years = EMT.dm_years if group_class is EmtClass.DM else EMT.stay_years
            return Consequence(
                number, outcome, group_class, paragraph, years_later(finished, years)
            )
