"""The readings of a dispute over time: what each counts, and what it leads to (§ 6.4.1)."""

from dataclasses import replace
from datetime import date

import pytest

from kskak.cases.case_events import CaseKind, CaseOpened, ClaimedDate, ClaimedDateKind, Instance
from kskak.cases.decide_case import apply_case_events
from kskak.cases.readings import Reading, ReadingKind, is_unclaimed, precedents_for, readings
from kskak.cases.what_if import GameOutcome
from kskak.game import game_events as ev
from kskak.regulation.editions import Channel, MoveFault, Result, Side
from tests.fakes.machinery.each import rows
from tests.regulation.record import EMAIL, POSTAL, Record, after

OCTOBER_24 = date(1976, 10, 24)
KIND = ReadingKind
LIMIT = {POSTAL: 30, EMAIL: 40}


def _card(used: int, card: ev.CardDates, sent: date = OCTOBER_24) -> Record:
    """Black's tenth move by card; nine moves cost so many days, and it came on ``sent``."""
    record = Record(POSTAL, start=after(sent, -used)).rounds(9, black=used).think(0)
    return record.dispatch(sent, card, Channel.POST)


def _of(record: Record, disputed: int = 20, on: date | None = None) -> dict[KIND, Reading]:
    day = on or after(record.day, 3)
    found = readings(record.terms, record.events, frozenset({disputed}), day)
    return {one.kind: one for one in found}


def _figures(found: dict[KIND, Reading]) -> dict[KIND, tuple[int, int, int, GameOutcome]]:
    return {
        kind: (one.figure.used, one.figure.limit, one.figure.move, one.outcome)
        for kind, one in found.items()
    }


def test_ruling_38_the_postmark_loses_and_the_day_before_goes_on():
    """Kendelse 38: 30 days used, postmark the next day: 31 of 30."""
    record = _card(30, ev.CardDates(after(OCTOBER_24, 1)))
    record.add(ev.OverstepClaimed(Side.WHITE, after(OCTOBER_24, 4), awaits_decision=True))
    found = _of(record, on=after(OCTOBER_24, 4))
    assert _figures(found) == {
        KIND.POSTMARK: (31, 30, 10, GameOutcome.WHITE_WINS),
        KIND.IN_TIME: (30, 30, 10, GameOutcome.RUNS),
    }
    assert found[KIND.POSTMARK].paragraphs == ("6.3.2", "6.3.3.1", "6.3.3.3")
    assert found[KIND.POSTMARK].result is Result.WHITE_WINS
    assert found[KIND.IN_TIME].day == OCTOBER_24


@rows(
    "used postmark stated",
    (29, GameOutcome.RUNS, GameOutcome.RUNS),
    (30, GameOutcome.WHITE_WINS, GameOutcome.RUNS),
    (31, GameOutcome.WHITE_WINS, GameOutcome.WHITE_WINS),
)
def test_a_card_has_a_reading_for_each_of_its_dates(used, postmark, stated):
    """30 of 30 is in time, 31 is not (§ 6.3.3.1); both dates are counted by the engine."""
    record = Record(POSTAL).rounds(9, black=20).think(0)
    told = after(record.day, used - 20)
    record.dispatch(record.day, ev.CardDates(after(told, 1), stated=told), Channel.POST)
    found = _of(record)
    assert found[KIND.POSTMARK].outcome is postmark
    assert found[KIND.STATED].outcome is stated
    assert found[KIND.STATED].figure.used == used
    assert found[KIND.POSTMARK].figure.used == found[KIND.STATED].figure.used + 1


def test_ruling_107_an_illegible_postmark_may_be_the_day_the_card_came():
    """The stated day stands, and 30 days are in time; read as the day it came, 32 are not."""
    record = _card(30, ev.CardDates(None, stated=OCTOBER_24))
    record.add(ev.MoveReceived(Side.WHITE, after(OCTOBER_24, 2)))
    found = _of(record, on=after(OCTOBER_24, 5))
    assert _figures(found) == {
        KIND.STATED: (30, 30, 10, GameOutcome.RUNS),
        KIND.ARRIVED: (32, 30, 10, GameOutcome.WHITE_WINS),
    }


def test_ruling_107_as_it_was():
    """Move 26 with 90 days by his own date 17/8 1987, the card come 19/8: lost, the Board found."""
    came = date(1987, 8, 19)
    record = Record(POSTAL, start=date(1987, 4, 27)).rounds(9)
    for _ in range(3):
        record.rounds(5, white=28)
    record.add(ev.TotalsSet(85, 0)).think(0)
    record.dispatch(date(1987, 8, 12), date(1987, 8, 12)).rounds(0)
    record.dispatch(date(1987, 8, 12), ev.CardDates(None, stated=date(1987, 8, 17)), Channel.POST)
    ply = record.state.position.ply
    record.add(ev.MoveReceived(Side.BLACK, came))
    assert _figures(_of(record, ply, on=after(came, 1))) == {
        KIND.STATED: (90, 90, 30, GameOutcome.RUNS),
        KIND.ARRIVED: (92, 90, 30, GameOutcome.BLACK_WINS),
    }


def test_a_posting_receipt_holds_before_a_later_postmark():
    """§ 6.3.2: proof of an earlier posting counts; the postmark alone would lose."""
    found = _of(_card(30, ev.CardDates(after(OCTOBER_24, 1), receipt=OCTOBER_24)))
    assert list(found) == [KIND.RECEIPT, KIND.POSTMARK]
    assert [one.outcome for one in found.values()] == [GameOutcome.RUNS, GameOutcome.WHITE_WINS]


def test_ruling_59_what_the_post_spoiled_costs_nothing():
    """31 with the penalty of three days, 28 without (§ 6.3.5.1, § 6.3.5)."""
    record = Record(POSTAL, start=date(1978, 4, 3)).rounds(8, white=24, black=26).think(0)
    record.add(ev.FaultySent(Side.BLACK, record.day, MoveFault.ILLEGIBLE)).think(0).think(0).think(
        2
    )
    found = _of(record)
    assert found[KIND.COUNTED].figure.used == 31
    assert found[KIND.COUNTED].outcome is GameOutcome.WHITE_WINS
    spoiled = found[KIND.SPOILED]
    assert (spoiled.figure.used, spoiled.outcome, spoiled.paragraphs[0]) == (
        28, GameOutcome.RUNS, "6.3.5")  # fmt: skip


def test_days_charged_by_an_official_are_left_out_in_a_reading_of_their_own():
    record = Record(POSTAL).rounds(9, black=29).think(0)
    record.add(ev.DaysCharged(Side.BLACK, record.day, 2, "6.3.4", "rykker")).think(0)
    found = _of(record)
    assert found[KIND.COUNTED].figure.used == 31
    assert _figures(found)[KIND.UNCHARGED] == (29, 30, 10, GameOutcome.RUNS)


@pytest.mark.parametrize("regulation", [POSTAL, EMAIL])
def test_a_claim_before_the_move_was_sent_is_upheld_or_the_move_was_not_received(regulation):
    record = Record(regulation).rounds(1).think(0)
    on = after(record.day, LIMIT[regulation] + 20)
    record.add(ev.MoveReceived(Side.BLACK, record.day))
    record.add(ev.LongThinkNotified(Side.BLACK, record.day))
    record.add(ev.OverstepClaimed(Side.WHITE, on, awaits_decision=True))
    found = _of(record, on=on)
    lost, runs = found[KIND.UNSENT], found[KIND.NOT_RECEIVED]
    assert (lost.outcome, lost.figure.limit) == (GameOutcome.WHITE_WINS, LIMIT[regulation])
    assert lost.figure.used > lost.figure.limit and lost.figure.move == 10
    assert (runs.outcome, runs.figure.used, runs.resume) == (GameOutcome.RUNS, 0, on)


@pytest.mark.parametrize(("days", "is_over"), [(40, False), (41, True)])
def test_an_email_move_counts_as_the_account_has_it_or_as_the_last_day_in_time(days, is_over):
    """§ 6.8.6: 40 of 40 is in time."""
    record = Record(EMAIL).rounds(9).think(0).think(days)
    found = _of(record)
    lost = GameOutcome.WHITE_WINS if is_over else GameOutcome.RUNS
    assert _figures(found)[KIND.COUNTED] == (days, 40, 10, lost)
    assert (KIND.IN_TIME in found) is is_over
    if is_over:
        assert _figures(found)[KIND.IN_TIME] == (40, 40, 10, GameOutcome.RUNS)


def test_of_a_series_the_limit_is_that_of_its_last_own_move():
    """§ 6.3.3.2: moves 10 and 11 in one dispatch have 33 days."""
    record = Record(POSTAL).rounds(9, black=0).think(0, proposes=2)
    record.think(34, plies=3)
    assert _figures(_of(record)) == {
        KIND.COUNTED: (34, 33, 10, GameOutcome.WHITE_WINS),
        KIND.IN_TIME: (33, 33, 10, GameOutcome.RUNS),
    }


def test_what_runs_out_while_the_case_lies_there_decides_nothing():
    """The opponent's time while the claim halts the game is not his to lose (§ 6.4.1)."""
    record = Record(EMAIL).rounds(9).think(0).think(41)
    record.add(ev.OverstepClaimed(Side.WHITE, after(record.day, 1), awaits_decision=True))
    on = after(record.day, 90)
    found = _of(record, on=on)[KIND.IN_TIME]
    assert (found.outcome, found.result, found.resume) == (GameOutcome.RUNS, None, on)


def test_nothing_in_doubt_has_no_reading():
    record = Record(POSTAL).rounds(2)
    assert readings(record.terms, record.events, frozenset(), record.day) == ()


# Dates that somebody claims (Kendelse 107), claims that nobody made, and both readings of § 6.8.7.


def _stamped(day: date) -> ev.CardDates:
    return ev.CardDates(day, stated=day)


@rows(
    "day used outcome",
    (after(OCTOBER_24, 1), 31, GameOutcome.WHITE_WINS),
    (after(OCTOBER_24, 2), 32, GameOutcome.WHITE_WINS),
)
def test_a_claimed_postmark_is_a_reading_of_its_own(day, used, outcome):
    """The account has the 24th, 30 of 30; no dispute but what is claimed raises it (§ 6.3.2)."""
    record = _card(30, _stamped(OCTOBER_24))
    on, claimed = after(record.day, 3), ClaimedDate(ClaimedDateKind.STAMPED, day)
    assert readings(record.terms, record.events, frozenset(), on) == ()
    found = readings(record.terms, record.events, frozenset(), on, [claimed, claimed])
    assert [one.kind for one in found[:2]] == [KIND.POSTMARK, KIND.CLAIMED]
    said = found[1]
    assert (said.figure.used, said.outcome, said.claimed) == (used, outcome, claimed)
    assert [one.number for one in precedents_for([said.kind.value])] == ["107"]


def test_a_claimed_day_that_the_account_has_is_no_other_reading():
    record = _card(30, _stamped(OCTOBER_24))
    same = [
        ClaimedDate(ClaimedDateKind.STAMPED, OCTOBER_24),
        ClaimedDate(ClaimedDateKind.SENT, OCTOBER_24),
    ]
    on = after(record.day, 3)
    found = readings(record.terms, record.events, frozenset({20}), on, same)
    assert KIND.CLAIMED not in {one.kind for one in found}


def test_a_claimed_receipt_counts_from_another_day():
    """§ 6.8.2: received two days later than counted, two days less are used."""
    record = Record(EMAIL).rounds(9, black=20).think(0).think(5)
    row = record.account().rows[-1]
    assert row.dates.received is not None
    claimed = ClaimedDate(ClaimedDateKind.RECEIVED, after(row.dates.received, 2))
    on = after(record.day, 2)
    found = readings(record.terms, record.events, frozenset({20}), on, [claimed])
    by_kind = {one.kind: one.figure.used for one in found}
    assert by_kind[KIND.COUNTED] - by_kind[KIND.CLAIMED] == 2


@pytest.mark.parametrize("regulation", [POSTAL, EMAIL])
def test_played_on_without_a_claim_both_lose_and_by_mail_it_is_one_of_two_readings(regulation):
    """§ 6.3.3.4; by e-mail a reading (§ 6.8.1), beside the claim that lapses (§ 6.8.7)."""
    record = Record(regulation).rounds(9).think(0).think(LIMIT[regulation] + 1)
    record.add(ev.OverstepWaived(Side.WHITE, record.day)).think(0)
    found = _of(record)
    both = found[KIND.COUNTED]
    assert (both.outcome, both.result) == (GameOutcome.BOTH_LOSE, None)
    assert "6.3.3.4" in both.paragraphs
    assert ("6.8.1" in both.paragraphs) is (regulation is EMAIL)
    if regulation is POSTAL:
        assert KIND.LAPSED not in found
        return
    lapsed = found[KIND.LAPSED]
    assert (lapsed.outcome, lapsed.figure.used) == (GameOutcome.RUNS, LIMIT[EMAIL] + 1)
    assert lapsed.paragraphs[0] == "6.8.7"


@pytest.mark.parametrize(("days", "is_claimed", "wanted"), [(41, False, True), (41, True, False),
                                                            (40, False, False)])  # fmt: skip
def test_6_3_3_5_an_overstep_that_nobody_claims_is_asked_about(days, is_claimed, wanted):
    record = Record(EMAIL).rounds(9).think(0).think(days)
    if is_claimed:
        record.add(ev.OverstepClaimed(Side.WHITE, record.day, awaits_decision=True))
    opened = CaseOpened(CaseKind.OVERSTEP, record.day, Instance.LEADER, (1, 2), "@x", ("6.8.7",))
    state = apply_case_events(None, (opened,))
    assert is_unclaimed(state, record.account(record.day)) is wanted
    by_player = apply_case_events(None, (replace(opened, claimant=1),))
    assert not is_unclaimed(by_player, record.account(record.day)), "his case is his claim"
