"""What becomes of a claim of overstep: it stands, or it falls (§ 6.3.3.5, § 6.4.1).

Reading: a claim halts the game. Nobody moves and no time runs until whoever leads the case
has decided, or the late player admits it; nothing is lost before that. Not for the claim itself
(events.py) nor for who may say what (play/decide_claims.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.quantities import Side


@dataclass(frozen=True, slots=True)
class ClaimStands:
    """The claim against ``by`` stands: they admitted it, or a ruling upheld it (§ 6.4.1)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class ClaimDropped:
    """The claim was withdrawn, or its case closed undecided: as if never made (§ 6.4.1)."""

    on: date
