"""The time control: limits, and the first day a limit is passed (§ 6.3.3, § 6.8.6-6.8.7).

Not for an overstep claimed (play/other_events.py) or played on after (play/dispatch.py).
"""

from dataclasses import dataclass, replace
from datetime import date

from kskak.regulation.editions import RuleSet
from kskak.regulation.quantities import Finding, Side


@dataclass(frozen=True, slots=True)
class Overstep:
    """More days used than allowed (§ 6.3.3.1); ``move`` is the control move."""

    by: Side
    move: int
    limit: int
    used: int
    on: date
    finding: Finding

    def found(self, finding: Finding) -> "Overstep":
        """The same overstep with this finding."""
        return replace(self, finding=finding)


def dispatch_limit(own_before: int, own_added: int, rules: RuleSet) -> int:
    """Days allowed to a dispatch that adds own moves (§ 6.3.3.1-6.3.3.2).

    When it includes a control move: days per move times the last own move; else the next
    control's.
    """
    last = own_before + own_added
    control = rules.next_control(own_before)
    return rules.control_limit(max(last, control))


def live_limit(own_before: int, own_in_series: int, rules: RuleSet) -> int:
    """Days allowed while a series stands unanswered: as if accepted whole (§ 6.3.3.2).

    Reading: the player's own move after the series is counted.
    """
    if own_in_series == 0:
        return rules.control_limit(rules.next_control(own_before))
    return dispatch_limit(own_before, own_in_series + 1, rules)
