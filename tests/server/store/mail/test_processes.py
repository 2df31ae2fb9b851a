"""A dead process's mails, letters and due dates are taken up at once, a living one's never."""

import asyncio
import os
import signal
import sys
from dataclasses import replace

from server.jobs import runner
from server.store.engine.rows import DAY_US, HOUR_US
from server.store.engine.store import Store
from server.store.mail import due_work as due_rows
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.due_work import NewDeadline, Process
from server.store.mail.inbox import NewMail
from server.store.mail.outbox import MOST_DEATHS, NewOutbox
from tests.fakes.play import NOW_US, start_games

MAIL = NewMail(
    received_us=NOW_US, first_us=NOW_US, peer="192.0.2.1", mail_from="a@example.org",
    rcpt_to="k@example.org", raw=b"e4", message_key=b"1" * 32,
)  # fmt: skip
LETTER = NewOutbox(
    message_id="<1@k>", kind="relay", to_addr="a@b.dk", created_us=NOW_US, due_us=NOW_US
)
SOON = NOW_US + 1


async def _in_hand(store: Store) -> int:
    """One mail, one letter, one due date, claimed by ``store``; the game's id."""
    (game,) = await start_games(store)
    await inbox_rows.accept(store, MAIL)
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER])
        await due_rows.replace(conn, game, 0, (NewDeadline("flag", NOW_US),))
    assert await _claimed(store, NOW_US) == (1, 1, 1)
    return game


async def _claimed(store: Store, at_us: int) -> tuple[int, int, int]:
    """How many mails, letters and due dates can be had now; they are taken."""
    mails, letters = await inbox_rows.claim(store, at_us), await outbox_rows.claim(store, at_us)
    return len(mails), len(letters), len(await due_rows.claim(store, at_us))


async def _give_back(store: Store, dead: Process) -> int:
    async with store.write() as conn:
        return await due_rows.release_dead_processes(conn, [dead], SOON)


async def test_what_a_dead_process_had_in_hand_is_anybodys_at_once_and_only_once(store):
    beside = await Store.open(store.url.render_as_string(hide_password=False))
    dead = Process(store.holder, "", NOW_US)
    async with store.write() as conn:
        await due_rows.beat(conn, dead)
    await _in_hand(store)
    assert await _claimed(beside, SOON) == (0, 0, 0), "as long as it lives, it is its own"
    assert await _give_back(beside, dead) == 3
    assert await _claimed(beside, SOON) == (1, 1, 1)
    assert await _give_back(store, dead) == 0, "another has found it dead before"
    assert await _claimed(store, SOON) == (0, 0, 0), "what the other took is the other's"
    await beside.close()


async def test_what_was_put_off_on_purpose_stays_put_off_when_the_process_dies(store):
    dead = Process(store.holder, "", NOW_US)
    async with store.write() as conn:
        await due_rows.beat(conn, dead)
    (game,) = await start_games(store)
    kept = await inbox_rows.accept(store, MAIL)
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER])
        await due_rows.replace(conn, game, 0, (NewDeadline("flag", NOW_US),))
    await inbox_rows.claim(store, NOW_US)
    (letter,) = await outbox_rows.claim(store, NOW_US)
    (due,) = await due_rows.claim(store, NOW_US)
    async with store.write() as conn:
        await inbox_rows.put_off(conn, kept.id, NOW_US + DAY_US, "busy")
        await due_rows.push(conn, due, "poisoned", NOW_US)
    await outbox_rows.mark_letter_failed(store, letter, "no answer", NOW_US)
    assert await _give_back(store, dead) == 0
    assert await _claimed(store, SOON) == (0, 0, 0)


async def test_what_may_be_killing_its_processes_waits_out_its_lease(store: Store) -> None:
    await _in_hand(store)
    for _ in range(MOST_DEATHS):
        dead = Process(store.holder, "", NOW_US)
        async with store.write() as conn:
            await due_rows.beat(conn, dead)
        assert await _give_back(store, dead) == 3
        assert await _claimed(store, SOON) == (1, 1, 1)
    async with store.write() as conn:
        await due_rows.beat(conn, dead)
    assert await _give_back(store, dead) == 0
    assert await _claimed(store, SOON + outbox_rows.LEASE_US) == (1, 1, 1), "it is never lost"


async def test_a_death_is_no_attempt_and_makes_no_later_pause_longer(store: Store) -> None:
    """Killed five times with it in hand, a letter is tried as soon as at its first failure."""
    await _in_hand(store)
    for _ in range(5):
        dead = Process(store.holder, "", NOW_US)
        async with store.write() as conn:
            await due_rows.beat(conn, dead)
        assert await _give_back(store, dead) == 3, "at once, however often"
        (letter,) = await outbox_rows.claim(store, SOON)
        await inbox_rows.claim(store, SOON)
        await due_rows.claim(store, SOON)
    assert letter.attempts == 1
    await outbox_rows.mark_letter_failed(store, letter, "try later", SOON)
    assert await outbox_rows.claim(store, SOON + outbox_rows.BACK_OFF_US[0]), (
        "a minute, and no hour"
    )


async def test_a_process_that_beats_again_after_it_was_held_dead_is_entered_anew(store):
    me = Process(store.holder, "", NOW_US)
    async with store.write() as conn:
        await due_rows.beat(conn, me)
        await due_rows.beat(conn, replace(me, seen_us=NOW_US + 5))
        assert await due_rows.release_dead_processes(conn, [me], SOON) == 0, "it has beaten since"
        assert len(await due_rows.list_other_processes(conn, "somebody")) == 1
        await due_rows.release_dead_processes(conn, [replace(me, seen_us=NOW_US + 5)], SOON)
        assert await due_rows.list_other_processes(conn, "somebody") == ()
        await due_rows.beat(conn, me)
        assert await due_rows.list_other_processes(conn, "somebody") == (me,)


async def test_a_killed_process_of_this_machine_is_dead_at_once_and_a_held_one_never() -> None:
    script = (
        "from server.jobs import runner; import time; print(runner.identify_process(), flush=True)"
    )
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", f"{script}; time.sleep(60)", stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    name = (await child.stdout.readline()).decode().strip()
    other = Process("x", name, NOW_US)
    silent = NOW_US + HOUR_US
    child.send_signal(signal.SIGSTOP)
    assert not runner.is_dead(other, silent), "held, not dead"
    child.kill()
    await child.wait()
    assert runner.is_dead(other, NOW_US)
    recycled = Process("x", f"{runner.identify_process().rpartition(' ')[0]} 1", NOW_US)
    assert runner.is_dead(recycled, NOW_US), f"{os.getpid()} is another's number now"


def test_a_process_of_another_machine_is_dead_when_it_has_long_been_silent() -> None:
    for born in ("", f"elsewhere pid:[1] {os.getpid()} 1"):
        other = Process("x", born, NOW_US)
        assert not runner.is_dead(other, NOW_US + runner.SILENT_US)
        assert runner.is_dead(other, NOW_US + runner.SILENT_US + 1)
