"""A process that carries one mail from its arrival to its letter, and may be killed on the way.

Forked with the URL (forks.py); run again, it goes on where it stopped.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from server.store.engine.rows import HOUR_US
from server.store.engine.store import Store
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxMark, InboxState, NewMail
from server.store.mail.outbox import SentLetter
from server.usecases.games.writer import Writer
from tests.fakes.play import NOW_US, Move

GAME = 1001
MAIL = NewMail(
    received_us=NOW_US,
    first_us=NOW_US,
    peer="192.0.2.1",
    mail_from="hvid@example.org",
    rcpt_to="k@example.org",
    raw=b"e4",
    message_key=b"k" * 32,
)


async def carry(url: str) -> None:
    """Accept, move, send: each step as often as it takes."""
    store = await Store.open(url)
    later = NOW_US + HOUR_US
    await inbox_rows.accept(store, MAIL)
    writer = Writer(store)
    for row in await inbox_rows.claim(store, later):
        mark = InboxMark(row.id, InboxState.DONE, "moved", None, 1, GAME)
        unit = Move(
            GAME, "e2e4", inbox_id=row.id, changed=lambda w, m=mark: replace(w, inbox_mark=m)
        )
        await writer.submit(unit)
    letters = await outbox_rows.claim(store, later)
    for letter in letters:
        print("sent", letter.message_id, flush=True)
    await outbox_rows.mark_sent(store, [SentLetter(letter.id, None) for letter in letters], later)
    await store.close()


def main(argv: Sequence[str]) -> int:
    """Carry it on the database of the URL; 0."""
    asyncio.run(carry(*argv))
    return 0
