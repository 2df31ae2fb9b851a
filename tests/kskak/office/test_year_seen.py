"""What closes a step of the controller's year by itself, and what he may open again."""

import pytest

from kskak.office.season_lists import Kind
from kskak.office.year import Deed, DeedKind, Form, Step, season_plan
from kskak.office.year_seen import Seen, SeenList, done_by, with_seen

LEAGUE = Kind("league", "league")
CLASSES = tuple(Kind("emt", wish) for wish in ("M", "K", "Å"))


def steps(seen: Seen, form: Form, season: int = 2027) -> set[Step]:
    return {step for of, year, step in done_by(seen) if (of, year) == (form, season)}


def test_an_open_list_is_the_announcement_and_closing_it_the_deadline():
    opened = Seen(lists=(SeenList(LEAGUE, 2027, True),))
    assert steps(opened, Form.LEAGUE) == {Step.ANNOUNCEMENT}
    assert steps(opened, Form.LEAGUE, 2026) == set()
    closed = Seen(lists=(SeenList(LEAGUE, 2027, False),))
    assert steps(closed, Form.LEAGUE) == {Step.ANNOUNCEMENT, Step.DEADLINE}
    both = Seen(lists=(*opened.lists, *closed.lists))
    assert steps(both, Form.LEAGUE) == {Step.ANNOUNCEMENT}, "one may still be entered for"


def test_the_classes_are_announced_together():
    lists = tuple(SeenList(kind, 2027, True) for kind in CLASSES)
    assert steps(Seen(lists=lists[:2] + lists[:1]), Form.EMT) == set()
    assert steps(Seen(lists=lists), Form.EMT) == {Step.ANNOUNCEMENT}


def test_a_theme_has_no_step():
    assert not done_by(Seen(lists=(SeenList(Kind("theme", "theme"), 2027, True),)))


def test_what_has_begun_has_nothing_left_but_the_leagues_schedules():
    seen = Seen(begun=frozenset({(Form.DM, 2027), (Form.LEAGUE, 2027), (Form.FINAL, 2025)}))
    assert steps(seen, Form.DM) == {Step.ANNOUNCEMENT, Step.DEADLINE, Step.LETTERS, Step.START}
    assert steps(seen, Form.LEAGUE) == {*Step} - {Step.LETTERS}
    assert steps(seen, Form.FINAL, 2025) == {Step.START}
    sent = Seen(composed=frozenset({2027}), sent=frozenset({2027}))
    assert steps(sent, Form.LEAGUE) == {Step.DIVISIONS, Step.LETTERS}


@pytest.mark.parametrize(("kind", "is_done"), [(DeedKind.REOPENED, False), (DeedKind.MOVED, True)])
def test_the_controller_may_say_that_it_is_not_done(kind: DeedKind, is_done: bool):
    done = frozenset({(Form.DM, 2027, Step.START)})
    own = Deed(Form.DM, 2027, Step.START, kind)
    assert with_seen([], done) == [Deed(Form.DM, 2027, Step.START, DeedKind.DONE)]
    deeds = with_seen([own], done)
    assert deeds[0] == own
    (start,) = [i for i in season_plan(Form.DM, 2027, deeds) if i.step is Step.START]
    assert start.is_done == is_done
