"""Inbox and outbox: kept once, claimed by one, tried again, never lost."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from server.store.engine.connection import StoreOvertaken
from server.store.engine.rows import DAY_US, HOUR_US, MINUTE_US
from server.store.engine.store import Store
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import AcceptedMail, Backlog, InboxMark, InboxState, NewMail, backlogs
from server.store.mail.outbox import NewOutbox, OutboxState, SentLetter, next_attempt
from server.store.tables.base import inbox
from server.usecases.mail.parsed_mail import Intake
from tests.fakes.play import NOW_US

MAIL = NewMail(
    received_us=NOW_US,
    first_us=NOW_US,
    peer="192.0.2.1",
    mail_from="hvid@example.org",
    rcpt_to="k+abc@example.org",
    raw=b"Message-ID: <1@a>\r\n\r\ne4\r\n",
    message_key=b"1" * 32,
)
OTHER = replace(MAIL, raw=b"Message-ID: <2@a>\r\n\r\nd4\r\n", message_key=b"2" * 32)
AGAIN = replace(MAIL, raw=b"Received: x\r\n" + MAIL.raw)


async def test_the_same_mail_again_is_recognised_by_digest_and_by_key(store: Store) -> None:
    first = await inbox_rows.accept(store, MAIL)
    assert first.repeats is None
    assert await inbox_rows.accept(store, MAIL) == AcceptedMail(first.id, first.id)
    by_key = await inbox_rows.accept(store, AGAIN)
    assert by_key.repeats == first.id != by_key.id
    other = await inbox_rows.accept(store, OTHER)
    assert other.repeats is None
    async with store.read() as conn:
        repeat = await inbox_rows.find(conn, by_key.id)
        assert (await backlogs(conn))[0] == Backlog("inbox", 2, NOW_US, 0)
    assert repeat is not None
    assert (repeat.state, repeat.outcome, repeat.raw) == ("done", "duplicate", AGAIN.raw)
    assert [row.id for row in await inbox_rows.claim(store, NOW_US)] == [first.id, other.id]


async def test_repeats_within_one_batch_have_one_original(store: Store) -> None:
    intake = Intake(store)
    answers = await asyncio.gather(*(intake.submit(m) for m in (MAIL, AGAIN, MAIL, OTHER)))
    first = answers[0].id
    assert [a.repeats for a in answers] == [None, first, first, None]
    assert answers[2].id == first


async def test_two_processes_that_take_the_same_mail_keep_one_original(store: Store) -> None:
    beside = await Store.open(store.url.render_as_string(hide_password=False))
    mails = [replace(MAIL, raw=MAIL.raw + bytes([n])) for n in range(8)]
    answers = await asyncio.gather(
        *(inbox_rows.accept(where, mail) for mail in mails for where in (store, beside))
    )
    assert sum(answer.repeats is None for answer in answers) == 1
    async with store.read() as conn:
        query = select(func.count()).select_from(inbox)
        assert (await conn.execute(query)).scalar() == 8
    await beside.close()


async def test_a_claimed_mail_is_left_to_one_and_comes_back_after_the_lease(store):
    accepted = await inbox_rows.accept(store, MAIL)
    beside = await Store.open(store.url.render_as_string(hide_password=False))
    claims = await asyncio.gather(
        *(inbox_rows.claim(where, NOW_US) for where in (store, beside) * 3)
    )
    assert [row.id for rows in claims for row in rows] == [accepted.id]
    assert await inbox_rows.claim(store, NOW_US + inbox_rows.LEASE_US - 1) == ()
    (row,) = await inbox_rows.claim(store, NOW_US + inbox_rows.LEASE_US)
    assert row.attempts == 2
    await beside.close()


async def test_a_mail_has_one_outcome_and_a_shunted_one_can_be_put_back(store: Store) -> None:
    mail_id = (await inbox_rows.accept(store, MAIL)).id
    async with store.write() as conn:
        assert await inbox_rows.shunt(conn, mail_id, "no parser")
        done = InboxMark(mail_id, InboxState.DONE, "moved")
        assert not await inbox_rows.mark(conn, done)
        assert [r.note for r in await inbox_rows.in_state(conn, InboxState.SHUNTED)] == [
            "no parser"
        ]
        assert await inbox_rows.decide_held(conn, InboxMark(mail_id, InboxState.NEW, "again"))
        assert await inbox_rows.mark(conn, done)
        assert not await inbox_rows.decide_held(conn, done)
    assert await inbox_rows.claim(store, NOW_US) == ()


async def test_large_mails_are_claimed_a_few_at_a_time_and_each_once(store: Store) -> None:
    large = inbox_rows.MOST_OCTETS // 2
    mails = [
        replace(MAIL, raw=bytes([number]) * octets, message_key=bytes([number]) * 32)
        for number, octets in enumerate((9, large, large, 9, inbox_rows.MOST_OCTETS * 2, 9))
    ]
    kept = [await inbox_rows.accept(store, mail) for mail in mails]
    claimed = [await inbox_rows.claim(store, NOW_US) for _ in range(4)]
    ids = [one.id for one in kept]
    assert [[row.id for row in rows] for rows in claimed] == [ids[:3], ids[3:5], ids[5:], []]


async def test_a_mail_put_off_is_not_claimed_before(store: Store) -> None:
    mail_id = (await inbox_rows.accept(store, MAIL)).id
    async with store.write() as conn:
        await inbox_rows.put_off(conn, mail_id, NOW_US + HOUR_US, "busy")
    assert await inbox_rows.claim(store, NOW_US + HOUR_US - 1) == ()
    assert len(await inbox_rows.claim(store, NOW_US + HOUR_US)) == 1


LETTER = NewOutbox(
    message_id="<1@k>", kind="relay", to_addr="a@b.dk", created_us=NOW_US, due_us=NOW_US
)


async def test_a_letter_with_a_known_message_id_is_kept_once(store: Store) -> None:
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER, replace(LETTER, message_id="<2@k>")])
        await outbox_rows.enqueue(conn, [LETTER])
        assert (await backlogs(conn))[1] == Backlog("outbox", 2, NOW_US, 0)


async def test_a_letter_is_claimed_by_one_sent_and_marked(store: Store) -> None:
    letters = [replace(LETTER, message_id=f"<{n}@k>") for n in range(30)]
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, letters)
    beside = await Store.open(store.url.render_as_string(hide_password=False))
    claims = await asyncio.gather(
        *(outbox_rows.claim(where, NOW_US, 10) for where in (store, beside) * 4)
    )
    claimed = [row.id for rows in claims for row in rows]
    assert sorted(claimed) == sorted(set(claimed))
    assert len(claimed) == 30
    await outbox_rows.mark_sent(store, [SentLetter(i, b"raw") for i in claimed], NOW_US + 1)
    assert await outbox_rows.claim(store, NOW_US + DAY_US) == ()
    async with store.read() as conn:
        rows = await outbox_rows.newest(conn)
    assert {(r.state, r.sent_us, r.raw) for r in rows} == {("sent", NOW_US + 1, b"raw")}
    await beside.close()


async def test_a_letter_that_left_is_marked_though_another_transaction_was_put_before(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLSTATE 40001: unmarked, it would leave again."""
    change, tries = Store.change, list[int]()

    async def overtaken(self: Store, *work: object) -> object:
        tries.append(1)
        if len(tries) < 4:
            raise StoreOvertaken("40001")
        return await change(self, *work)  # type: ignore[arg-type]

    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER])
    (row,) = await outbox_rows.claim(store, NOW_US, 1)
    monkeypatch.setattr(Store, "change", overtaken)
    await outbox_rows.mark_sent(store, [SentLetter(row.id, b"raw")], NOW_US)
    async with store.read() as conn:
        assert [row.state for row in await outbox_rows.newest(conn)] == ["sent"]


async def test_a_letter_that_fails_is_tried_for_five_days_then_dead_and_can_be_tried_anew(store):
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER])
    now, waits = NOW_US, []
    while True:
        (row,) = await outbox_rows.claim(store, now)
        if await outbox_rows.mark_letter_failed(store, row, "451 later", now) is OutboxState.DEAD:
            break
        async with store.read() as conn:
            again = await outbox_rows.find(conn, row.id)
        assert again is not None
        waits.append((again.due_us - now) // MINUTE_US)
        now = again.due_us
    assert waits == [1, 5, 15, 60, 240] + [720] * 9
    async with store.write() as conn:
        (dead,) = await outbox_rows.newest(conn, state=OutboxState.DEAD)
        assert dead.last_error == "451 later"
        assert await outbox_rows.requeue(conn, dead.id, now)
        assert not await outbox_rows.requeue(conn, dead.id, now)
    assert [row.attempts for row in await outbox_rows.claim(store, now)] == [1]


async def test_a_final_refusal_is_dead_at_once(store: Store) -> None:
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER])
    (row,) = await outbox_rows.claim(store, NOW_US)
    assert (
        await outbox_rows.mark_letter_failed(store, row, "550", NOW_US, is_final=True)
        is OutboxState.DEAD
    )
    assert await outbox_rows.claim(store, NOW_US + DAY_US) == ()


@pytest.mark.parametrize("attempts", [0, 1, 6, 60])
def test_the_next_attempt_never_lies_after_five_days(attempts: int) -> None:
    end = NOW_US + 5 * DAY_US
    assert next_attempt(attempts, NOW_US, end) is None
    again = next_attempt(attempts, NOW_US, NOW_US)
    assert again is not None
    assert MINUTE_US <= again - NOW_US <= 12 * HOUR_US


async def test_a_letter_is_in_one_thread_with_one_before_it_that_is_tried_again(store):
    of = replace(LETTER, game_id=7, person_id=5)
    others = replace(of, message_id="<2@k>", person_id=6), replace(of, message_id="<3@k>")
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [of, *others])
    first, _ = await outbox_rows.claim(store, NOW_US)
    await outbox_rows.mark_letter_failed(store, first, "451", NOW_US)
    (last,) = await outbox_rows.claim(store, NOW_US)
    async with store.read() as conn:
        assert await outbox_rows.first_sent(conn, first) is None
        assert await outbox_rows.first_sent(conn, last) == of.message_id
    await outbox_rows.mark_letter_failed(store, first, "550", NOW_US, is_final=True)
    async with store.read() as conn:
        assert await outbox_rows.first_sent(conn, last) is None


async def test_a_letter_put_off_meanwhile_is_not_marked_sent(store: Store) -> None:
    """Its reader chose the daily letter while it was in hand: it is told there."""
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER])
    (letter,) = await outbox_rows.claim(store, NOW_US)
    async with store.write() as conn:
        await outbox_rows.put_off_held_letter(conn, [letter.id], NOW_US + HOUR_US)
    await outbox_rows.mark_sent(store, [SentLetter(letter.id, b"raw")], NOW_US)
    async with store.read() as conn:
        kept = await outbox_rows.find(conn, letter.id)
    assert kept is not None and (kept.state, kept.sent_us, kept.raw) == ("held", None, None)
