"""What speaks for and against a class.

Each way to a right, with its last day, and the player's record.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.entries.emt import EmtClass, Score, can_reach_dm_score, is_promotion, is_relegation
from kskak.regulation.days import years_later
from kskak.regulation.editions import CUP, EMT

# What a result in the cup is worth in the EMT (§ 6.6.2).


class CupFinalStage(StrEnum):
    """The rounds of the cup that give rights; the preliminary round gives none (§ 6.6.2.1)."""

    SEMIFINAL = "semi"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class CupRightRound:
    """A round: ``entries`` to its preliminary round, and whether a semi-final was held."""

    stage: CupFinalStage
    entries: int = 0
    is_semi_held: bool = True

    @property
    def paragraph(self) -> str:
        """The paragraph of its rights: a final without a semi-final counts as one (§ 6.6.2.1)."""
        is_real_final = self.stage is CupFinalStage.FINAL and self.is_semi_held
        return "6.6.2.2" if is_real_final else "6.6.2.1"


def dm_places(entries: int) -> int:
    """How many finalists go on to the DM (§ 6.6.2.2): 1 up to 100 entries, 1 more per 50 begun."""
    above = max(0, entries - CUP.dm_entries)
    return 1 + -(-above // CUP.dm_step)


def classes_of(cup: CupRightRound, score: Score) -> frozenset[EmtClass]:
    """The classes that a finished round opens to one of its players (§ 6.6.2.1, § 6.6.2.2).

    The scores are minimums, so a high score opens the lower class as well. Reading: the
    places in the DM go by place in the final, and a shared place is one place.
    """
    is_real_final = cup.stage is CupFinalStage.FINAL and cup.is_semi_held
    k, m = (CUP.final_k, CUP.final_m) if is_real_final else (CUP.semifinal_k, CUP.semifinal_m)
    opened = set()
    if score.percent >= k:
        opened.add(EmtClass.K)
    if score.percent >= m:
        opened.add(EmtClass.M)
    if is_real_final and _is_for_dm(cup.entries, score):
        opened.add(EmtClass.DM)
    return frozenset(opened)


def _is_for_dm(entries: int, score: Score) -> bool:
    """Whether a finalist goes to the DM: the winner does, whatever the score (§ 6.6.2.2)."""
    if score.place is None or score.place > dm_places(entries):
        return False
    return score.place == 1 or score.percent >= CUP.final_dm


# What a result in an international (ICCF) tournament is worth in the EMT (§ 6.5.3.2 c).


class IccfTournament(StrEnum):
    """The tournaments of the table."""

    WORLD_FINAL = "VM-finale"
    CANDIDATES = "Kandidat"
    EUROPEAN_FINAL = "EM-finale"
    WORLD_SEMIFINAL = "VM-semi"
    MASTER = "M"
    HIGHER = "H"
    OPEN = "O"
    CUP_FINAL = "Pokalfinale"
    OTHER = "other"


_ANY = 0
"""Percent: taking part is enough, or the score is in no band above."""
_BY_SCORE: dict[IccfTournament, tuple[tuple[int, EmtClass], ...]] = {
    IccfTournament.WORLD_FINAL: ((_ANY, EmtClass.DM),),
    IccfTournament.CANDIDATES: ((_ANY, EmtClass.DM),),
    IccfTournament.EUROPEAN_FINAL: ((67, EmtClass.DM), (33, EmtClass.M), (_ANY, EmtClass.K)),
    IccfTournament.WORLD_SEMIFINAL: ((67, EmtClass.DM), (33, EmtClass.M), (_ANY, EmtClass.K)),
    IccfTournament.MASTER: ((75, EmtClass.DM), (33, EmtClass.M), (_ANY, EmtClass.K)),
    IccfTournament.HIGHER: ((75, EmtClass.M), (33, EmtClass.K)),
}
_BY_PLACE: dict[IccfTournament, tuple[tuple[int, EmtClass], ...]] = {
    IccfTournament.OPEN: ((1, EmtClass.K),),
    IccfTournament.CUP_FINAL: ((3, EmtClass.DM), (8, EmtClass.M)),
}


def needs_score(tournament: IccfTournament) -> bool:
    """Whether the table asks for a score; else participation or place decides (§ 6.5.3.2 c)."""
    return len(_BY_SCORE.get(tournament, ())) > 1


def class_of(tournament: IccfTournament, score: Score) -> EmtClass:
    """The class that a finished tournament qualifies for (§ 6.5.3.2 c)."""
    for lowest, opened in _BY_SCORE.get(tournament, ()):
        if score.percent >= lowest:
            return opened
    for last, opened in _BY_PLACE.get(tournament, ()):
        if score.place is not None and score.place <= last:
            return opened
    return EmtClass.OPEN


# A player's record: who they are, and their results at home and abroad, in chronological order.


@dataclass(frozen=True, slots=True)
class PlayerProfile:
    """Who is asking; a rating is None where there is none."""

    name: str
    is_member: bool = True
    is_citizen: bool = True
    otb_rating: int | None = None
    k_rating: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One participation; ``number`` is its place in the record, ``finished`` None while it runs."""

    number: int
    event: EmtClass | CupRightRound | IccfTournament
    score: Score
    finished: date | None

    def is_of(self, classes: tuple[EmtClass, ...]) -> bool:
        """Whether it is one of these classes of the EMT; ICCF's M class has the same value."""
        return isinstance(self.event, EmtClass) and self.event in classes

    def ends(self, years: int) -> date:
        """The last day of this many years after its finish."""
        if self.finished is None:
            raise ValueError(f"result {self.number} is not finished")
        return years_later(self.finished, years)


@dataclass(frozen=True, slots=True)
class ResultHistory:
    """All results of a player, seen from the day ``on``.

    Which of several results of one day was last is unknown: it is taken to be the last in the
    record, or the one with the number ``last_of_day``.
    """

    on: date
    results: tuple[PlayerResult, ...]
    last_of_day: int | None = None

    def finished(self, fits: Callable[[PlayerResult], bool]) -> tuple[PlayerResult, ...]:
        """The finished results that fit, oldest first."""
        found = [row for row in self.results if row.finished is not None and fits(row)]
        return tuple(sorted(found, key=self._order))

    def _order(self, row: PlayerResult) -> tuple[date, bool, int]:
        return row.finished or self.on, row.number == self.last_of_day, row.number

    def is_after(self, row: PlayerResult, other: PlayerResult) -> bool:
        """Whether a result finished later than another. ValueError while either is unfinished."""
        if row.finished is None or other.finished is None:
            raise ValueError("only finished results follow each other")
        return self._order(row) > self._order(other)

    @property
    def of_one_day(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of results that finished on one day, where there are several."""
        days: dict[date, list[int]] = {}
        for row in self.results:
            if row.finished is not None:
                days.setdefault(row.finished, []).append(row.number)
        return tuple(tuple(numbers) for numbers in days.values() if len(numbers) > 1)

    def last(self, *classes: EmtClass) -> PlayerResult | None:
        """The latest finished participation in one of these classes."""
        found = self.finished(lambda row: row.is_of(classes))
        return found[-1] if found else None

    def last_within(self, years: int, *classes: EmtClass) -> PlayerResult | None:
        """The same if it is no older than this many years, the last day included."""
        found = self.last(*classes)
        return found if found is not None and self.on <= found.ends(years) else None

    def running(self, *classes: EmtClass) -> tuple[PlayerResult, ...]:
        """The groups of these classes that the player still plays in."""
        found = [row for row in self.results if row.finished is None and row.is_of(classes)]
        return tuple(sorted(found, key=lambda row: row.number))

    @property
    def is_first_timer(self) -> bool:
        """Whether the player has not taken part in the EMT for 3 years (§ 6.5.3.2 f)."""
        classes = tuple(EmtClass)
        return not self.running(*classes) and self.last_within(EMT.stay_years, *classes) is None


# What speaks for and against a class: rights with their last day, bars, and both together.


@dataclass(frozen=True, slots=True)
class Right:
    """A rule that opens a class; ``until`` is its last day, None where no day is set.

    ``results`` are the numbers of the results that it rests on.
    """

    paragraph: str
    until: date | None
    results: tuple[int, ...] = ()

    @staticmethod
    def of(paragraph: str, result: PlayerResult, years: int) -> "Right":
        """A right that a result gives for this many years."""
        return Right(paragraph, result.ends(years), (result.number,))


@dataclass(frozen=True, slots=True)
class ClassExclusion:
    """A rule that closes a class, and the results that it rests on.

    ``is_hole``: no rule gives any class, and this is the one the player belongs in (§ 6.5.3.2 e).
    """

    paragraph: str
    results: tuple[int, ...] = ()
    is_hole: bool = False

    @property
    def rule(self) -> str:
        """What names its words: the paragraph, or the hole in it."""
        return f"{self.paragraph} hole" if self.is_hole else self.paragraph


@dataclass(frozen=True, slots=True)
class ClassEligibility:
    """Whether a class is open, and what speaks for and against it."""

    by: tuple[Right, ...] = ()
    against: tuple[ClassExclusion, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """Open when a rule opens it and none closes it."""
        return bool(self.by) and not self.against


def merge_rights(rights: Iterable[Right]) -> tuple[Right, ...]:
    """One right per paragraph: the longest of its days, with all the results it rests on."""
    found: dict[str, Right] = {}
    for right in rights:
        other = found.get(right.paragraph)
        if other is None:
            found[right.paragraph] = right
            continue
        is_endless = other.until is None or right.until is None
        until = None if is_endless else max(other.until or date.min, right.until or date.min)
        numbers = tuple(sorted({*other.results, *right.results}))
        found[right.paragraph] = Right(right.paragraph, until, numbers)
    return tuple(found.values())


# Access to M, K and Å through the EMT itself (§ 6.5.1.2, § 6.5.3.2 a, § 6.5.3.3).

POINT_A = "6.5.3.2 a"
NO_FALL_FROM_OPEN = "6.5.3.3"
RUNNING = "6.5.1.2"
RELEGATED = "6.5.2.3"


def fall_from(record: ResultHistory, group_class: EmtClass) -> PlayerResult | None:
    """The player's relegation from a class while it counts: the last time there, within 3 years."""
    own = record.last_within(EMT.stay_years, group_class)
    return own if own is not None and is_relegation(group_class, own.score) else None


def emt_rights(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """What opens a class below the DM to a player of the EMT (§ 6.5.3.2 a)."""
    yield from _by_staying(record, group_class)
    yield from _by_rising(record, group_class)
    yield from _by_falling(record, group_class)
    yield from _by_lapse(record, group_class)
    yield from _by_running_group(record, group_class)


def _by_staying(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 a: 2 to 4½ points the last time in the class, within 3 years."""
    own = record.last_within(EMT.stay_years, group_class)
    if own is None or own.score.points > EMT.stay_most:
        return
    if own.score.points >= EMT.stay_points:
        yield Right.of(POINT_A, own, EMT.stay_years)
    elif group_class is EmtClass.OPEN:
        yield Right.of(NO_FALL_FROM_OPEN, own, EMT.stay_years)


def _by_rising(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 a: 5 points or first the last time in the class below, within 2 years."""
    below = group_class.below
    won = None if below is None else record.last_within(EMT.promotion_years, below)
    if below is None or won is None or not is_promotion(below, won.score):
        return
    fall = fall_from(record, group_class)
    if fall is None or record.is_after(won, fall):
        yield Right.of(POINT_A, won, EMT.promotion_years)


def _by_falling(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 a: the latest result, within 3 years, is a relegation from the class above."""
    latest = record.last_within(EMT.stay_years, *EmtClass)
    above = group_class.above
    if latest is None or above is None or latest.event is not above:
        return
    if is_relegation(above, latest.score):
        yield Right.of(POINT_A, latest, EMT.stay_years)


def _by_lapse(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.2.3 b: a DM right unused for 3 years lapses, into M.

    Reading: as after a fall, for 3 years from the day after, unless a later result says more.
    """
    latest = record.last(*EmtClass)
    if group_class is not EmtClass.M or latest is None or latest.event is not EmtClass.DM:
        return
    lapse = latest.ends(EMT.dm_years)
    until = years_later(lapse, EMT.stay_years)
    if not is_relegation(EmtClass.DM, latest.score) and lapse < record.on <= until:
        yield Right(RELEGATED, until, (latest.number,))


def _by_running_group(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.1.2: several groups of a class at once, if relegation is no longer possible."""
    running = record.running(group_class)
    decided = record.last_within(EMT.stay_years, group_class)
    if running and decided is None and not danger(record, group_class):
        yield Right(RUNNING, None, tuple(row.number for row in running))


def danger(record: ResultHistory, group_class: EmtClass) -> tuple[ClassExclusion, ...]:
    """§ 6.5.1.2: the unfinished groups of the class that can still relegate the player."""
    at_risk = tuple(
        row.number for row in record.running(group_class) if is_relegation(group_class, row.score)
    )
    return (ClassExclusion(RUNNING, at_risk),) if at_risk else ()


# Access to classes by cup, ICCF, over-the-board rating and as a first-timer (§ 6.5.3.2 b-d, f).

POINT_C = "6.5.3.2 c"
POINT_D = "6.5.3.2 d"
POINT_F = "6.5.3.2 f"
CUP_LAPSE = "6.6.2.3"


def otb_class(rating: int) -> EmtClass:
    """The class that an over-the-board rating gives (§ 6.5.3.2 d)."""
    if rating >= EMT.otb_master:
        return EmtClass.M
    return EmtClass.K if rating >= EMT.otb_qualified else EmtClass.OPEN


def _cup_results(
    record: ResultHistory, group_class: EmtClass
) -> Iterator[tuple[PlayerResult, CupRightRound]]:
    """The cup rounds that opened a class, lapsed or not."""
    for row in record.finished(lambda row: isinstance(row.event, CupRightRound)):
        if isinstance(row.event, CupRightRound) and group_class in classes_of(row.event, row.score):
            yield row, row.event


def cup_rights(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 b, § 6.6.2: 2 years from the finish of the round."""
    for row, cup in _cup_results(record, group_class):
        if record.on <= row.ends(CUP.years):
            yield Right.of(cup.paragraph, row, CUP.years)


def lapsed_cup(record: ResultHistory, group_class: EmtClass) -> tuple[ClassExclusion, ...]:
    """§ 6.6.2.3: rights of the cup that were not used in time."""
    lapsed = tuple(
        row.number
        for row, _ in _cup_results(record, group_class)
        if record.on > row.ends(CUP.years)
    )
    return (ClassExclusion(CUP_LAPSE, lapsed),) if lapsed else ()


def iccf_rights(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 c: the one class that each result of the last 2 years is worth."""
    for row in record.finished(lambda row: isinstance(row.event, IccfTournament)):
        is_in_time = record.on <= row.ends(EMT.iccf_years)
        opened = class_of(row.event, row.score) if isinstance(row.event, IccfTournament) else None
        if opened is group_class and is_in_time:
            yield Right.of(POINT_C, row, EMT.iccf_years)


def otb_rights(player: PlayerProfile, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 d: by over-the-board rating; only where point a gives nothing (access.py)."""
    if player.otb_rating is not None and otb_class(player.otb_rating) is group_class:
        yield Right(POINT_D, None)


def first_timer_rights(record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """§ 6.5.3.2 f: anyone who has not taken part for 3 years may enter Å."""
    if group_class is EmtClass.OPEN and record.is_first_timer:
        yield Right(POINT_F, None)


# Access to the DM class, and relegation from it (§ 6.5.2.2, § 6.5.2.3).

BY_SCORE = "6.5.2.2 a"
STILL_PLAYING = "6.5.2.2 b"
FROM_M = "6.5.2.2 c"


def dm_rights(record: ResultHistory) -> Iterator[Right]:
    """What opens the DM class (§ 6.5.2.2)."""
    last = record.last(EmtClass.DM)  # relegation by score, however long ago (§ 6.5.2.3)
    fall = last if last is not None and is_relegation(EmtClass.DM, last.score) else None
    if fall is None:
        yield from _by_score(record)
        yield from _by_running_dm(record)
    yield from _from_m(record)
    if fall is not None and _came_by_iccf(record, fall):
        return
    outside = [*cup_rights(record, EmtClass.DM), *iccf_rights(record, EmtClass.DM)]
    for right in outside:
        rests_on = (row for row in record.results if row.number in right.results)
        if fall is None or all(record.is_after(row, fall) for row in rests_on):
            yield right


def dm_bars(record: ResultHistory, has_right: bool) -> Iterator[ClassExclusion]:
    """What closes the DM class (§ 6.5.2.2 b, § 6.5.2.3); a relegation until requalified."""
    hopeless = tuple(
        row.number for row in record.running(EmtClass.DM) if not can_reach_dm_score(row.score)
    )
    if hopeless:
        yield ClassExclusion(STILL_PLAYING, hopeless)
    last = record.last(EmtClass.DM)
    if last is None or has_right or record.running(EmtClass.DM):
        return
    is_unused = record.on > last.ends(EMT.dm_years)
    if is_relegation(EmtClass.DM, last.score) or is_unused:
        yield ClassExclusion(RELEGATED, (last.number,))


def _by_score(record: ResultHistory) -> Iterator[Right]:
    """§ 6.5.2.2 a: 45 percent in a DM finished within 3 years."""
    last = record.last_within(EMT.dm_years, EmtClass.DM)
    if last is not None:
        yield Right.of(BY_SCORE, last, EMT.dm_years)


def _by_running_dm(record: ResultHistory) -> Iterator[Right]:
    """§ 6.5.2.2 b: still playing in one, and 45 percent can be reached in each."""
    running = record.running(EmtClass.DM)
    if running and all(can_reach_dm_score(row.score) for row in running):
        yield Right(STILL_PLAYING, None, tuple(row.number for row in running))


def _from_m(record: ResultHistory) -> Iterator[Right]:
    """§ 6.5.2.2 c: 5 points in M within 2 years, not relegated since (reading: to K neither)."""
    for row in reversed(record.finished(lambda row: row.is_of((EmtClass.DM, EmtClass.M)))):
        if isinstance(row.event, EmtClass) and is_relegation(row.event, row.score):
            return
        is_in_time = record.on <= row.ends(EMT.promotion_years)
        if row.event is EmtClass.M and row.score.points >= EMT.promotion_points and is_in_time:
            yield Right.of(FROM_M, row, EMT.promotion_years)


def _opens_dm(row: PlayerResult) -> bool:
    """Whether a result opened the DM, whenever that was."""
    match row.event:
        case IccfTournament():
            return class_of(row.event, row.score) is EmtClass.DM
        case CupRightRound():
            return EmtClass.DM in classes_of(row.event, row.score)
        case EmtClass.DM:
            return not is_relegation(EmtClass.DM, row.score)
        case _:
            return row.event is EmtClass.M and row.score.points >= EMT.promotion_points


def _came_by_iccf(record: ResultHistory, fall: PlayerResult) -> bool:
    before = [row for row in record.finished(_opens_dm) if record.is_after(fall, row)]
    return bool(before) and isinstance(before[-1].event, IccfTournament)
