"""A game's time as a calendar, the cost of waiting, and the texts of one's own games."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from babel.dates import get_day_names, get_month_names

from kskak.groups.placing import POINTS
from kskak.play.game_state import AccountCharge
from kskak.regulation.days import Cause
from kskak.regulation.editions import Result
from kskak.statement.account import (
    Account,
    Live,
    Stretch,
    Timeline,
    TimelineDay,
    after_leave,
    each_day,
    forecasts,
)
from mail.text.catalogue import Words
from server.store.play.game_lists import Brief
from server.usecases.people import LeaveSpan, OwnGame
from server.web.frame.page_texts import PageWords, SubjectWords

# A game's timeline as a calendar: one row per week, one cell per day, each with its own text.

_KINDS = ("white", "black", "way", *(cause.value for cause in Cause), "added")
"""The order of the legend."""
_DAY, _NUMBER = "{day}", "{n}"
"""The placeholders in a stretch's text."""


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day, or a kind of day in the legend (0). ``style`` is its CSS classes, with signs for days
    that count and days in transit; ``mark`` is what else is shown under the number: a cause's
    letter, days added.
    """

    day: int
    style: str
    mark: str
    text: str


CalendarMonth = tuple[str, list[tuple[int, list[CalendarDay]]]]
"""A month's name and its weeks, each with the column of its first day, where Monday is 1."""


@dataclass(frozen=True, slots=True)
class GameCalendarView:
    """The game day by day; ``weekdays`` are the column headings."""

    weekdays: tuple[str, ...]
    months: list[CalendarMonth]
    legend: tuple[CalendarDay, ...]


def calendar_of(found: Timeline, said: PageWords) -> GameCalendarView | None:
    """The weeks from the first day to the last; None before the first move."""
    months: list[CalendarMonth] = []
    for on, cell in _cells(each_day(found), said):
        if not months or on.day == 1:
            names = get_month_names("wide", "stand-alone", said.words.locale)
            months.append((f"{names[on.month]} {on.year}", []))
        weeks = months[-1][1]
        if not weeks or on.weekday() == 0:
            weeks.append((on.isoweekday(), []))
        weeks[-1][1].append(cell)
    if not months:
        return None
    return GameCalendarView(weekdays(said.lang), months, tuple(_legend(found, said)))


def weekdays(lang: str) -> tuple[str, ...]:
    """The columns' headings, a letter each, from Monday."""
    short = get_day_names("narrow", "stand-alone", Words.load(lang).locale)
    return tuple(str(short[n]) for n in range(7))


def _cells(days: Iterable[TimelineDay], said: PageWords) -> Iterator[tuple[date, CalendarDay]]:
    """Each day; its stretch's text is found once, except for the date and the number."""
    described: Stretch | None | object = _cells
    style = mark = before = after = ""
    for day in days:
        stretch = day.stretch
        if stretch is not described:
            described = stretch
            style, mark = _choose_style(stretch, said)
            before, after = _text(stretch, said)
        text = f"{before}{said.words.short_weekday_day(day.on)}{after}"
        if day.number:
            text = text.replace(_NUMBER, str(day.number))
        cell = CalendarDay(day.on.day, style, mark, text)
        yield day.on, _with_charges(cell, day.charges, said) if day.charges else cell


def _with_charges(
    cell: CalendarDay, charges: tuple[AccountCharge, ...], said: PageWords
) -> CalendarDay:
    """The cell of a day on which days were also added or deducted."""
    marks = filter(None, (cell.mark, *map(_days, charges)))
    texts = (cell.text, *map(said.charge, charges))
    return CalendarDay(cell.day, f"{cell.style} added", " ".join(marks), " ".join(texts))


def _choose_style(stretch: Stretch | None, said: PageWords) -> tuple[str, str]:
    if stretch is None:
        return "none", ""
    if stretch.cause is not None:
        return "still", said.t(f"timeline.mark.{stretch.cause.value}")
    return ("way" if stretch.by is None else stretch.by.value), ""


def _text(stretch: Stretch | None, said: PageWords) -> tuple[str, str]:
    """What each day of a stretch was, with the paragraph: what is said before its date and after.

    ``_NUMBER`` stands for the day's number.
    """
    plain = PageWords.of(said.lang)
    if stretch is None or (stretch.by is None and stretch.move is None):
        described = plain.t("timeline.none")
    else:
        described = _describe(
            stretch, "" if stretch.move is None else said.played(stretch.move), plain
        )
    before, _, after = plain.t("timeline.cell", day=_DAY, told=described).partition(_DAY)
    return before, after


def _describe(stretch: Stretch, move: str, said: PageWords) -> str:
    """``move``: the one that the time was used on, as the reader wants it written."""
    places: dict[str, object] = {"paragraph": stretch.paragraph, "n": _NUMBER}
    row, by = stretch.move, stretch.by
    if row is not None:
        places["move"] = move
    if by is None:
        assert row is not None
        return said.t("timeline.way", by=said.side(row.by.other), **places)
    places["by"] = said.side(by)
    if stretch.cause is not None:
        cause = said.words(f"statement.cause.{stretch.cause.value}")
        return said.t("timeline.still", cause=cause, **places)
    return said.t("timeline.now" if row is None else "timeline.used", **places)


def _legend(found: Timeline, said: PageWords) -> Iterator[CalendarDay]:
    """The kinds of days that occur: whose time ran, transit, days not counted, charges."""
    kinds = {}
    for stretch in {(one.by, one.cause): one for one in found.stretches}.values():
        style, mark = _choose_style(stretch, said)
        kinds[style if stretch.cause is None else stretch.cause.value] = (style, mark)
    if found.charges:
        kinds["added"] = ("added", _days(found.charges[0]))
    for name in filter(kinds.__contains__, _KINDS):
        style, mark = kinds[name]
        yield CalendarDay(0, style, mark, said.t(f"timeline.legend.{name}"))


def _days(charge: AccountCharge) -> str:
    return f"{charge.days:+d}".replace("-", "\N{MINUS SIGN}")


# The cost of waiting for the side to move: answering today, some days later, or after leave.

LATER_DAYS = (5, 14)


def waits_of(account: Account, said: PageWords) -> tuple[tuple[str, Live], ...]:
    """When one answers, in words, and the cost, the earliest first; none if no time is running."""
    live = account.live
    if live is None:
        return ()
    today = live.on
    named: dict[date, str] = {today: said.t("timeline.if_today", day=said.short_day(today))}
    for days in LATER_DAYS:
        on = today + timedelta(days=days)
        named[on] = said.t("timeline.if_later", days=said.days(days), day=said.short_day(on))
    back = after_leave(account, live)
    if back is not None:
        named[back] = said.t("timeline.if_leave", day=said.short_day(back))
    found = forecasts(account, tuple(sorted(named)))
    return tuple((named[one.on], one) for one in found)


# Texts of the pages for one's own games, and the marks that games have in the list.


class Weight(StrEnum):
    """The importance of a mark: requires action, new, or good to know."""

    ASKS = "asks"
    NEW = "new"
    KNOWN = "known"


Mark = tuple[Weight, str]
"""A few words beside a game, and how much they weigh."""


class MineWords(SubjectWords):
    """One language for the pages of one's own games."""

    subject = "mygames"

    def marks(self, one: OwnGame) -> tuple[Mark, ...]:
        """What is worth knowing about a game before opening it, the most pressing first."""
        return tuple(sorted(self._marks(one), key=lambda mark: list(Weight).index(mark[0])))

    def _marks(self, one: OwnGame) -> Iterator[Mark]:
        me = one.summary.side
        if one.summary.rests:
            yield (Weight.KNOWN, self("mark.rests"))
        elif one.offered_by is not None:
            yield self._whose("draw", is_mine=one.offered_by is me)
        if one.proposes is not None:
            yield self._whose("series", is_mine=one.proposes is me)
        if one.news.messages:
            yield (Weight.NEW, self("mark.message", n=one.news.messages))
        elif one.news.events:
            yield (Weight.NEW, self("mark.new"))
        if one.has_held:
            yield (Weight.ASKS, self("mark.held"))
        for number in one.cases:
            yield (Weight.KNOWN, self("mark.case", number=number))
        for away in one.away:
            if away.by is not me:
                yield (Weight.KNOWN, self._away(away, one))

    def _whose(self, what: str, *, is_mine: bool) -> Mark:
        """An offer or a series: the other's asks for an answer."""
        weight = Weight.KNOWN if is_mine else Weight.ASKS
        return (weight, self(f"mark.{what}_{'mine' if is_mine else 'theirs'}"))

    def own_leave(self, games: Iterable[OwnGame]) -> tuple[str, ...]:
        """The reader's own leave, mentioned once for all games in which it is booked."""
        own = [
            (away.first, away.last, away.is_now)
            for one in games
            for away in one.away
            if away.by is one.summary.side
        ]
        if not own:
            return ()
        found = Counter(own)
        return tuple(
            self(
                f"own_leave.{'now' if is_now else 'soon'}",
                first=self.words.short_day(first),
                last=self.words.short_day(last),
                n=count,
            )
            for (first, last, is_now), count in sorted(found.items())
        )

    def _away(self, away: LeaveSpan, one: OwnGame) -> str:
        return self(
            f"away.{'now' if away.is_now else 'soon'}",
            name=one.summary.opponent,
            first=self.words.short_day(away.first),
            last=self.words.short_day(away.last),
        )

    def outcome(self, game: Brief, person_id: int) -> str:
        """«vundet», «tabt», «remis» from the person's view; "" while the game runs."""
        if game.result is None:
            return ""
        points = POINTS[Result(game.result)][game.white_id != person_id]
        return self(f"outcome.{('lost', 'draw', 'won')[int(2 * points)]}")
