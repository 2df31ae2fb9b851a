"""What a result in the cup is worth in the EMT (§ 6.6.2).

Not for how long (access.py), nor for how the cup is played (cup/rounds.py).
"""

from dataclasses import dataclass
from enum import StrEnum

from kskak.entries.emt import EmtClass, Score
from kskak.regulation.tournament_numbers import CUP


class Stage(StrEnum):
    """The rounds of the cup that give rights; the preliminary round gives none (§ 6.6.2.1)."""

    SEMIFINAL = "semi"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class CupRound:
    """A round: ``entries`` to its preliminary round, and whether a semi-final was held."""

    stage: Stage
    entries: int = 0
    is_semi_held: bool = True

    @property
    def paragraph(self) -> str:
        """The paragraph of its rights: a final without a semi-final counts as one (§ 6.6.2.1)."""
        is_real_final = self.stage is Stage.FINAL and self.is_semi_held
        return "6.6.2.2" if is_real_final else "6.6.2.1"


def dm_places(entries: int) -> int:
    """How many finalists go on to the DM (§ 6.6.2.2): 1 up to 100 entries, 1 more per 50 begun."""
    above = max(0, entries - CUP.dm_entries)
    return 1 + -(-above // CUP.dm_step)


def classes_of(cup: CupRound, score: Score) -> frozenset[EmtClass]:
    """The classes that a finished round opens to one of its players (§ 6.6.2.1, § 6.6.2.2).

    The scores are minimums, so a high score opens the lower class as well. Reading: the
    places in the DM go by place in the final, and a shared place is one place.
    """
    is_real_final = cup.stage is Stage.FINAL and cup.is_semi_held
    k, m = (CUP.final_k, CUP.final_m) if is_real_final else (CUP.semifinal_k, CUP.semifinal_m)
    opened = set()
    if score.percent >= k:
        opened.add(EmtClass.K)
    if score.percent >= m:
        opened.add(EmtClass.M)
    if is_real_final and _is_for_dm(cup.entries, score):
        opened.add(EmtClass.DM)
    return frozenset(opened)


def _is_for_dm(entries: int, score: Score) -> bool:
    """Whether a finalist goes to the DM: the winner does, whatever the score (§ 6.6.2.2)."""
    if score.place is None or score.place > dm_places(entries):
        return False
    return score.place == 1 or score.percent >= CUP.final_dm
