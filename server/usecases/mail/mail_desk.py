"""The officials' view of the mail: held mails, mails set aside, letters that did not arrive.

Nothing is lost: each can be handled or put away, and stays in the table. Not for players, who are
answered by mail, nor for what a press does (release.py).
"""

from dataclasses import dataclass

from mail.incoming.parse_mail import ParsedMail, parse
from mail.office_letters.service_letters import Alarm
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, HOUR_US
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxRow, InboxState, MailFilter
from server.store.mail.outbox import OutboxState
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.tables import base as base_tables
from server.usecases.context import Core
from server.usecases.letter_facts import send_alarm, send_report
from server.usecases.mail.bounces import (
    AddressedLetter,
    Bouncing,
    add_addresses,
    list_bouncing_addresses,
)
from server.usecases.mail.release import (
    WITHOUT_EFFECT,
    MailListPage,
    MailListRequest,
    Owner,
    ReleaseRefusal,
    Show,
    is_own,
    list_mails,
    owners_of,
    put_away,
    release,
    replay,
    sift,
)
from server.usecases.mail.sort_mail import Act, MailHoldReason, read_note
from server.usecases.office import controllers
from server.usecases.rights import Rights

# Officials are told of held mail within the hour, of strangers' alone once a day.

HELD_MAIL_REPORTED = "held_mail_told"
"""The id of the newest held mail that a letter told of, and when that was (µs)."""
_SHOWN = 5


async def is_due(core: Core) -> bool:
    """True if officials are to be told of held mail now."""
    async with core.store.read() as conn:
        return bool(await _list_unreported(core, conn))


async def report_held_mails(core: Core) -> None:
    """Write to administrators and controllers, with the newest mails that are no strangers'."""
    async with core.store.deciding() as conn:
        found = await _list_unreported(core, conn)
        if found:
            newest = max(row_id for row_id, _ in found)
            urgent_first = sorted(
                found, key=lambda row: (row[1] == MailHoldReason.UNREGISTERED, -row[0])
            )
            rows = await inbox_rows.whole(conn, [row_id for row_id, _ in urgent_first[:_SHOWN]])
            mails = [(rows[row_id], parse(rows[row_id].raw)) for row_id, _ in urgent_first[:_SHOWN]]
            detail = "\n".join(
                f"{mail.from_addr or row.mail_from or '?'}: {mail.subject[:80]}"
                for row, mail in mails
            )
            also, unique = await controllers(conn, core.now_us), f"{HELD_MAIL_REPORTED}.{newest}"
            await base_tables.put_value(conn, HELD_MAIL_REPORTED, f"{newest} {core.now_us}")
            await send_alarm(
                *(core, conn, Alarm.MAIL_HELD, unique, detail), count=len(found), also=also
            )


async def _list_unreported(core: Core, conn: AsyncConnection) -> tuple[tuple[int, str], ...]:
    """The ids and notes of the mails of which it is time to tell; none before their time."""
    newest, told_us = (
        int(part) for part in (await base_tables.get(conn, HELD_MAIL_REPORTED) or "0 0").split()
    )
    waited = core.now_us - told_us
    if waited < HOUR_US:
        return ()
    found = await inbox_rows.held_after(conn, newest)
    is_urgent = any(note != MailHoldReason.UNREGISTERED for _, note in found)
    return found if is_urgent or waited >= DAY_US else ()


# The officials' view of the mail: held mails, mails set aside, letters that did not arrive.

MOST = 200


@dataclass(frozen=True, slots=True)
class MailDeskItem:
    """A mail on the desk: as whose it may be released, what may be done with it.

    ``mail``: without its words, where the official may not read them.
    """

    row: InboxRow
    mail: ParsedMail
    subject: str
    owners: tuple[Owner, ...]
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class MailDesk:
    """What an official or an operator sees. ``names``: of those who decided, by id."""

    sifted: MailListPage
    mails: tuple[MailDeskItem, ...]
    shunted: tuple[MailDeskItem, ...]
    dead: tuple[AddressedLetter, ...]
    bouncing: tuple[Bouncing, ...]
    names: dict[int, str]


async def mail_desk(core: Core, rights: Rights, wanted: MailListRequest) -> MailDesk:
    """Everything that awaits attention, and the page of mails that was asked for.

    Without the words of mails about games in groups that the official is barred from.
    """
    sifted = await sift(core, wanted)
    async with core.store.read() as conn:
        rows = await inbox_rows.whole(conn, [line.head.id for line in sifted.lines])
        shunted = await inbox_rows.in_state(conn, InboxState.SHUNTED, MOST)
        letters = await outbox_rows.newest(conn, MOST, OutboxState.DEAD)
        dead = await add_addresses(conn, letters)
        notes = [read_note(row.note) for row in rows.values()]
        people = await person_rows.by_ids(conn, {note.by for note in notes if note.by is not None})
        about = {line.head.id: line.game_id for line in sifted.lines}
        about |= {row.id: row.game_id for row in shunted}
        games = await game_rows.load_many(conn, {game for game in about.values() if game})
    owners = await owners_of(core, [row for row in rows.values() if row.state == InboxState.HELD])
    barred = {game.id for game in games if game.group_id in rights.barred}
    unread = {number for number, game in about.items() if game in barred}
    own = {
        row_id: tuple(owner for owner in found if not is_own(rights, owner))
        for row_id, found in owners.items()
    }

    def item(row: InboxRow, subject: str | None = None) -> MailDeskItem:
        mail = parse(b"" if row.id in unread else row.raw)
        named = mail.subject if subject is None else subject
        return MailDeskItem(row, mail, named, own.get(row.id, ()), _acts(row))

    return MailDesk(
        sifted=sifted,
        mails=tuple(
            item(rows[line.head.id], line.subject) for line in sifted.lines if line.head.id in rows
        ),
        shunted=tuple(map(item, shunted)),
        dead=tuple(one for one in dead if not one.is_gone),
        bouncing=await list_bouncing_addresses(core),
        names={person_id: person.name for person_id, person in people.items()},
    )


def _acts(row: InboxRow) -> tuple[Act, ...]:
    waits = row.state in {InboxState.HELD, InboxState.SHUNTED}
    is_again = bool(row.raw) and (waits or row.outcome in WITHOUT_EFFECT)
    return (*([Act.AGAIN] if is_again else []), *([Act.PUT_AWAY] if waits else []))


async def act(
    core: Core, rights: Rights, row_id: int, what: Act, owner_id: int | None = None
) -> str | ReleaseRefusal:
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


async def resend(
    core: Core, letter_id: int, states: tuple[OutboxState, ...]
) -> str | ReleaseRefusal:
    """Send a letter again that is in one of these states, with five more days to arrive."""
    async with core.store.write() as conn:
        letter = await outbox_rows.find(conn, letter_id)
        if letter is None:
            return ReleaseRefusal.UNKNOWN
        if (await add_addresses(conn, [letter]))[0].is_gone:
            return ReleaseRefusal.REMOVED
        done = await outbox_rows.requeue(conn, letter_id, core.now_us, states)
    if done:
        return OutboxState.QUEUED.value
    return ReleaseRefusal.WAITS if letter.state == OutboxState.QUEUED else ReleaseRefusal.FIRST


# The day's letter to administrators about the mail: held, failed, given up, come back.

SINCE = "mail_report_us"
"""Up to when the mail was reported (µs)."""
MOST_DEAD = 1000


async def daily(core: Core) -> None:
    """Write the letter, if the day has one. Whoever does it second finds nothing new."""
    async with core.store.read() as conn:
        since = await _read_last_report(core, conn)
        came = await inbox_rows.count(conn, MailFilter(since_us=since))
        if not (came or await outbox_rows.newest(conn, 1, OutboxState.DEAD, since)):
            return
    counts, lines = await _count_waiting(core, since)
    async with core.store.deciding() as conn:
        if await _read_last_report(core, conn) != since:
            return
        await base_tables.put_value(conn, SINCE, str(core.now_us))
        if counts:
            await send_report(core, conn, Alarm.MAIL_REPORT, counts, "\n".join(lines))


async def _read_last_report(core: Core, conn: AsyncConnection) -> int:
    """Up to when it was told; a day back when it never was."""
    return int(await base_tables.get(conn, SINCE) or core.now_us - DAY_US)


async def _count_waiting(core: Core, since: int) -> tuple[dict[str, int], list[str]]:
    """How many of what, without what there was none of; and the first of each by name."""
    held = await list_mails(core, MailFilter((InboxState.HELD,), since))
    known = [line for line in held if Show.STRANGERS not in line.kinds]
    async with core.store.read() as conn:
        shunted = await inbox_rows.count(conn, MailFilter((InboxState.SHUNTED,), since))
        gone = await outbox_rows.newest(conn, MOST_DEAD, OutboxState.DEAD, since)
        dead = [one for one in await add_addresses(conn, gone) if not one.is_gone]
    bounced = await list_bouncing_addresses(core, since)
    counts = {
        "held": len(known),
        "strangers": len(held) - len(known),
        "shunted": shunted,
        "dead": len(dead),
        "bounced": len(bounced),
    }
    lines = [f"{line.sender}: {line.subject[:80]}" for line in known[:_SHOWN]]
    lines += [f"{one.address}: {(one.letter.last_error or '')[:120]}" for one in dead[:_SHOWN]]
    lines += [one.address for one in bounced[:_SHOWN]]
    return {name: count for name, count in counts.items() if count}, lines
