"""The short file of a game that has no ledger: moves, totals, dates, leave used (TOML).

Nothing unknown is made up: the moves before the last one are entered on the start day with no
days of their own, and the totals as reported are set after the last. Not for whether the
events fit each other (the engine replays them) nor for ledgers (takeover_files.py).
"""

import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Annotated, Literal

import chess
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from kskak.board.moves import Position
from kskak.board.movetext import read_movetext
from kskak.game import events as ev
from kskak.game.events import LeaveBooked
from kskak.reflection.leave import anniversary, tournament_year
from kskak.regulation.days import ONE_DAY, is_holiday
from kskak.regulation.editions import LAWS, rules_of
from kskak.regulation.quantities import Channel, LeaveType, Regulation, Result, Side
from server.usecases.groups.group_file import GroupFile, Text
from server.usecases.groups.toml_faults import one_line


def before_the_takeover(
    group: GroupFile,
    side: Side,
    used: int,
    known: Sequence[LeaveBooked],
    days: tuple[date, date],
) -> tuple[LeaveBooked, ...] | None:
    """Leave of ``used`` days that counts in the year of the takeover; None if there is no room.

    ``days``: the last move's sending, from which time runs, and the takeover. Obligatory
    holidays use none of the quota and are skipped (§ 6.3.6.2).
    """
    before, on = days
    first = anniversary(group.start, tournament_year(group.start, on))
    free = _free(first, before, [one for one in known if one.by is side])
    found = [day for day, _ in zip(free, range(used), strict=False)]
    if len(found) < used:
        return None
    notice = timedelta(days=rules_of(group.regulation).leave_notice_days)
    return tuple(LeaveBooked(side, begins, ends, begins - notice) for begins, ends in _spans(found))


def _free(first: date, before: date, known: Sequence[LeaveBooked]) -> Iterator[date]:
    """Days from ``first``, before the sending, that are neither holidays nor booked."""
    personal = [one for one in known if one.leave_type is LeaveType.PERSONAL]
    day = first
    while day < before:
        if not is_holiday(day) and not any(one.first <= day <= one.last for one in personal):
            yield day
        day += ONE_DAY


def _spans(days: Sequence[date]) -> list[tuple[date, date]]:
    """Consecutive days as spans."""
    spans: list[tuple[date, date]] = []
    for day in days:
        if spans and spans[-1][1] + ONE_DAY == day:
            spans[-1] = (spans[-1][0], day)
        else:
            spans.append((day, day))
    return spans


AUTHORITY = "tl"
"""Who made what a short file calls a ruling: the leader who hands the group over."""
WHAT = "a short file of a game"
_STRICT = ConfigDict(extra="forbid", frozen=True)
Total = Annotated[int, Field(ge=0, le=5000)]


class ShortFileError(ValueError):
    """A short file that can't be used; the text names the place and the remedy."""


class Days(BaseModel):
    """Days of both players."""

    model_config = _STRICT
    white: Total
    black: Total

    def of(self, side: Side) -> int:
        """One player's days."""
        return self.white if side is Side.WHITE else self.black


class LeaveEntry(BaseModel):
    """Leave whose dates are known, both ends included (§ 6.3.6)."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    by: Side
    first: date = Field(alias="from")
    last: date = Field(alias="to")
    notified: date | None = None
    type: LeaveType = LeaveType.PERSONAL

    @model_validator(mode="after")
    def _fits(self) -> "LeaveEntry":
        if self.last < self.first:
            raise ValueError("to: write a day that is not before from")
        if self.type is LeaveType.UNTOLD:
            raise ValueError("type: write personal or special")
        if self.notified is None and self.type is LeaveType.PERSONAL:
            raise ValueError("notified: write the day on which the leave was told")
        return self


class ShortFile(BaseModel):
    """A whole short file."""

    model_config = _STRICT
    white: Text
    black: Text
    not_started: bool = False
    moves: str = ""
    totals: Days | None = None
    sent: date | None = None
    received: date | None = None
    leave: tuple[LeaveEntry, ...] = ()
    leave_used: Days | None = None
    result: Literal["1-0", "0-1", "1/2-1/2", "0-0"] | None = None
    ended: date | None = None
    ruling: Text | None = None

    @model_validator(mode="after")
    def _fits(self) -> "ShortFile":
        """Check what no single field shows."""
        told = (self.totals, self.sent, self.received, self.result, self.ended, self.ruling)
        if self.not_started:
            if self.moves.strip() or any(one is not None for one in told):
                raise ValueError("not_started: a game that has not begun has names and leave alone")
            return self
        if (self.result is None) != (self.ended is None):
            raise ValueError("ended: write result and the day it ended, or neither of them")
        if self.result is None:
            self._runs()
        if self.result == "0-0" and self.ruling is None:
            raise ValueError("ruling: write who decided that both lost, and why")
        if self.ruling is not None and self.result is None:
            raise ValueError("ruling: write the result that was ruled")
        return self

    def _runs(self) -> None:
        """Check what must be known about a running game."""
        if not self.moves.strip():
            raise ValueError("moves: write the moves, or not_started = true")
        if self.totals is None:
            raise ValueError("totals: write the days used, as { white = 12, black = 9 }")
        if self.sent is None:
            raise ValueError("sent: write the day on which the last move was sent")
        if self.received is not None and self.received < self.sent:
            raise ValueError("received: write a day that is not before sent")


def read_short_file(text: str) -> ShortFile:
    """Parse a short file from its text. Raises ShortFileError with a one-line message."""
    try:
        return ShortFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ShortFileError(f"not TOML: {error}") from error
    except ValidationError as error:
        raise ShortFileError(one_line(error, ShortFile, WHAT)) from error


def events_of(short: ShortFile, group: GroupFile, on: date) -> tuple[ev.LedgerEvent, ...]:
    """What happened, as far as the file tells. Raises ShortFileError, UnreadMove.

    ``on``: the day of the takeover. A game that was not started begins on it, with no day used
    (reading of § 6.3.1).
    """
    last = short.sent or short.ended or group.start
    if last < group.start:
        raise ShortFileError(f"sent: write a day that is not before {group.start}, the start")
    leave = tuple(_leave(short, group, on))
    if short.not_started:
        return (*leave, ev.GameResumed(on))
    moves = read_movetext(short.moves, group.fen or None)
    sent = tuple(_sent(moves, group, last))
    totals = () if short.totals is None else (ev.TotalsSet(short.totals.white, short.totals.black),)
    return (*leave, *sent, *totals, *_after(short, group, len(moves)))


def _first_mover(group: GroupFile) -> Side:
    board = Position.start(group.fen or None).board
    return Side.WHITE if board.turn == chess.WHITE else Side.BLACK


def _mover(group: GroupFile, ply: int) -> Side:
    first = _first_mover(group)
    return first if ply % 2 == 0 else first.other


def _sent(moves: tuple[chess.Move, ...], group: GroupFile, last: date) -> Iterator[ev.MoveSent]:
    """The dispatches: all but the last on the start day, each received when sent: no days.

    The last is entered as a card, which may have been long on its way: the gap before it is the
    file's, and nobody is asked about it.
    """
    usual = Channel.POST if group.regulation is Regulation.POSTAL else Channel.EMAIL
    for ply, move in enumerate(moves):
        day, channel = (group.start, usual) if ply < len(moves) - 1 else (last, Channel.POST)
        yield ev.MoveSent(_mover(group, ply), (move,), day, day, channel)


def _after(short: ShortFile, group: GroupFile, plies: int) -> Iterator[ev.LedgerEvent]:
    """Receipt of the last move, and how the game ended."""
    mover = _mover(group, plies)
    if short.received is not None:
        yield ev.MoveReceived(mover, short.received)
    if short.result is None or short.ended is None:
        return
    result = Result(short.result)
    if short.ruling is not None:
        yield ev.ResultRuled(result, short.ended, AUTHORITY, short.ruling)
    elif _is_over_on_board(short, group):
        return
    elif result is Result.DRAW:
        yield ev.DrawMade(mover, short.ended)
    else:
        loser = Side.BLACK if result is Result.WHITE_WINS else Side.WHITE
        yield ev.Resigned(loser, short.ended)


def _is_over_on_board(short: ShortFile, group: GroupFile) -> bool:
    """Whether the last move ended the game, so that no player's word is needed (§ 6.2.6)."""
    position = Position.start(group.fen or None)
    for move in read_movetext(short.moves, group.fen or None):
        position = position.after(move)
    return position.ending(LAWS[group.laws]) is not None


def _leave(short: ShortFile, group: GroupFile, on: date) -> Iterator[ev.LeaveBooked]:
    """Leave with its dates as stated; days without dates are placed before the last move."""
    known = tuple(
        ev.LeaveBooked(one.by, one.first, one.last, one.notified, one.type) for one in short.leave
    )
    yield from known
    if short.leave_used is None:
        return
    before = on if short.not_started else short.sent or short.ended or on
    for side in Side:
        used = short.leave_used.of(side)
        booked = before_the_takeover(group, side, used, known, (before, on))
        if booked is None:
            raise ShortFileError(
                f"leave_used: {used} days of {side.value} do not fit before {before}: "
                "write the leave with its dates, as [[leave]]"
            )
        yield from booked
