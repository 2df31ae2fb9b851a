"""The cup's way from round to round: how many go on, who they are, is there a semi-final.

§ 6.6.1.1, § 6.6.1.3-6.6.1.4, § 6.6.1.6. The text wants a final of about 11 and leaves the plan to
the leader: what stands here is a proposal, shown as a reading. Not for making the groups (lots
and strength) nor for rights in the EMT (§ 6.6.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kskak.placing import Placed

FINAL = 11
"""Players in the final, about: § 6.6.1.3."""

STILL_ABOUT = 3
"""How far from 11 a final is still about 11 (reading)."""

SEMI_GROUP = 7
"""Players of a semi-final group: § 6.6.1.1."""

MOST_FROM_GROUP = 3
"""Winners, seconds and perhaps thirds go on to the semi-final: § 6.6.1.3."""

MOST_FROM_SEMI = 2
"""Winners and perhaps seconds go on to the final: § 6.6.1.3."""


@dataclass(frozen=True, slots=True)
class CupPlan:
    """A proposal: how many of each group go on, and what rounds that makes.

    ``semi_groups`` 0: the semi-final is cancelled. ``filled_up``: players whom the leader adds so
    that the semi-final's groups are full (§ 6.6.1.6).
    """

    from_group: int
    semi_groups: int
    filled_up: int
    from_semi: int
    final: int

    @property
    def has_semi(self) -> bool:
        """Whether a semi-final is held."""
        return self.semi_groups > 0

    @property
    def distance(self) -> int:
        """How far the final is from its wanted size."""
        return abs(self.final - FINAL)


def plan_with_semi(groups: int, entering: int = 0) -> CupPlan:
    """The plan with a semi-final whose final comes nearest to 11 (§ 6.6.1.3).

    ``groups`` of the preliminary round, ``entering`` directly by a rating of 2000 (§ 6.6.1.6).
    Reading: of plans that come equally near, that which needs fewer players added, then that
    which takes fewer from each group. Raises ValueError without a group.
    """
    _check(groups, entering)
    plans = [
        _with_semi(groups * taken + entering, taken, from_semi)
        for taken in range(1, MOST_FROM_GROUP + 1)
        for from_semi in range(1, MOST_FROM_SEMI + 1)
    ]
    return min(plans, key=lambda plan: (plan.distance, plan.filled_up, plan.from_group))


def plan_without_semi(groups: int) -> CupPlan:
    """The plan of a cup whose semi-final is cancelled: on to the final at once (§ 6.6.1.1).

    Reading: as many of each group as would have gone on to the semi-final, one to three. Raises
    ValueError without a group.
    """
    _check(groups, 0)
    plans = [CupPlan(taken, 0, 0, 0, groups * taken) for taken in range(1, MOST_FROM_GROUP + 1)]
    return min(plans, key=lambda plan: (plan.distance, plan.from_group))


def propose(groups: int, entering: int = 0) -> CupPlan:
    """With a semi-final, unless it would leave too small a final (§ 6.6.1.1, § 6.6.1.3).

    Reading: "too few entries" are those with which the best plan's final is more than three away
    from 11. The leader may choose either plan.
    """
    held = plan_with_semi(groups, entering)
    return held if held.distance <= STILL_ABOUT else plan_without_semi(groups)


def going_on(placed: Sequence[Placed], places: int) -> tuple[str, ...]:
    """Who of a group goes on when its first ``places`` do (§ 6.6.1.3).

    Those level to the end on the last of these places all have the same right, so there may be
    more (§ 6.6.1.4).
    """
    return tuple(row.name for row in placed if row.place <= places)


def _with_semi(players: int, taken: int, from_semi: int) -> CupPlan:
    groups = -(-players // SEMI_GROUP)
    return CupPlan(taken, groups, groups * SEMI_GROUP - players, from_semi, groups * from_semi)


def _check(groups: int, entering: int) -> None:
    if groups < 1 or entering < 0:
        raise ValueError(f"a cup has groups, not {groups}, and {entering} can't enter later")
