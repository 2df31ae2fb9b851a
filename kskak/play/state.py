"""The frozen state of a game, and the questions it answers about itself.

Not for how it changes (evolve.py, dispatch.py, other_events.py).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Generic, TypeVar, overload

import chess

from kskak.board.moves import Position, side_to_move
from kskak.game.card_mode import NOTHING_SAID, Means
from kskak.game.events import LeaveBooked
from kskak.play.recent import Recent
from kskak.reflection.control import Overstep, live_limit
from kskak.reflection.counted_days import Stopwatch, counts_weekend
from kskak.reflection.leave import Booking, calendar_of
from kskak.reflection.silence import QUIET, Silence
from kskak.regulation.days import ONE_DAY, Calendar
from kskak.regulation.editions import LAWS, Laws, RuleSet, rules_of
from kskak.regulation.quantities import Channel, Ending, Finding, Regulation, Result, Side

T = TypeVar("T")


class derived(Generic[T]):  # noqa: N801  used as a decorator, as property is
    """A property cached on the object; two threads may both compute it, with the same result."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, value: None, kind: type) -> "derived[T]": ...

    @overload
    def __get__(self, value: object, kind: type) -> T: ...

    def __get__(self, value: object | None, kind: type) -> "T | derived[T]":
        if value is None:
            return self
        found = value.__dict__[self._name] = self._work(value)
        return found


HOLIDAYS_ONLY = Calendar()


class LedgerFault(ValueError):
    """An event that can't have happened in this state; the message says what is wrong."""


@dataclass(frozen=True)
class Terms:
    """The terms a game is played under, from start to end (Kendelse 139)."""

    game: str
    regulation: Regulation
    start: date
    white: str
    black: str
    fen: str | None
    laws_year: int

    @derived
    def rules(self) -> RuleSet:
        """The regulation's numbers."""
        return rules_of(self.regulation)

    @property
    def laws(self) -> Laws:
        """The edition of FIDE's laws."""
        return LAWS[self.laws_year]


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """One player's account: days used, own moves sent, faulty moves charged."""

    total: int = 0
    moves: int = 0
    faults: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """What is known about the move that the side to move has to answer.

    ``fixed`` is a receipt that no stated one replaces (start, resumption, a bound answer);
    ``seen`` a receipt that was reported; ``warned`` the day both were warned that time was up;
    ``watched`` the day from which the server runs the game, if that was during this turn.
    """

    opponent_sent: date | None
    fixed: date | None
    seen: date | None = None
    said: Silence = QUIET
    warned: date | None = None
    watched: date | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """The account of the side to move: since when, the limit, the first day over it."""

    by: Side
    since: date
    limit: int
    flag_on: date | None


@dataclass(frozen=True)
class GameState:
    """A game as it stands. ``settled`` is the last day whose steps have been counted.

    Values derived from the fields are computed once, when first asked for.
    """

    terms: Terms
    position: Position
    turn: Turn
    settled: date
    white: PlayerClock = PlayerClock()
    black: PlayerClock = PlayerClock()
    bookings: tuple[Booking, ...] = ()
    calendar: Calendar = HOLIDAYS_ONLY
    proposal: tuple[chess.Move, ...] = ()
    overstep: Overstep | None = None
    ended: Ending | None = None
    ended_result: Result | None = None
    draw_offer: Side | None = None
    prepared_offer: Side | None = None
    is_overstep_waived: bool = False
    recent: Recent = Recent()
    means: Means = NOTHING_SAID
    awaits_decision: bool = False

    @property
    def board(self) -> chess.Board:
        """The board; never change it in place."""
        return self.position.board

    @derived
    def mover(self) -> Side:
        """The side to move on the board, whether the game is over or not."""
        return side_to_move(self.position.board)

    def clock(self, side: Side) -> PlayerClock:
        """A player's account."""
        return self.white if side is Side.WHITE else self.black

    def with_clock(self, side: Side, clock: PlayerClock) -> "GameState":
        """The state with a player's account replaced."""
        if side is Side.WHITE:
            return replace(self, white=clock)
        return replace(self, black=clock)

    @derived
    def result(self) -> Result | None:
        """The result, None while the game runs and while it is halted.

        An undecided claim does not change it (§ 6.4.1).
        """
        return self.ended_result if self.awaits_decision else self.reckoned

    @derived
    def reckoned(self) -> Result | None:
        """The result by the entries alone, taking a claim as valid: what a ledger's clock says.

        A ruling overrides everything; an overstep that was claimed, or that both lost by,
        whatever else ended the game (§ 6.3.3.3-6.3.3.4).
        """
        if self.ended is not Ending.RULING and self.overstep is not None:
            if self.overstep.finding is Finding.CLAIMED:
                return Result.won_by(self.overstep.by.other)
            if self.overstep.finding is Finding.CONTINUED:
                return Result.BOTH_LOSE
        return self.ended_result

    @derived
    def to_move(self) -> Side | None:
        """Whose turn it is; None when the game is over, and while it is halted."""
        return None if self.reckoned is not None else self.mover

    @property
    def rests(self) -> bool:
        """Whether a claim has stopped a game that nothing else has ended (§ 6.4.1)."""
        return self.awaits_decision and self.ended is None

    def calendar_for(self, side: Side) -> Calendar:
        """The exempt days as they count for a side: fewer for one who shortened leave."""
        for booking in self.bookings:
            booked = booking.booked
            if isinstance(booked, LeaveBooked) and booked.until and booked.by is side:
                return calendar_of(self.bookings, self.terms.start, self.terms.rules, side)[0]
        return self.calendar

    def limit_of(self, side: Side) -> int:
        """Days the player may have used now, taking a standing series into account (§ 6.3.3)."""
        series = len(self.proposal) // 2 if side is self.mover else 0
        return live_limit(self.clock(side).moves, series, self.terms.rules)

    def next_control(self, side: Side) -> int:
        """The player's next control move (§ 6.3.3.1)."""
        return self.terms.rules.next_control(self.clock(side).moves)

    @derived
    def receipt(self) -> date | None:
        """The day from which the side to move uses time, as far as known.

        E-mail: the day after the opponent's sending (§ 6.8.6); a postal game needs a report.
        """
        if self.turn.fixed is not None:
            return self.turn.fixed
        if self.turn.seen is not None or self.terms.regulation is Regulation.POSTAL:
            return self.turn.seen
        if self.turn.opponent_sent is None:
            return None
        return self.turn.opponent_sent + self.terms.rules.transit_days * ONE_DAY

    @derived
    def calendar_of_mover(self) -> Calendar:
        """The exempt days as they count for the side to move."""
        return self.calendar_for(self.mover)

    @derived
    def live_watch(self) -> Stopwatch:
        """Counts as if sent by the rule set's own means: post in a postal game."""
        channel = Channel.POST if self.terms.rules.weekend_rule else Channel.EMAIL
        return Stopwatch(self.calendar_of_mover, counts_weekend(channel, self.terms.rules))

    def running(self) -> Running | None:
        """The running account; None when over or when the receipt is unknown."""
        return self._running

    @derived
    def _running(self) -> Running | None:
        side, since = self.to_move, self.receipt
        if side is None or since is None:
            return None
        limit = self.limit_of(side)
        flag_on = self.live_watch.first_over(since, limit - self.clock(side).total)
        return Running(side, since, limit, flag_on)

    @property
    def flag_to_find(self) -> date | None:
        """The day on which time will be found to be up; None when already found or never."""
        running = self.running()
        if running is None or running.flag_on is None or self.overstep is not None:
            return None
        warned = self.turn.warned
        return None if warned is not None and warned >= running.flag_on else running.flag_on

    def days_on(self, running: Running, on: date) -> int:
        """Days the side to move has used on the current move, as if sent on ``on``."""
        return self.live_watch.days(running.since, on)
