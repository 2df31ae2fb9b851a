"""A game's timeline as a calendar: one row per week, one cell per day, each with its own text.

Built from text and CSS classes only, so it can be read aloud, printed and viewed without script;
with script (static/days.js) the arrow keys move from day to day. Not for computing whose time ran
(kskak.statement.timeline).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from babel.dates import get_day_names, get_month_names

from kskak.play.account_log import Charge
from kskak.regulation.days import Cause
from kskak.regulation.quantities import Side
from kskak.statement.timeline import Day, Stretch, Timeline, each_day
from mail.text.languages import LANGUAGES
from mail.text.words import Words
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
    months: list[tuple[str, list[tuple[int, list[Cell]]]]] = []
    for on, cell in _cells(each_day(found), said):
        if not months or on.day == 1:
            months.append((_month(on.year, on.month, said.lang), []))
        weeks = months[-1][1]
        if not weeks or on.weekday() == 0:
            weeks.append((on.isoweekday(), []))
        weeks[-1][1].append(cell)
    if not months:
        return None
    made = tuple(
        Month(name, tuple(Week(column, tuple(cells)) for column, cells in weeks))
        for name, weeks in months
    )
    return Calendar(weekdays(said.lang), made, tuple(_legend(found, said)))


@lru_cache(maxsize=1024)
def _month(year: int, month: int, lang: str) -> str:
    names = get_month_names("wide", "stand-alone", Words.load(lang).locale)
    return f"{names[month]} {year}"


@lru_cache(maxsize=len(LANGUAGES))
def weekdays(lang: str) -> tuple[str, ...]:
    """The columns' headings, a letter each, from Monday."""
    short = get_day_names("narrow", "stand-alone", Words.load(lang).locale)
    return tuple(str(short[n]) for n in range(7))


def _cells(days: Iterable[Day], said: PageWords) -> Iterator[tuple[date, Cell]]:
    """Each day; its stretch's text is found once, except for the date and the number."""
    told_of: Stretch | None | object = _cells
    look = mark = before = after = ""
    for day in days:
        stretch = day.stretch
        if stretch is not told_of:
            told_of = stretch
            look, mark = _look(stretch, said)
            before, after = _text(stretch, said)
        text = f"{before}{_short_weekday(day.on, said.lang)}{after}"
        if day.number:
            text = text.replace(_NUMBER, str(day.number))
        cell = Cell(day.on.day, look, mark, text)
        yield day.on, _with_charges(cell, day.charges, said) if day.charges else cell


@lru_cache(maxsize=4096)
def _short_weekday(day: date, lang: str) -> str:
    return Words.load(lang).short_weekday_day(day)


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


def _text(stretch: Stretch | None, said: PageWords) -> tuple[str, str]:
    """What each day of a stretch was, with the paragraph: what is said before its date and after.

    ``_NUMBER`` stands for the day's number.
    """
    if stretch is None:
        return _told(said.lang, None, None, "", "", None)
    row = stretch.move
    move, sent_by = ("", None) if row is None else (said.played(row), row.by)
    return _told(said.lang, stretch.by, stretch.cause, stretch.paragraph, move, sent_by)


@lru_cache(maxsize=4096)
def _told(
    lang: str, by: Side | None, cause: Cause | None, paragraph: str, move: str, sent_by: Side | None
) -> tuple[str, str]:
    """Kept: of a game's days all but the last are as they were when it was last looked at."""
    said = PageWords.of(lang)
    places: dict[str, object] = {"paragraph": paragraph, "n": _NUMBER}
    if move:
        places["move"] = move
    if by is not None:
        places["by"] = said.side(by)
    if by is None and sent_by is None:
        told = said.t("timeline.none")
    elif by is None and sent_by is not None:
        told = said.t("timeline.way", by=said.side(sent_by.other), **places)
    elif cause is not None:
        told = said.t(
            "timeline.still", cause=said.words(f"statement.cause.{cause.value}"), **places
        )
    else:
        told = said.t("timeline.used" if move else "timeline.now", **places)
    before, _, after = said.t("timeline.cell", day=_DAY, told=told).partition(_DAY)
    return before, after


def _legend(found: Timeline, said: PageWords) -> Iterator[Key]:
    """The kinds of days that occur: whose time ran, transit, days not counted, charges."""
    kinds = {}
    for stretch in {(one.by, one.cause): one for one in found.stretches}.values():
        look, mark = _look(stretch, said)
        kinds[look if stretch.cause is None else stretch.cause.value] = (look, mark)
    if found.charges:
        kinds["added"] = ("added", _days(found.charges[0]))
    for name in filter(kinds.__contains__, _KINDS):
        look, mark = kinds[name]
        yield Key(look, mark, said.t(f"timeline.legend.{name}"))


def _days(charge: Charge) -> str:
    return f"{charge.days:+d}".replace("-", "\N{MINUS SIGN}")
