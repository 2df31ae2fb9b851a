"""The controller's year: steps, faults, reminders, bulletin periods and a season's lists."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from kskak.regulation.days import OBJECTION_DAYS, ONE_DAY, months_later
from kskak.regulation.editions import EMT, LEAGUE
from kskak.values import RuleName

# The controller's year: when tournaments are announced, entered for, composed and started.


class TournamentKind(StrEnum):
    """The tournaments that make up the year."""

    DM = "dm"
    EMT = "emt"
    CUP = "cup"
    SEMIFINAL = "cup_semi"
    FINAL = "cup_final"
    LEAGUE = "league"


class TournamentStep(StrEnum):
    """The dated steps of a tournament, in order."""

    ANNOUNCEMENT = "announcement"
    DEADLINE = "deadline"
    DIVISIONS = "divisions"
    LETTERS = "letters"
    START = "start"


@dataclass(frozen=True, slots=True)
class PlanRule:
    """The proposed days: months and days of the year, or days before the start."""

    dm_start_day: int = 1
    """Reading of § 6.5.2: the first day of its month."""
    emt_month: int = 1
    """Reading of § 6.5.4.1: fees and prizes of the classes are published each new year."""
    cup_month: int = 10
    """First month of the last quarter: § 6.6.3."""
    league_month: int = 1
    """§ 6.7.1.2."""
    league_day: int = 10
    """«About 10 January»: § 6.7.1.2."""
    announced_before: int = 84
    """Reading: twelve weeks before the start, eight of them to enter."""
    deadline_before: int = 28
    """Reading: four weeks, so that the schedules can be made and sent in time (§ 6.7.4.2)."""
    divisions_before: int = 21
    """Reading: a week after the deadline, the day on which scores are taken (§ 6.7.5.1)."""
    dm_letters_before: int = 14
    """Reading of § 6.5.2.1 («before the group's start»), as for the league."""
    years_before: int = 1
    """How many years before its season a step may lie (reading)."""
    years_after: int = 6
    """How many years after it: a cup's final starts when the semi-final is over (reading)."""


PLAN = PlanRule()


@dataclass(frozen=True, slots=True)
class _Rule:
    """A step's paragraph and how many days before the start it lies."""

    paragraph: str
    before: int = 0
    is_reading: bool = True


_ANNOUNCED = _Rule("6.1.2", PLAN.announced_before)
_ENTERED = _Rule("6.4.4", PLAN.deadline_before)
_STEPS: dict[TournamentKind, dict[TournamentStep, _Rule]] = {
    TournamentKind.DM: {
        TournamentStep.ANNOUNCEMENT: _ANNOUNCED,
        TournamentStep.DEADLINE: _ENTERED,
        TournamentStep.LETTERS: _Rule("6.5.2.1", PLAN.dm_letters_before),
        TournamentStep.START: _Rule("6.5.2"),
    },
    TournamentKind.EMT: {TournamentStep.ANNOUNCEMENT: _Rule("6.5.4.1")},
    TournamentKind.CUP: {
        TournamentStep.ANNOUNCEMENT: _Rule("6.6.4", PLAN.announced_before),
        TournamentStep.DEADLINE: _ENTERED,
        TournamentStep.START: _Rule("6.6.3"),
    },
    TournamentKind.SEMIFINAL: {
        TournamentStep.ANNOUNCEMENT: _ANNOUNCED,
        TournamentStep.DEADLINE: _Rule("6.6.1.6", PLAN.deadline_before),
        TournamentStep.START: _Rule("6.6.3"),
    },
    TournamentKind.FINAL: {TournamentStep.START: _Rule("6.6.3")},
    TournamentKind.LEAGUE: {
        TournamentStep.ANNOUNCEMENT: _ANNOUNCED,
        TournamentStep.DEADLINE: _Rule("6.7.4.2", PLAN.deadline_before),
        TournamentStep.DIVISIONS: _Rule("6.7.5.1", PLAN.divisions_before),
        TournamentStep.LETTERS: _Rule("6.7.4.2", LEAGUE.letters_days, is_reading=False),
        TournamentStep.START: _Rule("6.7.1.2", is_reading=False),
    },
}


class YearActionKind(StrEnum):
    """What the controller does with a step."""

    MOVED = "moved"
    CALLED_OFF = "called_off"
    DONE = "done"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class YearAction:
    """One thing the controller did. ``day`` only where it is moved."""

    form: TournamentKind
    season: int
    step: TournamentStep
    kind: YearActionKind
    day: date | None = None
    reason: str = ""


class State(StrEnum):
    """How a step got its day."""

    PROPOSED = "proposed"
    MOVED = "moved"
    UNDATED = "undated"
    CALLED_OFF = "called_off"


@dataclass(frozen=True, slots=True)
class SeasonStep:
    """A step of a season as it stands. ``proposed`` is the rule's day, None where it has none.

    ``reason`` is why it was moved or called off; ``is_reading``: no text names the day itself.
    """

    form: TournamentKind
    season: int
    step: TournamentStep
    state: State
    day: date | None
    proposed: date | None
    paragraph: str
    is_reading: bool
    is_done: bool
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it is dated and still to be done."""
        return self.day is not None and not self.is_done


def proposed_start(form: TournamentKind, season: int) -> date | None:
    """The day a season's tournament begins under the text; None: when its players are known.

    DM in September (§ 6.5.2), the cup in the last quarter (§ 6.6.3), the league about 10 January
    (§ 6.7.1.2). The other classes begin whenever 7 have entered (§ 6.5.1.1), semi-final and
    final when the list of players is ready (§ 6.6.3).
    """
    match form:
        case TournamentKind.DM:
            return date(season, EMT.dm_month, PLAN.dm_start_day)
        case TournamentKind.CUP:
            return date(season, PLAN.cup_month, 1)
        case TournamentKind.LEAGUE:
            return date(season, PLAN.league_month, PLAN.league_day)
        case TournamentKind.EMT | TournamentKind.SEMIFINAL | TournamentKind.FINAL:
            return None


def steps_of(form: TournamentKind) -> tuple[TournamentStep, ...]:
    """The steps that a tournament has, in their order."""
    return tuple(_STEPS[form])


def season_plan(
    form: TournamentKind, season: int, actions: Iterable[YearAction] = ()
) -> tuple[SeasonStep, ...]:
    """A tournament's steps in a season, after all that the controller did, oldest first.

    Other tournaments' deeds make no difference. ``season`` is the year of the start.
    """
    mine = [action for action in actions if (action.form, action.season) == (form, season)]
    start = _find_deciding_action(mine, TournamentStep.START)
    begins = proposed_start(form, season) if start is None else start.day
    return tuple(_item(form, season, step, begins, mine) for step in _STEPS[form])


def _find_deciding_action(actions: Sequence[YearAction], step: TournamentStep) -> YearAction | None:
    """What decides a step's day: the last deed that moved it or called it off."""
    dated = (YearActionKind.MOVED, YearActionKind.CALLED_OFF)
    found = [action for action in actions if action.step is step and action.kind in dated]
    return found[-1] if found else None


def _item(
    form: TournamentKind,
    season: int,
    step: TournamentStep,
    begins: date | None,
    actions: Sequence[YearAction],
) -> SeasonStep:
    rule, moved = _STEPS[form][step], _find_deciding_action(actions, step)
    proposed = _propose_day(form, season, step, begins)
    own = [action for action in actions if action.step is step]
    if moved is None:
        state, day = (State.UNDATED if proposed is None else State.PROPOSED), proposed
    else:
        state, day = (State.CALLED_OFF if moved.day is None else State.MOVED), moved.day
    return SeasonStep(
        form=form,
        season=season,
        step=step,
        state=state,
        day=day,
        proposed=proposed,
        paragraph=rule.paragraph,
        is_reading=rule.is_reading,
        is_done=bool(own) and own[-1].kind is YearActionKind.DONE,
        reason="" if moved is None else moved.reason,
    )


def _propose_day(
    form: TournamentKind, season: int, step: TournamentStep, begins: date | None
) -> date | None:
    """The rule's day for a step; all but the start count from the start as it stands."""
    if form is TournamentKind.EMT:
        return date(season, PLAN.emt_month, 1)
    if step is TournamentStep.START:
        return proposed_start(form, season)
    return None if begins is None else begins - _STEPS[form][step].before * ONE_DAY


def plan_of_year(year: int, actions: Sequence[YearAction] = ()) -> tuple[SeasonStep, ...]:
    """The year at a glance: what falls in it, of whichever season, by day; then the undated.

    Undated are those of the year's own season, and of an earlier cup on which something was
    done and whose next round still waits for its players (§ 6.6.3).
    """
    first = year - PLAN.years_after
    found = [
        item
        for season in range(first, year + PLAN.years_before + 1)
        for form in TournamentKind
        for item in season_plan(form, season, actions)
    ]
    touched = {action.season for action in actions if action.form in _CUPS}
    dated = [item for item in found if item.day is not None and item.day.year == year]
    waiting = [item for item in found if item.day is None and _waits(item, year, touched)]
    order = {form: number for number, form in enumerate(TournamentKind)}
    dated.sort(key=lambda item: (item.day or date.max, order[item.form]))
    return (*dated, *waiting)


_CUPS = frozenset({TournamentKind.CUP, TournamentKind.SEMIFINAL, TournamentKind.FINAL})


def _waits(item: SeasonStep, year: int, touched: set[int]) -> bool:
    """Whether a step without a day is shown in this year."""
    if item.season == year:
        return True
    is_old_cup = item.season < year and item.form in _CUPS and item.season in touched
    return is_old_cup and item.step is TournamentStep.START and item.state is State.UNDATED


# What stands against a change of the controller's year (§ 6.1.2, § 6.5.2).


class YearFault(RuleName):
    """Why a step can't be changed like this, and the rule behind it where there is one."""

    NO_STEP = "no_step"
    NO_REASON = "no_reason"
    FAR_DAY = "far_day"
    DM_MONTH = "dm_month", "6.5.2"
    OUT_OF_ORDER = "out_of_order"
    NO_CHANGE = "no_change"


def find_year_fault(actions: Sequence[YearAction], new: YearAction) -> YearFault | None:
    """What stands against a new deed; None: it may be done (§ 6.1.2, § 6.5.2).

    The DM class stays in September whatever the reason; what the texts say with «normally» or
    «about» may be moved. The steps stay in their order.
    """
    if new.step not in steps_of(new.form):
        return YearFault.NO_STEP
    before = season_plan(new.form, new.season, actions)
    after = season_plan(new.form, new.season, (*actions, new))
    if new.kind in (YearActionKind.MOVED, YearActionKind.CALLED_OFF) and not new.reason.strip():
        return YearFault.NO_REASON
    first, last = new.season - PLAN.years_before, new.season + PLAN.years_after
    is_moved, day = new.kind is YearActionKind.MOVED, new.day
    if is_moved and not (day is not None and first <= day.year <= last):
        return YearFault.FAR_DAY
    is_dm_start = new.form is TournamentKind.DM and new.step is TournamentStep.START
    if is_moved and day and is_dm_start and (day.year, day.month) != (new.season, EMT.dm_month):
        return YearFault.DM_MONTH
    days = [item.day for item in after if item.day is not None]
    if days != sorted(days):
        return YearFault.OUT_OF_ORDER
    return YearFault.NO_CHANGE if before == after else None


def find_step_in_way(actions: Sequence[YearAction], new: YearAction) -> SeasonStep | None:
    """The step that a moved one would pass, or be passed by; None: the order holds (§ 6.1.2)."""
    after = [item for item in season_plan(new.form, new.season, (*actions, new)) if item.day]
    own = next((item for item in after if item.step is new.step), None)
    at = len(after) if own is None else after.index(own)
    for place, item in enumerate(after):
        assert item.day is not None
        if own and own.day and (item.day > own.day if place < at else item.day < own.day):
            return item
    return None


# When the controller is reminded of a step of the year, and of which (§ 6.1.2).


class ReminderStage(StrEnum):
    """Which reminder it is."""

    AHEAD = "ahead"
    NEAR = "near"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class ReminderRule:
    """Days; all of them readings: no text asks for reminders."""

    ahead: int = 14
    near: int = 2
    late: int = 14
    """How long after its day a step without any reminder still gets one."""


REMINDERS = ReminderRule()


def stage_of(day: date, today: date, sent: Set[ReminderStage]) -> ReminderStage | None:
    """The reminder due today for a step that is not done; None: none, or already sent.

    ``sent``: the reminders sent for this very day; a moved step starts over.
    """
    if today > day:
        is_news = not sent and today <= day + REMINDERS.late * ONE_DAY
        return ReminderStage.LATE if is_news else None
    if today >= day - REMINDERS.near * ONE_DAY:
        return None if ReminderStage.NEAR in sent else ReminderStage.NEAR
    if today >= day - REMINDERS.ahead * ONE_DAY:
        return None if sent else ReminderStage.AHEAD
    return None


# The bulletin's periods: what one covers, when it is due, until when to object (§ 6.4.5.1).

QUARTER = 3
"""Months that a bulletin covers unless the controller ends it sooner (reading of § 6.4.5.1)."""
DUE_DAYS = 14
"""Days after the period in which it is to go out (reading of § 6.4.5.1)."""


@dataclass(frozen=True, slots=True)
class Period:
    """The days of a bulletin, both included. ValueError where the last is before the first."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(f"{self.last} is before {self.first}")

    def holds(self, day: date) -> bool:
        """Whether the day is in it."""
        return self.first <= day <= self.last

    def is_over(self, today: date) -> bool:
        """Whether its last day is past, so that nothing more can happen in it."""
        return self.last < today

    @property
    def due(self) -> date:
        """The last day on which the bulletin should go out."""
        return self.last + timedelta(days=DUE_DAYS)


def quarter_of(day: date) -> Period:
    """The calendar quarter of a day."""
    first = day.replace(month=day.month - (day.month - 1) % QUARTER, day=1)
    return Period(first, months_later(first, QUARTER) - ONE_DAY)


def next_period(last: date | None, begun: date) -> Period:
    """The period that the next bulletin covers, without a gap after the one before (§ 6.4.5.1).

    ``last`` is the last day of the bulletin before; with none it begins with the first quarter
    that anything was played in, ``begun``. It ends with its quarter.
    """
    if last is None:
        return quarter_of(begun)
    first = last + ONE_DAY
    return Period(first, quarter_of(first).last)


def objections_until(issued: date) -> date:
    """The last day for objections to what a bulletin has published (§ 6.4.5.1)."""
    return issued + timedelta(days=OBJECTION_DAYS)


# The lists of a season: the year that their names tell, the same names a year on, their steps.

CENTURY = 100
_FULL = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<mark>[/–-])(?P<next>\d\d))?(?!\d)")
_SHORT = re.compile(r"(?<!\d)(\d\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class SeasonListKind:
    """What a list is for, as stored: the event, and the class or round."""

    event: str
    wish: str

    @property
    def form(self) -> TournamentKind | None:
        """The tournament of the controller's year that it belongs to; None for a theme."""
        return _FORMS.get((self.event, self.wish)) or _FORMS.get((self.event, ""))


_FORMS = {
    ("emt", "DM"): TournamentKind.DM,
    ("emt", ""): TournamentKind.EMT,
    ("cup", "preliminary"): TournamentKind.CUP,
    ("cup", "semi"): TournamentKind.SEMIFINAL,
    ("league", "league"): TournamentKind.LEAGUE,
}
PREFIXES = {
    SeasonListKind("emt", "DM"): "DM",
    SeasonListKind("emt", "M"): "M",
    SeasonListKind("emt", "K"): "K",
    SeasonListKind("emt", "Å"): "Å",
    SeasonListKind("cup", "preliminary"): "P",
    SeasonListKind("cup", "semi"): "PS",
    SeasonListKind("league", "league"): "H",
    SeasonListKind("theme", "theme"): "T",
}
"""Everything that a list can be for, in order, with what its groups' names begin with (reading)."""
REGULAR = tuple(kind for kind in PREFIXES if kind.wish not in ("semi", "theme"))
"""What a season has anyway (§ 6.5, § 6.6, § 6.7); direct entry to a semi-final and themes are
opened where the last ones were, or when somebody wants them."""


def read_year_in_names(names: tuple[str, ...], prefix: str) -> int | None:
    """The year that a list's names tell; None if they tell none."""
    for name in names:
        if found := _FULL.search(name):
            return int(found["year"])
    short = _SHORT.findall(prefix)
    return 2000 + int(short[-1]) if short else None


def year_on(text: str, source: int, target: int) -> str:
    """The same name in another year: «EMT 2026» is «EMT 2027», «2026/27» «2027/28», «K-26» «K-27».

    Other years and numbers are left alone.
    """
    more = target - source

    def full(found: re.Match[str]) -> str:
        if int(found["year"]) != source:
            return found[0]
        tail = found["next"]
        rest = f"{found['mark']}{(int(tail) + more) % CENTURY:02}" if tail else ""
        return f"{target}{rest}"

    changed = _FULL.sub(full, text)
    if changed != text:
        return changed
    short = f"{source % CENTURY:02}"
    return _SHORT.sub(lambda m: f"{target % CENTURY:02}" if m[0] == short else m[0], text)


def day_on(day: date, source: int, target: int) -> date:
    """The same day so many years later; 29 February becomes the 28th where there is none."""
    year = day.year + target - source
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def season_for(today: date) -> int:
    """The season that is prepared now: next year's from July on (reading)."""
    return today.year + (today.month >= FROM_MONTH)


FROM_MONTH = 7


# Steps of the controller's year that are done, by what the server itself has seen (§ 6.1.2).

CLASSES = 3
"""M, K and Å, which are announced together (§ 6.5.4)."""
Done = tuple[TournamentKind, int, TournamentStep]


@dataclass(frozen=True, slots=True)
class SeenList:
    """A waiting list of a season."""

    kind: SeasonListKind
    season: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class YearProgress:
    """What has happened: lists, tournaments begun, leagues composed and with schedules sent."""

    lists: tuple[SeenList, ...] = ()
    begun: frozenset[tuple[TournamentKind, int]] = frozenset()
    composed: frozenset[int] = frozenset()
    sent: frozenset[int] = frozenset()


def done_by(seen: YearProgress) -> frozenset[Done]:
    """The steps that are done."""
    found: set[Done] = set()
    by_season: dict[tuple[TournamentKind, int], list[SeenList]] = {}
    for one in seen.lists:
        if one.kind.form is not None:
            by_season.setdefault((one.kind.form, one.season), []).append(one)
    for (form, season), lists in by_season.items():
        if form is not TournamentKind.EMT or len({one.kind for one in lists}) >= CLASSES:
            found.add((form, season, TournamentStep.ANNOUNCEMENT))
        if not any(one.is_open for one in lists):
            found.add((form, season, TournamentStep.DEADLINE))
    found |= {(TournamentKind.LEAGUE, season, TournamentStep.DIVISIONS) for season in seen.composed}
    found |= {(TournamentKind.LEAGUE, season, TournamentStep.LETTERS) for season in seen.sent}
    for form, season in seen.begun:
        # The league's schedules go out by themselves, on a day of their own (§ 6.7.4.2).
        waits = {TournamentStep.LETTERS} if form is TournamentKind.LEAGUE else set[TournamentStep]()
        found |= {(form, season, step) for step in steps_of(form) if step not in waits}
    return frozenset(one for one in found if one[2] in steps_of(one[0]))


def merge_observed_steps(actions: Sequence[YearAction], done: Set[Done]) -> list[YearAction]:
    """What the controller did, and after it what is seen to be done, unless he took it back."""
    last = {(action.form, action.season, action.step): action.kind for action in actions}
    new = sorted(one for one in done if last.get(one) is not YearActionKind.REOPENED)
    return [*actions, *(YearAction(*one, YearActionKind.DONE) for one in new)]
