"""Handled mails are packed a day later, and read as they came."""

from dataclasses import replace

from sqlalchemy import LargeBinary, cast, func, select, text, type_coerce, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, MARK
from server.store.engine.store import Store
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxMark, InboxState, MailFilter
from server.store.mail.outbox import NewOutbox, SentLetter
from server.store.tables.base import inbox, outbox
from tests.fakes.play import NOW_US
from tests.server.store.mail.test_mail_queues import MAIL

REPLY = replace(MAIL, raw=b"Message-ID: <3@a>\r\n\r\n5254\r\n" + b"> K\xc3\xa6re Bo\r\n" * 400)
HOSTILE = replace(MAIL, raw=MARK + b"x" * 40, message_key=b"3" * 32)


async def _stored(store: Store, mail: int) -> int:
    octets = func.length(type_coerce(inbox.c.raw, LargeBinary))
    async with store.read() as conn:
        return int((await conn.execute(select(octets).where(inbox.c.id == mail))).scalar_one())


async def test_a_handled_mail_is_packed_and_read_as_it_came(store: Store) -> None:
    done = (await inbox_rows.accept(store, REPLY)).id
    waiting = (await inbox_rows.accept(store, HOSTILE)).id
    assert {row.id for row in await inbox_rows.claim(store, NOW_US)} == {done, waiting}
    async with store.write() as conn:
        await inbox_rows.mark(conn, InboxMark(done, InboxState.DONE, "move"))
        found = await inbox_rows.list_unpacked_mails(conn, NOW_US - DAY_US)
        assert found == (done,)
        read = await inbox_rows.raw_of(conn, found)
        assert read == {done: REPLY.raw}
        await inbox_rows.pack(conn, read)
        assert await inbox_rows.list_unpacked_mails(conn, NOW_US - DAY_US) == ()
    assert await _stored(store, done) < len(REPLY.raw) / 10
    async with store.read() as conn:
        rows = [await inbox_rows.find(conn, mail) for mail in (done, waiting)]
        heads = await inbox_rows.heads(conn, MailFilter(), 9)
    assert [row and row.raw for row in rows] == [REPLY.raw, HOSTILE.raw]
    assert [head.head for head in heads] == [HOSTILE.raw, REPLY.raw]


async def test_packed_mails_lie_close_together_and_are_what_they_were(store: Store) -> None:
    some = 40
    for number in range(some):
        own = replace(REPLY, message_key=bytes([number]) * 32, raw=REPLY.raw + bytes([number]))
        mail = (await inbox_rows.accept(store, own)).id
        async with store.write() as conn:
            done = InboxMark(mail, InboxState.DONE, "move", note="Ærø", person_id=7, game_id=mail)
            await inbox_rows.mark(conn, done)
    whole = select(inbox).order_by(inbox.c.id)
    async with store.write() as conn:
        before = (await conn.execute(whole)).all()
        octets, pages = sum(len(row.raw) for row in before), await _pages(store, conn)
        await inbox_rows.pack(conn, await inbox_rows.raw_of(conn, [row.id for row in before[1:-1]]))
        assert (await conn.execute(whole)).all() == before
        assert await inbox_rows.list_unpacked_mails(conn, NOW_US - DAY_US) == (
            before[0].id,
            before[-1].id,
        )
        if store.dialect == "sqlite":
            assert (pages - await _pages(store, conn)) * 4096 > octets * 0.95


async def _pages(store: Store, conn: AsyncConnection) -> int:
    """The pages of a SQLite file that are in use."""
    if store.dialect != "sqlite":
        return 0
    both = [await conn.execute(text(f"PRAGMA {of}_count")) for of in ("page", "freelist")]
    return both[0].scalar_one() - both[1].scalar_one()


async def test_what_was_removed_meanwhile_does_not_come_back(store: Store) -> None:
    mail = (await inbox_rows.accept(store, REPLY)).id
    async with store.write() as conn:
        read = await inbox_rows.raw_of(conn, [mail])
        await conn.execute(update(inbox).values(raw=b""))
        await inbox_rows.pack(conn, read)
    assert await _stored(store, mail) == 0


# A letter that went out is kept packed, and read as it was; one kept before is read too.


RAW = b"From: k@example.dk\r\n\r\n" + b"Kaere Bo, dit traek.\r\n" * 200
LETTER = NewOutbox(
    message_id="<1@k>", kind="relay", to_addr="a@b.dk", created_us=NOW_US, due_us=NOW_US
)


async def test_a_letter_is_kept_packed_and_read_as_it_went_out(store: Store) -> None:
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER])
    (row,) = await outbox_rows.claim(store, NOW_US, 9)
    await outbox_rows.mark_sent(store, [SentLetter(row.id, RAW)], NOW_US)
    async with store.read() as conn:
        kept = (await conn.execute(select(cast(outbox.c.raw, LargeBinary)))).scalar_one()
        found = await outbox_rows.find(conn, row.id)
    assert len(kept) < len(RAW) / 10
    assert found is not None and found.raw == RAW


async def test_a_letter_kept_before_is_read_as_it_is(store: Store) -> None:
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, [LETTER])
        await conn.execute(update(outbox).values(raw=cast(RAW, LargeBinary)))
        found = await outbox_rows.by_message_id(conn, "<1@k>")
    assert found is not None and found.raw == RAW
