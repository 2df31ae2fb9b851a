"""The controller's year: when tournaments are announced, entered for, composed and started.

§ 6.5.2, § 6.6.3, § 6.7.1.2, § 6.7.4.2, § 6.7.5.1. The days proposed here are the regulation's
where it names one, else readings; the controller may move them, giving a reason. Steps that
nobody has moved follow their start. Not for reminders (year_reminders.py) nor for starting
anything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache

from kskak.regulation.days import ONE_DAY
from kskak.regulation.tournament_numbers import EMT, LEAGUE


class Form(StrEnum):
    """The tournaments that make up the year."""

    DM = "dm"
    EMT = "emt"
    CUP = "cup"
    SEMIFINAL = "cup_semi"
    FINAL = "cup_final"
    LEAGUE = "league"


class Step(StrEnum):
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
_STEPS: dict[Form, dict[Step, _Rule]] = {
    Form.DM: {
        Step.ANNOUNCEMENT: _ANNOUNCED,
        Step.DEADLINE: _ENTERED,
        Step.LETTERS: _Rule("6.5.2.1", PLAN.dm_letters_before),
        Step.START: _Rule("6.5.2"),
    },
    Form.EMT: {Step.ANNOUNCEMENT: _Rule("6.5.4.1")},
    Form.CUP: {
        Step.ANNOUNCEMENT: _Rule("6.6.4", PLAN.announced_before),
        Step.DEADLINE: _ENTERED,
        Step.START: _Rule("6.6.3"),
    },
    Form.SEMIFINAL: {
        Step.ANNOUNCEMENT: _ANNOUNCED,
        Step.DEADLINE: _Rule("6.6.1.6", PLAN.deadline_before),
        Step.START: _Rule("6.6.3"),
    },
    Form.FINAL: {Step.START: _Rule("6.6.3")},
    Form.LEAGUE: {
        Step.ANNOUNCEMENT: _ANNOUNCED,
        Step.DEADLINE: _Rule("6.7.4.2", PLAN.deadline_before),
        Step.DIVISIONS: _Rule("6.7.5.1", PLAN.divisions_before),
        Step.LETTERS: _Rule("6.7.4.2", LEAGUE.letters_days, is_reading=False),
        Step.START: _Rule("6.7.1.2", is_reading=False),
    },
}


class DeedKind(StrEnum):
    """What the controller does with a step."""

    MOVED = "moved"
    CALLED_OFF = "called_off"
    DONE = "done"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing the controller did. ``day`` only where it is moved."""

    form: Form
    season: int
    step: Step
    kind: DeedKind
    day: date | None = None
    reason: str = ""


class State(StrEnum):
    """How a step got its day."""

    PROPOSED = "proposed"
    MOVED = "moved"
    UNDATED = "undated"
    CALLED_OFF = "called_off"


@dataclass(frozen=True, slots=True)
class Item:
    """A step of a season as it stands. ``proposed`` is the rule's day, None where it has none.

    ``reason`` is why it was moved or called off; ``is_reading``: no text names the day itself.
    """

    form: Form
    season: int
    step: Step
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


def proposed_start(form: Form, season: int) -> date | None:
    """The day a season's tournament begins under the text; None: when its players are known.

    DM in September (§ 6.5.2), the cup in the last quarter (§ 6.6.3), the league about 10 January
    (§ 6.7.1.2). The other classes begin whenever 7 have entered (§ 6.5.1.1), semi-final and
    final when the list of players is ready (§ 6.6.3).
    """
    match form:
        case Form.DM:
            return date(season, EMT.dm_month, PLAN.dm_start_day)
        case Form.CUP:
            return date(season, PLAN.cup_month, 1)
        case Form.LEAGUE:
            return date(season, PLAN.league_month, PLAN.league_day)
        case Form.EMT | Form.SEMIFINAL | Form.FINAL:
            return None


def steps_of(form: Form) -> tuple[Step, ...]:
    """The steps that a tournament has, in their order."""
    return tuple(_STEPS[form])


def season_plan(form: Form, season: int, deeds: Iterable[Deed] = ()) -> tuple[Item, ...]:
    """A tournament's steps in a season, after all that the controller did, oldest first.

    Other tournaments' deeds make no difference. ``season`` is the year of the start.
    """
    mine = [deed for deed in deeds if (deed.form, deed.season) == (form, season)]
    start = _standing(mine, Step.START)
    begins = proposed_start(form, season) if start is None else start.day
    return tuple(_item(form, season, step, begins, mine) for step in _STEPS[form])


def _standing(deeds: Sequence[Deed], step: Step) -> Deed | None:
    """What decides a step's day: the last deed that moved it or called it off."""
    dated = (DeedKind.MOVED, DeedKind.CALLED_OFF)
    found = [deed for deed in deeds if deed.step is step and deed.kind in dated]
    return found[-1] if found else None


def _is_done(deeds: Sequence[Deed], step: Step) -> bool:
    """Done, and neither opened again nor moved since."""
    found = [deed for deed in deeds if deed.step is step]
    return bool(found) and found[-1].kind is DeedKind.DONE


def _item(form: Form, season: int, step: Step, begins: date | None, deeds: Sequence[Deed]) -> Item:
    rule, moved = _STEPS[form][step], _standing(deeds, step)
    proposed = _proposed(form, season, step, begins)
    if moved is None:
        state, day = (State.UNDATED if proposed is None else State.PROPOSED), proposed
    else:
        state, day = (State.CALLED_OFF if moved.day is None else State.MOVED), moved.day
    return Item(
        form=form,
        season=season,
        step=step,
        state=state,
        day=day,
        proposed=proposed,
        paragraph=rule.paragraph,
        is_reading=rule.is_reading,
        is_done=_is_done(deeds, step),
        reason="" if moved is None else moved.reason,
    )


def _proposed(form: Form, season: int, step: Step, begins: date | None) -> date | None:
    """The rule's day for a step; all but the start count from the start as it stands."""
    if form is Form.EMT:
        return date(season, PLAN.emt_month, 1)
    if step is Step.START:
        return proposed_start(form, season)
    return None if begins is None else begins - _STEPS[form][step].before * ONE_DAY


def plan_of_year(year: int, deeds: Sequence[Deed] = ()) -> tuple[Item, ...]:
    """The year at a glance: what falls in it, of whichever season, by day; then the undated.

    Undated are those of the year's own season, and of an earlier cup on which something was
    done and whose next round still waits for its players (§ 6.6.3).
    """
    return _plan_of_year(year, tuple(deeds))


@lru_cache(maxsize=64)
def _plan_of_year(year: int, deeds: tuple[Deed, ...]) -> tuple[Item, ...]:
    """The same, cached: it depends on these two alone, and a desk asks for few years."""
    first = year - PLAN.years_after
    found = [
        item
        for season in range(first, year + PLAN.years_before + 1)
        for form in Form
        for item in season_plan(form, season, deeds)
    ]
    touched = {deed.season for deed in deeds if deed.form in _CUPS}
    dated = [item for item in found if item.day is not None and item.day.year == year]
    waiting = [item for item in found if item.day is None and _waits(item, year, touched)]
    order = {form: number for number, form in enumerate(Form)}
    dated.sort(key=lambda item: (item.day or date.max, order[item.form]))
    return (*dated, *waiting)


_CUPS = frozenset({Form.CUP, Form.SEMIFINAL, Form.FINAL})


def _waits(item: Item, year: int, touched: set[int]) -> bool:
    """Whether a step without a day is shown in this year."""
    if item.season == year:
        return True
    is_old_cup = item.season < year and item.form in _CUPS and item.season in touched
    return is_old_cup and item.step is Step.START and item.state is State.UNDATED
