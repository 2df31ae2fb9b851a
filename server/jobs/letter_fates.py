"""What became of a letter, recorded: it left, is tried again, was refused, could not be written.

Not for sending it (outbox.py).
"""

import logging

from mail.incoming.headers import split_headers
from mail.office_letters.notice_facts import Alarm
from mail.outgoing.kept import in_text
from mail.outgoing.smtp_out import Outcome, Refused, TryLater
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow, Sent
from server.usecases.core.alarms import raise_alarm
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter
from server.usecases.core.outbox_letters import Kind
from server.usecases.letters.write_letter import PASSES, Finished
from server.usecases.mail.bounces import note_undeliverable
from server.usecases.reflection.deliveries import note_delayed, note_delivered

_log = logging.getLogger(__name__)


async def noted(core: Core, row: OutboxRow, raw: bytes, outcome: Outcome) -> Sent | None:
    """Record what became of a letter, but that it was sent, which the caller marks."""
    match outcome:
        case TryLater(reason=reason):
            await failed(core, row, reason, is_final=False)
        case Refused(reason=reason):
            await failed(core, row, reason, is_final=True)
        case _:
            try:
                await note_delivered(core, row, core.now_us)
            except Exception:  # it has left, and must not leave again
                _log.exception("letter %s was sent, but not when it arrived noted", row.id)
            if opens_a_door(row):
                head = raw[: split_headers(raw).body_at]
                return Sent(row.id, in_text(head), is_secret=True)
            return Sent(row.id, in_text(raw))
    return None


def opens_a_door(row: OutboxRow) -> bool:
    """Whether a letter has a link that signs in or proves an address: it isn't kept once sent."""
    return row.kind in {Kind.SIGN_IN, Kind.JOIN} and '"link"' in row.params


async def written(core: Core, row: OutboxRow, made: Finished | Exception) -> Finished | None:
    """The letter; a fault of ours goes to an operator, never counted as the recipient's."""
    if isinstance(made, PASSES):
        raise made
    if isinstance(made, Exception):
        _log.error("letter %s can't be written", row.id, exc_info=made)
        why, is_final = f"{type(made).__name__}: {made}", isinstance(made, NoLetter)
        await put_off(core, row, why, is_final=is_final)
        return None
    if made.trouble:
        await _alarm(core, Alarm.LETTER_PLAIN, row, made.trouble)
    return made


async def put_off(core: Core, row: OutboxRow, why: str, *, is_final: bool) -> None:
    """There is nothing left to tell, or there is a fault of ours: retried until fixed."""
    store, now = core.store, core.now_us
    if is_final:
        await outbox_rows.mark_failed(store, row, why[:500], now, is_final=True)
    else:
        await outbox_rows.put_off(store, row, why[:500], now)
    await _alarm(core, Alarm.MAIL_DEAD if is_final else Alarm.LETTER_PLAIN, row, why)


async def failed(core: Core, row: OutboxRow, why: str, *, is_final: bool) -> None:
    """Record that a letter was not sent; the leader is told of one that never will be."""
    store, now = core.store, core.now_us
    # Told, then marked: after a crash between the two it is told again, not never.
    if is_final or outbox_rows.next_attempt(row.attempts, row.created_us, now) is None:
        await note_undeliverable(core, row, now, why[:200])
    else:
        await note_delayed(core, row, now, why[:200])
    await outbox_rows.mark_failed(store, row, why[:500], now, is_final=is_final)


async def _alarm(core: Core, alarm: Alarm, row: OutboxRow, why: str) -> None:
    """Once a day for each kind of letter; a failed alarm raises no other."""
    if row.kind != Kind.ALARM:
        await raise_alarm(core, alarm, row.kind, f"{row.kind} {row.message_id}: {why}")
