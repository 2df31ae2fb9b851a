"""The officials' view of the mail: held mails, mails set aside, letters that did not arrive.

Nothing is lost: each can be handled or put away, and stays in the table. Not for players, who are
answered by mail, nor for what a press does (release.py).
"""

from dataclasses import dataclass, replace

from server.store.mail import inbox as inbox_rows
from server.store.mail import mail_lists
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxRow, InboxState
from server.store.mail.outbox import OutboxState
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.core.context import Core
from server.usecases.core.offices import Rights
from server.usecases.mail.bounces import Bouncing, bouncing
from server.usecases.mail.deed_notes import Act, read_note
from server.usecases.mail.letter_readers import Addressed, addressed
from server.usecases.mail.release import (
    WITHOUT_EFFECT,
    Declined,
    Owner,
    is_own,
    owners_of,
    put_away,
    release,
    replay,
)
from server.usecases.mail.sift_mail import Line, Sifted, Wanted, sift

MOST = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """A mail on the desk: its whole row, as whose it may be released, what may be done with it."""

    line: Line | None
    row: InboxRow
    owners: tuple[Owner, ...]
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class MailDesk:
    """What an official or an operator sees. ``names``: of those who decided, by id."""

    sifted: Sifted
    mails: tuple[Shown, ...]
    shunted: tuple[Shown, ...]
    dead: tuple[Addressed, ...]
    bouncing: tuple[Bouncing, ...]
    names: dict[int, str]


async def mail_desk(core: Core, rights: Rights, wanted: Wanted) -> MailDesk:
    """Everything that awaits attention, and the page of mails that was asked for.

    Without the words of mails about games in groups that the official is barred from.
    """
    sifted = await sift(core, wanted)
    async with core.store.read() as conn:
        rows = await mail_lists.whole(conn, [line.head.id for line in sifted.lines])
        shunted = await inbox_rows.in_state(conn, InboxState.SHUNTED, MOST)
        letters = await outbox_rows.newest(conn, MOST, OutboxState.DEAD)
        dead = await addressed(conn, letters)
        notes = [read_note(row.note) for row in rows.values()]
        people = await person_rows.by_ids(conn, {note.by for note in notes if note.by is not None})
        about = {line.head.id: line.game_id for line in sifted.lines}
        about |= {row.id: row.game_id for row in shunted}
        games = await game_rows.load_many(conn, {game for game in about.values() if game})
    owners = await owners_of(core, [row for row in rows.values() if row.state == InboxState.HELD])
    barred = {game.id for game in games if game.group_id in rights.barred}
    unread = {number for number, game in about.items() if game in barred}
    own = {row_id: _others(rights, found) for row_id, found in owners.items()}
    known = [(line, rows[line.head.id]) for line in sifted.lines if line.head.id in rows]
    mails = [_closed(_shown(line, row, own), unread) for line, row in known]
    return MailDesk(
        sifted=sifted,
        mails=tuple(mails),
        shunted=tuple(_closed(_shown(None, row, {}), unread) for row in shunted),
        dead=tuple(one for one in dead if not one.is_gone),
        bouncing=await bouncing(core),
        names={person_id: person.name for person_id, person in people.items()},
    )


def _others(rights: Rights, owners: tuple[Owner, ...]) -> tuple[Owner, ...]:
    """Without those that the official may not speak for."""
    return tuple(owner for owner in owners if not is_own(rights, owner))


def _closed(shown: Shown, unread: set[int]) -> Shown:
    """Without the mail's words if it is one of those that the official may not read."""
    return replace(shown, row=replace(shown.row, raw=b"")) if shown.row.id in unread else shown


def _shown(line: Line | None, row: InboxRow, owners: dict[int, tuple[Owner, ...]]) -> Shown:
    waits = row.state in {InboxState.HELD, InboxState.SHUNTED}
    acts = [Act.AGAIN] if row.raw and (waits or row.outcome in WITHOUT_EFFECT) else []
    if waits:
        acts.append(Act.PUT_AWAY)
    return Shown(line, row, owners.get(row.id, ()), tuple(acts))


async def act(
    core: Core, rights: Rights, row_id: int, what: Act, owner_id: int | None = None
) -> str | Declined:
    """Do one thing with a mail or letter; the outcome, or why nothing was done."""
    match what:
        case Act.RELEASE:
            return await release(core, rights, row_id, owner_id)
        case Act.AGAIN:
            return await replay(core, rights, row_id)
        case Act.PUT_AWAY:
            return await put_away(core, rights, row_id)
        case Act.SEND:
            return await resend(core, row_id, (OutboxState.DEAD,))


async def resend(core: Core, letter_id: int, states: tuple[OutboxState, ...]) -> str | Declined:
    """Send a letter again that is in one of these states, with five more days to arrive."""
    async with core.store.write() as conn:
        letter = await outbox_rows.find(conn, letter_id)
        if letter is None:
            return Declined.UNKNOWN
        if (await addressed(conn, [letter]))[0].is_gone:
            return Declined.REMOVED
        done = await outbox_rows.requeue(conn, letter_id, core.now_us, states)
    if done:
        return OutboxState.QUEUED.value
    return Declined.WAITS if letter.state == OutboxState.QUEUED else Declined.FIRST
