"""Access to the DM class, and relegation from it (§ 6.5.2.2, § 6.5.2.3).

Readings:
- a relegated player must qualify again: what was won before the relegation opens nothing;
- a player came in by international play if that was the latest result to open the DM before
  the relegation; then only 5 points in M open it again (§ 6.5.2.3);
- relegation for not using the right in 3 years takes effect the day after that right ends.
  It opens no class by itself: § 6.5.3.3 refers to first-timers (§ 6.5.3.2 f).
Not for players whom leader and controller together find qualified (§ 6.5.2.2 f): they decide.
"""

from collections.abc import Iterator

from kskak.entries.cup_rights import CupRound, classes_of
from kskak.entries.emt import EmtClass, can_reach_dm_score, is_relegation
from kskak.entries.iccf import Tournament, class_of
from kskak.entries.other_rights import cup_rights, iccf_rights
from kskak.entries.player_record import Record, Result
from kskak.entries.rights import Bar, Right
from kskak.regulation.tournament_numbers import EMT

BY_SCORE = "6.5.2.2 a"
STILL_PLAYING = "6.5.2.2 b"
FROM_M = "6.5.2.2 c"
RELEGATED = "6.5.2.3"


def dm_rights(record: Record) -> Iterator[Right]:
    """What opens the DM class (§ 6.5.2.2)."""
    fall = _fall(record)
    if fall is None:
        yield from _by_score(record)
        yield from _by_running_dm(record)
    yield from _from_m(record, fall)
    if fall is not None and _came_by_iccf(record, fall):
        return
    outside = [*cup_rights(record, EmtClass.DM), *iccf_rights(record, EmtClass.DM)]
    for right in outside:
        if fall is None or _is_won_after(record, right, fall):
            yield right


def dm_bars(record: Record, has_right: bool) -> Iterator[Bar]:
    """What closes the DM class (§ 6.5.2.2 b, § 6.5.2.3); a relegation until requalified."""
    hopeless = tuple(
        row.number for row in record.running(EmtClass.DM) if not can_reach_dm_score(row.score)
    )
    if hopeless:
        yield Bar(STILL_PLAYING, hopeless)
    last = record.last(EmtClass.DM)
    if last is None or has_right or record.running(EmtClass.DM):
        return
    is_unused = record.on > last.ends(EMT.dm_years)
    if is_relegation(EmtClass.DM, last.score) or is_unused:
        yield Bar(RELEGATED, (last.number,))


def _fall(record: Record) -> Result | None:
    """The player's relegation by score in the latest DM, however long ago (§ 6.5.2.3)."""
    last = record.last(EmtClass.DM)
    return last if last is not None and is_relegation(EmtClass.DM, last.score) else None


def _by_score(record: Record) -> Iterator[Right]:
    """§ 6.5.2.2 a: 45 percent in a DM finished within 3 years."""
    last = record.last_within(EMT.dm_years, EmtClass.DM)
    if last is not None:
        yield Right.of(BY_SCORE, last, EMT.dm_years)


def _by_running_dm(record: Record) -> Iterator[Right]:
    """§ 6.5.2.2 b: still playing in one, and 45 percent can be reached in each."""
    running = record.running(EmtClass.DM)
    if running and all(can_reach_dm_score(row.score) for row in running):
        yield Right(STILL_PLAYING, None, tuple(row.number for row in running))


def _from_m(record: Record, fall: Result | None) -> Iterator[Right]:
    """§ 6.5.2.2 c: 5 points in M within 2 years, and not relegated from the DM since."""
    for row in record.finished(lambda row: row.event is EmtClass.M):
        is_enough = row.score.points >= EMT.promotion_points
        is_in_time = record.on <= row.ends(EMT.promotion_years)
        if is_enough and is_in_time and (fall is None or record.is_after(row, fall)):
            yield Right.of(FROM_M, row, EMT.promotion_years)


def _opens_dm(row: Result) -> bool:
    """Whether a result opened the DM, whenever that was."""
    match row.event:
        case Tournament():
            return class_of(row.event, row.score) is EmtClass.DM
        case CupRound():
            return EmtClass.DM in classes_of(row.event, row.score)
        case EmtClass.DM:
            return not is_relegation(EmtClass.DM, row.score)
        case _:
            return row.event is EmtClass.M and row.score.points >= EMT.promotion_points


def _came_by_iccf(record: Record, fall: Result) -> bool:
    before = [row for row in record.finished(_opens_dm) if record.is_after(fall, row)]
    return bool(before) and isinstance(before[-1].event, Tournament)


def _is_won_after(record: Record, right: Right, fall: Result) -> bool:
    return all(record.is_after(row, fall) for row in record.results if row.number in right.results)
