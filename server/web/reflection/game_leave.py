"""Both players' leave as a picture of twelve months, and in words for screen readers.

The numbers are in the table beside it. Not for computing them
(usecases/reflection/game_leave.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from babel.dates import get_month_names

from kskak.regulation.quantities import Regulation, Side
from server.usecases.play.game_views import GameView
from server.usecases.reflection.game_leave import Block, GameLeave, game_leave
from server.web.frame.words import PageWords
from server.web.reflection.my_games_words import MineWords

PARAGRAPH = {Regulation.EMAIL: "6.8.8", Regulation.POSTAL: "6.3.6"}
"""The paragraph that sets the number of days, by regulation."""


ROOM = 9
"""The width of a month's letter in the picture, in days."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch in the picture, in days from its first day. ``kind`` determines its look."""

    at: int
    length: int
    kind: str


@dataclass(frozen=True, slots=True)
class Tick:
    """The first of a month: its position, and the month's letter."""

    at: int
    letter: str


@dataclass(frozen=True, slots=True)
class Row:
    """A player: name, days used, stretches in the picture, and leave in words."""

    name: str
    side: Side
    used: int
    special: int
    bars: tuple[Bar, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class LeavePicture:
    """The picture with its texts; ``width`` in days, ``today`` None if outside it."""

    m: MineWords
    told: GameLeave
    paragraph: str
    width: int
    today: int | None
    months: tuple[Tick, ...]
    holidays: tuple[Bar, ...]
    rows: tuple[Row, ...]


def leave_picture(view: GameView, said: PageWords) -> LeavePicture | None:
    """Both players' leave while the game runs; None once it is over (the statement has it)."""
    state = view.account.state
    if state.result is not None:
        return None
    told = game_leave(state, view.today)
    inside = told.first <= told.today <= told.last
    free = (_bar(span.first, span.last, "free", told) for span in told.holidays)
    return LeavePicture(
        m=MineWords(said.words),
        told=told,
        paragraph=PARAGRAPH[Regulation(view.group.regulation)],
        width=(told.last - told.first).days + 1,
        today=(told.today - told.first).days if inside else None,
        months=_months(told, said),
        holidays=tuple(bar for bar in free if bar is not None),
        rows=tuple(_row(view, told, index) for index in range(len(told.players))),
    )


def _row(view: GameView, told: GameLeave, index: int) -> Row:
    own = told.players[index]
    bars = (
        _bar(one.first, one.last, "back" if one.given_back else one.leave_type.value, told)
        for one in own.blocks
    )
    shown = tuple(bar for bar in bars if bar is not None)
    name = view.player(own.side).name
    return Row(name, own.side, own.used, own.special, shown, own.blocks)


def _bar(first: date, last: date, kind: str, told: GameLeave) -> Bar | None:
    """The part that lies within the picture; None if there is none."""
    start, end = max(first, told.first), min(last, told.last)
    return Bar((start - told.first).days, (end - start).days + 1, kind) if start <= end else None


def _months(told: GameLeave, said: PageWords) -> tuple[Tick, ...]:
    names = get_month_names("narrow", "stand-alone", said.words.locale)
    return tuple(
        Tick((day - told.first).days, str(names[day.month]))
        for day in _firsts(told.first, told.last)
        if (told.last - day).days >= ROOM
    )


def _firsts(first: date, last: date) -> Iterator[date]:
    """The first days of months from ``first`` to ``last``, both included."""
    day = first.replace(day=1)
    while day <= last:
        if day >= first:
            yield day
        day = (day + timedelta(days=31)).replace(day=1)
