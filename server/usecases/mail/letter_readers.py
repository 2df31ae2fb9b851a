"""To whom letters went, or would go: a letter names a person until it is sent.

Not for what becomes of a letter (mail_desk.py, bounces.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mail.incoming.headers import split_headers
from mail.incoming.inbound import parse
from server.store.account.retention import is_gone
from server.store.engine.connection import AsyncConnection
from server.store.mail.outbox import OutboxRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow


@dataclass(frozen=True, slots=True)
class Addressed:
    """A letter with its address. ``is_gone``: its reader's account was removed."""

    letter: OutboxRow
    address: str
    name: str
    is_gone: bool


async def addressed(conn: AsyncConnection, letters: Sequence[OutboxRow]) -> tuple[Addressed, ...]:
    """Letters with their addresses, in the same order."""
    ids = {letter.person_id for letter in letters if letter.person_id is not None}
    people = await person_rows.by_ids(conn, ids)
    return tuple(_addressed(letter, people.get(letter.person_id or 0)) for letter in letters)


def _addressed(letter: OutboxRow, person: PersonRow | None) -> Addressed:
    """The address that the letter went to, else the one it would go to now."""
    address = letter.to_addr or ("" if person is None else person.email)
    if letter.raw:
        written = parse(letter.raw[: split_headers(letter.raw).body_at])
        address = written.to[0] if written.to else address
    gone = person is not None and is_gone(person.email)
    return Addressed(letter, address, "" if person is None else person.name, gone)
