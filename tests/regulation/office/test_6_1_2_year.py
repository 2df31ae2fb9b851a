"""§ 6.1.2, § 6.5.2, § 6.6.3, § 6.7.1.2: the controller's year, its days, and moving them."""

from dataclasses import replace
from datetime import date

import pytest

from kskak.office.year import Deed, DeedKind, Form, State, Step, plan_of_year, season_plan, steps_of
from kskak.office.year_faults import Fault, fault_of
from kskak.office.year_reminders import Stage, stage_of


def days(form: Form, season: int = 2027, deeds: tuple[Deed, ...] = ()) -> dict[Step, date | None]:
    return {item.step: item.day for item in season_plan(form, season, deeds)}


def moved(form: Form, step: Step, day: date | None, season: int = 2027) -> Deed:
    kind = DeedKind.CALLED_OFF if day is None else DeedKind.MOVED
    return Deed(form, season, step, kind, day, "Fordi.")


def test_6_5_2_the_dm_class_begins_in_september():
    """§ 6.5.2, § 6.5.2.1: proposed on the first; the schedule goes out before the start."""
    assert days(Form.DM) == {
        Step.ANNOUNCEMENT: date(2027, 6, 9),
        Step.DEADLINE: date(2027, 8, 4),
        Step.LETTERS: date(2027, 8, 18),
        Step.START: date(2027, 9, 1),
    }


def test_6_6_3_the_cup_begins_in_the_last_quarter_and_its_rounds_when_the_players_stand():
    """§ 6.6.3: the preliminary round has a day, semi-final and final wait for theirs."""
    assert days(Form.CUP) == {
        Step.ANNOUNCEMENT: date(2027, 7, 9),
        Step.DEADLINE: date(2027, 9, 3),
        Step.START: date(2027, 10, 1),
    }
    assert set(days(Form.SEMIFINAL).values()) == {None}
    assert days(Form.FINAL) == {Step.START: None}


def test_6_7_1_2_the_league_begins_about_10_january_with_its_schedules_14_days_before():
    """§ 6.7.1.2, § 6.7.4.2; the divisions by § 6.7.5.1 when the deadline's scores are known."""
    assert days(Form.LEAGUE) == {
        Step.ANNOUNCEMENT: date(2026, 10, 18),
        Step.DEADLINE: date(2026, 12, 13),
        Step.DIVISIONS: date(2026, 12, 20),
        Step.LETTERS: date(2026, 12, 27),
        Step.START: date(2027, 1, 10),
    }


def test_6_5_1_1_the_other_classes_have_no_start_but_fees_and_prizes_to_publish():
    """§ 6.5.1.1, § 6.5.4.1: groups start whenever 7 have entered."""
    assert steps_of(Form.EMT) == (Step.ANNOUNCEMENT,)
    assert days(Form.EMT) == {Step.ANNOUNCEMENT: date(2027, 1, 1)}


def test_each_step_names_its_paragraph_and_whether_the_day_is_ours():
    """§ 6.7.1.2, § 6.7.4.2: these days are the text's; deadline and announcement are readings."""
    league = {item.step: item for item in season_plan(Form.LEAGUE, 2027)}
    assert {step.value: item.paragraph for step, item in league.items()} == {
        "announcement": "6.1.2",
        "deadline": "6.7.4.2",
        "divisions": "6.7.5.1",
        "letters": "6.7.4.2",
        "start": "6.7.1.2",
    }
    assert [step for step, item in league.items() if not item.is_reading] == [
        Step.LETTERS,
        Step.START,
    ]


def test_what_nobody_moved_follows_a_start_that_was_moved():
    """§ 6.1.2: the start a week later, everything a week later, but for what has a day by hand."""
    later = moved(Form.LEAGUE, Step.START, date(2027, 1, 17))
    fixed = moved(Form.LEAGUE, Step.DEADLINE, date(2026, 12, 1))
    found = {item.step: item for item in season_plan(Form.LEAGUE, 2027, (later, fixed))}
    assert found[Step.START].state is State.MOVED
    assert (found[Step.START].proposed, found[Step.START].reason) == (date(2027, 1, 10), "Fordi.")
    assert found[Step.LETTERS].day == date(2027, 1, 3)
    assert found[Step.LETTERS].state is State.PROPOSED
    assert found[Step.DEADLINE].day == date(2026, 12, 1)
    assert found[Step.DEADLINE].proposed == date(2026, 12, 20)


def test_6_6_3_a_round_gets_its_other_days_with_its_start():
    """§ 6.6.3, § 6.6.1.6: who enters the semi-final by rating has a deadline too."""
    start = moved(Form.SEMIFINAL, Step.START, date(2029, 4, 1))
    assert days(Form.SEMIFINAL, deeds=(start,)) == {
        Step.ANNOUNCEMENT: date(2029, 1, 7),
        Step.DEADLINE: date(2029, 3, 4),
        Step.START: date(2029, 4, 1),
    }


def test_6_6_1_1_a_cancelled_semifinal_has_no_day_any_more_and_its_steps_neither():
    """§ 6.6.1.1: too few entries; the reason stays; and it can be taken up again."""
    start = moved(Form.SEMIFINAL, Step.START, date(2029, 4, 1))
    off = moved(Form.SEMIFINAL, Step.START, None)
    found = season_plan(Form.SEMIFINAL, 2027, (start, off))
    assert [item.day for item in found] == [None, None, None]
    assert (found[-1].state, found[-1].reason) == (State.CALLED_OFF, "Fordi.")
    assert season_plan(Form.SEMIFINAL, 2027, (start, off, start))[-1].day == date(2029, 4, 1)


@pytest.mark.parametrize(
    ("new", "fault"),
    [
        (moved(Form.DM, Step.START, date(2027, 9, 30)), None),
        (moved(Form.DM, Step.START, date(2027, 10, 1)), Fault.DM_MONTH),
        (moved(Form.DM, Step.START, date(2027, 8, 31)), Fault.DM_MONTH),
        (moved(Form.DM, Step.START, date(2028, 9, 1)), Fault.DM_MONTH),
        (moved(Form.DM, Step.START, None), None),
        (moved(Form.CUP, Step.START, date(2027, 9, 30)), None),
        (moved(Form.LEAGUE, Step.START, date(2027, 2, 28)), None),
        (moved(Form.DM, Step.DIVISIONS, date(2027, 8, 1)), Fault.NO_STEP),
        (replace(moved(Form.CUP, Step.START, date(2027, 11, 1)), reason=" "), Fault.NO_REASON),
        (replace(moved(Form.CUP, Step.START, None), reason=""), Fault.NO_REASON),
        (moved(Form.FINAL, Step.START, date(2025, 12, 31)), Fault.FAR_DAY),
        (moved(Form.FINAL, Step.START, date(2026, 1, 1)), None),
        (moved(Form.FINAL, Step.START, date(2033, 12, 31)), None),
        (moved(Form.FINAL, Step.START, date(2034, 1, 1)), Fault.FAR_DAY),
        (moved(Form.LEAGUE, Step.DEADLINE, date(2026, 12, 20)), None),
        (moved(Form.LEAGUE, Step.DEADLINE, date(2026, 12, 21)), Fault.OUT_OF_ORDER),
        (moved(Form.LEAGUE, Step.LETTERS, date(2027, 1, 11)), Fault.OUT_OF_ORDER),
        (Deed(Form.DM, 2027, Step.START, DeedKind.REOPENED), Fault.NO_CHANGE),
        (Deed(Form.DM, 2027, Step.START, DeedKind.DONE), None),
    ],
)
def test_6_1_2_what_the_controller_may_move_and_what_not(new: Deed, fault: Fault | None):
    """§ 6.1.2; the DM class stays in September (§ 6.5.2); the order of § 6.7.4.2 holds."""
    assert fault_of((), new) is fault


def test_done_stands_until_it_is_opened_again_or_moved():
    """§ 6.1.2: nothing is reminded of what is done; a new day is a new duty."""
    done = Deed(Form.DM, 2027, Step.DEADLINE, DeedKind.DONE)
    again = replace(done, kind=DeedKind.REOPENED)
    later = moved(Form.DM, Step.DEADLINE, date(2027, 8, 8))

    def is_done(*deeds: Deed) -> bool:
        return season_plan(Form.DM, 2027, deeds)[1].is_done

    assert is_done(done)
    assert not is_done(done, again)
    assert not is_done(done, later)
    assert is_done(done, later, done)
    assert not is_done(replace(done, season=2028)), "another season's"
    assert fault_of((done,), done) is Fault.NO_CHANGE


def test_a_year_has_what_falls_in_it_of_whichever_season_by_day():
    """§ 6.7.1.2: the league's entry runs in the year before it starts."""
    found = [item for item in plan_of_year(2027) if item.day is not None]
    assert [item.day for item in found] == sorted(item.day for item in found)
    leagues = [(item.season, item.step.value) for item in found if item.form is Form.LEAGUE]
    assert leagues == [
        (2027, "start"),
        (2028, "announcement"),
        (2028, "deadline"),
        (2028, "divisions"),
        (2028, "letters"),
    ]
    waiting = [item for item in plan_of_year(2027) if item.day is None]
    assert {(item.form, item.season) for item in waiting} == {
        (Form.SEMIFINAL, 2027),
        (Form.FINAL, 2027),
    }


def test_6_6_3_a_cup_that_runs_shows_its_next_round_in_the_years_after():
    """§ 6.6.3: the final of a cup that has begun waits in every year's plan until it has a day."""
    began = Deed(Form.CUP, 2027, Step.START, DeedKind.DONE)

    def waiting(year: int, *deeds: Deed) -> list[tuple[Form, int]]:
        items = plan_of_year(year, deeds)
        return [(i.form, i.season) for i in items if i.day is None and i.season < year]

    assert waiting(2029) == []
    assert waiting(2029, began) == [(Form.SEMIFINAL, 2027), (Form.FINAL, 2027)]
    final = moved(Form.FINAL, Step.START, date(2030, 3, 1))
    assert waiting(2029, began, final) == [(Form.SEMIFINAL, 2027)]
    far = plan_of_year(2033, (moved(Form.FINAL, Step.START, date(2033, 1, 2)),))
    assert (Form.FINAL, 2027) in [(item.form, item.season) for item in far]


DAY = date(2027, 8, 18)


@pytest.mark.parametrize(
    ("today", "told", "stage"),
    [
        (date(2027, 8, 3), set(), None),
        (date(2027, 8, 4), set(), Stage.AHEAD),
        (date(2027, 8, 5), {Stage.AHEAD}, None),
        (date(2027, 8, 15), {Stage.AHEAD}, None),
        (date(2027, 8, 16), {Stage.AHEAD}, Stage.NEAR),
        (date(2027, 8, 16), set(), Stage.NEAR),
        (date(2027, 8, 17), {Stage.NEAR}, None),
        (date(2027, 8, 18), {Stage.AHEAD}, Stage.NEAR),
        (date(2027, 8, 19), {Stage.AHEAD}, None),
        (date(2027, 8, 19), set(), Stage.LATE),
        (date(2027, 8, 20), {Stage.LATE}, None),
        (date(2027, 9, 1), set(), Stage.LATE),
        (date(2027, 9, 2), set(), None),
    ],
)
def test_the_controller_is_told_ahead_then_near_and_late_only_if_nothing_was_said(
    today: date, told: set[Stage], stage: Stage | None
):
    """§ 6.1.2 (reading): 14 days and 2 days ahead; after an outage once within 14 days."""
    assert stage_of(DAY, today, told) is stage


def test_6_1_2_a_step_is_open_while_it_has_a_day_and_is_not_done():
    """§ 6.1.2. Verdict: neither done nor without a day."""
    start = season_plan(Form.DM, 2027)[-1]
    assert start.is_open
    assert not replace(start, is_done=True).is_open
    assert not replace(start, day=None).is_open
    assert not replace(start, day=None, is_done=True).is_open


def test_6_1_2_what_has_a_day_stands_before_what_waits():
    """§ 6.1.2, § 6.6.3: the year at a glance. Verdict: by day, then the rounds without players."""
    shown = plan_of_year(2027)
    has_day = [item.day is not None for item in shown]
    assert has_day == sorted(has_day, reverse=True)
    assert {item.form for item in shown if item.day is None} == {Form.SEMIFINAL, Form.FINAL}
