"""Faulty moves and what they cost (§ 6.3.5, § 6.3.5.1, § 6.8.4, § 6.8.6; Kendelse 59).

Not for recognising them: the notation and the mail grammar tell what is illegal from what is
not understood.
"""

from kskak.regulation.editions import RuleSet
from kskak.regulation.quantities import Fault, Regulation

_CHARGED = {
    Regulation.POSTAL: frozenset({Fault.ILLEGAL, Fault.ILLEGIBLE}),
    Regulation.EMAIL: frozenset({Fault.ILLEGAL, Fault.WRONG_REPETITION}),
}
PARAGRAPH = {Regulation.POSTAL: "6.3.5.1", Regulation.EMAIL: "6.8.6"}


def fault_days(fault: Fault, earlier: int, rules: RuleSet) -> int:
    """Days charged for a fault after ``earlier`` charged ones by the player in the game.

    What was spoiled in the post and what is ambiguous costs nothing (§ 6.3.5, § 6.8.4).
    """
    if fault not in _CHARGED[rules.regulation]:
        return 0
    return rules.faulty_again_days if earlier else rules.faulty_days
