"""Rulings 38, 59 and 107 tried on the what-if from their facts, and carried into the game."""

from dataclasses import replace
from datetime import date

from kskak.cases import what_if as what_if_rules
from kskak.cases.what_if import (
    AccountColumn,
    ChargeDifference,
    Comparison,
    GameOutcome,
    effects_from,
)
from kskak.game.game_events import (
    CardDates,
    DaysCharged,
    DispatchCorrected,
    FaultySent,
    LeaderTold,
    OpponentReminded,
    OverstepClaimed,
    ResultRuled,
    RulingAnnulled,
    RulingApplied,
)
from kskak.play.game_state import Misfit
from kskak.regulation.editions import Channel, MoveFault, Result
from tests.regulation.cases.test_rulings import claimed_107
from tests.regulation.record import BLACK, EMAIL, POSTAL, QUIET_DAY, WHITE, Record, after

OCTOBER_24 = date(1976, 10, 24)


def tried(
    record: Record, *supposed: what_if_rules.Supposition, on: date | None = None
) -> Comparison:
    compared = what_if_rules.what_if(record.terms, record.events, supposed, on or record.day)
    assert isinstance(compared, Comparison), compared
    return compared


def game_38(postmark: int) -> Record:
    """Black has 9 moves and 30 days on 24 October 1976; his 10th card, by its postmark."""
    record = Record(POSTAL, start=after(OCTOBER_24, -30)).rounds(9, black=30).think(0)
    return record.dispatch(OCTOBER_24, CardDates(date(1976, 10, postmark)), Channel.POST)


def test_kendelse_38_the_postmark_is_the_senders_risk():
    """Kendelse 38 (§ 6.3.2): posted on the night 24-25/10, postmark 25/10: 31 days, overstep.

    What if the 24th counted, as the KC had it: 30 days and the game goes on.
    """
    record = game_38(25)
    compared = tried(record, what_if_rules.SentOn(20, OCTOBER_24))
    assert compared.outcomes == (GameOutcome.BLACK_OVERSTEPPED, GameOutcome.RUNS)
    assert compared.totals(BLACK) == (31, 30)
    assert compared.rows[-1].differs == {
        AccountColumn.SENT,
        AccountColumn.DAYS,
        AccountColumn.TOTAL,
    }
    assert not any(pair.differs for pair in compared.rows[:-1])
    claimed = tried(record, what_if_rules.ClaimMade(WHITE, date(1976, 10, 28)))
    assert claimed.outcomes[1] is GameOutcome.WHITE_WINS
    assert tried(game_38(24), what_if_rules.SentOn(20, date(1976, 10, 25))).totals(BLACK) == (
        30,
        31,
    )


def game_59() -> Record:
    """As White counted: Black's washed out card cost him 3 days, 31 at move 10, and he claims."""
    record = Record(POSTAL, start=date(1978, 4, 3)).rounds(8, white=24, black=26).think(0)
    record.add(FaultySent(BLACK, record.day, MoveFault.ILLEGIBLE)).think(0)
    record.rounds(1, black=2)
    return record.add(OverstepClaimed(WHITE, record.day))


def test_kendelse_59_a_card_the_post_spoiled_adds_nothing():
    """Kendelse 59 (§ 6.3.5.1): not the sender's: 28 days, the game goes on with White's 11th."""
    record = game_59()
    faulty = next(i for i, e in enumerate(record.events) if isinstance(e, FaultySent))
    compared = tried(record, what_if_rules.SpoiledByPost(faulty))
    assert compared.outcomes == (GameOutcome.WHITE_WINS, GameOutcome.RUNS)
    assert (compared.totals(WHITE), compared.totals(BLACK)) == ((24, 24), (31, 28))
    assert [(pair.mark, pair.charge.days) for pair in compared.charges] == [
        (ChargeDifference.GONE, 3)
    ]
    assert (compared.after.state.mover, compared.after.state.white.moves) == (WHITE, 10)


def test_kendelse_59_what_was_tried_is_carried_into_the_ruling():
    """Kendelse 59: the Board sets the totals. Verdict: 24 and 28 ruled, and gone if annulled."""
    record = game_59()
    supposed = (what_if_rules.SpoiledByPost(17),)
    compared = tried(record, *supposed)
    carried = effects_from(record.terms, record.events, supposed, compared, record.day)
    assert carried.is_exact
    ruled = [RulingApplied("59", effect) for effect in carried.effects]
    shown = record.account()
    record.add(*ruled)
    assert (record.used(WHITE), record.used(BLACK), record.state.result) == (24, 28, None)
    record.add(RulingAnnulled("59"))
    assert record.state == shown.state


def test_kendelse_107_the_boards_reading_of_the_postmark_reverses_two_instances():
    """Kendelse 107 (§ 6.3.2): illegible, stated 17/8: 90 days; read as 19/8: 92 and lost."""
    record = claimed_107().add(OverstepClaimed(BLACK, date(1987, 8, 20)))
    ply = record.state.position.ply
    supposed = (what_if_rules.SentOn(ply, date(1987, 8, 19)),)
    compared = tried(record, *supposed)
    assert compared.outcomes == (GameOutcome.RUNS, GameOutcome.BLACK_WINS)
    assert compared.totals(WHITE) == (90, 92)
    assert compared.rows[ply - 1].differs == {
        AccountColumn.SENT,
        AccountColumn.DAYS,
        AccountColumn.TOTAL,
    }
    same = tried(record, what_if_rules.SentOn(ply, date(1987, 8, 17)))
    assert same.is_same and not compared.is_same
    carried = effects_from(record.terms, record.events, supposed, compared, record.day)
    assert carried.is_exact
    assert carried.effects == (DispatchCorrected(ply, date(1987, 8, 19), None, "", ""),)
    record.add(RulingApplied("107", carried.effects[0]))
    told = record.account()
    assert told.state.result is Result.BLACK_WINS
    assert [row.ply for row in told.rows if row.ruling == "107"] == [ply]
    assert [(shown.ruling, shown.is_annulled) for shown in told.rulings] == [("107", False)]


def test_6_3_6_4_special_leave_as_if_granted():
    """§ 6.3.6.4, § 6.8.8: what if this leave were granted. Verdict: its nights are exempt."""
    record = Record(EMAIL).think(0).think(20)
    leave = what_if_rules.LeaveGranted(BLACK, after(QUIET_DAY, 5), after(QUIET_DAY, 9))
    compared = tried(record, leave)
    assert compared.totals(BLACK) == (20, 15)
    assert compared.rows[1].differs == {
        AccountColumn.DAYS,
        AccountColumn.EXEMPT,
        AccountColumn.TOTAL,
    }


def test_6_8_2_a_receipt_a_day_later_and_a_ruling_away():
    """§ 6.8.2: facts of dates. Verdict: a day less; without the ruling the game runs again."""
    record = Record(EMAIL).think(0).think(9)
    assert tried(record, what_if_rules.ReceivedOn(2, after(QUIET_DAY, 1))).totals(BLACK) == (9, 8)
    record.add(RulingApplied("E-7/1", ResultRuled(Result.DRAW, record.day, "TL", "E-7/1")))
    assert tried(record, what_if_rules.RulingOut("E-7/1")).outcomes == (
        GameOutcome.DRAW,
        GameOutcome.RUNS,
    )
    running = Record(EMAIL).think(0)
    later = tried(
        running, what_if_rules.TurnReceivedOn(after(QUIET_DAY, 3)), on=after(QUIET_DAY, 5)
    )
    assert (later.before.live.days, later.after.live.days) == (4, 2)


def test_6_3_4_notice_of_a_long_think_takes_the_charges_away():
    """§ 6.3.4: notice given. Verdict: +3 and +6 go, and the totals are what is ruled."""
    record = Record(POSTAL).think(0)
    record.add(
        OpponentReminded(WHITE, after(QUIET_DAY, 15)), LeaderTold(WHITE, after(QUIET_DAY, 22))
    )
    record.think(25)
    supposed = (what_if_rules.NoticeGiven(2, after(QUIET_DAY, 2)),)
    compared = tried(record, *supposed)
    assert compared.totals(BLACK) == (34, 25)
    assert [pair.mark for pair in compared.charges] == [
        ChargeDifference.GONE,
        ChargeDifference.GONE,
    ]
    assert compared.outcomes == (GameOutcome.BLACK_OVERSTEPPED, GameOutcome.RUNS)
    carried = effects_from(record.terms, record.events, supposed, compared, record.day)
    assert carried.is_exact


def test_6_4_1_charges_totals_and_pauses_tried():
    """§ 6.4.1: the rest of what an official may set. Verdict: each changes what it should."""
    record = (
        Record(EMAIL)
        .think(0)
        .think(9)
        .add(DaysCharged(BLACK, after(QUIET_DAY, 9), 5, "6.4.1", "forkert"))
    )
    assert tried(record, what_if_rules.EntryOut(2)).totals(BLACK) == (14, 9)
    assert tried(record, what_if_rules.TotalsCounted(4, None)).totals(WHITE) == (0, 4)
    stood = what_if_rules.TimeStood(after(QUIET_DAY, 1), after(QUIET_DAY, 4))
    assert tried(record, stood).totals(BLACK) == (14, 10)
    counted = what_if_rules.DaysCounted(BLACK, 30, QUIET_DAY, ply=2)
    compared = tried(record, counted)
    assert compared.totals(BLACK) == (14, 44)
    assert [pair.mark for pair in compared.charges] == [ChargeDifference.NEW, ChargeDifference.SAME]
    at_the_end = tried(record, replace(counted, ply=None))
    assert at_the_end.totals(BLACK) == (14, 44)


def test_6_2_5_a_dispatch_is_found_by_its_ply_after_series_answered_whole_and_in_part():
    """§ 6.2.5: a bound answer is a ply of nobody's dispatch. Verdict: the right row moves."""
    record = Record(EMAIL).think(0, proposes=4).think(2).think(3).think(4)
    plies = [row.ply for row in record.account().rows if row.dates.days]
    assert plies == [2, 4, 6]
    for ply, days in ((2, 2), (4, 3), (6, 4)):
        later = what_if_rules.DaysCounted(BLACK, 0, QUIET_DAY, ply=ply)
        assert isinstance(
            what_if_rules.what_if(record.terms, record.events, [later], QUIET_DAY), Comparison
        )
        moved = tried(
            record, what_if_rules.ReceivedOn(ply, record.account().rows[ply - 1].dates.sent)
        )
        assert moved.rows[ply - 1].before.dates.days == days
        assert moved.rows[ply - 1].after.dates.days == 0
    answer = what_if_rules.what_if(
        record.terms, record.events, [what_if_rules.SentOn(3, QUIET_DAY)], QUIET_DAY
    )
    assert isinstance(answer, what_if_rules.Impossible), "the bound answer is no dispatch"


def test_6_4_1_the_account_tells_which_charges_a_ruling_made():
    """§ 6.4.1: the account shows the ruling. Verdict: its own charge names it, no other does."""
    record = Record(EMAIL).think(0).add(FaultySent(BLACK, QUIET_DAY, MoveFault.ILLEGAL))
    record.add(
        RulingApplied("E-7/1", DaysCharged(BLACK, QUIET_DAY, -3, "6.4.1", "ikke hans skyld"))
    )
    assert [(c.days, c.ruling) for c in record.account().charges] == [(3, None), (-3, "E-7/1")]
    record.add(RulingAnnulled("E-7/1"))
    told = record.account()
    assert [(c.days, c.ruling) for c in told.charges] == [(3, None)]
    assert [(shown.entry, shown.is_annulled) for shown in told.rulings] == [(2, True)]


def test_6_4_1_facts_that_can_not_be_true_are_told_apart_from_those_that_can():
    """§ 6.4.1: a trial saves nothing. Verdict: what can't be is named, the game is untouched."""
    record = Record(EMAIL).think(0).think(9)
    events = list(record.events)
    wrong = [
        (what_if_rules.SentOn(3, QUIET_DAY), Misfit.NO_DISPATCH),
        (what_if_rules.EntryOut(0), Misfit.A_MOVE),
        (what_if_rules.EntryOut(9), Misfit.NO_ENTRY),
        (what_if_rules.SpoiledByPost(1), Misfit.NO_FAULT),
        (what_if_rules.NoticeGiven(5, QUIET_DAY), Misfit.NO_DISPATCH),
        (what_if_rules.ReceivedOn(2, after(QUIET_DAY, 12)), Misfit.DATES),
    ]
    for supposition, why in wrong:
        answer = what_if_rules.what_if(record.terms, record.events, [supposition], record.day)
        assert isinstance(answer, what_if_rules.Impossible), supposition
        assert answer.what and answer.why is why, answer
    assert record.events == events
