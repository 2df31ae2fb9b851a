"""A whole mail from an outbox row: letter, words in the reader's language, headers.

Not for sending it (the outbox job).
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import Connection

from kskak.play.standing_events import was_set_back
from mail.compose import Draft, Letter, compose_all, compose_safely, each
from mail.game_letters.common import plain
from mail.incoming.address import reply_address, return_path
from mail.office_letters.cases import CaseLetter, StartAnnulled
from mail.office_letters.leader_letter import LeaderLetter
from mail.office_letters.notice_facts import Unwritten
from mail.outgoing.envelope import Envelope
from mail.text.words import Words
from server.store.engine.errors import DATABASE_ERRORS, StoreError
from server.store.engine.types import from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import preferences as preference_rows
from server.store.play.people import PersonRow
from server.usecases.cases.letters import case_letter, overstep_case, start_annulled
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import GameFacts, NoLetter, game_facts, official, person
from server.usecases.core.letter_params import params_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.preferences import read
from server.usecases.core.questions import ASKED_OF
from server.usecases.core.reply_keys import Position, bounce_token, make_key
from server.usecases.letters.digest import digest
from server.usecases.letters.game_letters import game_letter, is_about_game
from server.usecases.letters.notices import notice
from server.usecases.letters.unsubscribing import Series, link_to_end
from server.usecases.register.join_letters import asker

_log = logging.getLogger(__name__)

SENDER_NAME = "K-skak"
_LONGEST_NAME = 200
_ANSWERS = frozenset({Kind.NOT_MADE, Kind.ASK_BACK, Kind.HELD, Kind.LATE_ASK, Kind.GAMES})
_CASES = frozenset({Kind.CASE, Kind.DECISION, Kind.START_ANNULLED})
_WISHED = {Kind.DIGEST: Series.DAILY, Kind.BULLETIN: Series.BULLETINS}
"""What one press in a mail program may end; letters that are the game itself never (§ 6.8.2)."""
_ABOUT_THE_GAME = frozenset({Kind.LEAVE_CONFIRMED, Kind.LEAVE_REFUSED, Kind.GAMES, Kind.START})


_Told = tuple[Letter, str | None, str | None]
"""A letter, its reply address, and its thread."""
PASSES = (StoreError, *DATABASE_ERRORS)
"""No fault of a letter: it is tried again."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A mail ready to go: its octets, its envelope sender, its recipient.

    ``trouble``: why it goes out in a plainer form than intended; '' when it does not.
    """

    raw: bytes
    sender: str
    recipient: str
    trouble: str = ""


async def _reader(core: Core, letter: OutboxRow) -> tuple[PersonRow, Words]:
    """The recipient, and the words in the language and style that the recipient prefers.

    Somebody asking to join has no row yet.
    """
    if letter.person_id is None and letter.kind == Kind.JOIN:
        new = await asker(core, letter)
        return new, Words.reaching(new.lang)
    if letter.person_id is None:
        raise NoLetter("nobody to write to")
    of = letter.person_id

    def found(conn: Connection) -> tuple[PersonRow | None, dict[str, str]]:
        return person_rows.by_id(conn, of), dict(preference_rows.of(conn, of))

    reader, kept = await core.store.look(found)
    if reader is None:
        raise NoLetter("no such person")
    chosen = read(kept.items())
    words = Words.reaching(reader.lang).wishing(chosen.writing, leads="writing" in kept)
    return reader, replace(words, board=(chosen.pieces.value, chosen.board.value))


async def _of_a_case(
    core: Core, letter: OutboxRow, reader: PersonRow
) -> tuple[CaseLetter | StartAnnulled, str | None]:
    """A letter of a case and its thread; an annulled start has no thread."""
    if letter.kind == Kind.START_ANNULLED:
        return await start_annulled(core, letter, reader), None
    told = await case_letter(core, letter, reader)
    number = told.case.number.replace("/", ".")
    return told, f"<case.{number}.{reader.id}@{core.settings.mail.domain}>"


@dataclass(frozen=True, slots=True)
class _Read:
    """A letter of which all is read. ``found``: its game, if it is about one."""

    found: GameFacts | None
    draft: Callable[[], Draft]


async def _told(
    core: Core, letter: OutboxRow, reader: PersonRow
) -> tuple[GameFacts | None, Callable[[], _Told]]:
    """Reads all that a letter tells. Its game is not played out yet."""
    reply_to = core.command_address if Kind(letter.kind) in _ABOUT_THE_GAME | _CASES else None
    kind = Kind(letter.kind)
    if is_about_game(kind):
        found = await game_facts(core, letter)
        case = await overstep_case(core, found.row.id) if kind is Kind.CLAIM else None
        async with core.store.read() as conn:
            root = await outbox_rows.first_sent(conn, letter)
        return found, lambda: (
            game_letter(core, letter, found, case),
            _answer_to(core, letter, found),
            root,
        )
    if kind in _CASES:
        told, case_root = await _of_a_case(core, letter, reader)
        to = reply_to if isinstance(told, StartAnnulled) else told.case.reply_to
        return None, lambda: (told, to, case_root)
    if kind is Kind.DIGEST:
        daily = await digest(core, letter, reader)
        return None, lambda: (daily, daily.reply_to or core.command_address, None)
    noted = await notice(core, letter, reader)
    return None, lambda: (noted, reply_to, None)


def _answer_to(core: Core, letter: OutboxRow, found: GameFacts) -> str | None:
    """Where a player's move goes; None for the leader and when the game is over.

    A letter that asks something has an address of its own: a «ja» is to that question alone. So has
    one of a game that was set back: an answer is to the position as it is now.
    """
    if found.reader is None or found.state.result is not None:
        return None
    settings, position = core.settings.mail, found.state.position
    key = make_key(core.secret, Position(found.row.id, position.ply, found.reader))
    is_own = not {"key", ASKED_OF}.isdisjoint(params_of(letter)) or was_set_back(found.events)
    return reply_address(settings.local, key, settings.domain, letter.id if is_own else None)


async def _read(core: Core, letter: OutboxRow) -> _Read:
    """All that a letter is written from."""
    reader, words = await _reader(core, letter)
    found, told = await _told(core, letter, reader)

    def draft() -> Draft:
        about, reply_to, root = told()
        envelope = _envelope(core, letter, reader, reply_to, root)
        return about, words, _of_leader(about, envelope)

    return _Read(found, draft)


async def _all_read(core: Core, letters: Sequence[OutboxRow]) -> list[_Read | Exception]:
    """What each letter is written from, or why it has none."""
    found: list[_Read | Exception] = []
    for letter in letters:
        try:
            found.append(await _read(core, letter))
        except Exception as error:
            found.append(error)
    return found


async def _drafts(core: Core, letters: Sequence[OutboxRow]) -> list[_Read | Exception]:
    """The same in one reading; if the database has none, that is every letter's trouble."""
    try:
        return await core.store.reading(partial(_all_read, core, letters))
    except PASSES as error:
        return [error for _ in letters]


def _played(read: _Read) -> _Read:
    """The same with its game played out, which is half of the work where it is long."""
    if read.found is not None:
        read.found.play()
    return read


def _composed(drafts: Sequence[_Read | Exception]) -> list[Finished | Exception]:
    """The letters of those that have one; all games are played out first."""
    made = compose_all(each(lambda read: read.draft(), each(_played, drafts)))
    return each(
        lambda one: Finished(one.raw, one.envelope.bounce_to, one.envelope.to, one.trouble), made
    )


async def write_letters(core: Core, letters: Sequence[OutboxRow]) -> list[Finished | Exception]:
    """Compose letters, in a plainer form where a fault of ours leaves no other way.

    All are read, and then composed: a processor keeps the code of either at hand. In place of a
    letter NoLetter when there is nothing to tell or nobody to tell it to, what the database or the
    system refused for now, or what kept even the plainer form from being written.
    """
    drafts = await _drafts(core, letters)
    for at, draft in enumerate(drafts):
        # PostgreSQL answers nothing after a failure: those after it are read by themselves.
        if isinstance(draft, PASSES):
            drafts[at : at + 1] = await _drafts(core, letters[at : at + 1])
    # Drawing a new diagram takes tens of milliseconds: keep it off the event loop.
    made = await asyncio.to_thread(_composed, drafts)
    return [
        await _plainly(core, letter, one)
        if isinstance(one, Exception) and not isinstance(one, (NoLetter, *PASSES))
        else one
        for letter, one in zip(letters, made, strict=True)
    ]


def _of_leader(letter: Letter, envelope: Envelope) -> Envelope:
    """A leader's own letter has his name on it, and he gets the answers."""
    if not isinstance(letter, LeaderLetter):
        return envelope
    name = plain(letter.by.name)[:_LONGEST_NAME] or SENDER_NAME
    return replace(envelope, sender_name=name, reply_to=letter.by.email)


async def _plainly(core: Core, letter: OutboxRow, trouble: Exception) -> Finished | Exception:
    """A mail with a link to what the letter should have said, and nothing that could fail."""
    _log.error("letter %s goes out in a plainer form", letter.id, exc_info=trouble)
    try:
        reader, words = await _reader(core, letter)
        game = None
        if letter.game_id is not None:
            async with core.store.read() as conn:
                game = await game_rows.load(conn, letter.game_id)
        link = core.url("/" if game is None else f"/games/{game.id}")
        about = None if game is None else game.name
        told = Unwritten(person(reader), about, link, official(core))
        envelope = _envelope(core, letter, reader, None, None)
        raw, _ = await asyncio.to_thread(compose_safely, told, words, envelope)
    except Exception as error:
        return error
    return Finished(raw, envelope.bounce_to, envelope.to, f"{type(trouble).__name__}: {trouble}")


def _envelope(
    core: Core, letter: OutboxRow, reader: PersonRow, reply_to: str | None, root: str | None
) -> Envelope:
    """All headers that the letter itself does not know."""
    settings, kind = core.settings.mail, Kind(letter.kind)
    to = letter.to_addr or reader.email  # a warning goes to the old address
    bounce_to = return_path(settings.local, bounce_token(core.secret, letter.id), settings.domain)
    return Envelope(
        sender_name=SENDER_NAME,
        sender=core.command_address,
        to_name=plain(reader.name)[:_LONGEST_NAME] or SENDER_NAME,
        to=to,
        message_id=letter.message_id,
        date=from_us(letter.created_us),
        bounce_to=bounce_to,
        loop=settings.domain,
        reply_to=reply_to,
        thread_root=root,
        is_answer=kind in _ANSWERS,
        unsubscribe=link_to_end(core, _WISHED[kind], reader.id) if kind in _WISHED else None,
    )
