"""The duties of a day: each is done once, whatever becomes of the others."""

from functools import partial

import pytest

from server.jobs import daily_duties as daily
from server.jobs.daily_duties import DailyJob, Duty
from server.store.mail import due_work as due_rows
from server.usecases.context import Core, today_of


async def test_a_duty_that_fails_repeats_none_of_those_before_it(lite, monkeypatch):
    told: list[str] = []
    is_broken = True

    async def work(_: Core, name: str) -> None:
        if name == "broken" and is_broken:
            raise RuntimeError(name)
        told.append(name)

    names = ("before", "broken", "after")
    duties = tuple(Duty(name, partial(work, name=name)) for name in names)
    monkeypatch.setattr(daily, "DUTIES", duties)
    job = DailyJob(lite.core)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            await job.work()
    assert told == ["before"]
    is_broken = False
    await job.work()
    await job.work()
    assert told == ["before", "broken", "after"]
    async with lite.core.store.read() as conn:
        done = await due_rows.days_done(conn)
    assert {done[name] for name in names} == {today_of(lite.core).isoformat()}
