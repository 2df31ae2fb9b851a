"""Access to M, K and Å through the EMT itself (§ 6.5.1.2, § 6.5.3.2 a, § 6.5.3.3).

Readings, where the text is short:
- a promotion from the class below is used up by a later relegation from the class it opened;
- Å has no relegation, so fewer than 2 points there keep a player in Å (§ 6.5.3.3);
- a first group still in play, without danger of relegation, keeps its class open
  (§ 6.5.1.2); a finished result in the class takes precedence.
Not for the DM (dm_rights.py), nor for cup, ICCF and over-the-board play (other_rights.py).
"""

from collections.abc import Iterator

from kskak.entries.emt import EmtClass, is_promotion, is_relegation, is_relegation_possible
from kskak.entries.player_record import Record, Result
from kskak.entries.rights import Bar, Right
from kskak.regulation.tournament_numbers import EMT

POINT_A = "6.5.3.2 a"
NO_FALL_FROM_OPEN = "6.5.3.3"
RUNNING = "6.5.1.2"


def fall_from(record: Record, group_class: EmtClass) -> Result | None:
    """The player's relegation from a class while it counts: the last time there, within 3 years."""
    own = record.last_within(EMT.stay_years, group_class)
    return own if own is not None and is_relegation(group_class, own.score) else None


def emt_rights(record: Record, group_class: EmtClass) -> Iterator[Right]:
    """What opens a class below the DM to a player of the EMT (§ 6.5.3.2 a)."""
    yield from _by_staying(record, group_class)
    yield from _by_rising(record, group_class)
    yield from _by_falling(record, group_class)
    yield from _by_running_group(record, group_class)


def _by_staying(record: Record, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 a: 2 to 4½ points the last time in the class, within 3 years."""
    own = record.last_within(EMT.stay_years, group_class)
    if own is None or own.score.points > EMT.stay_most:
        return
    if own.score.points >= EMT.stay_points:
        yield Right.of(POINT_A, own, EMT.stay_years)
    elif group_class is EmtClass.OPEN:
        yield Right.of(NO_FALL_FROM_OPEN, own, EMT.stay_years)


def _by_rising(record: Record, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 a: 5 points or first the last time in the class below, within 2 years."""
    below = group_class.below
    won = None if below is None else record.last_within(EMT.promotion_years, below)
    if below is None or won is None or not is_promotion(below, won.score):
        return
    fall = fall_from(record, group_class)
    if fall is None or record.is_after(won, fall):
        yield Right.of(POINT_A, won, EMT.promotion_years)


def _by_falling(record: Record, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 a: the latest result, within 3 years, is a relegation from the class above."""
    latest = record.last_within(EMT.stay_years, *EmtClass)
    above = group_class.above
    if latest is None or above is None or latest.event is not above:
        return
    if is_relegation(above, latest.score):
        yield Right.of(POINT_A, latest, EMT.stay_years)


def _by_running_group(record: Record, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.1.2: several groups of a class at once, if relegation is no longer possible."""
    running = record.running(group_class)
    decided = record.last_within(EMT.stay_years, group_class)
    if running and decided is None and not danger(record, group_class):
        yield Right(RUNNING, None, tuple(row.number for row in running))


def danger(record: Record, group_class: EmtClass) -> tuple[Bar, ...]:
    """§ 6.5.1.2: the unfinished groups of the class that can still relegate the player."""
    at_risk = tuple(
        row.number
        for row in record.running(group_class)
        if is_relegation_possible(group_class, row.score)
    )
    return (Bar(RUNNING, at_risk),) if at_risk else ()
