"""What falls due first in a game, and what follows it when it was done."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from kskak.play.evolve_game import replay
from kskak.regulation.days import local_day
from server.store.engine.rows import from_us
from server.store.mail.due_work import DeadlineRow
from server.usecases.games.game_units import due_after, due_work, first_due
from tests.fakes.machinery.draws import SLOW, drawn
from tests.kskak.plays import games

ZONE = "Europe/Copenhagen"
QUICK = drawn(150, suppress_health_check=SLOW)


def _named(due, zone: str = ZONE) -> tuple[date, str] | None:
    return (local_day(from_us(due[0].due_us), zone), due[0].kind) if due else None


@QUICK
@given(games(), st.integers(0, 5))
def test_the_first_is_the_first_of_all(game, post_days):
    state = replay(*game)
    first = _named(first_due(state, ZONE, post_days))
    assert first == min(due_work(state, post_days), default=None)


NEAR = st.lists(st.integers(1, 30), min_size=1, max_size=5, unique=True).map(
    lambda days: tuple(sorted(days, reverse=True))
)


@QUICK
@given(games(), st.integers(0, 5), NEAR)
def test_whatever_days_a_player_chose_all_is_found_and_done_in_order(game, post_days, near):
    state = replay(*game)
    work = due_work(state, post_days, near)
    others = [one for one in work if one[1] != "control_warning"]
    assert others == [one for one in due_work(state, post_days) if one[1] != "control_warning"]
    assert len(work) - len(others) <= len(near)
    done, due = [], first_due(state, ZONE, post_days, near)
    assert _named(due) == min(work, default=None)
    while due:
        done.append(_named(due))
        row = DeadlineRow(1, due[0].kind, due[0].due_us, due[0].due_us, 0, 0, None)
        due = due_after(state, ZONE, post_days, row, near)
    assert done == sorted(work)


@QUICK
@given(games(), st.integers(0, 5))
def test_done_one_after_the_other_all_is_done_in_order(game, post_days):
    state = replay(*game)
    done, due = [], first_due(state, ZONE, post_days)
    while due:
        done.append(_named(due))
        row = DeadlineRow(1, due[0].kind, due[0].due_us, due[0].due_us, 0, 0, None)
        due = due_after(state, ZONE, post_days, row)
    assert done == sorted(due_work(state, post_days))
