"""What is measured is held on one core, and let go again."""

import os

import pytest

from tools.bench import cores

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="the system has no say in cores"
)


def test_with_another_core_for_the_load_the_last_one_is_held_and_then_let_go(monkeypatch):
    held: list[set[int]] = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 3})
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, to: held.append(set(to)))
    with cores.one_core():
        assert held == [{3}]
    assert held == [{3}, {0, 2, 3}]
    assert (cores.chosen(1), cores.chosen(2)) == (2, None), "the load needs one too"


def test_the_only_core_is_left_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[set[int]] = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1})
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, to: held.append(set(to)))
    assert cores.chosen() is None
    with cores.one_core():
        pass
    assert not held


def test_for_real_the_thread_is_where_it_was_afterwards() -> None:
    before = os.sched_getaffinity(0)
    core = cores.chosen()
    with cores.one_core():
        assert os.sched_getaffinity(0) == (before if core is None else {core})
    assert os.sched_getaffinity(0) == before
