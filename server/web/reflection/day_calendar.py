"""A game's timeline as a calendar: one row per week, one cell per day, each with its own text.

Built from text and CSS classes only, so it can be read aloud, printed and viewed without script;
with script (static/days.js) the arrow keys move from day to day. Not for computing whose time ran
(kskak.statement.timeline).
"""

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby

from babel.dates import get_day_names, get_month_names

from kskak.play.account_log import Charge
from kskak.regulation.days import Cause
from kskak.statement.timeline import Day, Stretch, Timeline, each_day
from kskak.values.quick_values import dataclass
from server.web.frame.words import PageWords

_KINDS = ("white", "black", "way", *(cause.value for cause in Cause), "added")
"""The order of the legend."""
_DAY, _NUMBER = "{day}", "{n}"
"""The placeholders in a stretch's text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A day. ``look`` is its CSS classes, with signs for days that count and days in transit;
    ``mark`` is what else is shown under the number: a cause's letter, days added.
    """

    day: int
    look: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Week:
    """The days of a week within one month, the first in ``column``, where Monday is 1."""

    column: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Month:
    """A month."""

    name: str
    weeks: tuple[Week, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """A line in the legend: a kind of day that occurs in the calendar."""

    look: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Calendar:
    """The game day by day; ``weekdays`` are the column headings."""

    weekdays: tuple[str, ...]
    months: tuple[Month, ...]
    legend: tuple[Key, ...]


def calendar_of(found: Timeline, said: PageWords) -> Calendar | None:
    """The weeks from the first day to the last; None before the first move."""
    cells = tuple(_cells(each_day(found), said))
    if not cells:
        return None
    names = get_month_names("wide", "stand-alone", said.words.locale)
    months = tuple(
        Month(f"{names[month]} {year}", tuple(_weeks(tuple(those))))
        for (year, month), those in groupby(cells, lambda one: (one[0].year, one[0].month))
    )
    return Calendar(weekdays(said), months, tuple(_legend(found, said)))


def weekdays(said: PageWords) -> tuple[str, ...]:
    """The columns' headings, a letter each, from Monday."""
    short = get_day_names("narrow", "stand-alone", said.words.locale)
    return tuple(str(short[n]) for n in range(7))


def _weeks(cells: tuple[tuple[date, Cell], ...]) -> Iterator[Week]:
    for _, those in groupby(cells, lambda one: one[0].isocalendar().week):
        week = tuple(those)
        yield Week(week[0][0].isoweekday(), tuple(cell for _, cell in week))


def _cells(days: Iterable[Day], said: PageWords) -> Iterator[tuple[date, Cell]]:
    """Each day; its stretch's text is built once, except for the date and the number."""
    for _, those in groupby(days, lambda day: id(day.stretch)):
        first, *others = those
        look, mark = _look(first.stretch, said)
        told = said.t("timeline.cell", day=_DAY, told=_told(first.stretch, said))
        for day in (first, *others):
            text = told.replace(_DAY, said.short_weekday(day.on))
            text = text.replace(_NUMBER, str(day.number)) if day.number else text
            cell = Cell(day.on.day, look, mark, text)
            yield day.on, _with_charges(cell, day.charges, said) if day.charges else cell


def _with_charges(cell: Cell, charges: tuple[Charge, ...], said: PageWords) -> Cell:
    """The cell of a day on which days were also added or deducted."""
    marks = filter(None, (cell.mark, *map(_days, charges)))
    texts = (cell.text, *map(said.charge, charges))
    return Cell(cell.day, f"{cell.look} added", " ".join(marks), " ".join(texts))


def _look(stretch: Stretch | None, said: PageWords) -> tuple[str, str]:
    if stretch is None:
        return "none", ""
    if stretch.cause is not None:
        return "still", said.t(f"timeline.mark.{stretch.cause.value}")
    return ("way" if stretch.by is None else stretch.by.value), ""


def _told(stretch: Stretch | None, said: PageWords) -> str:
    """What each day of a stretch was, with the paragraph; ``_NUMBER`` stands for its number."""
    if stretch is None:
        return said.t("timeline.none")
    row = stretch.move
    places: dict[str, object] = {"paragraph": stretch.paragraph, "n": _NUMBER}
    if row is not None:
        places["move"] = said.played(row)
    if stretch.by is None:
        assert row is not None, "what is on the way was sent"
        return said.t("timeline.way", by=said.side(row.by.other), **places)
    by = said.side(stretch.by)
    if stretch.cause is not None:
        cause = said.words(f"statement.cause.{stretch.cause.value}")
        return said.t("timeline.still", by=by, cause=cause, **places)
    return said.t("timeline.now" if row is None else "timeline.used", by=by, **places)


def _legend(found: Timeline, said: PageWords) -> Iterator[Key]:
    """The kinds of days that occur: whose time ran, transit, days not counted, charges."""
    kinds = {}
    for stretch in found.stretches:
        look, mark = _look(stretch, said)
        kinds[look if stretch.cause is None else stretch.cause.value] = (look, mark)
    if found.charges:
        kinds["added"] = ("added", _days(found.charges[0]))
    for name in filter(kinds.__contains__, _KINDS):
        look, mark = kinds[name]
        yield Key(look, mark, said.t(f"timeline.legend.{name}"))


def _days(charge: Charge) -> str:
    return f"{charge.days:+d}".replace("-", "\N{MINUS SIGN}")
