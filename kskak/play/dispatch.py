"""What a dispatch does to a game: its plies, its dates, its days, its limit (§ 6.2.5, § 6.3).

One public function, ``send``. Not for the other events (evolve_game.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import chess

from kskak.board.positions import IllegalMove, Position, is_lawful, side_to_move
from kskak.game import game_events as ev
from kskak.game.game_events import DispatchCorrected, Means, MoveSent
from kskak.play.game_state import (
    NO_DATES,
    RECENT_PLIES,
    SILENT,
    AccountCharge,
    AccountLine,
    AccountRecorder,
    Dates,
    GameState,
    IsOver,
    LedgerFault,
    OutOfTurn,
    PlayerClock,
    RecentPly,
    Turn,
)
from kskak.reflection import (
    AccountRemark,
    DatesContradict,
    Stopwatch,
    TimeOverstep,
    counts_weekend,
    default_receipt,
    sending_day,
    silence_charges,
)
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import Channel, Ending, OverstepFinding, Regulation, Result, Side

# A dispatch on the board: its plies, the answer a series makes, the series proposed (§ 6.2.5).


@dataclass(frozen=True, slots=True)
class PlayedDispatch:
    """The plies of a dispatch on the board, and the bound answer."""

    plies: tuple[RecentPly, ...]
    bound: RecentPly | None
    after: Position
    ending: Ending | None
    remaining: tuple[chess.Move, ...]


def _step(position: Position, move: chess.Move, state: GameState) -> Position:
    if position is not state.position and position.ending(state.terms.laws) is not None:
        raise IsOver("the game is over before the last move")
    return position.after(move)


def _name_ply(board: chess.Board, move: chess.Move) -> RecentPly:
    """A lawful move as the account and the lists name it."""
    return RecentPly(board.fullmove_number, side_to_move(board), move, board.san(move))


def play(state: GameState, event: MoveSent) -> PlayedDispatch:
    """Put the plies on the board, check them against the series, check a new series.

    Raises IllegalMove, SeriesFault, and IsOver for plies after the game's end.
    """
    answer, remaining = ev.answer_series(event.plies, state.proposal)
    position, plies = state.position, []
    for move in event.plies:
        after = _step(position, move, state)
        plies.append(_name_ply(position.board, move))
        position = after
    ending = position.ending(state.terms.laws)
    bound = None
    if answer is not None and ending is None:
        after = position.after(answer)
        bound = _name_ply(position.board, answer)
        position = after
        ending = position.ending(state.terms.laws)
    if event.proposes:
        if answer is not None:
            raise ev.SeriesFault("an answer that only repeats the series can't propose one")
        ev.check_shape(event.proposes)
        _check_legal(position, event.proposes)
        remaining = event.proposes
    return PlayedDispatch(tuple(plies), bound, position, ending, () if ending else remaining)


def add_series(state: GameState, event: ev.SeriesAdded) -> GameState:
    """The series that its sender adds to the last dispatch, which nobody has answered (§ 6.2.5).

    Raises LedgerFault, for a series that can't be and where one stands already.
    """
    is_last = bool(state.recent) and state.mover is not event.by and state.turn.fixed is None
    if state.proposal or not is_last:  # a fixed day: the last was the opponent's, and is answered
        raise OutOfTurn("no dispatch of this player's that a series can be added to")
    try:
        ev.check_shape(event.proposes)
        _check_legal(state.position, event.proposes)
    except ev.SeriesFault as fault:
        raise LedgerFault(str(fault)) from fault
    except IllegalMove as illegal:
        raise LedgerFault(f"{illegal.move.uci()} is not legal") from illegal
    return replace(state, proposal=event.proposes)


def _check_legal(position: Position, proposes: tuple[chess.Move, ...]) -> None:
    board = position.board.copy(stack=False)
    for move in proposes:
        if not is_lawful(board, move):
            raise IllegalMove(move)
        board.push(move)


NONE: Iterator[PlayedDispatch] = iter(())


def replay_dispatches(position: Position, past: Sequence[MoveSent]) -> Iterator[PlayedDispatch]:
    """The same of dispatches that were played and checked once, each followed by another.

    All are played on one board: the position after any but the last is only for the next.
    """
    board, ply = position.board.copy(stack=False), position.ply
    proposal: tuple[chess.Move, ...] = ()
    for number, event in enumerate(past, 1):
        answer, remaining = ev.answer_series(event.plies, proposal)
        plies = [_next(board, move) for move in event.plies]
        bound = None if answer is None else _next(board, answer)
        proposal, ply = event.proposes or remaining, ply + len(plies) + (bound is not None)
        after = Position(board, (), ply) if number < len(past) else Position.reached(board, ply)
        yield PlayedDispatch(tuple(plies), bound, after, None, proposal)


def _next(board: chess.Board, move: chess.Move) -> RecentPly:
    ply = _name_ply(board, move)
    board.push(move)
    return ply


# What a dispatch does to a game: its plies, its dates, its days, its limit (§ 6.2.5, § 6.3).

_DECISIVE = {Ending.CHECKMATE}


@dataclass(frozen=True, slots=True)
class _Timed:
    """The dates of a dispatch, the days it cost and the charges that follow them."""

    received: date
    sent: date
    days: int
    watch: Stopwatch
    charges: tuple[tuple[int, str], ...]


def send(
    state: GameState,
    event: MoveSent,
    corrected: DispatchCorrected | None,
    log: AccountRecorder,
    entry: int,
    past: Iterator[PlayedDispatch] = NONE,
) -> GameState:
    """Apply a dispatch. Raises LedgerFault when it can't have happened in this state.

    ``past``: its plies as the next of them, if they need not be proven.
    """
    if event.by is not state.mover:
        raise OutOfTurn(f"not {event.by}'s turn")
    try:
        played = next(past, None) or play(state, event)
        timed = _time(state, event, corrected, log, entry)
    except (ev.SeriesFault, DatesContradict) as fault:
        raise LedgerFault(str(fault)) from fault
    except IllegalMove as illegal:
        raise LedgerFault(f"{illegal.move.uci()} is not legal") from illegal
    clock, overstep = _charge(state, event, timed, log)
    if log is not SILENT:
        _write(state, event, played, timed, clock.total, log)
    return _next_dispatch(state, event, played, timed, clock, overstep)


def _time(
    state: GameState,
    event: MoveSent,
    corrected: DispatchCorrected | None,
    log: AccountRecorder,
    entry: int,
) -> _Timed:
    """Find the dates that count and the days between them (§ 6.3.1-6.3.2, § 6.8.6)."""
    rules = state.terms.rules
    sent = sending_day(event.sent)
    if corrected is not None and corrected.sent is not None:
        sent = corrected.sent
    if sent < state.terms.start:
        sent = state.terms.start
    if corrected is not None and corrected.received is not None:
        received = corrected.received
    elif state.turn.fixed is not None:
        received = state.turn.fixed
    else:
        received = _stated_receipt(state, event, sent, log, entry)
    if sent < received:
        raise DatesContradict("sent before received")
    watch = Stopwatch(state.calendar_for(event.by), counts_weekend(event.channel, rules))
    days = watch.days(received, sent)
    charges = silence_charges(state.turn.said, received, sent, days, rules)
    return _Timed(received, sent, days, watch, charges)


def _stated_receipt(
    state: GameState, event: MoveSent, sent: date, log: AccountRecorder, entry: int
) -> date:
    """The receipt that the sender states, or the channel's default."""
    opponent_sent = state.turn.opponent_sent
    if opponent_sent is None:
        raise DatesContradict("nothing to answer")
    if event.received is None:
        if event.channel is Channel.POST:
            raise DatesContradict("a card needs the date it answers a receipt of: received")
        return default_receipt(opponent_sent, sent, state.terms.rules)
    if event.received < opponent_sent:
        raise DatesContradict("received before the opponent had sent")
    usual = opponent_sent + state.terms.rules.transit_days * ONE_DAY
    if event.channel is not Channel.POST and event.received > usual:
        log.remark(entry, AccountRemark.LONG_TRANSIT)
    return event.received


def _charge(
    state: GameState, event: MoveSent, timed: _Timed, log: AccountRecorder
) -> tuple[PlayerClock, TimeOverstep | None]:
    """Add the days and charges and test the limit (§ 6.3.3): the sender's clock, the overstep."""
    rules, clock, by = state.terms.rules, state.clock(event.by), event.by
    own = (len(event.plies) + 1) // 2
    limit = state.limit_after(event.plies)
    after_days = clock.total + timed.days
    total = after_days
    for days, reason in timed.charges:
        log.charge(AccountCharge(by, timed.sent, days, "6.3.4", reason))
        total += days
    overstep = _continue_after_overstep(state.overstep, by)
    if overstep is None and total > limit:
        on = timed.sent
        if clock.total <= limit < after_days:
            first = timed.watch.first_over(timed.received, limit - clock.total)
            on = min(first or timed.sent, timed.sent)
        control = rules.next_control(clock.moves)
        overstep = TimeOverstep(by, control, limit, total, on, OverstepFinding.OPEN)
    return PlayerClock(total, clock.moves + own, clock.faults), overstep


def _continue_after_overstep(overstep: TimeOverstep | None, by: Side) -> TimeOverstep | None:
    """Playing on after the opponent's overstep loses for both (§ 6.3.3.4)."""
    if overstep is None or overstep.by is by or overstep.finding is not OverstepFinding.OPEN:
        return overstep
    return overstep.found(OverstepFinding.CONTINUED)


def _write(
    state: GameState,
    event: ev.MoveSent,
    played: PlayedDispatch,
    timed: _Timed,
    total: int,
    log: AccountRecorder,
) -> None:
    """The rows: dates go with the last own ply; the bound answer has a row of its own."""
    other, offers_draw = state.clock(event.by.other).total, event.offers_draw
    last, ply = len(played.plies) - 1, state.position.ply
    exempt = timed.watch.explain(timed.received, timed.sent)
    own = Dates(timed.received, timed.sent, timed.days, exempt)
    for index, move in enumerate(played.plies):
        is_last = index == last
        used = total if index % 2 == 0 else other
        line = AccountLine(ply + index + 1, move, own if is_last else NO_DATES, used)
        log.row(replace(line, offers_draw=is_last and offers_draw))
    if played.bound is not None:
        answered = Dates(timed.sent, timed.sent)
        log.row(AccountLine(ply + last + 2, played.bound, answered, other))


def _clocks(
    state: GameState, by: Side, clock: PlayerClock, played: PlayedDispatch
) -> tuple[PlayerClock, PlayerClock]:
    """White's account and Black's: the sender's, and the other's with a series' answers."""
    other = state.clock(by.other)
    answered = len(played.plies) // 2 + (played.bound is not None)
    if answered:
        other = replace(other, moves=other.moves + answered)
    return (clock, other) if by is Side.WHITE else (other, clock)


def _read_board_result(by: Side, played: PlayedDispatch) -> Result | None:
    """The result that the board makes (FIDE 5.1-5.2)."""
    if played.ending is None:
        return None
    winner = by.other if played.bound is not None else by
    return Result.won_by(winner) if played.ending in _DECISIVE else Result.DRAW


def _means(state: GameState, event: MoveSent) -> Means:
    """A move by e-mail in a postal game is its sender's consent to e-mail (§ 6.2.1, reading)."""
    if state.terms.regulation is not Regulation.POSTAL or event.channel is Channel.POST:
        return state.means
    return state.means.saying(event.by, agrees=True)


def _next_dispatch(
    state: GameState,
    event: MoveSent,
    played: PlayedDispatch,
    timed: _Timed,
    clock: PlayerClock,
    overstep: TimeOverstep | None,
) -> GameState:
    """Whose turn it is now, and what there is to answer; ``clock``: the sender's after it."""
    by = event.by
    white, black = _clocks(state, by, clock, played)
    bound = () if played.bound is None else (played.bound,)
    kept_offer = state.draw_offer if state.draw_offer is by else None
    return GameState(
        terms=state.terms,
        position=played.after,
        turn=Turn(opponent_sent=timed.sent, fixed=timed.sent if bound else None),
        settled=max(state.settled, timed.sent),
        white=white,
        black=black,
        bookings=state.bookings,
        calendar=state.calendar,
        proposal=played.remaining,
        overstep=overstep,
        ended=played.ending,
        ended_result=_read_board_result(by, played),
        draw_offer=by if event.offers_draw else kept_offer,
        prepared_offer=None if state.prepared_offer is by else state.prepared_offer,
        recent=(*state.recent, *played.plies, *bound)[-RECENT_PLIES:],
        means=_means(state, event),
    )
