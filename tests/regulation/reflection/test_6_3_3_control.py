"""§ 6.3.3, § 6.8.7: the control at every tenth move, series over it, claims."""

import pytest

from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import (
    GameResumed,
    MoveSent,
    OverstepClaimed,
    OverstepWaived,
    PlayerResigned,
    TotalsSet,
)
from kskak.ledger.ledger_files import clock_json
from kskak.play.decide_command import decide
from kskak.regulation.editions import Channel, OverstepFinding, Result
from tests.regulation.record import BLACK, POSTAL, QUIET_DAY, WHITE, Record, after, line
from tests.regulation.record import EMAIL as EMAIL_RECORD

TEN_CONTROLS = [
    (POSTAL, 9, 30),
    (POSTAL, 19, 60),
    (POSTAL, 29, 90),
    (EMAIL_RECORD, 9, 40),
    (EMAIL_RECORD, 19, 80),
]


@pytest.mark.parametrize(("regulation", "moves", "limit"), TEN_CONTROLS)
def test_6_3_3_1_the_limit_is_within_and_one_more_is_over(regulation, moves, limit):
    """§ 6.3.3.1, § 6.8.6: 30 (40) days and move 10 not sent, and so on. Verdict: 30 in, 31 out."""
    assert Record(regulation).rounds(moves).think(limit).state.overstep is None
    late = Record(regulation).rounds(moves).think(limit + 1).state.overstep
    assert late is not None
    assert (late.by, late.move, late.limit, late.used) == (WHITE, moves + 1, limit, limit + 1)
    assert late.finding is OverstepFinding.OPEN


def test_6_3_3_1_it_can_happen_between_moves():
    """§ 6.3.3.1: over 30 days at move 5 is an overstep too. Verdict: found at move 5."""
    late = Record(POSTAL).rounds(4).think(31).state.overstep
    assert late is not None
    assert (late.move, late.limit) == (10, 30)
    assert late.on == after(QUIET_DAY, 31)


def test_6_3_3_1_after_the_control_the_next_limit_counts():
    """§ 6.3.3.1: with move 10 sent 60 days are allowed. Verdict: 31 at move 11 is within."""
    record = Record(POSTAL).rounds(10).think(31)
    assert record.state.overstep is None
    assert [record.state.limit_of(side) for side in (WHITE, BLACK)] == [60, 60]
    assert record.state.next_control(WHITE) == 20


def test_6_3_3_1_the_day_found_is_the_first_on_which_sending_was_over():
    """§ 6.3.3.1: sent far too late, found on the first day too many. Verdict: day 31."""
    late = Record(POSTAL).rounds(4).think(50).state.overstep
    assert late is not None
    assert (late.on, late.used) == (after(QUIET_DAY, 31), 50)


def test_6_3_3_1_time_runs_out_before_anything_is_sent():
    """§ 6.3.3.1: seen on the day itself, not the day before. Verdict: flag_on."""
    record = Record(EMAIL_RECORD).rounds(9)
    running = record.state.running()
    assert running is not None
    assert (running.by, running.limit) == (WHITE, 40)
    assert running.flag_on == after(running.since, 41)
    assert record.account(after(running.flag_on, -1)).overstep is None
    late = record.account(running.flag_on).overstep
    assert late is not None
    assert (late.used, late.finding) == (41, OverstepFinding.OPEN)
    assert decide(record.state, cmd.LookAtTime(), after(running.flag_on, -1)) == ()
    assert len(decide(record.state, cmd.LookAtTime(), running.flag_on)) == 1


@pytest.mark.parametrize(
    ("regulation", "through_12", "through_11"), [(POSTAL, 36, 33), (EMAIL_RECORD, 48, 44)]
)
@pytest.mark.parametrize("more", [0, 1])
def test_6_3_3_2_a_series_over_the_control(regulation, through_12, through_11, more):
    """§ 6.3.3.2: moves 10, 11, 12 whole: 36; through 11: 33. Verdict: one more is over.

    Black has 9 moves; White proposes Black's 10th and 11th, Black's own move after is his 12th.
    """
    proposed = Record(regulation).rounds(9).think(0, proposes=4)
    assert proposed.state.limit_of(BLACK) == through_12
    whole = Record(regulation).rounds(9).think(0, proposes=4).think(through_12 + more, plies=5)
    part = Record(regulation).rounds(9).think(0, proposes=4).think(through_11 + more, plies=3)
    # Playing exactly the proposed moves and stopping: White's bound answer follows at once.
    assert part.state.black.moves == 11
    for record, limit in ((whole, through_12), (part, through_11)):
        late = record.state.overstep
        assert (late is not None) == bool(more)
        assert late is None or (late.move, late.limit) == (10, limit)


OF_A_SERIES = [(9, 6, 12), (9, 5, 12), (9, 4, 11), (9, 3, 11), (9, 2, 10), (9, 1, 10), (9, 0, 10)]
OF_A_SERIES += [(8, 6, 11), (8, 5, 11), (8, 4, 10), (8, 3, 10), (8, 2, 10), (8, 1, 10), (7, 4, 10)]


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize(("regulation", "per"), [(POSTAL, 3), (EMAIL_RECORD, 4)])
@pytest.mark.parametrize(("moves", "accepted", "last"), OF_A_SERIES)
def test_6_3_3_2_white_is_held_to_the_last_move_he_received(
    regulation, per, moves, accepted, last, more
):
    """§ 6.3.3.2: White has sent 7 to 9 moves, Black proposes three more; he accepts some plies.

    Verdict: the last ply that he accepts counts, his own or Black's, also where his 13th goes with
    it; with his 9th alone accepted it is the control at move 10. One day more is over.
    """
    record = Record(regulation).rounds(moves - 1).think(0).think(0, proposes=6)
    standing = moves + 3
    assert record.state.limit_of(WHITE) == per * standing
    plies = [line(record.ply + at) for at in range(accepted)]
    if accepted % 2 == 0:  # beyond the whole series, or a choice of his own
        plies.append(line(record.ply + accepted + (8 if accepted < 6 else 0)))
    day = after(record.day, per * last + more)
    record.add(MoveSent(WHITE, tuple(plies), day, record.day, Channel.EMAIL, ()))
    late = record.state.overstep
    assert (late is not None) == bool(more)
    assert late is None or (late.move, late.limit) == (10, per * last)


def test_6_3_3_2_a_standing_series_raises_the_limit_only_if_it_reaches_the_control():
    """§ 6.3.3.2: two own moves more at move 7 reach 9, at move 8 reach 10, at 9 reach 11.

    Verdict: 30, 30, 33; the proposer's own limit stays.
    """
    for moves, limit in ((7, 30), (8, 30), (9, 33)):
        record = Record(POSTAL).rounds(moves).think(0, proposes=2)
        assert record.state.limit_of(BLACK) == limit
        assert record.state.limit_of(WHITE) == (30 if moves < 9 else 60)


def test_6_3_3_2_not_accepting_the_series_takes_its_days_away():
    """§ 6.3.3.2: 34 days under a series for 12 moves, then one move only. Verdict: over 30."""
    record = Record(POSTAL).rounds(9).think(0, proposes=4)
    other = line(record.ply + 2)
    record.ply += 2
    record.think(34)
    assert record.events[-1].plies == (other,)
    late = record.state.overstep
    assert late is not None
    assert (late.limit, late.used, late.on) == (30, 34, after(QUIET_DAY, 31))


def test_6_3_3_3_a_claimed_overstep_loses():
    """§ 6.3.3.3: the late side loses, mate and resignation before the claim or not.

    Verdict: 0-1 against White; his own claim or one of nothing has no effect.
    """
    record = Record(POSTAL).rounds(9).think(31)
    assert record.state.result is None
    record.add(OverstepClaimed(WHITE, record.day))
    assert record.state.result is None
    record.add(PlayerResigned(BLACK, record.day))
    assert record.state.result is Result.WHITE_WINS
    record.add(OverstepClaimed(BLACK, record.day))
    assert record.state.result is Result.BLACK_WINS
    nothing = Record(POSTAL).rounds(9).think(30)
    assert nothing.add(OverstepClaimed(BLACK, nothing.day)).state.result is None


def test_6_3_3_4_playing_on_loses_for_both():
    """§ 6.3.3.4: the opponent moves without claiming. Verdict: 0-0, and the web asks first."""
    record = Record(POSTAL).rounds(9).think(31)
    sending = cmd.SendMoves(BLACK, record.ply, (line(record.ply),))
    asked = decide(record.state, sending, record.day)
    assert asked == Refusal(Reason.OVERSTEP_ASKS)
    assert isinstance(asked, Refusal) and asked.paragraph == "6.3.3.4"
    record.add(OverstepWaived(BLACK, record.day))
    sent = decide(record.state, sending, record.day)
    assert not isinstance(sent, Refusal)
    assert record.add(*sent).state.result is Result.BOTH_LOSE


def test_6_3_3_4_a_bound_answer_is_not_playing_on():
    """§ 6.3.3.4: who only stands by his series has not gone on. Verdict: still open."""
    record = Record(POSTAL).rounds(8).think(0, proposes=4)
    late = record.think(31, plies=1).state
    assert late.overstep is not None
    assert late.overstep.finding is OverstepFinding.OPEN
    assert late.mover is BLACK, "White's bound answer has been played"


def test_6_3_3_5_a_claim_needs_an_overstep_and_the_account_shows_it():
    """§ 6.3.3.5: the claim rests on the account. Verdict: refused before, carried out after."""
    record = Record(EMAIL_RECORD).rounds(9)
    flag = record.state.running().flag_on
    refused = decide(record.state, cmd.ClaimOverstep(BLACK), after(flag, -1))
    assert refused == Refusal(Reason.NO_OVERSTEP)
    assert decide(record.state, cmd.ClaimOverstep(WHITE), flag) == refused
    claimed = decide(record.state, cmd.ClaimOverstep(BLACK), flag)
    assert not isinstance(claimed, Refusal)
    account = record.add(*claimed).account()
    assert account.overstep is not None
    assert (account.overstep.used, account.overstep.limit) == (41, 40)
    assert clock_json(account)["result"] == Result.BLACK_WINS
    assert account.state.result is None, "nobody has decided it"


def test_6_8_7_the_claim_may_go_with_the_answer_and_overstep_loses():
    """§ 6.8.7: claimed before he moves on, then moves; the result stands. Verdict: 0-1."""
    record = Record(EMAIL_RECORD).rounds(9).think(41)
    record.add(OverstepClaimed(BLACK, record.day)).think(0).think(0)
    assert record.state.overstep.finding is OverstepFinding.CLAIMED
    assert record.state.result is Result.BLACK_WINS
    assert record.state.to_move is None
    assert record.state.white.moves == 11, "later moves are still read"


def test_6_3_3_the_first_overstep_stands_until_a_ruling_opens_the_game():
    """§ 6.3.3: one overstep is reported; set_time and resume open it. Verdict: open again."""
    record = Record(POSTAL).rounds(9).think(31)
    record.add(OverstepClaimed(BLACK, record.day))
    for ruling in (TotalsSet(28, None), GameResumed(record.day)):
        again = Record(POSTAL)
        again.events = [*record.events, ruling]
        assert (again.state.overstep, again.state.result) == (None, None)
