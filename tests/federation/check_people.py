"""Checks that nobody is in two places against the rules, and that every right has a valid source.

§ 6.1, § 6.1.1, § 6.5.1.2, § 6.5.2.2, § 6.5.3.2, § 6.5.3.3, § 6.6.1.2, § 6.6.2, § 6.7.3. The
bounds are stated here a second time, on purpose. Not for entries that are refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.entries.emt import EmtClass, Score
from kskak.entries.rights import (
    CupFinalStage,
    CupRightRound,
    IccfTournament,
    PlayerProfile,
    PlayerResult,
    ResultHistory,
    Right,
)
from tests.federation.archive import Archive
from tests.federation.group import Group
from tests.federation.trouble import expect

_ORDER = tuple(EmtClass)
_MOST_CUPS = 2
_TWO_PERSONS, _LEADER = "6.5.2.2 f", "6.5.3.2 e"


@dataclass(frozen=True, slots=True)
class Admission:
    """A player admitted to a class: by which rules, and on the record of which day."""

    player: PlayerProfile
    group_class: EmtClass
    record: ResultHistory
    by: tuple[Right, ...]
    discretion: str | None = None


def _within(row: PlayerResult, years: int, on: date) -> bool:
    """Whether a result is at most ``years`` old; one of 29 February counts until 1 March."""
    day = row.finished
    if day is None:
        return False
    last = (day.year + years, day.month, day.day)
    if (day.month, day.day) == (2, 29) and on.year == day.year + years:
        last = (day.year + years, 3, 1)
    return day <= on and (on.year, on.month, on.day) <= last


def _fell(group_class: EmtClass, score: Score) -> bool:
    """Whether a score relegates (§ 6.5.2.3, § 6.5.3.3)."""
    if group_class is EmtClass.DM:
        return score.points * 100 < 45 * score.games
    return group_class is not EmtClass.OPEN and score.points < 2


def _last(record: ResultHistory, group_class: EmtClass) -> PlayerResult | None:
    own = [row for row in record.results if row.event is group_class and row.finished is not None]
    return max(own, key=lambda row: (row.finished or date.min, row.number), default=None)


def _by_point_a(row: PlayerResult, group_class: EmtClass, record: ResultHistory) -> bool:
    """§ 6.5.3.2 a: stayed, rose, or fell from the class above with his latest result."""
    if not isinstance(row.event, EmtClass):
        return False
    last = _last(record, row.event)
    if last is None or row.finished != last.finished:  # of two that ended on a day either is last
        return False
    step = _ORDER.index(row.event) - _ORDER.index(group_class)
    if step == 0:
        return _within(row, 3, record.on) and 2 <= row.score.points <= 4.5
    if step == 1:
        return _within(row, 2, record.on) and (row.score.points >= 5 or row.score.place == 1)
    own = [_last(record, one) for one in _ORDER]
    newest = max((one.finished or date.min, one.number) for one in own if one is not None)
    is_newest = (row.finished or date.min, row.number) == newest
    return step == -1 and _within(row, 3, record.on) and _fell(row.event, row.score) and is_newest


def _by_cup(row: PlayerResult, group_class: EmtClass, record: ResultHistory) -> bool:
    """§ 6.6.2: the score that the round requires for the class, valid for two years."""
    if not isinstance(row.event, CupRightRound) or not _within(row, 2, record.on):
        return False
    is_final = row.event.stage is CupFinalStage.FINAL and row.event.is_semi_held
    lowest = {EmtClass.K: 40, EmtClass.M: 60} if is_final else {EmtClass.K: 60, EmtClass.M: 80}
    if group_class is not EmtClass.DM:
        needed = lowest.get(group_class)
        return needed is not None and row.score.percent >= needed
    places = 1 + max(0, -(-(row.event.entries - 100) // 50))
    is_placed = row.score.place is not None and row.score.place <= places
    return is_final and is_placed and (row.score.place == 1 or row.score.percent >= 75)


def _rests_on(
    right: Right, group_class: EmtClass, record: ResultHistory, row: PlayerResult
) -> bool:
    """Whether a result supports a right by its paragraph."""
    on, score = record.on, row.score
    match right.paragraph:
        case "6.5.2.2 a":
            is_last = row == _last(record, EmtClass.DM)
            return is_last and _within(row, 3, on) and not _fell(EmtClass.DM, score)
        case "6.5.2.2 b":
            most = (score.points + score.unfinished) * 100
            return row.finished is None and row.event is EmtClass.DM and most >= 45 * score.games
        case "6.5.2.2 c":
            return row.event is EmtClass.M and _within(row, 2, on) and score.points >= 5
        case "6.5.3.2 a":
            return _by_point_a(row, group_class, record)
        case "6.5.3.3":
            is_open = group_class is EmtClass.OPEN and row.event is EmtClass.OPEN
            return is_open and _within(row, 3, on)
        case "6.5.1.2":
            return row.finished is None and not _fell(group_class, score)
        case "6.5.3.2 c":
            return isinstance(row.event, IccfTournament) and _within(row, 2, on)
        case "6.6.2.1" | "6.6.2.2":
            return _by_cup(row, group_class, record)
    return False


def _without_result(right: Right, admission: Admission) -> bool:
    """Whether a right that rests on no result is valid (§ 6.5.3.2 d and f)."""
    group_class, record = admission.group_class, admission.record
    if right.paragraph == "6.5.3.2 f":
        played = [row for row in record.results if isinstance(row.event, EmtClass)]
        is_new = all(row.finished is not None and not _within(row, 3, record.on) for row in played)
        return group_class is EmtClass.OPEN and is_new
    own = _last(record, group_class)
    is_relegated = own is not None and _within(own, 3, record.on) and _fell(group_class, own.score)
    rating = admission.player.otb_rating
    if right.paragraph != "6.5.3.2 d" or rating is None or is_relegated:
        return False
    by_rating = EmtClass.M if rating >= 2100 else EmtClass.K if rating >= 1900 else EmtClass.OPEN
    return group_class is by_rating


def check_admission(admission: Admission) -> None:
    """Every right has a source: a result that gives it, within its term, or an official's word."""
    day, place = admission.record.on, f"{admission.group_class}, {admission.player.name}"
    if admission.discretion is not None:
        wanted = _TWO_PERSONS if admission.group_class is EmtClass.DM else _LEADER
        expect(admission.discretion == wanted, day, place, f"let in by § {admission.discretion}")
        return
    expect(bool(admission.by), day, place, "is in without a right")
    rows = {row.number: row for row in admission.record.results}
    for right in admission.by:
        what = f"a right by § {right.paragraph}"
        expect(right.until is None or right.until >= day, day, place, f"{what} has lapsed")
        if not right.results:
            expect(_without_result(right, admission), day, place, f"{what} has no source")
        for number in right.results:
            row = rows.get(number)
            is_source = row is not None and _rests_on(
                right, admission.group_class, admission.record, row
            )
            expect(is_source, day, place, f"{what} does not follow from result {number}")


def check_places(group: Group, archive: Archive, day: date) -> None:
    """A starting group: nobody is in it who may not be (§ 6.1.1, § 6.5.1.2, § 6.6.1.2)."""
    expect(group.leader not in group.keys, day, group.name, "its leader plays in it")
    for person in group.players:
        others = [one for one in archive.running(person.key) if one is not group]
        if not person.is_member:
            alone = archive.groups_before(person.key) == 1
            expect(alone, day, group.name, f"{person.key} is no member, and had his group")
        if group.is_cup:
            cups = 1 + sum(one.is_cup for one in others)
            expect(cups <= _MOST_CUPS, day, group.name, f"{person.key} is in {cups} cup groups")
        for other in others:
            if isinstance(group.event, EmtClass) and other.event is group.event:
                _check_second(group, other, person.key, day)


def _check_second(group: Group, other: Group, person: str, day: date) -> None:
    """Two groups of a class at once: relegation must no longer be possible (§ 6.5.1.2)."""
    score = other.score(person)
    if group.event is EmtClass.DM:
        is_safe = score.best_percent >= 45
    else:
        is_safe = group.event is EmtClass.OPEN or score.points >= 2
    expect(is_safe, day, group.name, f"{person} can still be relegated in {other.name}")


def check_seats(seats: Sequence[tuple[int, str, str, str]], day: date) -> None:
    """The league's seats as (division, group, club, player) (§ 6.7.2.3, § 6.7.3.2, § 6.7.3.3)."""
    clubs: dict[str, str] = {}
    inside: set[tuple[int, str, str]] = set()
    upper: set[str] = set()
    for division, group, club, player in seats:
        place = f"division {division} {group}".strip()
        expect(clubs.setdefault(player, club) == club, day, place, f"{player} plays for two clubs")
        expect((division, group, player) not in inside, day, place, f"{player} sits twice")
        inside.add((division, group, player))
        if division < 3:
            expect(player not in upper, day, place, f"{player} is on two division teams")
            upper.add(player)
