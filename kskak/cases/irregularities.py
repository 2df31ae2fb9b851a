"""What the game's edition of FIDE's laws asks when something was wrong with the position.

FIDE 7.1-FIDE 7.5. Article numbers are the edition's own. Advice to whoever decides, shown beside
the deed; a ruling sets the game back or lets it go on. Not for what a setting back does
(play/standing_events.py).
"""

from dataclasses import dataclass
from enum import StrEnum


class Irregularity(StrEnum):
    """What was wrong."""

    WRONG_START = "wrong_start"
    WRONG_COLOURS = "wrong_colours"
    DISPLACED = "displaced"
    ILLEGAL = "illegal"


class Remedy(StrEnum):
    """What the laws ask: a new game, the game as it is, or the position before the fault."""

    ANEW = "anew"
    GO_ON = "go_on"
    SET_BACK = "set_back"


@dataclass(frozen=True, slots=True)
class LawsRemedy:
    """The remedy, and the article of the edition that gives it."""

    article: str
    remedy: Remedy


_ARTICLES = {
    2009: ("7.1", "7.2", "7.3", "7.4"),
    2014: ("7.2", "7.3", "7.4", "7.5"),
    2018: ("7.2", "7.3", "7.4", "7.5"),
}
_COLOURS_MOVES = {2018: 10}
"""Moves by each player from which reversed colours stay (FIDE 7.3); before 2018 they always do."""


def laws_remedy(what: Irregularity, laws_year: int, plies: int) -> LawsRemedy:
    """What the edition asks once ``plies`` have been played (FIDE 7.1-FIDE 7.5).

    Reading: the tenth move is made when both have made it. Wrong colours by a wrong pairing can't
    be changed once the game has begun, in any edition (Kendelse 47).
    """
    article = _ARTICLES[laws_year][list(Irregularity).index(what)]
    match what:
        case Irregularity.WRONG_START:
            remedy = Remedy.ANEW
        case Irregularity.WRONG_COLOURS:
            is_early = plies // 2 < _COLOURS_MOVES.get(laws_year, 0)
            remedy = Remedy.ANEW if is_early else Remedy.GO_ON
        case _:
            remedy = Remedy.SET_BACK
    return LawsRemedy(article, remedy)
