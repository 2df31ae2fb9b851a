"""A game that a ruling resumes goes on with the days used on its move (§ 6.3.1, § 6.4.1)."""

from datetime import date

import pytest

from kskak.cases.aftermath import KEPT, keep_days
from kskak.cases.readings import ReadingKind, readings
from kskak.game import game_events as ev
from kskak.regulation.editions import PauseReason, Result, Side
from tests.regulation.record import EMAIL, Record, after


def _claimed(waited: int) -> tuple[Record, date]:
    """Black's tenth is a day late; White claims when he has had it as many days, and time stops."""
    record = Record(EMAIL).rounds(9, black=40).think(0).think(1)
    claimed = after(record.state.receipt or record.day, waited)
    record.add(ev.GamePaused(claimed, None, PauseReason.DISPUTE))
    record.add(ev.OverstepClaimed(Side.WHITE, claimed, awaits_decision=True))
    return record, claimed


@pytest.mark.parametrize("waited", [0, 1, 5])
def test_a_reading_that_lets_the_game_go_on_keeps_the_claimants_days(waited: int):
    """Five days used before the claim stay used, however long the case lay there; and one more,
    as what was sent a day earlier was received a day earlier (§ 6.8.6)."""
    record, claimed = _claimed(waited)
    for lay in (3, 60):
        on = after(claimed, lay)
        found = readings(record.terms, record.events, frozenset({20}), on)
        runs = next(one for one in found if one.kind is ReadingKind.IN_TIME)
        assert runs.resume == on
        effects = (ev.DispatchCorrected(20, runs.day, None, "", ""), ev.GameResumed(on))
        kept = keep_days(record.terms, record.events, effects, on)
        wanted = ev.DaysCharged(Side.WHITE, on, waited + 1, "6.4.1", KEPT)
        assert kept == wanted
        before = record.state.white.total
        assert runs.totals[0] == before + waited + 1


def test_what_the_ruling_sets_aside_is_not_kept():
    """A total that is set, another turn, days that were too many: told otherwise."""
    record, claimed = _claimed(5)
    on = after(claimed, 9)
    resumed = ev.GameResumed(on)
    for also in (ev.TotalsSet(0, 40), ev.GameSetBack(18)):
        assert keep_days(record.terms, record.events, (also, resumed), on) is None
    assert keep_days(record.terms, record.events, (resumed,), on) is None, "still over"
    assert keep_days(record.terms, record.events, (ev.TotalsSet(None, 40),), on) is None
    only_black = (ev.TotalsSet(None, 40), resumed)
    kept = keep_days(record.terms, record.events, only_black, on)
    assert kept is not None and (kept.by, kept.days) == (Side.WHITE, 5)


def test_days_while_an_annulled_result_stood_are_nobodys():
    """Kendelse 120: the games go on from a day; seven days were used when they were ended."""
    record = Record(EMAIL).rounds(2).think(0)
    ended = after(record.state.receipt or record.day, 7)
    record.add(ev.RulingApplied("2026/1/1", ev.ResultRuled(Result.WHITE_WINS, ended, "TL", "")))
    on = after(ended, 90)
    events = (*record.events, ev.RulingAnnulled("2026/1/1"))
    kept = keep_days(record.terms, events, (ev.GameResumed(after(on, 7)),), on)
    assert kept is not None and kept.days == 7
