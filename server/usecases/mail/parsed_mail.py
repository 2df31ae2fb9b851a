"""A stored mail, parsed: its parts, the sender's own words, the instant that counts (REGULATION).

Not for whose it is (sort_mail.py) nor for what it does (handle_mail.py).
"""

import asyncio
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address

from kskak.regulation.editions import Side
from mail.grammar.keyword_lines import join_patterns, read_keyword, speaks_of_draw
from mail.grammar.move_lines import list_move_words, read_move_line
from mail.grammar.program_games import split_records, without_position
from mail.incoming import parse_mail as inbound
from mail.incoming.mime import Defect, split_headers
from mail.incoming.own_words import extract_own_words, without_letter
from mail.incoming.parse_mail import ParsedMail, letter_of, question_token_of, trusted_received_time
from mail.incoming.robots import MailClass, classify
from mail.incoming.smtp_in import RawMail
from server.store.account.sign_in import digest
from server.store.engine.rows import DAY_US, from_us, to_us
from server.store.engine.store import Store
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.batch import MailFacts, mail_facts
from server.store.mail.inbox import AcceptedMail, InboxRow, NewMail, accept_all
from server.store.mail.outbox import OutboxRow, find_answered_letters
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.requests import ConfirmationRow
from server.usecases.context import Core
from server.usecases.games.outbox_letters import (
    QUESTIONED,
    QuestionKind,
    ReplyPosition,
    is_elsewhere,
    new_key,
    read_bounce_token,
)
from server.usecases.games.writer import Batcher
from server.usecases.letter_facts import Params
from server.usecases.mail.mail_actions import PlayerMail
from server.usecases.mail.sort_mail import OwnMail, addressed_to, find_position

# The inbox behind the SMTP listener: raw mail is kept, and only then acknowledged.

BATCH = 64
"""The most mails that share a transaction."""


class Intake:
    """Mails in, durable ids out."""

    def __init__(self, store: Store, *, limit: int = BATCH) -> None:
        async def work(mails: Sequence[NewMail]) -> Sequence[AcceptedMail]:
            return await accept_all(store, mails)

        self._batcher: Batcher[NewMail, AcceptedMail] = Batcher(work, limit)

    async def submit(self, mail: NewMail) -> AcceptedMail:
        """Store a mail, to be acknowledged only once this returns. Raises StoreError otherwise."""
        return await self._batcher.submit(mail)

    async def close(self) -> None:
        """Finish what was submitted and take nothing new."""
        await self._batcher.close()


REMEMBERED = 10_000
"""For how many deferred mails the first attempt is remembered."""


WITHOUT_ID = ("to", "date", "subject", "in-reply-to")
"""What tells two mails without a Message-ID apart: «e4» in two games is two mails."""


def message_key(raw: bytes) -> bytes:
    """What makes two deliveries the same mail: Message-ID, sender and content.

    Trace headers differ between two deliveries of one mail and do not count.
    """
    headers = split_headers(raw)
    named = [headers.first("message-id") or b"", headers.first("from") or b""]
    if not named[0].strip():
        named += [headers.first(name) or b"" for name in WITHOUT_ID]
    found = sha256()
    for part in (*named, raw[headers.body_at :]):
        found.update(len(part).to_bytes(8, "big") + part)
    return found.digest()


class MailTaker:
    """Stores mail. Implements ``mail.incoming.smtp_in.Inbox``.

    ``kept`` is called after each one.
    """

    def __init__(self, intake: Intake, kept: Callable[[], None]) -> None:
        self._intake = intake
        self._kept = kept
        self._first: OrderedDict[bytes, datetime] = OrderedDict()

    async def accept(self, mail: RawMail) -> None:
        """Store a mail durably. Raises StoreError when that can't be done now."""
        key = message_key(mail.raw)
        first = min(self._first.get(key, mail.received_at), mail.received_at)
        new = NewMail(
            received_us=to_us(mail.received_at),
            first_us=to_us(first),
            peer=mail.peer,
            mail_from=mail.mail_from,
            rcpt_to=json.dumps(list(mail.rcpt_to)),
            raw=mail.raw,
            message_key=key,
        )
        await self._intake.submit(new)
        self._first.pop(key, None)
        self._kept()

    async def deferred(self, mail: RawMail) -> None:
        """Remember when we first put this mail off: no day is lost by it (REGULATION)."""
        self._first.setdefault(message_key(mail.raw), mail.received_at)
        while len(self._first) > REMEMBERED:
            self._first.popitem(last=False)


# A stored mail, parsed: its parts, the sender's own words, the instant that counts (REGULATION).

_ANSWERS = r"(?:re|sv|vs|aw|ref|odp|antw?)(?:\[\d+\])?\s*:\s*"
_BESIDE_MOVE = re.compile(
    rf"^(?:{_ANSWERS}|\[[^\]]{{1,90}}\]\s*)*|\s+\(?(?:{_ANSWERS}|was:|var:|\[[^\]]{{1,90}}/\d+\]).*$",
    re.IGNORECASE,
)
"""What may stand beside a move in a subject: "Re:", the game's name, the subject before it."""

_MARK = "[Event {}]"
"""Stands for a game in a mail's text while its own words are told from quoted ones."""


_FEW = 3  # words

IMPORTED = "import"
"""The peer of a mail from a mailbox that our own relay has filled."""


@dataclass(frozen=True, slots=True)
class OpenedMail:
    """A parsed mail: its parts, what sent it, the sender's own words, the instant that counts."""

    row: InboxRow
    mail: ParsedMail
    kind: MailClass
    words: str
    at: datetime
    recipients: tuple[str, ...]


def own_mail(core: Core) -> OwnMail:
    """The form of our own addresses."""
    settings = core.settings.mail
    return OwnMail(settings.local, settings.domain, core.secret)


def is_trusted(core: Core, peer: str) -> bool:
    """Whether a mail came from one of our relays, whose headers are trusted."""
    if peer == IMPORTED:
        return bool(core.settings.mail.in_.trusted_relays)
    relays = core.settings.mail.in_.trusted_relays
    address = _address(peer) if relays else None
    return address is not None and any(address in network for network in relays)


def _address(peer: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(peer)
    except ValueError:
        return None


def is_relay(core: Core, peer: str) -> bool:
    """Whether a peer hands over many senders' mails: one of our relays, or this machine."""
    return is_trusted(core, peer) or peer == "::1" or peer.startswith("127.")


def arrival(core: Core, row: InboxRow) -> datetime:
    """When the mail reached our side: the trusted relay's time, else our own (REGULATION).

    Counted from the first attempt, even one that we deferred: nothing on our side costs a day.
    """
    first = from_us(min(row.first_us, row.received_us))
    relayed = relayed_at(core, row.raw, row.peer)
    return min(first, relayed) if relayed is not None else first


def relayed_at(core: Core, raw: bytes, peer: str) -> datetime | None:
    """When our relay took the mail, by its own field; None where that is not known."""
    if not is_trusted(core, peer):
        return None
    names = {core.settings.mail.in_.authserv_id, core.settings.mail.domain} - {""}
    return trusted_received_time(raw, names)


def recipients_of(row: InboxRow) -> tuple[str, ...]:
    """Whom the envelope names."""
    return tuple(json.loads(row.rcpt_to))


def open_mail(core: Core, row: InboxRow) -> OpenedMail:
    """Parse a stored mail."""
    return open_mails(core, [row])[0]


def open_mails(core: Core, rows: Sequence[InboxRow]) -> list[OpenedMail]:
    """Parse stored mails, each stage for all of them: the processor keeps its code at hand."""
    parsed = [inbound.parse(row.raw) for row in rows]
    return [_opened(core, row, mail) for row, mail in zip(rows, parsed, strict=True)]


def _opened(core: Core, row: InboxRow, mail: ParsedMail) -> OpenedMail:
    recipients = recipients_of(row)
    at = arrival(core, row)
    domain = core.settings.mail.domain
    own = _own_words(mail, mail.text, domain)
    words = read_all_text(mail, own, domain, at.date())
    kind = classify(mail, row.mail_from, domain, own)
    return OpenedMail(row, mail, kind, words, at, recipients)


def without_letters(core: Core, opened: OpenedMail, letters: Sequence[bytes]) -> OpenedMail:
    """The mail, with no words of the letters it answers among the writer's own, by which it may
    have read like a robot's."""
    texts = [text for raw in letters for text in inbound.letter_texts(raw)]
    mail = opened.mail
    mail = replace(mail, text=without_letter(mail.text, texts))
    domain = core.settings.mail.domain
    own = _own_words(mail, mail.text, domain)
    kind = classify(mail, opened.row.mail_from, domain, own)
    return replace(opened, kind=kind, words=read_all_text(mail, own, domain, opened.at.date()))


def may_hold_letter(opened: OpenedMail) -> bool:
    """Whether the words taken for the writer's are so many that a letter can be among them, or none
    because one stands above his own."""
    count = len(opened.words.split())
    return count > _FEW or (count == 0 and opened.mail.text.strip() != "")


def _own_words(mail: ParsedMail, text: str, domain: str) -> str:
    def is_command(line: str) -> bool:
        return speaks_of_draw(line) or read_keyword(line, date.min) is not None

    return extract_own_words(text, domain, (mail.from_name, mail.from_addr or ""), is_command)


def read_all_text(mail: ParsedMail, words: str, domain: str, today: date) -> str:
    """The writer's own ``words``, and below them the games that his chess program sent.

    A game in the text is his own if a line in its place would be: not if it is quoted. A game in a
    part of its own is read where there is none in the text, and no line that is a move.
    """
    around, games = split_records(mail.text)
    marks = [_MARK.format(number) for number in range(len(games))]
    if games:
        text = around[0] + "".join(
            f"\n\n{mark}\n\n{after}" for mark, after in zip(marks, around[1:], strict=True)
        )
        words = _own_words(mail, text, domain)
    said = "\n".join(line for line in words.split("\n") if line not in marks).strip("\n")
    own = [game for mark, game in zip(marks, games, strict=True) if mark in words.split("\n")]
    said = with_subject(said, mail.subject, today)
    if not own:
        own = list(split_records(mail.record)[1])
        stated = without_position(said) if own else said
        if any(map(read_move_line, stated.split("\n"))):
            return said
        said = stated
    return "\n\n".join(filter(None, (said, *own)))


def with_subject(words: str, subject: str, today: date) -> str:
    """The words, with a move first that stands in the subject and nowhere else; a word of command
    only if he wrote nothing besides."""
    line = _BESIDE_MOVE.sub("", subject)
    if words.strip():
        if not read_move_line(line) or re.match(_ANSWERS, subject.strip(), re.IGNORECASE):
            return words
        is_said = any(read_keyword(one, today) or list_move_words(one) for one in words.split("\n"))
        return words if is_said else f"{line}\n\n{words}"
    return line if read_move_line(line) or read_keyword(line, today) else words


def player_mail(
    opened: OpenedMail, person: PersonRow, position: ReplyPosition, *, reads: str
) -> PlayerMail:
    """A mail that may act, from its parts; ``reads``: the language whose letters come first."""
    return PlayerMail(
        inbox_id=opened.row.id,
        unique=f"mail.{opened.row.id}",
        person_id=person.id,
        lang=reads,
        words=opened.words,
        at=opened.at,
        position=position,
        key=new_key(),
        dated=inbound.read_date(opened.mail.date),
        is_sealed=Defect.ENCRYPTED in opened.mail.defects,
        file=opened.mail.file,
        filed=opened.mail.filed,
        subject=own_subject(opened),
    )


_OF_SUBJECT = re.compile(rf"(?<!\w)(?:{join_patterns('of_subject')})(?!\w)", re.IGNORECASE)
_IS_ANSWER = re.compile(rf"\s*(?:{_ANSWERS}|fwd?:)|.*\[[^\]]{{1,90}}\]", re.IGNORECASE)


def own_subject(opened: OpenedMail) -> str:
    """The subject of a mail if its writer made it, or points to it: "" for that of the letter he
    answers."""
    subject = opened.mail.subject.strip()
    is_answers = _IS_ANSWER.match(subject) and not _OF_SUBJECT.search(opened.words)
    return "" if is_answers else subject


# Reading mails, with what the database knows about them: many at once, off the event loop.


@dataclass(frozen=True, slots=True)
class MailContext:
    """A mail, the position it answers, and the facts of its batch."""

    opened: OpenedMail
    position: ReplyPosition | None
    facts: MailFacts

    @property
    def game(self) -> GameRow | None:
        """The game it is about, if it exists."""
        return None if self.position is None else self.facts.games.get(self.position.game_id)

    @property
    def owner_id(self) -> int | None:
        """Who plays the position's side."""
        game, position = self.game, self.position
        return None if game is None or position is None else game.person_of(position.side)

    @property
    def sender_id(self) -> int | None:
        """Whose address the mail comes from."""
        sender = self.facts.sender(self.opened.mail.from_addr)
        return None if sender is None else sender.id


async def know(core: Core, rows: Sequence[InboxRow]) -> dict[int, MailContext]:
    """Read mails and look up what they are about, by inbox id.

    Those that exceed a limit are left out: no parser has seen them.
    """
    read = await asyncio.to_thread(_read, core, rows)
    game_ids = {position.game_id for _, position in read if position is not None}
    emails = {opened.mail.from_addr for opened, _ in read if opened.mail.from_addr}
    facts = await load_facts(core, game_ids, emails)
    read = [(await _own(core, opened, position, facts), position) for opened, position in read]
    return {opened.row.id: MailContext(opened, position, facts) for opened, position in read}


async def _own(
    core: Core, opened: OpenedMail, position: ReplyPosition | None, facts: MailFacts
) -> OpenedMail:
    """The mail without what it brings back of our own letter, marked as a quote or not."""
    game = None if position is None else facts.games.get(position.game_id)
    if game is None or position is None:
        return await strip_answered_text(core, opened, None, None)
    return await strip_answered_text(core, opened, game.id, game.person_of(position.side))


async def strip_answered_text(
    core: Core, opened: OpenedMail, game_id: int | None, person_id: int | None
) -> OpenedMail:
    """The mail without the words of the letter it answers, by its fields, else by its key."""
    ids = (*opened.mail.in_reply_to, *opened.mail.references)
    if not may_hold_letter(opened) or not (ids or game_id):
        return opened
    letters = await core.store.look(
        lambda conn: find_answered_letters(conn, ids, game_id, person_id)
    )
    return await asyncio.to_thread(without_letters, core, opened, letters) if letters else opened


async def load_facts(
    core: Core, game_ids: Collection[int], emails: Collection[str] = ()
) -> MailFacts:
    """What the database knows about games and senders now."""
    return await core.store.look(lambda conn: mail_facts(conn, game_ids, emails))


def _read(core: Core, rows: Sequence[InboxRow]) -> list[tuple[OpenedMail, ReplyPosition | None]]:
    own = own_mail(core)
    within = [one for one in open_mails(core, rows) if Defect.LIMIT not in one.mail.defects]
    return [(one, find_position(one.mail, one.recipients, own)) for one in within]


# Mails that were handled yesterday are kept packed: a reply quotes the letter that it answers.

_BACK_US = 4 * DAY_US
"""Packed a few days late where the server stood still."""
_PORTION = 20
"""Mails read and written at once."""


async def daily(core: Core) -> None:
    """Pack what was handled lately."""
    ids = await core.store.query(inbox_rows.list_unpacked_mails, core.now_us - _BACK_US)
    for at in range(0, len(ids), _PORTION):
        some = await core.store.query(inbox_rows.raw_of, ids[at : at + _PORTION])
        await core.store.change(inbox_rows.pack, some)


# Which one of our letters a mail answers, and what that letter asks.


def letters_of_own_address(core: Core, opened: OpenedMail) -> set[int]:
    """The letters whose own reply addresses a mail is to, by number."""
    own, numbers = core.settings.mail, set[int]()
    for address in addressed_to(opened.mail, opened.recipients):
        token = question_token_of(address, own.local, own.domain)
        number = None if token is None else read_bounce_token(core.secret, token)
        number = letter_of(address, own.local, own.domain) if number is None else number
        numbers |= set() if number is None else {number}
    return numbers


async def answered_letter(core: Core, opened: OpenedMail, person_id: int) -> OutboxRow | None:
    """The letter to this person that a mail answers; None if it names none, or more than one."""
    mail, numbers = opened.mail, letters_of_own_address(core, opened)
    async with core.store.read() as conn:
        found = [await outbox_rows.find(conn, number) for number in numbers]
        found += [await outbox_rows.by_message_id(conn, one) for one in mail.in_reply_to]
        for message_id in () if any(found) else reversed(mail.references):
            if (letter := await outbox_rows.by_message_id(conn, message_id)) is not None:
                found.append(letter)
                break
    letters = {one.id: one for one in found if one is not None and one.person_id == person_id}
    return next(iter(letters.values())) if len(letters) == 1 else None


def find_asked_question(
    letter: OutboxRow | None, questions: Iterable[ConfirmationRow]
) -> tuple[ConfirmationRow | None, tuple[ConfirmationRow, ...]]:
    """The question that a letter is, if it is one; and all that it names, as a list may be."""
    facts = {} if letter is None else Params(letter)
    key, listed = facts.get("key"), facts.get(QUESTIONED)
    own = digest(key) if isinstance(key, str) else None
    named = {str(one) for one in listed} if isinstance(listed, list) else set()
    is_one = next((one for one in questions if one.digest == own), None)
    return is_one, tuple(q for q in questions if q is is_one or q.digest.hex() in named)


def may_mean_other(
    question: ConfirmationRow,
    questions: Iterable[ConfirmationRow],
    offered_by: Side | None,
    me: Side,
) -> bool:
    """Whether a bare «ja» may be meant for something else that is open: it is asked back then."""
    if question.kind == QuestionKind.DRAW_YES:
        offered_by = None  # the same offer
    others = [one for one in questions if one.digest != question.digest]
    return offered_by is me.other or not all(map(is_elsewhere, others))
