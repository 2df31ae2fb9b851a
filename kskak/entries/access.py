"""Which classes of the EMT a player may enter, and why (§ 6.5.2.2, § 6.5.3.2, § 6.6.2).

Every rule is tried; each answer names its paragraph, the results it rests on and its last day.
A class is open when a rule opens it and none closes it. What officials decide (§ 6.5.2.2 f,
§ 6.5.3.2 e) is not here, only that they must: where the order of results of one day would decide,
the class is in doubt (reading). Not for reading or printing (access_file.py), nor for the
rest of an entry (entry.py).
"""

from collections.abc import Iterator
from dataclasses import replace

from kskak.entries.cup_rights import CupRound
from kskak.entries.dm_rights import dm_bars, dm_rights
from kskak.entries.emt import EmtClass
from kskak.entries.emt_rights import danger, emt_rights, fall_from
from kskak.entries.other_rights import (
    cup_rights,
    first_timer_rights,
    iccf_rights,
    lapsed_cup,
    otb_rights,
)
from kskak.entries.player_record import Player, Record
from kskak.entries.rights import Answer, Bar, Right, merged

NON_MEMBER = "6.1"
RELEGATED = "6.5.3.3"
DOUBT = dict.fromkeys(EmtClass, "6.5.3.2 e") | {EmtClass.DM: "6.5.2.2 f"}
"""The paragraph under which officials decide where the results leave doubt."""


def access(player: Player, record: Record) -> dict[EmtClass, Answer]:
    """The answer for each class on the record's day, strongest class first (§ 6.5.3.2)."""
    found = {group_class: _answer(player, record, group_class) for group_class in EmtClass}
    for numbers in record.of_one_day:
        for last in numbers:
            other = replace(record, last_of_day=last)
            for group_class, answer in found.items():
                also = _answer(player, other, group_class)
                if also.is_allowed is not answer.is_allowed and not _is_doubt(answer):
                    found[group_class] = _doubted(group_class, answer, also, numbers)
    return found


def _is_doubt(answer: Answer) -> bool:
    return any(bar.paragraph in DOUBT.values() for bar in answer.against)


def _doubted(group_class: EmtClass, one: Answer, other: Answer, numbers: tuple[int, ...]) -> Answer:
    """Open or not by which of a day's results was last: officials decide (§ 6.5.3.2 e)."""
    opened = one if one.is_allowed else other
    return Answer(opened.by, (Bar(DOUBT[group_class], numbers),))


def _answer(player: Player, record: Record, group_class: EmtClass) -> Answer:
    is_dm = group_class is EmtClass.DM
    by = merged(dm_rights(record) if is_dm else _rights(player, record, group_class))
    bars = [*non_member_bars(player, record)]
    if is_dm:
        bars += dm_bars(record, bool(by))
    else:
        bars += danger(record, group_class)
        fall = fall_from(record, group_class)
        if fall is not None and not by:
            bars.append(Bar(RELEGATED, (fall.number,)))
    if not by:
        bars += lapsed_cup(record, group_class)
    return Answer(by, tuple(bars))


def _rights(player: Player, record: Record, group_class: EmtClass) -> Iterator[Right]:
    """What opens M, K or Å (§ 6.5.3.2)."""
    yield from emt_rights(record, group_class)
    yield from cup_rights(record, group_class)
    yield from iccf_rights(record, group_class)
    # § 6.5.3.2 d holds "unless point a can be used": in any class, not just this one.
    below_dm = (EmtClass.M, EmtClass.K, EmtClass.OPEN)
    is_placed = any(True for row in below_dm for _ in emt_rights(record, row))
    if not is_placed and fall_from(record, group_class) is None:
        yield from otb_rights(player, group_class)
    yield from first_timer_rights(record, group_class)


def non_member_bars(player: Player, record: Record) -> tuple[Bar, ...]:
    """§ 6.1: a non-member may be in one group of the EMT or the cup, once (reading: ever)."""
    played = tuple(
        sorted(row.number for row in record.results if isinstance(row.event, EmtClass | CupRound))
    )
    return (Bar(NON_MEMBER, played),) if played and not player.is_member else ()
