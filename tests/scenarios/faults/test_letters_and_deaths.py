"""A server that dies every few letters sends them all, in order and each once."""

from dataclasses import replace

import pytest

from mail.office_letters.start_letters import GameListFacts
from mail.outgoing.smtp_out import Outcome, SmtpConnection
from server.jobs.mail_jobs import LETTERS_AT_ONCE, OutboxJob
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.due_work import Process
from server.store.mail.outbox import SentLetter
from server.usecases.context import poster_of
from tests.fakes.world import ANNA, BO, World

LETTERS = 60


class Died(BaseException):
    """The process is gone: nothing that would run after it runs."""


class Life:
    """One process that is killed when it is about to send its ``last``-th letter."""

    def __init__(self, world: World, number: int, last: int) -> None:
        self.world, self.left, self.is_over = world, last, False
        object.__setattr__(world.core.store, "holder", f"life{number}")
        self.job = OutboxJob(world.core)
        del self.job._senders[1:]

    async def run(self, patch: pytest.MonkeyPatch) -> None:
        core, send, mark = self.world.core, SmtpConnection.send, OutboxJob._mark
        me = Process(core.store.holder, "", core.now_us)

        async def sends(sender: SmtpConnection, octets: bytes, by: str, to: str) -> Outcome:
            self.left -= 1
            if self.left < 0:
                self.is_over = True
                raise Died
            return await send(sender, octets, by, to)

        async def marks(job: OutboxJob, gone: list[SentLetter]) -> None:
            if not self.is_over:
                await mark(job, gone)

        async with core.store.write() as conn:
            await due_rows.beat(conn, me)
        with patch.context() as of_life:
            of_life.setattr(SmtpConnection, "send", sends)
            of_life.setattr(OutboxJob, "_mark", marks)
            try:
                while await self.job.work():
                    pass
            except Died:
                pass
        async with core.store.write() as conn:
            await due_rows.release_dead_processes(conn, [me], core.now_us)
        await self.job.close()


async def _write(world: World) -> list[str]:
    """Letters to two readers in turn; their names in the order they are due."""
    poster, ids = poster_of(world.core), [(await world.person(one)).id for one in (ANNA, BO)]
    new = [
        poster.to_person(GameListFacts, ids[n % 2], str(n), {"asked": "status"})
        for n in range(LETTERS)
    ]
    async with world.core.store.write() as conn:
        await outbox_rows.enqueue(conn, new)
    return [one.message_id for one in new]


@pytest.mark.parametrize("last", [1, 2, 3, 5])
async def test_a_server_killed_every_few_letters_sends_them_in_order_and_none_twice(
    lite: World, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    before = len(lite.host.letters)
    names = await _write(lite)
    for number in range(LETTERS // last + 1):
        was = len(lite.host.letters)
        await Life(lite, number, last).run(monkeypatch)
        assert len(lite.host.letters) - was == min(last, LETTERS - (was - before))
    assert [one.message_id for one in lite.host.letters[before:]] == names
    assert {row.state for row in await lite.outbox()} == {"sent"}


async def test_the_first_letters_after_a_start_are_claimed_one_two_four_at_a_time(
    lite: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _write(lite)
    sizes, claim = list[int](), outbox_rows.claim

    async def noted(*args: object, **named: object) -> tuple[outbox_rows.OutboxRow, ...]:
        found = await claim(*args, **named)  # type: ignore[arg-type]
        sizes.append(len(found))
        return found

    monkeypatch.setattr(outbox_rows, "claim", noted)
    await Life(lite, 0, LETTERS).run(monkeypatch)
    assert sizes[:6] == [1, 2, 4, 8, 16, LETTERS - 31] and sizes[5] <= LETTERS_AT_ONCE


async def test_what_ten_processes_died_with_goes_as_soon_as_another_letter_was_sent(
    lite: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten die before the first is sent; the eleventh sends a new one, and then those at once."""
    before = len(lite.host.letters)
    names = await _write(lite)
    for number in range(10):
        await Life(lite, number, 0).run(monkeypatch)
    assert len(lite.host.letters) == before
    await Life(lite, 11, LETTERS).run(monkeypatch)
    sent = [one.message_id for one in lite.host.letters[before:]]
    assert sorted(sent) == sorted(names), "and not half an hour later"


async def test_what_ten_died_with_and_what_follows_it_goes_a_minute_later_with_nothing_else(
    lite: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen after 300 kills: what had been written last waited for a letter that never came."""
    before, person = len(lite.host.letters), await lite.person(ANNA)
    poster, game = poster_of(lite.core), await lite.row()
    told = {"asked": "status"}
    first, then = (
        replace(poster.to_person(GameListFacts, person.id, n, told), game_id=game.id) for n in "12"
    )
    for number in range(12):
        if number in (0, 11):
            async with lite.core.store.write() as conn:
                await outbox_rows.enqueue(conn, [first if number == 0 else then])
        await Life(lite, number, 0).run(monkeypatch)
    last = Life(lite, 12, LETTERS)
    await last.run(monkeypatch)
    assert len(lite.host.letters) == before, "it may be the cause"
    last.job = OutboxJob(lite.core)
    lite.clock.wait(minutes=1)
    await last.run(monkeypatch)
    sent = [one.message_id for one in lite.host.letters[before:]]
    assert sent == [first.message_id, then.message_id]
