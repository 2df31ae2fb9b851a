"""A game's timeline as a picture in rows: a month a row, a day a cell, each stretch with its words.

Made of text and classes alone, so that it is read aloud, printed and focused. Not for finding out
whose time ran (kskak.timeline).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from babel.dates import get_month_names

from kskak.days import ONE_DAY, Span
from kskak.log import Charge
from kskak.timeline import Stretch, Timeline
from mail.explain import number_of
from server.web.words import PageWords


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a stretch that lies in one month: ``days`` cells from ``column`` on.

    ``look`` is a class of the style sheet, ``mark`` the letter of a day that does not count.
    """

    column: int
    days: int
    look: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Added:
    """Days charged on a day beside the reflection days; below 0: taken off."""

    column: int
    days: int
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A month."""

    name: str
    pieces: tuple[Piece, ...]
    added: tuple[Added, ...]


def rows_of(found: Timeline, said: PageWords) -> tuple[Row, ...]:
    """The months from the first day to the last, the first on top; none before the first move."""
    days = [day for s in found.stretches for day in (s.first, s.last)]
    days += [charge.on for charge in found.charges]
    if not days:
        return ()
    names = get_month_names("wide", "stand-alone", said.words.locale)
    return tuple(
        Row(
            f"{names[first.month]} {first.year}",
            tuple(_pieces(found.stretches, first, said)),
            tuple(_added(found.charges, first, said)),
        )
        for first in _months(min(days), max(days))
    )


def _months(first: date, last: date) -> Iterator[date]:
    month = first.replace(day=1)
    while month <= last:
        yield month
        month = _next(month)


def _next(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1)


def _pieces(stretches: tuple[Stretch, ...], month: date, said: PageWords) -> Iterator[Piece]:
    end = _next(month) - ONE_DAY
    for stretch in stretches:
        first, last = max(stretch.first, month), min(stretch.last, end)
        if first <= last:
            days = (last - first).days + 1
            look, mark = _look(stretch, said)
            yield Piece(first.day, days, look, mark, _text(stretch, said))


def _look(stretch: Stretch, said: PageWords) -> tuple[str, str]:
    if stretch.cause is not None:
        return "still", said.t(f"timeline.mark.{stretch.cause.value}")
    return ("way" if stretch.by is None else stretch.by.value), ""


def _text(stretch: Stretch, said: PageWords) -> str:
    if stretch.cause is not None:
        return said.span(Span(stretch.first, stretch.last, stretch.cause))
    places = {
        "span": span_text(stretch.first, stretch.last, said),
        "days": said.days(stretch.days),
        "paragraph": stretch.paragraph,
    }
    if stretch.by is None:
        return said.t("timeline.way", **places)
    places["by"] = said.side(stretch.by)
    if stretch.move is None:
        return said.t("timeline.now", **places)
    return said.t("timeline.used", move=_move(stretch, said), **places)


def span_text(first: date, last: date, said: PageWords) -> str:
    """«3/5», «3/5 – 7/5»."""
    one = said.short_day(first)
    return one if first == last else f"{one}\N{EN DASH}{said.short_day(last)}"


def _move(stretch: Stretch, said: PageWords) -> str:
    row = stretch.move
    assert row is not None
    return f"{number_of(row.number, row.by)} {said.played(row.san, row.move)}"


def _added(charges: tuple[Charge, ...], month: date, said: PageWords) -> Iterator[Added]:
    for charge in charges:
        if charge.on.replace(day=1) == month:
            yield Added(charge.on.day, charge.days, said.charge(charge))
