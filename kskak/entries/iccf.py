"""What a result in an international (ICCF) tournament is worth in the EMT (§ 6.5.3.2 c).

The table in the text, which gives each result exactly one class. Readings: percentages are not
rounded, and what falls between two bands belongs to the lower one; a score too low for the
table, and every other tournament, is worth Å. Not for how long it counts (access.py).
"""

from enum import StrEnum

from kskak.entries.emt import EmtClass, Score


class Tournament(StrEnum):
    """The tournaments of the table."""

    WORLD_FINAL = "VM-finale"
    CANDIDATES = "Kandidat"
    EUROPEAN_FINAL = "EM-finale"
    WORLD_SEMIFINAL = "VM-semi"
    MASTER = "M"
    HIGHER = "H"
    OPEN = "O"
    CUP_FINAL = "Pokalfinale"
    OTHER = "other"


_ANY = 0
"""Percent: taking part is enough, or the score is in no band above."""
_BY_SCORE: dict[Tournament, tuple[tuple[int, EmtClass], ...]] = {
    Tournament.WORLD_FINAL: ((_ANY, EmtClass.DM),),
    Tournament.CANDIDATES: ((_ANY, EmtClass.DM),),
    Tournament.EUROPEAN_FINAL: ((67, EmtClass.DM), (33, EmtClass.M), (_ANY, EmtClass.K)),
    Tournament.WORLD_SEMIFINAL: ((67, EmtClass.DM), (33, EmtClass.M), (_ANY, EmtClass.K)),
    Tournament.MASTER: ((75, EmtClass.DM), (33, EmtClass.M), (_ANY, EmtClass.K)),
    Tournament.HIGHER: ((75, EmtClass.M), (33, EmtClass.K)),
}
_BY_PLACE: dict[Tournament, tuple[tuple[int, EmtClass], ...]] = {
    Tournament.OPEN: ((1, EmtClass.K),),
    Tournament.CUP_FINAL: ((3, EmtClass.DM), (8, EmtClass.M)),
}


def needs_score(tournament: Tournament) -> bool:
    """Whether the table asks for a score; else participation or place decides (§ 6.5.3.2 c)."""
    return len(_BY_SCORE.get(tournament, ())) > 1


def class_of(tournament: Tournament, score: Score) -> EmtClass:
    """The class that a finished tournament qualifies for (§ 6.5.3.2 c)."""
    for lowest, opened in _BY_SCORE.get(tournament, ()):
        if score.percent >= lowest:
            return opened
    for last, opened in _BY_PLACE.get(tournament, ()):
        if score.place is not None and score.place <= last:
            return opened
    return EmtClass.OPEN
