"""One press on a mail that waits: handled as its owner's, handled again, or put away.

The decision, its effect and who made it are one transaction; a second press finds it done. A
released mail counts from its arrival (REGULATION, "Authentication"). Not for lists of mails
(inbox.py) nor for an owner's own yes (answer_question.py).
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kskak.regulation.editions import Side
from mail.incoming.mime import split_headers
from mail.incoming.parse_mail import ParsedMail, parse
from mail.text.catalogue import Words
from server.store.engine.connection import StoreError
from server.store.engine.rows import DAY_US
from server.store.mail import inbox as inbox_rows
from server.store.mail.batch import MailFacts
from server.store.mail.inbox import InboxMark, InboxRow, InboxState, MailFilter, MailHead
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.context import Core, limit_page, pages_of
from server.usecases.games.outbox_letters import ReplyPosition
from server.usecases.mail.handle_mail import carry_out, handle
from server.usecases.mail.mail_table import Who
from server.usecases.mail.mailed_requests import find_case_number
from server.usecases.mail.parsed_mail import MailContext, know, load_facts, own_mail
from server.usecases.mail.sort_mail import (
    Act,
    MailDoubt,
    OwnMail,
    SortedMail,
    find_position,
    note_of,
    outcome_text,
    read_game_name,
    reason_text,
)
from server.usecases.rights import Rights

_log = logging.getLogger(__name__)

# Sifting the mails for those who look after them: whose they seem to be, a search, pages.

PAGE = 20
"""Mails on a page."""
AT_ONCE = 500
"""Mails read from the database together."""
RECENT_DAYS = 30
MOST_RECENT = 5000
"""How many of the recent mails a search looks through."""


class Show(StrEnum):
    """Which mails to list. A mail of a player's may name a game as well."""

    ALL = "all"
    PLAYERS = "players"
    NAMED = "named"
    STRANGERS = "strangers"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class MailListLine:
    """A mail in the list. ``kinds``: which of PLAYERS, NAMED, STRANGERS it is.

    ``game_id``: the game that it was about, else the one that its key or subject names.
    """

    head: MailHead
    sender: str
    subject: str
    kinds: frozenset[Show]
    game_id: int | None


@dataclass(frozen=True, slots=True)
class MailListRequest:
    """What somebody asked for; ``words``: the language that the search reads outcomes in."""

    words: Words
    show: Show = Show.ALL
    text: str = ""
    page: int = 1
    which: MailFilter = MailFilter(states=(InboxState.HELD,))
    size: int = PAGE


@dataclass(frozen=True, slots=True)
class MailListPage:
    """One page of what was found; ``counts``: how many there are of each kind, unsearched."""

    lines: tuple[MailListLine, ...]
    found: int
    page: int
    pages: int
    counts: dict[Show, int]


async def sift(core: Core, wanted: MailListRequest) -> MailListPage:
    """The page that is asked for; the last one if there are fewer."""
    recent = MailFilter(since_us=core.now_us - RECENT_DAYS * DAY_US)
    is_recent = wanted.show is Show.RECENT
    held = [] if is_recent else await _lines(core, wanted.which, None)
    counts = {show: sum(show in line.kinds for line in held) for show in Show}
    counts[Show.ALL] = len(held)
    if is_recent and not wanted.text:  # nothing but that page is read
        count = await core.store.query(inbox_rows.count, recent)
        page, pages = _page_of(wanted, count)
        skip = (page - 1) * wanted.size
        heads = await core.store.query(inbox_rows.heads, recent, wanted.size, skip=skip)
        return MailListPage(tuple(await _sorted_out(core, heads)), count, page, pages, {})
    lines = await _lines(core, recent, MOST_RECENT) if is_recent else held
    if wanted.show not in (Show.ALL, Show.RECENT):
        lines = [line for line in lines if wanted.show in line.kinds]
    if wanted.text:
        lines = await asyncio.to_thread(_searched, lines, wanted)
    if not is_recent:
        lines.sort(key=lambda line: Show.STRANGERS in line.kinds)
    page, pages = _page_of(wanted, len(lines))
    shown = lines[(page - 1) * wanted.size : page * wanted.size]
    return MailListPage(tuple(shown), len(lines), page, pages, counts)


def _page_of(wanted: MailListRequest, count: int) -> tuple[int, int]:
    """The page to show of so many mails, and how many pages there are."""
    pages = pages_of(count, wanted.size)
    return min(limit_page(wanted.page), pages), pages


async def list_mails(
    core: Core, which: MailFilter, address: str | None = None, game_id: int | None = None
) -> list[MailListLine]:
    """All such mails newest first, only from an address or about a game if one is given."""
    sender = None if address is None else address.strip().casefold()
    return [
        line
        for line in await _lines(core, which, None)
        if sender in (None, line.sender.casefold(), line.head.mail_from.casefold())
        and game_id in (None, line.game_id)
    ]


async def _lines(core: Core, which: MailFilter, most: int | None) -> list[MailListLine]:
    """Mails newest first, a part at a time, so that however many there are little is held."""
    found: list[MailListLine] = []
    before: int | None = None
    while most is None or len(found) < most:
        heads = await core.store.query(inbox_rows.heads, which, AT_ONCE, before=before)
        found += await _sorted_out(core, heads)
        if len(heads) < AT_ONCE:
            break
        before = heads[-1].id
    return found


async def _sorted_out(core: Core, heads: Sequence[MailHead]) -> list[MailListLine]:
    own = own_mail(core)
    read = await asyncio.to_thread(lambda: [_read(own, head) for head in heads])
    keyed = {position.game_id for _, position in read if position is not None}
    facts = await load_facts(core, keyed, {mail.from_addr for mail, _ in read if mail.from_addr})
    names = [read_game_name(mail) for mail, _ in read]
    named = await core.store.query(inbox_rows.find_games_by_name, {name for name in names if name})
    lines: list[MailListLine] = []
    for head, name, (mail, position) in zip(heads, names, read, strict=True):
        kinds = set[Show]()
        if facts.sender(mail.from_addr) is not None:
            kinds.add(Show.PLAYERS)
        keyed_id = position.game_id if position is not None else 0
        game_id = keyed_id if keyed_id in facts.games else named.get(name or "")
        if game_id is not None:
            kinds.add(Show.NAMED)
        sender, about = mail.from_addr or head.mail_from or "?", head.game_id or game_id
        kinds = kinds or {Show.STRANGERS}
        lines.append(MailListLine(head, sender, mail.subject, frozenset(kinds), about))
    return lines


def _read(own: OwnMail, head: MailHead) -> tuple[ParsedMail, ReplyPosition | None]:
    """What a mail's header says, and the position that it answers."""
    raw = bytes(head.head)
    mail = parse(raw[: split_headers(raw).body_at])
    return mail, find_position(mail, json.loads(head.rcpt_to or "[]"), own)


def _searched(lines: list[MailListLine], wanted: MailListRequest) -> list[MailListLine]:
    """Those that have each word of the search in sender, subject, outcome or reason."""
    found = []
    for line in lines:
        head = line.head
        said = (
            *(line.sender, head.mail_from, line.subject, head.outcome, head.note),
            outcome_text(head.state, head.outcome, wanted.words),
            reason_text(head.state, head.note, wanted.words),
        )
        text = "\n".join(filter(None, said)).casefold()
        if all(word in text for word in wanted.text.casefold().split()):
            found.append(line)
    return found


# One press on a mail that waits: handled as its owner's, handled again, or put away.

WITHOUT_EFFECT = frozenset(
    {
        "not_understood", "ambiguous", "contradiction", "not_your_turn", "unsure", "wrong_number",
        "draw_unclear",
        "games_unclear", "automatic", "loop", "to_return_path", Act.PUT_AWAY.value,
    }
)  # fmt: skip
"""Outcomes of mails that were at most answered: these may be handled again."""


class ReleaseRefusal(StrEnum):
    """Why a press did nothing."""

    UNKNOWN = "unknown"
    FIRST = "first"
    WAITS = "waits"
    HAD_EFFECT = "had_effect"
    NO_OWNER = "no_owner"
    CHOOSE = "choose"
    OWN_GAME = "own_game"
    REMOVED = "removed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Owner:
    """As whose a mail may be handled; ``position`` and ``game``: in which game, if in any."""

    person: PersonRow
    position: ReplyPosition | None = None
    game: GameRow | None = None


async def owners_of(core: Core, rows: Sequence[InboxRow]) -> dict[int, tuple[Owner, ...]]:
    """As whose each mail may be released, by inbox id: mostly one, two if only a game is named.

    The key's owner; else the sender; else either player of the game in the subject.
    """
    known = await know(core, [row for row in rows if row.raw])
    names = {row_id: read_game_name(one.opened.mail) for row_id, one in known.items()}
    ids = await core.store.query(
        inbox_rows.find_games_by_name, {name for name in names.values() if name}
    )
    facts = await load_facts(core, ids.values())
    return {
        row_id: _owners(one, facts, ids.get(names[row_id] or "")) for row_id, one in known.items()
    }


def _owners(one: MailContext, facts: MailFacts, game_id: int | None) -> tuple[Owner, ...]:
    if one.owner_id is not None:
        return (Owner(one.facts.people[one.owner_id], one.position, one.game),)
    game = None if game_id is None else facts.games[game_id]
    sender = one.facts.sender(one.opened.mail.from_addr)
    if sender is not None and (game is None or game.side_of(sender.id) is None):
        return (Owner(sender),)
    if game is None:
        return ()
    sides = [side for side in Side if sender is None or game.side_of(sender.id) is side]
    return tuple(
        Owner(facts.people[game.person_of(side)], ReplyPosition(game.id, game.ply, side), game)
        for side in sides
    )


async def release(
    core: Core, rights: Rights | None, row_id: int, owner_id: int | None = None
) -> str | ReleaseRefusal:
    """Handle a held mail as its owner's; returns its outcome, or why nothing was done.

    ``rights``: whose the press is, None: the operator's; ``owner_id``: as whose, if several may be.
    """
    row = await _row(core, row_id)
    if isinstance(row, ReleaseRefusal):
        return row
    if row.state != InboxState.HELD:
        return ReleaseRefusal.FIRST
    owners = (await owners_of(core, [row])).get(row_id, ())
    chosen = [one for one in owners if owner_id in (None, one.person.id)]
    if len(chosen) != 1:
        return ReleaseRefusal.CHOOSE if owners else ReleaseRefusal.NO_OWNER
    if rights is not None and is_own(rights, chosen[0]):
        return ReleaseRefusal.OWN_GAME
    return await _press(core, rights, row, Act.RELEASE, chosen[0])


def is_own(rights: Rights, owner: Owner) -> bool:
    """Nobody acts as an official in a group they are barred from, nor for themselves (§ 6.1.1)."""
    is_barred = owner.game is not None and owner.game.group_id in rights.barred
    return is_barred or owner.person.id == rights.person_id


async def replay(core: Core, rights: Rights | None, row_id: int) -> str | ReleaseRefusal:
    """Handle a mail once more as if it came now; one that has had effect is left alone."""
    row = await _row(core, row_id)
    if isinstance(row, ReleaseRefusal):
        return row
    if row.state == InboxState.NEW:
        return ReleaseRefusal.WAITS
    if row.state == InboxState.DONE:
        has_effect = await core.store.query(inbox_rows.has_effect, row)
        if has_effect or row.outcome not in WITHOUT_EFFECT:
            return ReleaseRefusal.HAD_EFFECT
    return await _press(core, rights, row, Act.AGAIN, None)


async def put_away(core: Core, rights: Rights, row_id: int) -> str | ReleaseRefusal:
    """Keep a held or shunted mail without handling it."""
    async with core.store.write() as conn:
        row = await inbox_rows.find(conn, row_id)
        if row is None:
            return ReleaseRefusal.UNKNOWN
        note = note_of(row.note, Act.PUT_AWAY, rights.person_id, core.now_us)
        mark = InboxMark(row_id, InboxState.DONE, Act.PUT_AWAY.value, note, row.person_id)
        mark = replace(mark, game_id=row.game_id)
        return mark.outcome if await inbox_rows.decide_held(conn, mark) else ReleaseRefusal.FIRST


async def _row(core: Core, row_id: int) -> InboxRow | ReleaseRefusal:
    row = await core.store.query(inbox_rows.find, row_id)
    if row is None:
        return ReleaseRefusal.UNKNOWN
    return row if row.raw else ReleaseRefusal.REMOVED


async def _press(
    core: Core, rights: Rights | None, row: InboxRow, act: Act, owner: Owner | None
) -> str | ReleaseRefusal:
    """Reopen, handle and record, all or nothing."""
    by = None if rights is None else rights.person_id
    also = WITHOUT_EFFECT if act is Act.AGAIN else frozenset()
    try:
        async with core.writer.together(f"mail {row.id}"):
            async with core.store.write() as conn:
                mark = InboxMark(row.id, InboxState.NEW, act.value, row.note)
                if not await inbox_rows.decide_held(conn, mark, also=also):
                    return ReleaseRefusal.FIRST
            done = handle(core, row) if owner is None else _handle_as(core, row, owner)
            outcome = await done
            await core.store.change(
                inbox_rows.note_done, row.id, note_of(row.note, act, by, core.now_us)
            )
    except StoreError:
        raise
    except Exception:
        _log.exception("mail %s could not be handled", row.id)
        return ReleaseRefusal.FAILED
    _log.info("mail %s: %s: %s", row.id, act.value, outcome)
    return outcome


async def _handle_as(core: Core, row: InboxRow, owner: Owner) -> str:
    """What the mail says, as if it had come from its owner in the right way."""
    known = (await know(core, [row]))[row.id]
    person_id, position, game = owner.person.id, owner.position, owner.game
    is_keyed = known.owner_id is not None
    named = None if game is None else game.name
    by_address = SortedMail(Who.ADDRESS, MailDoubt.KEY_MISSING, person_id=person_id, game=named)
    if position is None or game is None:
        return await carry_out(core, known, by_address)
    if not is_keyed and await find_case_number(core, known.opened) is not None:
        return await carry_out(core, known, by_address)
    facts = known.facts if is_keyed else await load_facts(core, [game.id])
    known = replace(known, facts=facts, position=position)
    return await carry_out(core, known, SortedMail(Who.KEYED, Act.RELEASE, position, person_id))
