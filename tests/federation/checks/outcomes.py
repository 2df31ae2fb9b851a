"""Who rises and who falls from a finished group, counted again (§ 6.5.2.3, § 6.5.3.2, § 6.5.3.3).

Not for whether the right is used (check_people.py).
"""

from collections.abc import Mapping
from datetime import date

from kskak.entries.emt import EmtClass, EmtOutcome, Score
from tests.federation.trouble import expect


def check_outcomes(
    name: str,
    group_class: EmtClass,
    scores: Mapping[str, Score],
    found: Mapping[str, EmtOutcome],
    day: date,
) -> None:
    """5 points rise, below M the winner too; under 2 points, in the DM under 45 percent, fall."""
    expect(set(found) == set(scores), day, name, "somebody is left out")
    most = max(score.points for score in scores.values())
    for key, score in scores.items():
        is_first = score.points == most and group_class in (EmtClass.K, EmtClass.OPEN)
        rises = group_class is not EmtClass.DM and (score.points >= 5 or is_first)
        match group_class:
            case EmtClass.DM:
                falls = score.points * 20 < score.games * 9
            case EmtClass.OPEN:
                falls = False
            case _:
                falls = score.points < 2 and not rises
        wanted = EmtOutcome.RISES if rises else EmtOutcome.FALLS if falls else EmtOutcome.STAYS
        what = f"{key} with {score.points} points {found[key]}, and {wanted} by the text"
        expect(found[key] is wanted, day, name, what)
