"""What closes a step of the controller's year by itself, and what he may open again."""

from kskak.office.year import (
    SeasonListKind,
    SeenList,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
    YearProgress,
    done_by,
    merge_observed_steps,
    season_plan,
)
from tests.fakes.machinery.each import rows

LEAGUE = SeasonListKind("league", "league")
CLASSES = tuple(SeasonListKind("emt", wish) for wish in ("M", "K", "Å"))


def steps(seen: YearProgress, form: TournamentKind, season: int = 2027) -> set[TournamentStep]:
    return {step for of, year, step in done_by(seen) if (of, year) == (form, season)}


def test_an_open_list_is_the_announcement_and_closing_it_the_deadline():
    opened = YearProgress(lists=(SeenList(LEAGUE, 2027, True),))
    assert steps(opened, TournamentKind.LEAGUE) == {TournamentStep.ANNOUNCEMENT}
    assert steps(opened, TournamentKind.LEAGUE, 2026) == set()
    closed = YearProgress(lists=(SeenList(LEAGUE, 2027, False),))
    assert steps(closed, TournamentKind.LEAGUE) == {
        TournamentStep.ANNOUNCEMENT,
        TournamentStep.DEADLINE,
    }
    both = YearProgress(lists=(*opened.lists, *closed.lists))
    assert steps(both, TournamentKind.LEAGUE) == {TournamentStep.ANNOUNCEMENT}, (
        "one may still be entered for"
    )


def test_the_classes_are_announced_together():
    lists = tuple(SeenList(kind, 2027, True) for kind in CLASSES)
    assert steps(YearProgress(lists=lists[:2] + lists[:1]), TournamentKind.EMT) == set()
    assert steps(YearProgress(lists=lists), TournamentKind.EMT) == {TournamentStep.ANNOUNCEMENT}


def test_a_theme_has_no_step():
    assert not done_by(
        YearProgress(lists=(SeenList(SeasonListKind("theme", "theme"), 2027, True),))
    )


def test_what_has_begun_has_nothing_left_but_the_leagues_schedules():
    """§ 6.7.4.2."""
    seen = YearProgress(
        begun=frozenset(
            {(TournamentKind.DM, 2027), (TournamentKind.LEAGUE, 2027), (TournamentKind.FINAL, 2025)}
        )
    )
    assert steps(seen, TournamentKind.DM) == {
        TournamentStep.ANNOUNCEMENT,
        TournamentStep.DEADLINE,
        TournamentStep.LETTERS,
        TournamentStep.START,
    }
    assert steps(seen, TournamentKind.LEAGUE) == {*TournamentStep} - {TournamentStep.LETTERS}
    assert steps(seen, TournamentKind.FINAL, 2025) == {TournamentStep.START}
    sent = YearProgress(composed=frozenset({2027}), sent=frozenset({2027}))
    assert steps(sent, TournamentKind.LEAGUE) == {TournamentStep.DIVISIONS, TournamentStep.LETTERS}


@rows("kind is_done", (YearActionKind.REOPENED, False), (YearActionKind.MOVED, True))
def test_the_controller_may_say_that_it_is_not_done(kind: YearActionKind, is_done: bool):
    done = frozenset({(TournamentKind.DM, 2027, TournamentStep.START)})
    own = YearAction(TournamentKind.DM, 2027, TournamentStep.START, kind)
    assert merge_observed_steps([], done) == [
        YearAction(TournamentKind.DM, 2027, TournamentStep.START, YearActionKind.DONE)
    ]
    deeds = merge_observed_steps([own], done)
    assert deeds[0] == own
    (start,) = [
        i for i in season_plan(TournamentKind.DM, 2027, deeds) if i.step is TournamentStep.START
    ]
    assert start.is_done == is_done
