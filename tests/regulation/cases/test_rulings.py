"""The Appeals Board's rulings as cases: 59, 107, 120, 139 (38 stands with the postmark)."""

from datetime import date

import pytest

from kskak.game.game_commands import RecordCard, Refusal
from kskak.game.game_events import (
    CardDates,
    DispatchCorrected,
    FaultySent,
    GameResumed,
    MoveReceived,
    OverstepClaimed,
    ResultRuled,
    RulingAnnulled,
    RulingApplied,
    TotalsSet,
)
from kskak.play.decide_command import decide
from kskak.play.evolve_game import LedgerEntryFault
from kskak.regulation.editions import (
    DEFAULT_LAWS,
    LAWS,
    Channel,
    Ending,
    MoveFault,
    OverstepFinding,
    Result,
)
from tests.regulation.record import BLACK, EMAIL, POSTAL, QUIET_DAY, WHITE, Record, after, line

SPRING_1978 = date(1978, 5, 1)


def disputed() -> Record:
    """Black's move 9 came washed out by the post; he has used 28 days at move 10, White 24."""
    record = Record(POSTAL, start=SPRING_1978).rounds(8, white=24, black=28).think(0)
    record.add(FaultySent(BLACK, record.day, MoveFault.DAMAGED_IN_POST))
    return record.think(0).rounds(1)


def test_kendelse_59_what_the_post_spoiled_adds_nothing():
    """Kendelse 59 (§ 6.3.5): no 3 days for a card the post spoiled. Verdict: 28, no overstep.

    Had he sent it illegible himself, 31 days and an overstep.
    """
    record = disputed()
    assert (record.used(WHITE), record.used(BLACK)) == (24, 28)
    assert record.state.overstep is None
    own_fault = disputed().add(FaultySent(BLACK, SPRING_1978, MoveFault.ILLEGIBLE))
    assert own_fault.used(BLACK) == 31


def test_kendelse_59_the_board_sets_the_totals_and_resumes_the_game():
    """Kendelse 59: 24 and 28 days, resumed with White's 11th move. Verdict: open, time runs."""
    record = Record(POSTAL, start=SPRING_1978).rounds(9, white=24, black=28).think(0)
    record.add(FaultySent(BLACK, record.day, MoveFault.ILLEGIBLE)).think(0)
    assert record.state.overstep is not None, "as White counted: 31"
    record.add(OverstepClaimed(WHITE, record.day))
    assert record.state.result is Result.WHITE_WINS
    heard = after(record.day, 200)
    record.add(TotalsSet(24, 28), GameResumed(heard))
    state = record.state
    assert (state.result, state.overstep, state.mover) == (None, None, WHITE)
    assert (state.white.total, state.black.total) == (24, 28)
    assert (state.white.moves, state.running().since) == (10, heard)
    record.dispatch(None, after(heard, 2))
    assert (record.days(), record.used(WHITE)) == (2, 26)


def test_kendelse_59_one_total_may_be_set_alone():
    """Kendelse 59: a ruling names the totals it sets. Verdict: the other stays."""
    record = Record(POSTAL).rounds(2, white=5, black=6)
    assert record.add(TotalsSet(None, 2)).used(WHITE) == 5
    assert record.used(BLACK) == 2


def claimed_107() -> Record:
    """White has used 85 days with 25 moves and receives on 12 August 1987; he states 17 August."""
    received = date(1987, 8, 12)
    record = Record(POSTAL, start=date(1987, 4, 27)).rounds(9, black=0)
    for _ in range(3):
        record.rounds(5, white=28)
    record.add(TotalsSet(85, 0)).think(0)
    record.dispatch(received, received)
    card = CardDates(None, stated=date(1987, 8, 17))
    return record.rounds(0).dispatch(received, card, Channel.POST)


def test_kendelse_107_a_finding_of_fact_corrects_the_postmark_two_instances_down():
    """Kendelse 107 (§ 6.3.2): illegible, stated 17/8: 90 days; the Board reads 19/8: 92.

    Verdict: within 90 at move 26, then overstepped and, claimed, lost.
    """
    record = claimed_107()
    ply = record.state.position.ply
    assert (record.state.white.moves, record.used(WHITE)) == (26, 90)
    assert record.state.overstep is None
    record.add(OverstepClaimed(BLACK, date(1987, 8, 20)))
    assert record.state.result is None, "TL and KC: not overstepped"
    found = DispatchCorrected(ply, date(1987, 8, 19), None, "Skaknævnet", "107")
    record.events.insert(-1, found)
    late = record.state.overstep
    assert record.used(WHITE) == 92
    assert late is not None
    assert (late.move, late.limit, late.used, late.on) == (30, 90, 92, date(1987, 8, 18))
    assert (late.finding, record.state.result) == (OverstepFinding.CLAIMED, Result.BLACK_WINS)


def test_kendelse_107_a_correction_acts_wherever_it_stands_and_field_by_field():
    """Kendelse 107: receipt and sending may be found apart. Verdict: the later word counts."""
    record = Record(EMAIL).think(0).think(9)

    def days(*found: DispatchCorrected) -> int:
        corrected = Record(EMAIL)
        corrected.events = [*found[:1], *record.events, *found[1:]]
        return corrected.days()

    def finding(received, sent):
        return DispatchCorrected(2, sent, received, "TL", "1")

    seen, sent = after(QUIET_DAY, 3), after(QUIET_DAY, 5)
    assert days(finding(seen, None)) == 6
    assert days(finding(seen, None), finding(None, sent)) == 2
    assert days(finding(seen, sent), finding(QUIET_DAY, None)) == 5
    assert days(finding(after(QUIET_DAY, -2), None)) == 11, "not held against the sending"
    with pytest.raises(LedgerEntryFault, match="ply 3"):
        days(DispatchCorrected(3, sent, None, "TL", "1"))


@pytest.mark.parametrize("ply", [1, 2, 7])
def test_kendelse_120_unfinished_games_resume_from_a_date(ply):
    """Kendelse 120: expulsion annulled, each unfinished game goes on from the TL's date.

    Verdict: the side to move has received then; a finished game stays finished.
    """
    day = after(QUIET_DAY, 90)
    record = Record(EMAIL)
    for _ in range(ply):
        record.think(1)
    mover = record.mover
    record.add(GameResumed(day))
    assert (record.state.running().by, record.state.running().since) == (mover, day)
    assert record.account(after(day, 4)).live.days == 4
    ended = Record(EMAIL).think(0).add(ResultRuled(Result.DRAW, QUIET_DAY, "TL", "1"))
    ended.add(GameResumed(day), TotalsSet(1, 1))
    assert (ended.state.ended, ended.state.result) == (Ending.RULING, Result.DRAW)


@pytest.mark.parametrize("is_told", [True, False])
def test_6_4_3_the_board_may_annul_a_resumption_under_which_a_card_was_sent(is_told):
    """§ 6.4.3: its decision is final, so that it must be possible. Verdict: it stands as before.

    The card stays and is counted, from the receipt that was told, else from the resumption.
    """
    record = Record(POSTAL).dispatch(None, QUIET_DAY, Channel.POST)
    if is_told:
        record.add(MoveReceived(BLACK, after(QUIET_DAY, 2)))
    assert record.mover is BLACK
    resumed = after(QUIET_DAY, 40)
    record.add(RulingApplied("kc", GameResumed(resumed)))
    sending = RecordCard(
        BLACK, 1, (line(1),), CardDates(after(resumed, 3), stated=after(resumed, 3)), is_own=True
    )
    sent = decide(record.state, sending, after(resumed, 3))
    assert not isinstance(sent, Refusal)
    record.add(*sent)
    assert record.days() == 3, "while the ruling stands: from its date"
    record.add(RulingAnnulled("kc"))
    assert record.days() == (41 if is_told else 3)
    assert record.state.position.ply == 2


def test_kendelse_139_a_game_keeps_the_edition_it_began_with():
    """Kendelse 139: no change inside a tournament. Verdict: laws and numbers are of its terms."""
    assert (sorted(LAWS), DEFAULT_LAWS) == ([2009, 2014, 2018], 2018)
    for year, laws in LAWS.items():
        assert laws.year == year
        assert Record(EMAIL, laws=year).think(0).state.terms.laws is laws
