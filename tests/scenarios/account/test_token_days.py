"""The day a token was last used is recorded beside the calls, many at once, and never costs one."""

import pytest

from server.jobs import runner
from server.jobs.runner import PresenceJob
from server.store.account import sign_in as access
from server.store.engine.connection import StoreUnavailable
from server.usecases import context
from server.usecases.context import TokenDays
from tests.fakes.desk import desk_of
from tests.fakes.world import ANNA, BO, TL, World


async def _used(world: World, email: str) -> list[str | None]:
    person = await world.person(email)
    async with world.core.store.read() as conn:
        return [row.used_day for row in await access.tokens_of(conn, person.id)]


async def _refuses(*_: object) -> None:
    raise StoreUnavailable("no disk")


async def test_calls_wait_for_no_record_and_the_next_heartbeat_makes_one_of_them_all(
    world, monkeypatch
):
    async with desk_of(world) as desk:
        for who in (ANNA, BO, ANNA):
            assert (await desk.ask(who, "GET", "/games"))[0] == 200
        assert await _used(world, ANNA) == await _used(world, BO) == [None]
        job, today = PresenceJob(world.core), world.clock.today.isoformat()
        with monkeypatch.context() as patch:
            patch.setattr(runner.access, "mark_tokens_used", _refuses)
            with pytest.raises(StoreUnavailable):
                await job.work()
        assert len(world.core.token_days.waiting()) == 2, "nothing is lost by a failure"
        await job.work()
        assert await _used(world, ANNA) == await _used(world, BO) == [today]
        assert world.core.token_days.waiting() == {}
        assert (await desk.ask(TL, "GET", "/games"))[0] == 200
        await job.leave()
        assert await _used(world, TL) == [today], "a process that ends, whatever its roles"


def test_a_token_is_recorded_once_a_day() -> None:
    days = TokenDays()
    days.note(b"a", "2026-01-01")
    days.recorded(days.waiting())
    days.note(b"a", "2026-01-01")
    assert days.waiting() == {}
    days.note(b"a", "2026-01-02")
    assert days.waiting() == {b"a": "2026-01-02"}


def test_what_is_used_while_the_rest_is_recorded_still_waits() -> None:
    days = TokenDays()
    days.note(b"a", "2026-01-01")
    days.note(b"b", "2026-01-01")
    recorded = days.waiting()
    days.note(b"a", "2026-01-02")
    days.recorded(recorded)
    assert days.waiting() == {b"a": "2026-01-02"}


def test_the_known_days_have_an_end_and_those_that_wait_stay(monkeypatch):
    monkeypatch.setattr(context, "MOST_NOTED", 2)
    days = TokenDays()
    for token in (b"a", b"b", b"c"):
        days.note(token, "2026-01-01")
    assert set(days.waiting()) == {b"a", b"b", b"c"}
