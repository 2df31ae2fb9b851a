"""Sifting the mails for those who look after them: whose they seem to be, a search, pages.

However many strangers write, a player's mail is found: strangers' come after all others, and can
be left out. Not for deciding about one (release.py).
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mail.incoming.headers import split_headers
from mail.incoming.inbound import parse
from mail.text.words import Words
from server.store.engine.types import DAY_US
from server.store.mail import mail_lists
from server.store.mail.inbox import InboxState
from server.store.mail.mail_lists import MailHead, Which
from server.usecases.core.context import Core
from server.usecases.core.paging import page_asked, pages_of
from server.usecases.core.reply_keys import Position
from server.usecases.mail.batch_facts import look_up
from server.usecases.mail.mail_texts import outcome_text, reason_text
from server.usecases.mail.opened_mail import own_mail
from server.usecases.mail.sort_mail import OwnMail, game_named, position_of

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
class Line:
    """A mail in the list. ``kinds``: which of PLAYERS, NAMED, STRANGERS it is.

    ``game_id``: the game that it was about, else the one that its key or subject names.
    """

    head: MailHead
    sender: str
    subject: str
    kinds: frozenset[Show]
    game_id: int | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asked for; ``words``: the language that the search reads outcomes in."""

    words: Words
    show: Show = Show.ALL
    text: str = ""
    page: int = 1
    which: Which = Which(states=(InboxState.HELD,))
    size: int = PAGE


@dataclass(frozen=True, slots=True)
class Sifted:
    """One page of what was found; ``counts``: how many there are of each kind, unsearched."""

    lines: tuple[Line, ...]
    found: int
    page: int
    pages: int
    counts: dict[Show, int]


@dataclass(frozen=True, slots=True)
class _Read:
    """What a mail's header says."""

    head: MailHead
    sender: str | None
    subject: str
    position: Position | None
    game: str | None


async def sift(core: Core, wanted: Wanted) -> Sifted:
    """The page that is asked for; the last one if there are fewer."""
    recent = Which(since_us=core.now_us - RECENT_DAYS * DAY_US)
    is_recent = wanted.show is Show.RECENT
    held = [] if is_recent else await _lines(core, wanted.which, None)
    counts = {show: sum(show in line.kinds for line in held) for show in Show}
    counts[Show.ALL] = len(held)
    if is_recent and not wanted.text:
        return await _recent(core, wanted, recent)
    lines = await _lines(core, recent, MOST_RECENT) if is_recent else held
    if wanted.show not in (Show.ALL, Show.RECENT):
        lines = [line for line in lines if wanted.show in line.kinds]
    if wanted.text:
        lines = await asyncio.to_thread(_searched, lines, wanted)
    if not is_recent:
        lines.sort(key=lambda line: Show.STRANGERS in line.kinds)
    return _cut(lines, wanted, counts)


async def listed(
    core: Core, which: Which, address: str | None = None, game_id: int | None = None
) -> list[Line]:
    """All such mails newest first, only from an address or about a game if one is given."""
    sender = None if address is None else address.strip().casefold()
    return [
        line
        for line in await _lines(core, which, None)
        if sender in (None, line.sender.casefold(), line.head.mail_from.casefold())
        and game_id in (None, line.game_id)
    ]


def _cut(lines: list[Line], wanted: Wanted, counts: dict[Show, int]) -> Sifted:
    pages = pages_of(len(lines), wanted.size)
    page = min(page_asked(wanted.page), pages)
    shown = lines[(page - 1) * wanted.size : page * wanted.size]
    return Sifted(tuple(shown), len(lines), page, pages, counts)


async def _recent(core: Core, wanted: Wanted, recent: Which) -> Sifted:
    """A page of all recent mails: nothing but that page is read."""
    async with core.store.read() as conn:
        count = await mail_lists.count(conn, recent)
        pages = pages_of(count, wanted.size)
        page = min(page_asked(wanted.page), pages)
        skip = (page - 1) * wanted.size
        heads = await mail_lists.heads(conn, recent, wanted.size, skip=skip)
    lines = await _sorted_out(core, heads)
    return Sifted(tuple(lines), count, page, pages, {})


async def _lines(core: Core, which: Which, most: int | None) -> list[Line]:
    """Mails newest first, a part at a time, so that however many there are little is held."""
    found: list[Line] = []
    before: int | None = None
    while most is None or len(found) < most:
        async with core.store.read() as conn:
            heads = await mail_lists.heads(conn, which, AT_ONCE, before=before)
        found += await _sorted_out(core, heads)
        if len(heads) < AT_ONCE:
            break
        before = heads[-1].id
    return found


async def _sorted_out(core: Core, heads: Sequence[MailHead]) -> list[Line]:
    read = await asyncio.to_thread(_read_all, own_mail(core), heads)
    keyed = {one.position.game_id for one in read if one.position is not None}
    facts = await look_up(core, keyed, {one.sender for one in read if one.sender})
    async with core.store.read() as conn:
        named = await mail_lists.games_named(conn, {one.game for one in read if one.game})
    lines: list[Line] = []
    for one in read:
        kinds = set[Show]()
        if facts.sender(one.sender) is not None:
            kinds.add(Show.PLAYERS)
        keys = one.position.game_id if one.position is not None else 0
        game_id = keys if keys in facts.games else named.get(one.game or "")
        if game_id is not None:
            kinds.add(Show.NAMED)
        sender, about = one.sender or one.head.mail_from or "?", one.head.game_id or game_id
        kinds = kinds or {Show.STRANGERS}
        lines.append(Line(one.head, sender, one.subject, frozenset(kinds), about))
    return lines


def _read_all(own: OwnMail, heads: Sequence[MailHead]) -> list[_Read]:
    return [_read(own, head) for head in heads]


def _read(own: OwnMail, head: MailHead) -> _Read:
    raw = bytes(head.head)
    mail = parse(raw[: split_headers(raw).body_at])
    recipients = tuple(json.loads(head.rcpt_to or "[]"))
    position = position_of(mail, recipients, own)
    return _Read(head, mail.from_addr, mail.subject, position, game_named(mail))


def _searched(lines: list[Line], wanted: Wanted) -> list[Line]:
    """Those that have each word of the search in sender, subject, outcome or reason."""
    words = wanted.text.casefold().split()
    return [line for line in lines if all(word in _said(line, wanted.words) for word in words)]


def _said(line: Line, words: Words) -> str:
    head = line.head
    outcome = outcome_text(head.state, head.outcome, words)
    reason = reason_text(head.state, head.note, words)
    parts = (line.sender, head.mail_from, line.subject, outcome, reason, head.outcome, head.note)
    return "\n".join(part for part in parts if part).casefold()
