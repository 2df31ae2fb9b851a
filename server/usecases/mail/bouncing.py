"""The addresses that bounce: where our letters came back from, how often, and when last.

Only reports that bounces.py believed, that a letter was given up. Not for what a report does.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from server.store.engine.types import DAY_US
from server.store.mail import mail_lists
from server.store.mail.inbox import InboxRow
from server.store.mail.mail_lists import Which
from server.usecases.core.context import Core
from server.usecases.core.reply_keys import read_bounce_token
from server.usecases.mail.bounces import LOST
from server.usecases.mail.letter_readers import addressed
from server.usecases.mail.opened_mail import own_mail
from server.usecases.mail.sort_mail import bounce_token

DAYS = 30
MOST = 200
"""How many bounces are looked at, newest first."""


@dataclass(frozen=True, slots=True)
class Bouncing:
    """An address that our letters come back from. ``name``: whose it is, if it is anybody's."""

    address: str
    name: str
    count: int
    last_us: int


async def bouncing(core: Core, since_us: int | None = None) -> tuple[Bouncing, ...]:
    """Addresses with permanent failures in the last month, the latest first."""
    since = core.now_us - DAYS * DAY_US if since_us is None else since_us
    async with core.store.read() as conn:
        heads = await mail_lists.heads(conn, Which(since_us=since, outcome=LOST), MOST)
        rows = await mail_lists.whole(conn, [head.id for head in heads])
        letter_of = _letters(core, rows.values())
        letters = await mail_lists.letters(conn, sorted(set(letter_of.values())))
        known = {one.letter.id: one for one in await addressed(conn, list(letters.values()))}
    found: dict[str, Bouncing] = {}
    for row_id, letter_id in sorted(letter_of.items()):
        one = known.get(letter_id)
        if one is None or one.is_gone or not one.address:
            continue
        count = found[one.address].count + 1 if one.address in found else 1
        last_us = rows[row_id].received_us
        found[one.address] = Bouncing(one.address, one.name, count, last_us)
    return tuple(sorted(found.values(), key=lambda one: -one.last_us))


def _letters(core: Core, rows: Iterable[InboxRow]) -> dict[int, int]:
    """The letter that each report is about, by inbox id."""
    found: dict[int, int] = {}
    for row in rows:
        token = bounce_token(json.loads(row.rcpt_to or "[]"), own_mail(core))
        letter = None if token is None else read_bounce_token(core.secret, token)
        if letter is not None:
            found[row.id] = letter
    return found
