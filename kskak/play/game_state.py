"""The frozen state of a game, the questions it answers about itself, and the phases of its life.

Not for how it changes (evolve_game.py, dispatch.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import chess

from kskak.board.positions import IllegalMove, Position, side_to_move
from kskak.game import game_events as ev
from kskak.game.game_events import NO_MEANS_STATED, LeaveBooked, Means, SeriesFault, count_accepted
from kskak.reflection import (
    QUIET,
    AccountRemark,
    Booking,
    DatesContradict,
    Silence,
    Stopwatch,
    TimeOverstep,
    Warning_,
    allowed_days,
    calendar_of,
    counts_weekend,
)
from kskak.regulation.days import ONE_DAY, Calendar, Span
from kskak.regulation.editions import (
    LAWS,
    Channel,
    Ending,
    Laws,
    OverstepFinding,
    Regulation,
    Result,
    RuleSet,
    Side,
    rules_of,
)

RECENT_PLIES = 8
"""How many plies a state remembers, for repetitions (§ 6.8.4) and lists."""


class RecentPly(NamedTuple):
    """One of the last plies on the board."""

    number: int
    by: Side
    move: chess.Move
    san: str


# What the account records while events are applied: rows, charges, remarks.


@dataclass(frozen=True, slots=True)
class Dates:
    """A dispatch's dates and the days it cost, as they stand in its row."""

    received: date | None
    sent: date | None
    days: int = 0
    exempt: tuple[Span, ...] = ()


NO_DATES = Dates(None, None)


@dataclass(frozen=True, slots=True)
class AccountLine:
    """One ply of the account; ``total`` is its mover's, after the whole dispatch.

    ``ruling`` names the ruling that found the dispatch's dates (Kendelse 107); ``offers_draw``: a
    draw offer went with the move (FIDE 9.1).
    """

    ply: int
    played: RecentPly
    dates: Dates
    total: int
    ruling: str | None = None
    offers_draw: bool = False

    @property
    def number(self) -> int:
        """The full-move number."""
        return self.played.number

    @property
    def by(self) -> Side:
        """Whose ply it is."""
        return self.played.by

    @property
    def move(self) -> chess.Move:
        """The move."""
        return self.played.move

    @property
    def san(self) -> str:
        """The move in English letters."""
        return self.played.san


@dataclass(frozen=True, slots=True)
class AccountCharge:
    """Days added, or annulled when negative, besides the reflection days.

    ``ruling`` names the ruling that charged them; None for the regulation's own.
    """

    by: Side
    on: date
    days: int
    paragraph: str
    reason: str
    ruling: str | None = None


class AccountRecorder:
    """Where applying an event records what it did; this one keeps nothing."""

    __slots__ = ()

    def row(self, row: AccountLine) -> None:
        """A ply."""

    def charge(self, charge: AccountCharge) -> None:
        """Days charged or annulled."""

    def remark(self, entry: int, code: AccountRemark) -> None:
        """A remark on an entry."""


SILENT = AccountRecorder()


@dataclass(slots=True)
class AccountLog(AccountRecorder):
    """Keeps everything, for the statement."""

    rows: list[AccountLine] = field(default_factory=list)
    charges: list[AccountCharge] = field(default_factory=list)
    warnings: list[Warning_] = field(default_factory=list)

    def row(self, row: AccountLine) -> None:
        """Keep a ply."""
        self.rows.append(row)

    def charge(self, charge: AccountCharge) -> None:
        """Keep a charge."""
        self.charges.append(charge)

    def remark(self, entry: int, code: AccountRemark) -> None:
        """Keep a remark."""
        self.warnings.append(Warning_(entry, code))


# The frozen state of a game, and the questions it answers about itself.

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

    @cached_property
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
class RunningClock:
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
    overstep: TimeOverstep | None = None
    ended: Ending | None = None
    ended_result: Result | None = None
    draw_offer: Side | None = None
    prepared_offer: Side | None = None
    is_overstep_waived: bool = False
    recent: tuple[RecentPly, ...] = ()
    means: Means = NO_MEANS_STATED
    awaits_decision: bool = False

    @property
    def board(self) -> chess.Board:
        """The board; never change it in place."""
        return self.position.board

    @cached_property
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

    @cached_property
    def result(self) -> Result | None:
        """The result, None while the game runs and while it is halted.

        An undecided claim does not change it (§ 6.4.1).
        """
        return self.ended_result if self.awaits_decision else self.reckoned

    @cached_property
    def reckoned(self) -> Result | None:
        """The result by the entries alone, taking a claim as valid: what a ledger's clock says.

        A ruling overrides everything; an overstep that was claimed, or that both lost by,
        whatever else ended the game (§ 6.3.3.3-6.3.3.4).
        """
        if self.ended is not Ending.RULING and self.overstep is not None:
            if self.overstep.finding is OverstepFinding.CLAIMED:
                return Result.won_by(self.overstep.by.other)
            if self.overstep.finding is OverstepFinding.CONTINUED:
                return Result.BOTH_LOSE
        return self.ended_result

    @cached_property
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
        accepted = len(self.proposal) if side is self.mover else 0
        return self._limit(side, accepted)

    def limit_after(self, plies: Sequence[chess.Move]) -> int:
        """Days the side to move may have used when it sends these plies (§ 6.3.3.2)."""
        return self._limit(self.mover, count_accepted(plies, self.proposal))

    def _limit(self, side: Side, accepted: int) -> int:
        own, opponents = self.clock(side).moves, self.clock(side.other).moves
        return allowed_days(own, opponents, accepted, self.terms.rules)

    def next_control(self, side: Side) -> int:
        """The player's next control move (§ 6.3.3.1)."""
        return self.terms.rules.next_control(self.clock(side).moves)

    @cached_property
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

    @cached_property
    def calendar_of_mover(self) -> Calendar:
        """The exempt days as they count for the side to move."""
        return self.calendar_for(self.mover)

    @cached_property
    def live_watch(self) -> Stopwatch:
        """Counts as if sent by the rule set's own means: post in a postal game."""
        channel = Channel.POST if self.terms.rules.weekend_rule else Channel.EMAIL
        return Stopwatch(self.calendar_of_mover, counts_weekend(channel, self.terms.rules))

    def running(self) -> RunningClock | None:
        """The running account; None when over or when the receipt is unknown."""
        return self._running

    @cached_property
    def _running(self) -> RunningClock | None:
        side, since = self.to_move, self.receipt
        if side is None or since is None:
            return None
        limit = self.limit_of(side)
        flag_on = self.live_watch.first_over(since, limit - self.clock(side).total)
        return RunningClock(side, since, limit, flag_on)

    @property
    def flag_to_find(self) -> date | None:
        """The day on which time will be found to be up; None when already found or never."""
        running = self.running()
        if running is None or running.flag_on is None or self.overstep is not None:
            return None
        known = [day for day in (self.turn.warned, self.turn.watched) if day is not None]
        return None if any(day >= running.flag_on for day in known) else running.flag_on

    def is_time_up(self, on: date) -> bool:
        """Whether a limit was passed, or is on this day, and nothing has ended the game."""
        running = self.running()
        is_up = running is not None and running.flag_on is not None and running.flag_on <= on
        return self.ended is None and (self.overstep is not None or is_up)

    def days_on(self, running: RunningClock, on: date) -> int:
        """Days the side to move has used on the current move, as if sent on ``on``."""
        return self.live_watch.days(running.since, on)


# Why facts can't all be true: a closed set that the catalogues word (§ 6.4.1).


class Misfit(StrEnum):
    """What does not fit."""

    NO_ENTRY = "no_entry"
    NO_FAULT = "no_fault"
    NO_DISPATCH = "no_dispatch"
    A_MOVE = "a_move"
    DATES = "dates"
    DAY_OUTSIDE = "day_outside"
    RECEIVED_FIRST = "received_first"
    OUT_OF_TURN = "out_of_turn"
    GAME_OVER = "game_over"
    ILLEGAL = "illegal"
    SERIES = "series"
    OTHER = "other"


class OutOfTurn(LedgerFault):
    """A dispatch by the player whose turn it is not (§ 6.3.1)."""


class NoDispatch(LedgerFault):
    """A correction of a dispatch that does not exist (§ 6.3.2)."""


class IsOver(LedgerFault):
    """Something after the game's end (FIDE 5.1)."""


class ReceivedFirst(LedgerFault):
    """A move received before it was sent (§ 6.3.1)."""


_KNOWN: dict[type[Exception], Misfit] = {
    NoDispatch: Misfit.NO_DISPATCH,
    OutOfTurn: Misfit.OUT_OF_TURN,
    IsOver: Misfit.GAME_OVER,
    ReceivedFirst: Misfit.RECEIVED_FIRST,
    DatesContradict: Misfit.DATES,
    SeriesFault: Misfit.SERIES,
    IllegalMove: Misfit.ILLEGAL,
}


def misfit_of(fault: BaseException) -> Misfit:
    """What a ledger fault, or one of its causes, is about."""
    at: BaseException | None = fault
    while at is not None:
        for kind, misfit in _KNOWN.items():
            if isinstance(at, kind):
                return misfit
        at = at.__cause__
    return Misfit.OTHER


_REMEDIES: dict[Misfit, str] = {
    Misfit.NO_DISPATCH: "write the ply (from 1) of the first move of a dispatch",
    Misfit.DATES: "write received not before the opponent sent, and sent not before received",
    Misfit.RECEIVED_FIRST: "write a day that is not before the opponent sent",
    Misfit.OUT_OF_TURN: "check by, and whether a move before this one is left out",
    Misfit.GAME_OVER: "take the entry out, or check what ended the game before it",
    Misfit.ILLEGAL: "check this move and those before it",
    Misfit.SERIES: "check the moves of this entry, and what the one before proposes",
}


def remedy_of(fault: BaseException) -> str:
    """What to write or check in a ledger with this fault: English, for the ledger's author."""
    return _REMEDIES.get(misfit_of(fault), "check this entry and those before it")


# The life of a game: its phases, and which event may lead from which to which.


class Phase(StrEnum):
    """The phase a game is in."""

    RUNNING = "running"
    OVERSTEPPED = "overstepped"
    LOST = "lost"
    ENDED = "ended"
    RULED = "ruled"


def phase_of(state: GameState) -> Phase:
    """The phase of a game; what closed it takes precedence over an overstep (§ 6.3.3)."""
    if state.ended is not None:
        return Phase.RULED if state.ended is Ending.RULING else Phase.ENDED
    if state.overstep is None:
        return Phase.RUNNING
    return Phase.OVERSTEPPED if state.overstep.finding is OverstepFinding.OPEN else Phase.LOST


EventType = type[ev.Event]
Row = dict[EventType, frozenset[Phase]]

_NOTICE_EVENTS: tuple[EventType, ...] = (
    ev.MoveReceived,
    ev.LongThinkNotified,
    ev.OpponentReminded,
    ev.LeaderTold,
    ev.DrawOfferPrepared,
    ev.DrawDeclined,
    ev.DrawClaimFailed,
    ev.OverstepFound,
    ev.OverstepWaived,
    ev.EmailAnswered,
    ev.TakenOver,
    ev.ClaimStands,
)
_COUNTED_DAYS: tuple[EventType, ...] = (
    ev.LeaveBooked,
    ev.LeaveShortened,
    ev.GamePaused,
    ev.PauseEnded,
    ev.DispatchCorrected,
)
_CHARGES: tuple[EventType, ...] = (ev.FaultySent, ev.DaysCharged)
_REOPENING: tuple[EventType, ...] = (ev.TotalsSet, ev.GameResumed)
_ENDING_NOTICE_EVENTS: tuple[EventType, ...] = (ev.PlayerResigned, ev.DrawMade)
_TAKEN_BACK: tuple[EventType, ...] = (ev.RulingAnnulled, ev.ClaimDropped)
_RUNNING, _OVERSTEPPED, _LOST, _ENDED, _RULED = Phase
_ANY_OPEN = frozenset({_RUNNING, _OVERSTEPPED, _LOST})


def _row(*groups: tuple[tuple[EventType, ...], set[Phase] | frozenset[Phase]]) -> Row:
    phases_of = {kind: frozenset(phases) for kinds, phases in groups for kind in kinds}
    return phases_of | {ev.EntryAnnulled: frozenset(Phase)}


def _open(phase: Phase, charged: set[Phase], sent: set[Phase], claimed: set[Phase]) -> Row:
    """Of a game that is not over: what charges, a dispatch and a claim may lead to."""
    return _row(
        ((*_NOTICE_EVENTS, ev.SeriesAdded), {phase}),
        ((*_COUNTED_DAYS, *_TAKEN_BACK, ev.GameSetBack), _ANY_OPEN),
        (_CHARGES, charged),
        (_REOPENING, {_RUNNING}),
        ((ev.MoveSent,), sent),
        ((ev.OverstepClaimed,), claimed),
        (_ENDING_NOTICE_EVENTS, {_ENDED}),
        ((ev.ResultRuled,), {_RULED}),
    )


_FREE = (*_NOTICE_EVENTS, *_COUNTED_DAYS, *_CHARGES, *_REOPENING, ev.OverstepClaimed)
"""What may happen in a game that is over, and changes nothing."""
TABLE: dict[Phase, Row] = {
    _RUNNING: _open(
        _RUNNING,
        charged={_RUNNING, _OVERSTEPPED},
        sent={_RUNNING, _OVERSTEPPED, _ENDED},
        claimed={_RUNNING, _LOST},
    ),
    _OVERSTEPPED: _open(
        _OVERSTEPPED,
        charged={_OVERSTEPPED},
        sent={_OVERSTEPPED, _LOST, _ENDED},
        claimed={_OVERSTEPPED, _LOST},
    ),
    _LOST: _open(_LOST, charged={_LOST}, sent={_LOST, _ENDED}, claimed={_LOST}),
    _ENDED: _row(
        (_FREE, {_ENDED}),
        ((ev.ResultRuled,), {_RULED}),
        (_TAKEN_BACK, {_ENDED}),
        ((ev.GameSetBack,), _ANY_OPEN),
    ),
    _RULED: _row(
        (_FREE, {_RULED}),
        ((ev.ResultRuled, ev.ClaimDropped), {_RULED}),
        ((ev.RulingAnnulled,), set(Phase)),
    ),
}
"""Phase, kind of event, and the phases that may follow; no row: refused."""


def may_follow(phase: Phase, event: ev.Event) -> frozenset[Phase]:
    """The phases that the event may lead to from here, empty when it is refused.

    A ruling's effect has the row of the event it contains.
    """
    kind = type(event.effect) if isinstance(event, ev.RulingApplied) else type(event)
    return TABLE[phase].get(kind, frozenset())


def admit(state: GameState, event: ev.Event) -> None:
    """Raise LedgerFault for an event that the table has no row for: the game is over."""
    if not may_follow(phase_of(state), event):
        raise IsOver("the game is over")
