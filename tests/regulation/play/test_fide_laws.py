"""FIDE's laws as far as they fit (§ 6.1): ends of the game, draws, by edition."""

import chess
import pytest

from kskak.board.notation import MoveRead, read_move
from kskak.board.positions import Position, is_dead, is_draw_claim_right
from kskak.board.shapes import numeric
from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import (
    DrawClaimFailed,
    DrawDeclined,
    DrawMade,
    MoveSent,
    OverstepClaimed,
)
from kskak.play.decide_command import decide
from kskak.play.evolve_game import LedgerEntryFault
from kskak.regulation.editions import LAWS, Ending, Result
from tests.fakes.machinery.each import each
from tests.regulation.record import BLACK, EMAIL, QUIET_DAY, WHITE, Record, uci

EDITIONS = pytest.mark.parametrize("year", [2009, 2014, 2018])
COMPLETE = [
    "e4",
    "e5",
    "Sf3",
    "Sf6",
    "d4",
    "exd4",
    "e5",
    "Se4",
    "Dxd4",
    "d5",
    "exd6e.p.",
    "Sxd6",
    "Lg5",
    "Sc6",
    "De3+",
    "Le7",
    "Sbd2",
    "0-0",
    "0-0-0",
    "Te8",
    "Kb1",
]
DIGITS = [
    "5254",
    "5755",
    "7163",
    "7866",
    "4244",
    "5544",
    "5455",
    "6654",
    "4144",
    "4745",
    "5546",
    "5446",
    "3175",
    "2836",
    "4453",
    "6857",
    "2142",
    "5878",
    "5131",
    "6858",
    "3121",
]
ENDS = [
    ("D1", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", Ending.STALEMATE, Result.DRAW),
    ("D2", "7k/1Q6/6K1/8/8/8/8/8 w - - 149 90", "b7g7", Ending.CHECKMATE, Result.WHITE_WINS),
    ("D3", "8/8/4k3/8/8/3Kp3/8/8 w - - 0 1", "d3e3", Ending.DEAD_POSITION, Result.DRAW),
    ("D3", "8/8/4k3/8/8/3Kp2b/2B5/8 w - - 0 1", "d3e3", Ending.DEAD_POSITION, Result.DRAW),
    ("D3", "8/8/4k3/8/8/3Kp3/7b/2B5 w - - 0 1", "c1e3", Ending.DEAD_POSITION, Result.DRAW),
    ("D3", "7k/8/7K/8/8/8/8/6R1 w - - 0 1", "g1g8", Ending.DEAD_POSITION, Result.DRAW),
    ("D3", "7K/8/8/8/8/8/2Q5/k7 w - - 0 1", "c2b2", Ending.DEAD_POSITION, Result.DRAW),
    ("D3", "7K/8/8/8/8/8/2Q5/kn6 w - - 0 1", "c2a2", Ending.DEAD_POSITION, Result.DRAW),
    ("D6", "8/8/4k3/5n2/8/3KP3/8/8 w - - 0 1", "e3e4", None, None),
    ("D6", "8/8/8/8/8/6K1/2Q5/k6r w - - 0 1", "c2b2", None, None),
]


def position(*moves: str, fen: str | None = None) -> Position:
    here = Position.start(fen)
    for move in uci(*moves):
        here = here.after(move)
    return here


def played(*moves: str, laws: int = 2018) -> Record:
    record = Record(EMAIL, laws=laws)
    for ply, move in enumerate(uci(*moves)):
        record.add(MoveSent((WHITE, BLACK)[ply % 2], (move,), QUIET_DAY, QUIET_DAY))
    return record


def asked(record: Record, command):
    return decide(record.state, command, QUIET_DAY)


def test_fide_c13_the_complete_game_of_the_handbook():
    """FIDE C.13: the printed game, letters and numbers, offer at its end. Verdict: goes on."""
    record = Record(EMAIL)
    for ply, (letters, digits) in enumerate(zip(COMPLETE, DIGITS, strict=True)):
        read = read_move(record.state.board, letters)
        assert isinstance(read, MoveRead)
        assert numeric(read.move) == digits
        offers = ply == len(DIGITS) - 1
        sending = cmd.SendMoves(record.mover, ply, (read.move,), offers_draw=offers)
        record.add(*asked(record, sending))
    state = record.state
    assert state.board.fen().split()[0] == "r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2/PPPN1PPP/1K1R1B1R"
    assert state.board.fen().endswith(" b - - 9 11")
    assert (state.mover, state.draw_offer, state.result) == (BLACK, WHITE, None)


@each(("fen", "move", "ending", "result"), [row[1:] for row in ENDS])
def test_fide_5_1_and_5_2_mate_stalemate_dead_position_end_the_game(fen, move, ending, result):
    """FIDE 5.1, FIDE 5.2: D1-D3, D6. Verdict: at once; mate also on the 75th move."""
    state = Record(EMAIL, fen=fen, laws=2018).add(MoveSent(WHITE, uci(move), QUIET_DAY)).state
    assert (state.ended, state.result) == (ending, result)


def test_fide_5_2_a_blocked_position_is_dead_on_claim():
    """FIDE 5.2: D4, blocked pawns. Verdict: not found by itself, right when claimed."""
    blocked = Record(EMAIL, fen="8/5k2/8/p1p1p1p1/P1P1P1P1/8/4K3/8 w - - 0 1")
    assert is_dead(blocked.state.board)
    assert not is_dead(blocked.state.board, most=10), "too much work: left to the leader"
    assert asked(blocked, cmd.ClaimDraw(WHITE, 0)) == (DrawMade(WHITE, QUIET_DAY),)
    taken = chess.Board("8/5k2/8/p1p1p1p1/P1P1P1P1/8/4n3/K7 w - - 0 1")
    assert not is_dead(taken), "a knight may mate"
    for fen in ("6Rk/8/7K/8/8/8/8/8 b - - 0 1", "7k/8/8/8/8/8/1q6/K7 w - - 0 1"):
        assert is_dead(chess.Board(fen)), "every move takes into bare kings"
    alive = Record(EMAIL, fen="8/5k2/8/p1p1p1p1/P1P1P1P1/8/4K2P/8 w - - 0 1")
    assert not is_dead(alive.state.board)


def test_6_3_3_3_an_overstep_loses_even_against_a_bare_king():
    """§ 6.3.3.3 before FIDE 6.9 (reading): D5, D6. Verdict: lost all the same."""
    for fen in ("8/8/4k3/8/4P3/3K4/8/8 w - - 0 1", "8/8/4k3/5n2/4P3/3K4/8/8 w - - 0 1"):
        record = Record(EMAIL, fen=fen)
        flag = record.state.running().flag_on
        record.add(OverstepClaimed(BLACK, flag))
        assert record.state.result is Result.BLACK_WINS


D7 = [
    "e2e4",
    "g8f6",
    "e4e5",
    "d7d5",
    "g1f3",
    "f6g8",
    "f3g1",
    "g8f6",
    "g1f3",
    "f6g8",
    "f3g1",
    "g8f6",
]
D8 = ["e2e4", "e7e5", "e1e2", "e8e7", "e2e1", "e7e8", "e1e2", "e8e7", "e2e1", "e7e8"]
ROUND = ["g1f3", "g8f6", "f3g1", "f6g8"]


def test_fide_9_2_an_en_passant_right_makes_another_position():
    """FIDE 9.2: D7. Verdict: claim now wrong, claim with Nf3 right."""
    record = played(*D7)
    assert record.state.position.occurrences() == 2
    assert asked(record, cmd.ClaimDraw(WHITE, 12)) == (DrawClaimFailed(WHITE, QUIET_DAY),)
    right = asked(record, cmd.ClaimDraw(WHITE, 12, uci("g1f3")[0]))
    assert right[-1] == DrawMade(WHITE, QUIET_DAY)
    assert record.add(*right).state.result is Result.DRAW


def test_fide_9_2_a_lost_castling_right_makes_another_position():
    """FIDE 9.2: D8. Verdict: the diagram three times, the position twice: wrong."""
    record = played(*D8)
    assert record.state.position.occurrences() == 2
    assert asked(record, cmd.ClaimDraw(WHITE, 10)) == (DrawClaimFailed(WHITE, QUIET_DAY),)


def test_fide_9_2_threefold_is_claimed_not_given():
    """FIDE 9.2, FIDE 9.4: D9. Verdict: at ply 7 with the move, at ply 8 without; unclaimed, on."""
    seven = played(*(ROUND * 2)[:7])
    assert asked(seven, cmd.ClaimDraw(BLACK, 7)) == (DrawClaimFailed(BLACK, QUIET_DAY),)
    with_move = asked(seven, cmd.ClaimDraw(BLACK, 7, uci("f6g8")[0]))
    assert [type(event) for event in with_move] == [MoveSent, DrawMade]
    eight = played(*ROUND * 2)
    assert eight.state.result is None
    assert asked(eight, cmd.ClaimDraw(WHITE, 8)) == (DrawMade(WHITE, QUIET_DAY),)
    assert asked(eight, cmd.ClaimDraw(BLACK, 8)) == Refusal(Reason.NOT_YOUR_TURN)


@pytest.mark.parametrize(("year", "ends"), [(2009, False), (2014, True), (2018, True)])
def test_fide_9_6_the_fifth_occurrence_ends_the_game(year, ends):
    """FIDE 9.6: D9, the start position a fifth time. Verdict: 2014 and 2018, not 2009."""
    fourth = played(*(ROUND * 4)[:15], laws=year)
    assert fourth.state.result is None
    state = played(*ROUND * 4, laws=year).state
    assert state.ended is (Ending.FIVEFOLD if ends else None)


@pytest.mark.parametrize(("year", "ends"), [(2009, False), (2014, False), (2018, True)])
def test_fide_9_6_in_2014_the_occurrences_follow_each_other(year, ends):
    """FIDE 9.6: five times with a detour between. Verdict: only 2018 counts them together."""
    detour = ["b1c3", "b8c6", "c3b1", "c6b8"]
    there_and_back = [*ROUND, *detour, "g1h3", "g8h6", "h3g1", "h6g8"]
    here = position(*there_and_back, *detour)
    assert here.occurrences() == 5
    long_way = ["g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8"]
    far = position(*long_way * 4)
    assert far.occurrences() == 5
    assert far.ending(LAWS[year]) is (Ending.FIVEFOLD if ends else None)


@pytest.mark.parametrize(("clock", "claim", "ends"), [(98, False, False), (99, True, False)])
@EDITIONS
def test_fide_9_3_fifty_moves_on_claim(year, clock, claim, ends):
    """FIDE 9.3: 100 plies without capture or pawn move. Verdict: 99 is too early."""
    here = position("h1h2", fen=f"4k3/8/8/8/8/8/8/4K2R w - - {clock} 90")
    assert is_draw_claim_right(here, LAWS[year]) is claim
    assert (here.ending(LAWS[year]) is not None) is ends


@pytest.mark.parametrize(("clock", "at_limit"), [(148, False), (149, True)])
@EDITIONS
def test_fide_9_6_seventy_five_moves_end_the_game(year, clock, at_limit):
    """FIDE 9.6: 150 plies. Verdict: 149 goes on; 2009 knows no such end."""
    here = position("h1h2", fen=f"4k3/8/8/8/8/8/8/4K2R w - - {clock} 90")
    ends = at_limit and year != 2009
    assert here.ending(LAWS[year]) is (Ending.SEVENTY_FIVE if ends else None)


def test_fide_9_1_an_offer_goes_with_a_move_and_stands_until_answered():
    """FIDE 9.1: prepared, sent, accepted; declined; lapsed by a move. Verdict: each way."""
    record = played("e2e4")
    record.add(*asked(record, cmd.OfferDraw(BLACK)))
    assert record.state.draw_offer is None, "not before it is sent"
    assert asked(record, cmd.AcceptDraw(WHITE)) == Refusal(Reason.NO_OFFER)
    record.add(*asked(record, cmd.SendMoves(BLACK, 1, uci("e7e5"))))
    assert (record.state.draw_offer, record.state.prepared_offer) == (BLACK, None)
    assert asked(record, cmd.AcceptDraw(BLACK)) == Refusal(Reason.NO_OFFER)
    assert asked(record, cmd.AcceptDraw(WHITE)) == (DrawMade(WHITE, QUIET_DAY),)
    declined = asked(record, cmd.DeclineDraw(WHITE))
    assert declined == (DrawDeclined(WHITE, QUIET_DAY),)
    moved = asked(record, cmd.SendMoves(WHITE, 2, uci("g1f3")))
    for answer in (declined, moved):
        after_it = Record(EMAIL, laws=2018).add(*record.events, *answer)
        assert after_it.state.draw_offer is None
    agreed = record.add(DrawMade(WHITE, QUIET_DAY)).state
    assert (agreed.ended, agreed.result) == (Ending.DRAW, Result.DRAW)


def test_fide_9_1_a_wrong_claim_stands_as_an_offer():
    """FIDE 9.1 (reading: no days). Verdict: the other may accept; with a move it goes along."""
    record = played("e2e4")
    record.add(*asked(record, cmd.ClaimDraw(BLACK, 1)))
    assert (record.state.draw_offer, record.used(BLACK)) == (BLACK, 0)
    with_move = asked(played("e2e4"), cmd.ClaimDraw(BLACK, 1, uci("e7e5")[0]))
    assert [(type(event), event.offers_draw) for event in with_move] == [(MoveSent, True)]
    assert asked(played("e2e4"), cmd.ClaimDraw(BLACK, 1, chess.Move.null())) == Refusal(
        Reason.ILLEGAL
    )


def test_fide_5_a_finished_position_is_no_start():
    """FIDE 5: theme games (§ 1.1.22) start from positions that can be played. Verdict: refused."""
    for fen in ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1"):
        with pytest.raises(ValueError, match="position"):
            _ = Record(EMAIL, fen=fen).state
    with pytest.raises(LedgerEntryFault, match="not legal"):
        _ = played("e2e5").state


@pytest.mark.parametrize(("moves", "is_early"), [(("e2e4",), True), (("e2e4", "e7e5"), False)])
@EDITIONS
def test_fide_5_2_no_draw_is_agreed_before_both_have_moved_by_the_laws_of_2018(
    year, moves, is_early
):
    """FIDE 5.2: 2018 alone asks for a move of each. Verdict: one ply too early, two enough."""
    record = Record(EMAIL, laws=year)
    for ply, move in enumerate(moves):
        side = (WHITE, BLACK)[ply % 2]
        offers = ply == len(moves) - 1
        record.add(*asked(record, cmd.SendMoves(side, ply, uci(move), offers_draw=offers)))
    answer = asked(record, cmd.AcceptDraw((WHITE, BLACK)[len(moves) % 2]))
    refused = is_early and year == 2018
    assert (answer == Refusal(Reason.DRAW_TOO_EARLY)) is refused
