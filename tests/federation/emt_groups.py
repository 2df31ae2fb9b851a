"""Groups of the championship, of any class: how they are drawn, and what follows (§ 6.5).

Not for who is in them (championship.py, dm.py).
"""

from collections.abc import Sequence
from datetime import date, timedelta

from kskak.entries.emt import EmtClass, EmtOutcome, is_double, outcomes
from kskak.entries.entry import Discretion, Signature, discretion_for
from kskak.groups.schedule import draw_lots, round_robin
from kskak.regulation.editions import Regulation
from tests.federation.archive import Known
from tests.federation.checks.outcomes import check_outcomes
from tests.federation.group import Group, by_key
from tests.federation.people import Person
from tests.federation.tally import Moved
from tests.federation.world import LETTERS, NewGroup, World


def let_in(group_class: EmtClass) -> tuple[Discretion, ...]:
    """The leader's approval, and for the DM also the controller's (§ 6.5.3.2 e, § 6.5.2.2 f)."""
    paragraph = discretion_for(group_class) or ""
    return (
        Discretion(paragraph, Signature.LEADER, 1),
        Discretion(paragraph, Signature.CONTROLLER, 2),
    )


def draw_up(
    world: World, name: str, group_class: EmtClass, people: Sequence[Person], rules: Regulation
) -> NewGroup:
    """Lots and schedule; letters go out two weeks before the start (§ 6.5.2.1, § 6.5.3.1).

    The DM starts on its day in September, with its letters sent beforehand (§ 6.5.2).
    """
    keys = [one.key for one in people]
    drawn = [keys[index] for index in draw_lots(world.seed(), keys)]
    double = is_double(group_class, len(people))
    return NewGroup(
        name=name,
        event=group_class,
        players=by_key(people, drawn),
        schedule=round_robin(len(people), double),
        cycles=2 if double else 1,
        regulation=rules,
        after=timedelta(0) if group_class is EmtClass.DM else LETTERS,
    )


def keep_results(world: World, group: Group, day: date) -> None:
    """Record a finished group's results, and the rights they won and lost."""
    group_class = group.event
    assert isinstance(group_class, EmtClass)
    scores = {key: group.score(key) for key in group.keys}
    for key, score in scores.items():
        world.archive.add(key, Known(group_class, score, day, group.name))
    moved = outcomes(group_class, scores)
    check_outcomes(group.name, group_class, scores, moved, day)
    for key, outcome in moved.items():
        _moved(world, (group.name, group_class), key, float(scores[key].points), outcome)


def _moved(
    world: World, of: tuple[str, EmtClass], key: str, points: float, outcome: EmtOutcome
) -> None:
    name, group_class = of
    above, below, tally = group_class.above, group_class.below, world.tally
    if outcome is EmtOutcome.RISES and above is not None:
        by = "6.5.2.2 c" if above is EmtClass.DM else "6.5.3.2 a"
        tally.promotions.append(Moved(key, name, above.value, group_class.value, points, by))
    elif outcome is EmtOutcome.FALLS and below is not None:
        by = "6.5.2.3" if group_class is EmtClass.DM else "6.5.3.3"
        tally.relegations.append(Moved(key, name, group_class.value, below.value, points, by))
