"""A receiver that hangs holds nobody else's letters up, and gets its own once it answers.

While the smarthost itself is away nothing is composed.
"""

import asyncio
from collections.abc import Sequence

from server.jobs import mail_jobs
from server.jobs.mail_jobs import OutboxJob
from server.store.mail.outbox import OutboxRow, OutboxState
from server.usecases.context import Core
from server.usecases.letters import FinishedLetter
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, World

PATIENCE_S = 20
"""Far less than the minute that SMTP is given for each step."""


async def move_read(lite: World) -> None:
    """Anna has moved, and none of the letters about it is sent."""
    anna = Player(lite)
    await lite.smtp(anna.write("e4"), anna.newest.reply_to or "")
    inbox = lite.jobs[0]
    while await inbox.work():  # type: ignore[attr-defined]
        pass


def _impatient(core: Core) -> OutboxJob:
    """An outbox with one connection, on which all letters stand in line."""
    out = core.settings.mail.out.model_copy(update={"connections": 1})
    mail = core.settings.mail.model_copy(update={"out": out})
    settings = core.settings.model_copy(update={"mail": mail})
    return OutboxJob(Core(core.store, core.writer, core.clock, settings, core.secret), 0.2)


def _left() -> list["asyncio.Task[None]"]:
    return [task for task in asyncio.all_tasks() if task.get_name() == "left-behind"]


async def test_a_receiver_that_hangs_holds_up_nobody_else_and_gets_its_letter_once(lite):
    before = {one: len(lite.letters(one)) for one in (ANNA, BO)}
    job = _impatient(lite.core)
    lite.host.hanging = {BO}
    await move_read(lite)
    async with asyncio.timeout(PATIENCE_S):
        await job.work()
    assert len(lite.letters(ANNA)) > before[ANNA]
    assert len(lite.letters(BO)) == before[BO]
    (slow,) = _left()
    await job.work()
    assert not slow.done() and _left() == [slow], "it is not sent again while it hangs"
    lite.host.answers.set()
    await slow
    assert len(lite.letters(BO)) == before[BO] + 1
    assert {row.state for row in await lite.outbox()} == {OutboxState.SENT}
    await job.close()


async def test_nobody_waits_for_the_next_letters_to_where_one_hung(lite: World) -> None:
    job = _impatient(lite.core)
    lite.host.hanging = {BO}
    await move_read(lite)
    await job.work()
    recipient, other = BO, ANNA
    assert job._left.is_slow(recipient) and not job._left.is_slow(other)
    lite.clock.wait(minutes=16)
    assert not job._left.is_slow(recipient)
    lite.host.answers.set()
    await asyncio.gather(*_left())
    await job.close()


async def test_a_letter_that_hangs_when_the_server_stops_is_sent_after_it_starts(lite, monkeypatch):
    monkeypatch.setattr(mail_jobs, "STOP_S", 0.1)
    before = len(lite.letters(BO))
    job = _impatient(lite.core)
    lite.host.hanging = {BO}
    await move_read(lite)
    await job.work()
    await asyncio.wait_for(job.close(), PATIENCE_S)
    (waiting,) = (row for row in await lite.outbox() if row.state != OutboxState.SENT)
    assert waiting.last_error == "the server stopped"
    lite.host.hanging = set()
    lite.clock.wait(minutes=6)
    await lite.pump()
    assert len(lite.letters(BO)) == before + 1


async def test_nothing_is_composed_while_the_smarthost_is_away(lite, monkeypatch):
    before = len(lite.letters(BO))
    composed: list[int] = []
    write = mail_jobs.write_letters

    async def counted(core: Core, rows: Sequence[OutboxRow]) -> list[FinishedLetter | Exception]:
        composed.extend(row.id for row in rows)
        return await write(core, rows)

    monkeypatch.setattr(mail_jobs, "write_letters", counted)
    await lite.host.close()
    await move_read(lite)
    job = OutboxJob(lite.core)
    await job.work()
    waiting = [row for row in await lite.outbox() if row.state != OutboxState.SENT]
    assert composed == [] and len(waiting) == 2
    assert all("127.0.0.1" in (row.last_error or "") for row in waiting), "why is recorded"
    await lite.host.open()
    lite.clock.wait(minutes=6)
    await job.work()
    assert sorted(composed) == sorted(row.id for row in waiting), "each once, when it is taken"
    assert len(lite.letters(BO)) == before + 1
    await job.close()
