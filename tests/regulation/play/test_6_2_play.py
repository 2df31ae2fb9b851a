"""§ 6.2.1-6.2.7: whose turn, no taking back, series, the end of a game."""

import chess
import pytest

from kskak.board.shapes import numeric
from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import MoveSent, PlayerResigned, ResultRuled
from kskak.play.decide_command import decide
from kskak.play.evolve_game import LedgerEntryFault
from kskak.regulation.editions import Ending, Result
from tests.regulation.record import BLACK, EMAIL, POSTAL, QUIET_DAY, WHITE, Record, after, line, uci

# § 6.2.5's example: White answers 11...a6 with 12.b5 and proposes 12...axb5 13.Rxa8 Bxa8 14.d4.
EXAMPLE = "r2qk2r/1bpppppp/p7/8/1P6/8/2PPPPPP/R3K3 w - - 0 12"
PROPOSED = uci("a6b5", "a1a8", "b7a8", "d2d4")


def example() -> Record:
    record = Record(POSTAL, fen=EXAMPLE)
    return record.add(MoveSent(WHITE, uci("b4b5"), QUIET_DAY, proposes=PROPOSED))


def answer(*moves: str, record: Record | None = None, proposes: tuple[str, ...] = ()) -> Record:
    """Black's answer to the example, two days later."""
    record = record or example()
    sent = after(QUIET_DAY, 2)
    return record.add(MoveSent(BLACK, uci(*moves), sent, QUIET_DAY, proposes=uci(*proposes)))


def test_6_2_5_the_printed_example_is_read_in_numbers():
    """§ 6.2.5: 2425, 01625 13. 1118, 2718 14. 4244. Verdict: those moves."""
    assert [numeric(move) for move in PROPOSED] == ["1625", "1118", "2718", "4244"]
    assert example().state.proposal == PROPOSED


def test_6_2_5_broken_off_by_another_move_at_once_or_within():
    """§ 6.2.5: 1625 13. 1118, 4818 as printed. Verdict: accepted up to there, then free."""
    within = answer("a6b5", "a1a8", "d8a8").state
    assert (within.position.ply, within.proposal, within.mover) == (4, (), WHITE)
    assert within.board.piece_at(chess.A8) == chess.Piece.from_symbol("q")
    at_once = answer("a6a5").state
    assert (at_once.position.ply, at_once.proposal) == (2, ())


def test_6_2_5_accepted_whole_the_own_move_follows():
    """§ 6.2.5: all of it and a move of his own. Verdict: five plies, nothing stands."""
    state = answer("a6b5", "a1a8", "b7a8", "d2d4", "b5b4").state
    assert (state.position.ply, state.proposal, state.mover) == (6, (), WHITE)
    assert (state.white.moves, state.black.moves) == (3, 3)


def test_6_2_5_stopping_is_acceptance_so_far_and_the_bound_answer_is_played():
    """§ 6.2.5 (reading): he plays what was proposed and stops. Verdict: his time runs on.

    White's bound answer stands on the same day at 0 days; the rest of the series still binds.
    """
    record = answer("a6b5")
    state, rows = record.state, record.account().rows
    assert (state.mover, state.proposal) == (BLACK, PROPOSED[2:])
    assert [(row.by, row.dates.days) for row in rows] == [(WHITE, 0), (BLACK, 2), (WHITE, 0)]
    bound = rows[-1].dates
    assert bound.received == bound.sent == after(QUIET_DAY, 2)
    assert state.receipt == after(QUIET_DAY, 2)
    record.add(MoveSent(BLACK, uci("b7c6"), after(QUIET_DAY, 5), received=after(QUIET_DAY, 4)))
    assert record.days() == 3, "from the day of his answer, whatever he states"


def test_6_2_5_what_does_not_fit_the_series_is_refused():
    """§ 6.2.5: other moves inside it, an even number, nothing proposed. Verdict: refused."""
    for moves in (("a6a5", "a1a8", "b7a8"), ("a6b5", "a1a8"), ("a6b5", "a1a7", "a8a7")):
        with pytest.raises(LedgerEntryFault):
            _ = answer(*moves).state
    with pytest.raises(LedgerEntryFault, match="series"):
        _ = answer("a6b5", proposes=("e1e2", "e8f8")).state
    with pytest.raises(LedgerEntryFault):
        Record(EMAIL).think(0, plies=3)


def test_6_2_5_a_series_is_lawful_and_ends_with_the_proposers_move():
    """§ 6.2.5: proposals. Verdict: an odd number and an unlawful move are refused, and said why."""
    state = Record(EMAIL).state
    for series, reason in (
        (uci("e7e5"), Reason.SERIES),
        (uci("e7e5", "a1a5"), Reason.SERIES_ILLEGAL),
        (uci("e7e5", "0000"), Reason.SERIES_ILLEGAL),
    ):
        sending = cmd.SendMoves(WHITE, 0, uci("d2d4"), series)
        assert decide(state, sending, QUIET_DAY) == Refusal(reason)


def test_6_2_4_a_sent_move_cannot_be_taken_back():
    """§ 6.2.4: no change, no second move. Verdict: refused as stale, or as not his turn."""
    record = Record(EMAIL).think(0)

    def ask(by, ply):
        return decide(record.state, cmd.SendMoves(by, ply, uci("e7e5")), record.day)

    assert ask(WHITE, 0) == Refusal(Reason.NOT_YOUR_TURN)
    assert ask(BLACK, 0) == Refusal(Reason.STALE)
    assert ask(BLACK, 0).paragraph == "6.2.4"
    assert not isinstance(ask(BLACK, 1), Refusal)


def test_6_2_1_moves_go_in_turn():
    """§ 6.2.1: each answers the other's move. Verdict: out of turn is an error with its place."""
    record = Record(POSTAL).think(0)
    record.events.append(MoveSent(WHITE, (line(2),), QUIET_DAY))
    with pytest.raises(LedgerEntryFault, match="entry 1: not white's turn") as fault:
        _ = record.state
    assert (fault.value.entry, fault.value.what) == (1, "not white's turn")


@pytest.mark.parametrize("by", [WHITE, BLACK])
def test_6_2_6_resigning_ends_the_game(by):
    """§ 6.2.6, FIDE 5.1: the other has won. Verdict: and nothing follows."""
    record = Record(EMAIL).think(0).add(PlayerResigned(by, QUIET_DAY))
    assert record.state.ended is Ending.RESIGNATION
    assert record.state.result is Result.won_by(by.other)
    assert (record.state.to_move, record.state.running()) == (None, None)
    with pytest.raises(LedgerEntryFault, match="over"):
        record.think(0)


def test_6_2_6_after_the_end_everything_is_refused():
    """§ 6.2.6: a finished game. Verdict: each command is refused and names the paragraph."""
    state = Record(EMAIL).think(0).add(PlayerResigned(WHITE, QUIET_DAY)).state
    asked = [
        cmd.SendMoves(BLACK, 1, uci("e7e5")),
        cmd.Resign(BLACK),
        cmd.OfferDraw(BLACK),
        cmd.AcceptDraw(BLACK),
        cmd.ClaimDraw(BLACK, 1),
        cmd.ClaimOverstep(BLACK),
        cmd.WaiveOverstep(BLACK),
        cmd.NotifyLongThink(BLACK),
        cmd.BookLeave(BLACK, after(QUIET_DAY, 10), after(QUIET_DAY, 11)),
    ]
    answers = [decide(state, command, QUIET_DAY) for command in asked]
    assert answers == [Refusal(Reason.GAME_OVER)] * len(asked)
    assert {refusal.paragraph for refusal in answers} == {"6.2.6"}
    assert decide(state, cmd.LookAtTime(), after(QUIET_DAY, 999)) == ()


def test_6_2_7_a_result_is_ruled_and_a_later_one_replaces_it():
    """§ 6.2.7, § 6.4.1: adjudicated. Verdict: stands over everything but a later result."""
    record = Record(EMAIL).think(0)
    record.add(ResultRuled(Result.DRAW, QUIET_DAY, "TL", "1"))
    assert (record.state.result, record.state.ended) == (Result.DRAW, Ending.RULING)
    record.add(ResultRuled(Result.BOTH_LOSE, QUIET_DAY, "KC", "2"))
    assert record.state.result is Result.BOTH_LOSE


def test_6_2_5_a_series_goes_with_a_move_sent_before_until_it_is_answered():
    """§ 6.2.5, § 6.8.4, § 6.3.3.2 (reading): a proposal of its own takes nothing back.

    Verdict: it stands with the move, a second is too late, and so is one of the other player.
    """
    record = Record(EMAIL, fen=EXAMPLE).add(MoveSent(WHITE, uci("b4b5"), QUIET_DAY))
    before = record.state
    asked = cmd.AddSeries(WHITE, before.position.ply, PROPOSED)
    (added,) = decide(before, asked, QUIET_DAY)
    state = record.add(added).state
    assert state.proposal == PROPOSED
    assert state.position.ply == before.position.ply
    assert (state.white, state.black) == (before.white, before.black)
    for late in (asked, cmd.AddSeries(BLACK, before.position.ply, PROPOSED)):
        refused = decide(state, late, QUIET_DAY)
        assert isinstance(refused, Refusal) and refused.reason is Reason.SERIES_LATE
