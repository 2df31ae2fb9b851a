"""A letter that went out is kept packed, and read as it was; one kept before is read too."""

from sqlalchemy import LargeBinary, cast, select, update

from server.store.engine.store import Store
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox, SentLetter
from server.store.tables.base import outbox
from tests.fakes.play import NOW_US

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
