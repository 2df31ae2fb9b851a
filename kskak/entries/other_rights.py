"""Access to classes by cup, ICCF, over-the-board rating and as a first-timer (§ 6.5.3.2 b-d, f).

Point e, the leader's placing in doubt, is for a person to use and is not here. A right by b or
c stands despite relegations to M, K and Å: those concern point a. Not for point a.
"""

from collections.abc import Iterator

from kskak.entries.cup_rights import CupRound, classes_of
from kskak.entries.emt import EmtClass
from kskak.entries.iccf import Tournament, class_of
from kskak.entries.player_record import Player, Record, Result
from kskak.entries.rights import Bar, Right
from kskak.regulation.tournament_numbers import CUP, EMT

POINT_C = "6.5.3.2 c"
POINT_D = "6.5.3.2 d"
POINT_F = "6.5.3.2 f"
CUP_LAPSE = "6.6.2.3"


def otb_class(rating: int) -> EmtClass:
    """The class that an over-the-board rating gives (§ 6.5.3.2 d)."""
    if rating >= EMT.otb_master:
        return EmtClass.M
    return EmtClass.K if rating >= EMT.otb_qualified else EmtClass.OPEN


def _cup_results(record: Record, group_class: EmtClass) -> Iterator[tuple[Result, CupRound]]:
    """The cup rounds that opened a class, lapsed or not."""
    for row in record.finished(lambda row: isinstance(row.event, CupRound)):
        if isinstance(row.event, CupRound) and group_class in classes_of(row.event, row.score):
            yield row, row.event


def cup_rights(record: Record, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 b, § 6.6.2: 2 years from the finish of the round."""
    for row, cup in _cup_results(record, group_class):
        if record.on <= row.ends(CUP.years):
            yield Right.of(cup.paragraph, row, CUP.years)


def lapsed_cup(record: Record, group_class: EmtClass) -> tuple[Bar, ...]:
    """§ 6.6.2.3: rights of the cup that were not used in time."""
    lapsed = tuple(
        row.number
        for row, _ in _cup_results(record, group_class)
        if record.on > row.ends(CUP.years)
    )
    return (Bar(CUP_LAPSE, lapsed),) if lapsed else ()


def iccf_rights(record: Record, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 c: the one class that each result of the last 2 years is worth."""
    for row in record.finished(lambda row: isinstance(row.event, Tournament)):
        is_in_time = record.on <= row.ends(EMT.iccf_years)
        opened = class_of(row.event, row.score) if isinstance(row.event, Tournament) else None
        if opened is group_class and is_in_time:
            yield Right.of(POINT_C, row, EMT.iccf_years)


def otb_rights(player: Player, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 d: by over-the-board rating; only where point a gives nothing (access.py)."""
    if player.otb_rating is not None and otb_class(player.otb_rating) is group_class:
        yield Right(POINT_D, None)


def first_timer_rights(record: Record, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 f: anyone who has not taken part for 3 years may enter Å."""
    if group_class is EmtClass.OPEN and record.is_first_timer:
        yield Right(POINT_F, None)
