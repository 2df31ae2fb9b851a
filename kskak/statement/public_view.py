"""What others are shown of a game: followers, strangers, and the positions on its sheet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

import chess

from kskak.board.positions import OpeningTable, named_plies
from kskak.game import game_events as ev
from kskak.game.game_events import Event, LeaveBooked
from kskak.play.events_in_force import in_force, list_events_in_force
from kskak.play.game_state import GameState, RunningClock, Terms
from kskak.reflection import AccountRemark, Booking, Warning_, list_granted_spans
from kskak.regulation.days import ONE_DAY, Cause, Span
from kskak.regulation.editions import LeaveType
from kskak.statement.account import Account, GameAccount

# A running game as shown to everyone, where its tournament lets everyone follow.

_OF_AN_OFFER = ev.DrawOfferPrepared | ev.DrawDeclined | ev.DrawClaimFailed


def build_follower_view(known: Account, events: Sequence[ev.Event], today: date) -> GameAccount:
    """A running game's events and account without what is private to its players.

    ``known`` is the account of all ``events``; ``today`` tells which leave has begun. The account's
    remarks are those on the events shown.
    """
    kept = list(_select_public_events(events, known.state.proposal, today))
    places = {entry: place for place, (entry, _) in enumerate(kept)}
    return GameAccount(tuple(event for _, event in kept), _account(known, places))


def _select_public_events(
    events: Sequence[ev.Event], series: tuple[chess.Move, ...], today: date
) -> Iterator[tuple[int, ev.Event]]:
    """The events shown, with their place among all of them."""
    proposed = [n for n, e in in_force(events) if isinstance(e, ev.MoveSent) and e.proposes]
    standing = proposed[-1] if proposed and series else None
    for entry, event in enumerate(events):
        if isinstance(event, _OF_AN_OFFER) or _is_to_come(event, today):
            continue
        if isinstance(event, ev.MoveSent):
            # What was answered of the series is on the board; the rest still stands (§ 6.2.5).
            cut = len(event.proposes) - len(series) if entry == standing else None
            event = replace(event, proposes=event.proposes[:cut], offers_draw=False)
        yield entry, event


def _is_to_come(event: ev.Event, today: date) -> bool:
    """Whether this is about a player's leave that has not begun."""
    effect = event.effect if isinstance(event, ev.RulingApplied) else event
    return isinstance(effect, ev.LeaveBooked | ev.LeaveShortened) and effect.first > today


def _account(known: Account, places: Mapping[int, int]) -> Account:
    state = replace(known.state, proposal=(), draw_offer=None, prepared_offer=None)
    return replace(
        known,
        state=state,
        running=_running(known, state),
        warnings=tuple(
            Warning_(entry=places[one.entry], code=one.code)
            for one in known.warnings
            if one.entry in places
        ),
        rulings=tuple(
            replace(one, entry=places[one.entry]) for one in known.rulings if one.entry in places
        ),
    )


def _running(known: Account, state: GameState) -> RunningClock | None:
    """The running account without the series, unless it would show someone as late who is not."""
    told, live = state.running(), known.live
    if told is None or told.flag_on is None or live is None or known.overstep is not None:
        return told
    return known.running if told.flag_on <= live.on else told


# What strangers are told of leave: that time stood still, not whether it was special leave.

_OF_A_TYPE = frozenset({AccountRemark.LATE_NOTICE, AccountRemark.QUOTA_EXCEEDED})
"""Remarks that only one type of leave gets, or that are counted by type."""


def has_leave(events: Sequence[Event]) -> bool:
    """Whether there is anything to keep from strangers."""
    return any(isinstance(event, LeaveBooked) for _, event, _ in list_events_in_force(list(events)))


def hide_leave_types(terms: Terms, events: Sequence[Event]) -> list[Event]:
    """The entries with each leave as the days that it granted, without type and notice.

    Both types are written alike: otherwise the one not named would give itself away.
    """
    bookings = [
        Booking(entry, event)
        for entry, event in enumerate(events)
        if isinstance(event, LeaveBooked)
    ]
    found = list_granted_spans(bookings, terms.start, terms.rules)
    out: list[Event] = []
    for entry, event in enumerate(events):
        if isinstance(event, LeaveBooked):
            out += [
                LeaveBooked(event.by, span.first, span.last, None, LeaveType.UNTOLD, event.until)
                for span in found[entry]
            ]
        else:
            out.append(event)
    return out


def discreet(account: Account) -> Account:
    """The account as strangers see it: leave is leave, and nothing is said of its notice."""
    rows = tuple(
        replace(row, dates=replace(row.dates, exempt=_merge_leave_spans(row.dates.exempt)))
        if row.dates.exempt
        else row
        for row in account.rows
    )
    live = account.live
    return replace(
        account,
        rows=rows,
        live=None if live is None else replace(live, exempt=_merge_leave_spans(live.exempt)),
        warnings=tuple(one for one in account.warnings if one.code not in _OF_A_TYPE),
    )


def _merge_leave_spans(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Leave of both types under one name, consecutive days as one span."""
    out: list[Span] = []
    for span in spans:
        cause = Cause.LEAVE if span.cause is Cause.SPECIAL_LEAVE else span.cause
        last = out[-1] if out else None
        if last is not None and last.cause is cause and last.last + ONE_DAY == span.first:
            out[-1] = Span(last.first, span.last, cause)
        else:
            out.append(Span(span.first, span.last, cause))
    return tuple(out)


# Which positions of a game are shown on its sheet: at most four, chosen without an engine.

APART = 4
"""Plies between two positions that are both worth a diagram."""
_WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


class TurningPointKind(StrEnum):
    """What a position is shown for; all but ``OPENING`` and ``FINAL`` are seen before the move."""

    START = "start"
    OPENING = "opening"
    MATERIAL = "material"
    THOUGHT = "thought"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The position after ``ply`` plies, and what it is shown for."""

    ply: int
    why: TurningPointKind


def turning_points(told: Account, table: OpeningTable) -> tuple[TurningPoint, ...]:
    """The positions to show, in the order of the game; a game without moves has its last alone."""
    fen, moves = told.terms.fen, [row.move for row in told.rows]
    chosen = [TurningPoint(len(moves), TurningPointKind.FINAL)]
    kinds = (
        (TurningPointKind.START, [] if fen is None else [0]),
        (TurningPointKind.MATERIAL, _by_material(fen, moves)),
        (TurningPointKind.THOUGHT, _by_thought(told)),
        (TurningPointKind.OPENING, list(named_plies(table, fen, moves))[-1:]),
    )
    for why, plies in kinds:
        free = (at for at in plies if all(abs(at - one.ply) >= APART for one in chosen))
        chosen += [TurningPoint(at, why) for at in free][:1]
    return tuple(sorted(chosen, key=lambda one: one.ply))


def _by_thought(told: Account) -> list[int]:
    """The positions before the moves that took more than a move's share of days, longest first."""
    share = told.terms.rules.days_per_move
    took = [(-row.dates.days, row.ply - 1) for row in told.rows if row.dates.days > share]
    return [ply for _, ply in sorted(took)]


def _by_material(fen: str | None, moves: Sequence[chess.Move]) -> list[int]:
    """The positions before the captures that change the balance, the greatest change first.

    An exchange is one change: it lasts until a move neither takes nor promotes.
    """
    changes: list[tuple[int, int]] = []
    before: int | None = None
    begun = 0
    for ply, (balance, goes_on) in enumerate(_balances(fen, moves)):
        if goes_on:
            continue
        if before is not None and balance != before:
            changes.append((-abs(balance - before), begun))
        before, begun = balance, ply + 1
    return [ply for _, ply in sorted(changes)]


def _balances(fen: str | None, moves: Sequence[chess.Move]) -> Iterator[tuple[int, bool]]:
    """White's material less Black's from the start on, and whether the next move changes it."""
    board = chess.Board() if fen is None else chess.Board(fen)
    for move in moves:
        yield _balance(board), board.is_capture(move) or move.promotion is not None
        board.push(move)
    yield _balance(board), False


def _balance(board: chess.Board) -> int:
    return sum(
        worth * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, worth in _WORTH.items()
    )
