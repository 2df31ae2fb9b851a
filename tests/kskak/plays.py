"""Random games for the property tests: events that can happen, some that can't, and commands.

Not a test. Hypothesis chooses, so that a failure shrinks to a short game.
"""

from datetime import date, timedelta

import chess
from hypothesis import strategies as st

from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.play.evolve_game import open_game, replay
from kskak.play.game_state import GameState, LedgerFault, Terms
from kskak.regulation.editions import (
    Channel,
    LeaveType,
    MoveFault,
    PauseReason,
    Regulation,
    Result,
    Side,
)

STARTS = [date(2010, 5, 3), date(2010, 12, 10), date(2012, 2, 29), date(2011, 4, 10)]
FENS = [None, None, "7k/8/6K1/8/8/8/8/5Q2 w - - 140 1", "8/P6k/8/8/8/8/p6K/8 b - - 0 40"]
SIDES = st.sampled_from(Side)
NEAR = st.integers(-3, 45)
ODDLY = st.integers(0, 9).map(lambda number: number == 0)


@st.composite
def terms(draw: st.DrawFn) -> Terms:
    """What a game is played by."""
    return Terms(
        "random",
        draw(st.sampled_from(Regulation)),
        draw(st.sampled_from(STARTS)),
        "Hvid",
        "Sort",
        draw(st.sampled_from(FENS)),
        draw(st.sampled_from([2009, 2014, 2018])),
    )


def _some(draw: st.DrawFn, board: chess.Board) -> chess.Move:
    legal = sorted(board.legal_moves, key=str)
    return draw(st.sampled_from(legal)) if legal else chess.Move.null()


def _line(draw: st.DrawFn, board: chess.Board, plies: int) -> tuple[chess.Move, ...]:
    board, found = board.copy(stack=False), []
    for _ in range(plies):
        move = _some(draw, board)
        if move:
            board.push(move)
            found.append(move)
    return tuple(found)


@st.composite
def dispatches(draw: st.DrawFn, state: GameState) -> ev.MoveSent:
    """A dispatch of the side to move, mostly one that fits the series and the dates."""
    accepted = 2 * draw(st.integers(0, len(state.proposal) // 2))
    plies, board = state.proposal[:accepted], state.board.copy(stack=False)
    for move in plies:
        board.push(move)
    stops = len(state.proposal) > accepted and draw(st.booleans())
    last = state.proposal[accepted] if stops else _some(draw, board)
    if last:
        board.push(last)
    proposes = () if stops else _line(draw, board, draw(st.sampled_from([0, 0, 2, 4])))
    base = state.turn.fixed or state.turn.opponent_sent or state.terms.start
    received = base + timedelta(draw(st.integers(0, 3)))
    sent = received + timedelta(draw(st.sampled_from([0, 0, 1, 3, 6, 15, 22, 41, -1])))
    channel = draw(st.sampled_from(Channel))
    day: date | ev.CardDates = sent
    if channel is Channel.POST and draw(st.booleans()):
        day = ev.CardDates(draw(st.sampled_from([None, sent])), None, sent)
    stated = received if channel is Channel.POST or draw(st.booleans()) else None
    by = state.mover.other if draw(ODDLY) else state.mover
    offers = draw(st.booleans())
    return ev.MoveSent(
        by, (*plies, last), day, stated, channel, proposes[: len(proposes) // 2 * 2], offers
    )


def _shortened(draw: st.DrawFn, state: GameState) -> ev.Event | None:
    """Some leave that stands ends earlier, or None."""
    leaves = [b.booked for b in state.bookings if isinstance(b.booked, ev.LeaveBooked)]
    if not leaves or draw(st.booleans()):
        return None
    one = draw(st.sampled_from(leaves))
    until = one.first + timedelta(draw(st.integers(-1, 30)))
    return ev.LeaveShortened(one.by, one.first, one.last, until)


def _booked(draw: st.DrawFn, day: date, by: Side) -> ev.Event:
    first = day + timedelta(draw(st.integers(-40, 60)))
    last = first + timedelta(draw(st.integers(0, 40)))
    if draw(st.booleans()):
        return ev.GamePaused(
            first, draw(st.sampled_from([None, last])), draw(st.sampled_from(PauseReason))
        )
    if draw(st.booleans()):
        return ev.PauseEnded(draw(st.sampled_from(PauseReason)), last)
    kind = draw(st.sampled_from((LeaveType.PERSONAL, LeaveType.SPECIAL)))
    notified = first - timedelta(draw(st.integers(-9, 20)))
    return ev.LeaveBooked(by, first, last, notified, kind)


def _ruled(draw: st.DrawFn, state: GameState, day: date) -> ev.Event:
    ply = draw(st.integers(1, max(state.position.ply, 1)))
    totals = draw(st.sampled_from([(None, 5), (0, 0), (39, None), (29, 29)]))
    found = draw(st.sampled_from([(day, None), (None, day), (day, day)]))
    return draw(
        st.sampled_from(
            [
                ev.ResultRuled(draw(st.sampled_from(Result)), day, "TL", "1"),
                ev.DispatchCorrected(ply, *found, "KC", "2"),
                ev.TotalsSet(*totals),
                ev.GameResumed(day),
                ev.GameSetBack(draw(st.integers(0, state.position.ply))),
                ev.DaysCharged(draw(SIDES), day, draw(st.integers(-9, 30)), "6.4.1", "ruling"),
            ]
        )
    )


RULINGS = ["E-2026-7/1", "E-2026-7/2"]


@st.composite
def by_a_ruling(draw: st.DrawFn, state: GameState) -> ev.Event:
    """An effect of one of two rulings, or the annulment of one."""
    ruling = draw(st.sampled_from(RULINGS))
    if draw(st.integers(0, 3)) == 0:
        return ev.RulingAnnulled(ruling)
    effect = _ruled(draw, state, state.settled + timedelta(draw(NEAR)))
    if draw(st.booleans()):
        effect = _booked(draw, state.settled, draw(SIDES))
    assert isinstance(effect, ev.RulingEffect)
    return ev.RulingApplied(ruling, effect)


def claimed_awaiting(by: Side, on: date) -> ev.OverstepClaimed:
    """A claim that puts the game at rest."""
    return ev.OverstepClaimed(by, on, awaits_decision=True)


def dropped(_: Side, on: date) -> ev.ClaimDropped:
    """The claims so far are taken back."""
    return ev.ClaimDropped(on)


WORDS = [
    ev.MoveReceived,
    ev.LongThinkNotified,
    ev.OpponentReminded,
    ev.LeaderTold,
    ev.OverstepClaimed,
    ev.DrawOfferPrepared,
    ev.DrawDeclined,
    ev.DrawClaimFailed,
    ev.OverstepFound,
    ev.OverstepWaived,
    ev.ClaimStands,
    claimed_awaiting,
    dropped,
]


@st.composite
def happening(draw: st.DrawFn, state: GameState) -> ev.Event:
    """Any event at all, near the present day of the game."""
    kind = draw(st.integers(0, 21))
    day = state.settled + timedelta(draw(NEAR))
    by = draw(SIDES)
    if kind < 10:
        return draw(dispatches(state))
    if kind < 12:
        return _shortened(draw, state) or _booked(draw, state.settled, by)
    if kind < 13:
        return _ruled(draw, state, day)
    if kind < 14:
        return ev.FaultySent(by, day, draw(st.sampled_from(MoveFault)))
    if kind < 15 and draw(ODDLY):
        return draw(st.sampled_from([ev.PlayerResigned, ev.DrawMade]))(by, day)
    if kind > 19:
        return draw(by_a_ruling(state))
    if draw(ODDLY):
        by = by if draw(ODDLY) else state.mover.other
        return ev.SeriesAdded(by, day, _line(draw, state.board, draw(st.sampled_from([1, 2, 4]))))
    if draw(ODDLY):
        return ev.TakenOver(day)
    if draw(ODDLY):
        return ev.EmailAnswered(by, day, draw(st.booleans()))
    return draw(st.sampled_from(WORDS))(by, day)


@st.composite
def games(draw: st.DrawFn, most: int = 12) -> tuple[Terms, tuple[ev.Event, ...]]:
    """A game and its events, all of which can have happened."""
    by = draw(terms())
    events: list[ev.Event] = []
    state = open_game(by)
    for _ in range(draw(st.integers(0, most))):
        event = draw(happening(state))
        try:
            state = replay(by, [*events, event])
        except LedgerFault:
            continue
        events.append(event)
    return by, tuple(events)


SERVERS_DAY = st.dates(date(2010, 1, 1), date(2012, 12, 31))
ANY_DAY = st.dates() | SERVERS_DAY
SQUARES = st.integers(0, 63)
ANY_MOVE = st.builds(chess.Move, SQUARES, SQUARES, st.sampled_from([None, 2, 3, 4, 5, 6, 1]))


def postal_commands(
    move: st.SearchStrategy[chess.Move], ply: st.SearchStrategy[int]
) -> st.SearchStrategy[cmd.Command]:
    """What is asked of postal games, cards with any dates."""
    maybe = st.none() | SERVERS_DAY
    plies = st.lists(move, max_size=3).map(tuple)
    card = st.builds(ev.CardDates, maybe, maybe, maybe)
    return st.one_of(
        st.builds(cmd.RecordCard, SIDES, ply, plies, card, maybe, maybe, plies),
        st.builds(cmd.RecordFaultyCard, SIDES, ply, st.sampled_from(MoveFault), SERVERS_DAY),
        st.builds(cmd.RecordEnd, SIDES, st.booleans(), SERVERS_DAY),
        st.builds(cmd.RecordReceipt, SIDES, SERVERS_DAY),
        st.builds(cmd.AnswerEmail, SIDES, st.booleans()),
    )


def commands(state: GameState) -> st.SearchStrategy[cmd.Command]:
    """Anything a person or the server may ask, sensible or not."""
    move = ANY_MOVE | st.sampled_from(
        sorted(state.board.legal_moves, key=str) or [chess.Move.null()]
    )
    plies = st.lists(move, max_size=3).map(tuple)
    ply = st.integers(-1, 3) | st.just(state.position.ply)
    return st.one_of(
        st.builds(cmd.SendMoves, SIDES, ply, plies, plies, st.booleans(), st.none() | ANY_DAY),
        st.builds(cmd.ClaimDraw, SIDES, ply, st.none() | move),
        st.builds(cmd.BookLeave, SIDES, ANY_DAY, ANY_DAY),
        st.builds(cmd.ReportFaulty, SIDES, st.sampled_from(MoveFault)),
        st.builds(cmd.ReportReceived, SIDES, SERVERS_DAY),
        st.builds(cmd.StopTime, SERVERS_DAY, st.none() | SERVERS_DAY, st.sampled_from(PauseReason)),
        st.just(cmd.LookAtTime()),
        postal_commands(move, ply),
        st.builds(cmd.Remind, st.integers(0, 9)),
        st.just(cmd.TellLeader()),
        st.builds(cmd.GrantLeave, SIDES, ANY_DAY, ANY_DAY),
        st.builds(cmd.ShortenLeave, SIDES, ANY_DAY, ANY_DAY, ANY_DAY),
        *(
            st.builds(kind, SIDES)
            for kind in (
                cmd.OfferDraw,
                cmd.AcceptDraw,
                cmd.DeclineDraw,
                cmd.Resign,
                cmd.ClaimOverstep,
                cmd.WaiveOverstep,
                cmd.AdmitOverstep,
                cmd.NotifyLongThink,
            )
        ),
    )
