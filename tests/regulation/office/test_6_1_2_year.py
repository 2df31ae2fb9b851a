"""§ 6.1.2, § 6.5.2, § 6.6.3, § 6.7.1.2: the controller's year, its days, and moving them."""

from dataclasses import replace
from datetime import date

import pytest

from kskak.office.year import (
    ReminderStage,
    State,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
    YearFault,
    find_step_in_way,
    find_year_fault,
    plan_of_year,
    season_plan,
    stage_of,
    steps_of,
)
from tests.fakes.machinery.each import each


def days(
    form: TournamentKind, season: int = 2027, deeds: tuple[YearAction, ...] = ()
) -> dict[TournamentStep, date | None]:
    return {item.step: item.day for item in season_plan(form, season, deeds)}


def moved(
    form: TournamentKind, step: TournamentStep, day: date | None, season: int = 2027
) -> YearAction:
    kind = YearActionKind.CALLED_OFF if day is None else YearActionKind.MOVED
    return YearAction(form, season, step, kind, day, "Fordi.")


def test_6_5_2_the_dm_class_begins_in_september():
    """§ 6.5.2, § 6.5.2.1: proposed on the first; the schedule goes out before the start."""
    assert days(TournamentKind.DM) == {
        TournamentStep.ANNOUNCEMENT: date(2027, 6, 9),
        TournamentStep.DEADLINE: date(2027, 8, 4),
        TournamentStep.LETTERS: date(2027, 8, 18),
        TournamentStep.START: date(2027, 9, 1),
    }


def test_6_6_3_the_cup_begins_in_the_last_quarter_and_its_rounds_when_the_players_stand():
    """§ 6.6.3: the preliminary round has a day, semi-final and final wait for theirs."""
    assert days(TournamentKind.CUP) == {
        TournamentStep.ANNOUNCEMENT: date(2027, 7, 9),
        TournamentStep.DEADLINE: date(2027, 9, 3),
        TournamentStep.START: date(2027, 10, 1),
    }
    assert set(days(TournamentKind.SEMIFINAL).values()) == {None}
    assert days(TournamentKind.FINAL) == {TournamentStep.START: None}


def test_6_7_1_2_the_league_begins_about_10_january_with_its_schedules_14_days_before():
    """§ 6.7.1.2, § 6.7.4.2; the divisions by § 6.7.5.1 when the deadline's scores are known."""
    assert days(TournamentKind.LEAGUE) == {
        TournamentStep.ANNOUNCEMENT: date(2026, 10, 18),
        TournamentStep.DEADLINE: date(2026, 12, 13),
        TournamentStep.DIVISIONS: date(2026, 12, 20),
        TournamentStep.LETTERS: date(2026, 12, 27),
        TournamentStep.START: date(2027, 1, 10),
    }


def test_6_5_1_1_the_other_classes_have_no_start_but_fees_and_prizes_to_publish():
    """§ 6.5.1.1, § 6.5.4.1: groups start whenever 7 have entered."""
    assert steps_of(TournamentKind.EMT) == (TournamentStep.ANNOUNCEMENT,)
    assert days(TournamentKind.EMT) == {TournamentStep.ANNOUNCEMENT: date(2027, 1, 1)}


def test_each_step_names_its_paragraph_and_whether_the_day_is_ours():
    """§ 6.7.1.2, § 6.7.4.2: these days are the text's; deadline and announcement are readings."""
    league = {item.step: item for item in season_plan(TournamentKind.LEAGUE, 2027)}
    assert {step.value: item.paragraph for step, item in league.items()} == {
        "announcement": "6.1.2",
        "deadline": "6.7.4.2",
        "divisions": "6.7.5.1",
        "letters": "6.7.4.2",
        "start": "6.7.1.2",
    }
    assert [step for step, item in league.items() if not item.is_reading] == [
        TournamentStep.LETTERS,
        TournamentStep.START,
    ]


def test_what_nobody_moved_follows_a_start_that_was_moved():
    """§ 6.1.2: the start a week later, everything a week later, but for what has a day by hand."""
    later = moved(TournamentKind.LEAGUE, TournamentStep.START, date(2027, 1, 17))
    fixed = moved(TournamentKind.LEAGUE, TournamentStep.DEADLINE, date(2026, 12, 1))
    found = {item.step: item for item in season_plan(TournamentKind.LEAGUE, 2027, (later, fixed))}
    assert found[TournamentStep.START].state is State.MOVED
    assert (found[TournamentStep.START].proposed, found[TournamentStep.START].reason) == (
        date(2027, 1, 10),
        "Fordi.",
    )
    assert found[TournamentStep.LETTERS].day == date(2027, 1, 3)
    assert found[TournamentStep.LETTERS].state is State.PROPOSED
    assert found[TournamentStep.DEADLINE].day == date(2026, 12, 1)
    assert found[TournamentStep.DEADLINE].proposed == date(2026, 12, 20)


def test_6_6_3_a_round_gets_its_other_days_with_its_start():
    """§ 6.6.3, § 6.6.1.6: who enters the semi-final by rating has a deadline too."""
    start = moved(TournamentKind.SEMIFINAL, TournamentStep.START, date(2029, 4, 1))
    assert days(TournamentKind.SEMIFINAL, deeds=(start,)) == {
        TournamentStep.ANNOUNCEMENT: date(2029, 1, 7),
        TournamentStep.DEADLINE: date(2029, 3, 4),
        TournamentStep.START: date(2029, 4, 1),
    }


def test_6_6_1_1_a_cancelled_semifinal_has_no_day_any_more_and_its_steps_neither():
    """§ 6.6.1.1: too few entries; the reason stays; and it can be taken up again."""
    start = moved(TournamentKind.SEMIFINAL, TournamentStep.START, date(2029, 4, 1))
    off = moved(TournamentKind.SEMIFINAL, TournamentStep.START, None)
    found = season_plan(TournamentKind.SEMIFINAL, 2027, (start, off))
    assert [item.day for item in found] == [None, None, None]
    assert (found[-1].state, found[-1].reason) == (State.CALLED_OFF, "Fordi.")
    assert season_plan(TournamentKind.SEMIFINAL, 2027, (start, off, start))[-1].day == date(
        2029, 4, 1
    )


@each(
    ("new", "fault"),
    [
        (moved(TournamentKind.DM, TournamentStep.START, date(2027, 9, 30)), None),
        (moved(TournamentKind.DM, TournamentStep.START, date(2027, 10, 1)), YearFault.DM_MONTH),
        (moved(TournamentKind.DM, TournamentStep.START, date(2027, 8, 31)), YearFault.DM_MONTH),
        (moved(TournamentKind.DM, TournamentStep.START, date(2028, 9, 1)), YearFault.DM_MONTH),
        (moved(TournamentKind.DM, TournamentStep.START, None), None),
        (moved(TournamentKind.CUP, TournamentStep.START, date(2027, 9, 30)), None),
        (moved(TournamentKind.LEAGUE, TournamentStep.START, date(2027, 2, 28)), None),
        (moved(TournamentKind.DM, TournamentStep.DIVISIONS, date(2027, 8, 1)), YearFault.NO_STEP),
        (
            replace(moved(TournamentKind.CUP, TournamentStep.START, date(2027, 11, 1)), reason=" "),
            YearFault.NO_REASON,
        ),
        (
            replace(moved(TournamentKind.CUP, TournamentStep.START, None), reason=""),
            YearFault.NO_REASON,
        ),
        (moved(TournamentKind.FINAL, TournamentStep.START, date(2025, 12, 31)), YearFault.FAR_DAY),
        (moved(TournamentKind.FINAL, TournamentStep.START, date(2026, 1, 1)), None),
        (moved(TournamentKind.FINAL, TournamentStep.START, date(2033, 12, 31)), None),
        (moved(TournamentKind.FINAL, TournamentStep.START, date(2034, 1, 1)), YearFault.FAR_DAY),
        (moved(TournamentKind.LEAGUE, TournamentStep.DEADLINE, date(2026, 12, 20)), None),
        (
            moved(TournamentKind.LEAGUE, TournamentStep.DEADLINE, date(2026, 12, 21)),
            YearFault.OUT_OF_ORDER,
        ),
        (
            moved(TournamentKind.LEAGUE, TournamentStep.LETTERS, date(2027, 1, 11)),
            YearFault.OUT_OF_ORDER,
        ),
        (
            YearAction(TournamentKind.DM, 2027, TournamentStep.START, YearActionKind.REOPENED),
            YearFault.NO_CHANGE,
        ),
        (YearAction(TournamentKind.DM, 2027, TournamentStep.START, YearActionKind.DONE), None),
    ],
)
def test_6_1_2_what_the_controller_may_move_and_what_not(new: YearAction, fault: YearFault | None):
    """§ 6.1.2; the DM class stays in September (§ 6.5.2); the order of § 6.7.4.2 holds."""
    assert find_year_fault((), new) is fault


def test_done_stands_until_it_is_opened_again_or_moved():
    """§ 6.1.2: nothing is reminded of what is done; a new day is a new duty."""
    done = YearAction(TournamentKind.DM, 2027, TournamentStep.DEADLINE, YearActionKind.DONE)
    again = replace(done, kind=YearActionKind.REOPENED)
    later = moved(TournamentKind.DM, TournamentStep.DEADLINE, date(2027, 8, 8))

    def is_done(*deeds: YearAction) -> bool:
        return season_plan(TournamentKind.DM, 2027, deeds)[1].is_done

    assert is_done(done)
    assert not is_done(done, again)
    assert not is_done(done, later)
    assert is_done(done, later, done)
    assert not is_done(replace(done, season=2028)), "another season's"
    assert find_year_fault((done,), done) is YearFault.NO_CHANGE


def test_a_year_has_what_falls_in_it_of_whichever_season_by_day():
    """§ 6.7.1.2: the league's entry runs in the year before it starts."""
    found = [item for item in plan_of_year(2027) if item.day is not None]
    assert [item.day for item in found] == sorted(item.day for item in found)
    leagues = [
        (item.season, item.step.value) for item in found if item.form is TournamentKind.LEAGUE
    ]
    assert leagues == [
        (2027, "start"),
        (2028, "announcement"),
        (2028, "deadline"),
        (2028, "divisions"),
        (2028, "letters"),
    ]
    waiting = [item for item in plan_of_year(2027) if item.day is None]
    assert {(item.form, item.season) for item in waiting} == {
        (TournamentKind.SEMIFINAL, 2027),
        (TournamentKind.FINAL, 2027),
    }


def test_6_6_3_a_cup_that_runs_shows_its_next_round_in_the_years_after():
    """§ 6.6.3: the final of a cup that has begun waits in every year's plan until it has a day."""
    began = YearAction(TournamentKind.CUP, 2027, TournamentStep.START, YearActionKind.DONE)

    def waiting(year: int, *deeds: YearAction) -> list[tuple[TournamentKind, int]]:
        items = plan_of_year(year, deeds)
        return [(i.form, i.season) for i in items if i.day is None and i.season < year]

    assert waiting(2029) == []
    assert waiting(2029, began) == [(TournamentKind.SEMIFINAL, 2027), (TournamentKind.FINAL, 2027)]
    final = moved(TournamentKind.FINAL, TournamentStep.START, date(2030, 3, 1))
    assert waiting(2029, began, final) == [(TournamentKind.SEMIFINAL, 2027)]
    far = plan_of_year(2033, (moved(TournamentKind.FINAL, TournamentStep.START, date(2033, 1, 2)),))
    assert (TournamentKind.FINAL, 2027) in [(item.form, item.season) for item in far]


DAY = date(2027, 8, 18)


@each(
    ("today", "told", "stage"),
    [
        (date(2027, 8, 3), set(), None),
        (date(2027, 8, 4), set(), ReminderStage.AHEAD),
        (date(2027, 8, 5), {ReminderStage.AHEAD}, None),
        (date(2027, 8, 15), {ReminderStage.AHEAD}, None),
        (date(2027, 8, 16), {ReminderStage.AHEAD}, ReminderStage.NEAR),
        (date(2027, 8, 16), set(), ReminderStage.NEAR),
        (date(2027, 8, 17), {ReminderStage.NEAR}, None),
        (date(2027, 8, 18), {ReminderStage.AHEAD}, ReminderStage.NEAR),
        (date(2027, 8, 19), {ReminderStage.AHEAD}, None),
        (date(2027, 8, 19), set(), ReminderStage.LATE),
        (date(2027, 8, 20), {ReminderStage.LATE}, None),
        (date(2027, 9, 1), set(), ReminderStage.LATE),
        (date(2027, 9, 2), set(), None),
    ],
)
def test_the_controller_is_told_ahead_then_near_and_late_only_if_nothing_was_said(
    today: date, told: set[ReminderStage], stage: ReminderStage | None
):
    """§ 6.1.2 (reading): 14 days and 2 days ahead; after an outage once within 14 days."""
    assert stage_of(DAY, today, told) is stage


def test_6_1_2_a_step_is_open_while_it_has_a_day_and_is_not_done():
    """§ 6.1.2. Verdict: neither done nor without a day."""
    start = season_plan(TournamentKind.DM, 2027)[-1]
    assert start.is_open
    assert not replace(start, is_done=True).is_open
    assert not replace(start, day=None).is_open
    assert not replace(start, day=None, is_done=True).is_open


def test_6_1_2_what_has_a_day_stands_before_what_waits():
    """§ 6.1.2, § 6.6.3: the year at a glance. Verdict: by day, then the rounds without players."""
    shown = plan_of_year(2027)
    has_day = [item.day is not None for item in shown]
    assert has_day == sorted(has_day, reverse=True)
    assert {item.form for item in shown if item.day is None} == {
        TournamentKind.SEMIFINAL,
        TournamentKind.FINAL,
    }


@pytest.mark.parametrize(
    ("step", "day", "way"),
    [
        (TournamentStep.START, date(2027, 12, 1), TournamentStep.ANNOUNCEMENT),
        (TournamentStep.DEADLINE, date(2028, 1, 5), TournamentStep.DIVISIONS),
        (TournamentStep.DEADLINE, date(2027, 12, 14), None),
    ],
)
def test_the_step_in_the_way_is_named(step, day, way):
    """§ 6.1.2: whoever may not move a day is told which other to move first."""
    fixed = YearAction(
        TournamentKind.LEAGUE, 2028, TournamentStep.ANNOUNCEMENT, YearActionKind.MOVED,
        date(2027, 12, 5), "Kongressen",
    )  # fmt: skip
    moved = YearAction(TournamentKind.LEAGUE, 2028, step, YearActionKind.MOVED, day, "Vinterferie")
    found = find_step_in_way([fixed], moved)
    assert (found.step if found else None) is way
