"""A whole mail from an outbox row: letter, words in the reader's language, headers.

Not for sending it (the outbox job).
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import Connection

from kskak.play.events_in_force import was_set_back
from mail.compose import LETTERS, Draft, compose_all, compose_each, compose_safely
from mail.game_letters.letter_parts import Letter, plain
from mail.incoming.parse_mail import reply_address, return_path
from mail.office_letters.entry_letters import JoinLetter
from mail.office_letters.service_letters import Unwritten
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from server.store.engine.connection import DATABASE_ERRORS, StoreError
from server.store.engine.rows import from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases import game_letters, office, rights
from server.usecases.account import signin as account
from server.usecases.cases import case_letter_facts
from server.usecases.context import Core
from server.usecases.cup import cup_views
from server.usecases.entries import entry_actions
from server.usecases.games.reply_keys import QUESTIONED, ReplyPosition, bounce_token, make_key
from server.usecases.groups import leader_letter
from server.usecases.letter_facts import (
    GAME_LOADERS,
    LOADERS,
    GameFacts,
    NoLetter,
    Params,
    game_facts,
    official,
)
from server.usecases.letters import digest, notice_facts
from server.usecases.letters.digest import Series, link_to_end
from server.usecases.mail import bounces
from server.usecases.play import delayed_moves, private_notes
from server.usecases.postal import postal_letter_facts
from server.usecases.preferences import read
from server.usecases.reflection import leave, leave_year, outages
from server.usecases.register import join_requests, member_facts
from server.usecases.results import bulletins, publishing
from server.usecases.season import season_views, team_entering
from server.usecases.starts import takeover

_log = logging.getLogger(__name__)

SENDER_NAME = "K-skak"
_LONGEST_NAME = 200
AREAS = (
    *(account, bounces, bulletins, case_letter_facts, cup_views, delayed_moves, digest),
    *(entry_actions, game_letters, join_requests, leader_letter, season_views, leave),
    *(leave_year, member_facts, notice_facts, outages, postal_letter_facts, private_notes),
    *(publishing, rights, takeover, team_entering, office),
)
"""Where the facts of letters are read: a module registers its own when it is imported."""
PASSES = (StoreError, *DATABASE_ERRORS)
"""No fault of a letter: it is tried again."""


@dataclass(frozen=True, slots=True)
class FinishedLetter:
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
    if letter.person_id is None and letter.kind == JoinLetter.kind:
        new = await join_requests.asker(core, letter)
        return new, Words.reaching(new.lang)
    if letter.person_id is None:
        raise NoLetter("nobody to write to")
    of = letter.person_id

    def found(conn: Connection) -> tuple[PersonRow | None, dict[str, str]]:
        return person_rows.by_id(conn, of), dict(person_rows.read_person_preferences(conn, of))

    reader, kept = await core.store.look(found)
    if reader is None:
        raise NoLetter("no such person")
    chosen = read(kept.items())
    words = Words.reaching(reader.lang).wishing(chosen.writing, leads="writing" in kept)
    return reader, replace(words, board=(chosen.pieces.value, chosen.board.value))


@dataclass(frozen=True, slots=True)
class _Read:
    """A letter of which all is read. ``found``: its game, if it is about one."""

    found: GameFacts | None
    draft: Callable[[], Draft]


def _answer_to(core: Core, letter: OutboxRow, found: GameFacts) -> str | None:
    """Where a player's move goes; None for the leader and when the game is over.

    A letter that asks something has an address of its own: a «ja» is to that question alone. So has
    one of a game that was set back: an answer is to the position as it is now.
    """
    if found.reader is None or found.state.result is not None:
        return None
    settings, position = core.settings.mail, found.state.position
    key = make_key(core.secret, ReplyPosition(found.row.id, position.ply, found.reader))
    is_own = not {"key", QUESTIONED}.isdisjoint(Params(letter)) or was_set_back(found.events)
    return reply_address(settings.local, key, settings.domain, letter.id if is_own else None)


async def _read(core: Core, letter: OutboxRow) -> _Read:
    """All that a letter is written from. Its game is not played out yet."""
    reader, words = await _reader(core, letter)
    params = Params(letter)
    if letter.kind not in GAME_LOADERS:
        told = await LOADERS[letter.kind](core, reader, params)
        headers = _envelope(core, letter, reader, told)
        return _Read(None, lambda: (told, words, headers))
    found = await game_facts(core, letter)
    root = await core.store.query(outbox_rows.first_sent, letter)

    def draft() -> Draft:
        told = GAME_LOADERS[letter.kind](core, found, params)
        envelope = _envelope(core, letter, reader, told)
        reply_to = _answer_to(core, letter, found)
        return told, words, replace(envelope, reply_to=reply_to, thread_root=root)

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


def _composed(drafts: Sequence[_Read | Exception]) -> list[FinishedLetter | Exception]:
    """The letters of those that have one; all games are played out first."""
    made = compose_all(compose_each(lambda read: read.draft(), compose_each(_played, drafts)))
    return compose_each(
        lambda one: FinishedLetter(one.raw, one.envelope.bounce_to, one.envelope.to, one.trouble),
        made,
    )


async def write_letters(
    core: Core, letters: Sequence[OutboxRow]
) -> list[FinishedLetter | Exception]:
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


async def _plainly(core: Core, letter: OutboxRow, trouble: Exception) -> FinishedLetter | Exception:
    """A mail with a link to what the letter should have said, and nothing that could fail."""
    _log.error("letter %s goes out in a plainer form", letter.id, exc_info=trouble)
    try:
        reader, words = await _reader(core, letter)
        game = None
        if letter.game_id is not None:
            game = await core.store.query(game_rows.load, letter.game_id)
        link = core.url("/" if game is None else f"/games/{game.id}")
        about = None if game is None else game.name
        told = Unwritten(reader.name, official(core), about, link)
        envelope = _envelope(core, letter, reader, told)
        raw, _ = await asyncio.to_thread(compose_safely, told, words, envelope)
    except Exception as error:
        return error
    return FinishedLetter(
        raw, envelope.bounce_to, envelope.to, f"{type(trouble).__name__}: {trouble}"
    )


def _envelope(core: Core, letter: OutboxRow, reader: PersonRow, told: Letter) -> Envelope:
    """The headers; of a letter about a game not those that depend on how it stands."""
    settings, kind = core.settings.mail, LETTERS[letter.kind]
    series = None if kind.series is None else Series(kind.series)
    bounce_to = return_path(settings.local, bounce_token(core.secret, letter.id), settings.domain)
    root = None if told.thread is None else f"<{told.thread}.{reader.id}@{settings.domain}>"
    return Envelope(
        sender_name=plain(told.sender_name or "")[:_LONGEST_NAME] or SENDER_NAME,
        sender=core.command_address,
        to_name=plain(reader.name)[:_LONGEST_NAME] or SENDER_NAME,
        to=letter.to_addr or reader.email,  # a warning goes to the old address
        message_id=letter.message_id,
        date=from_us(letter.created_us),
        bounce_to=bounce_to,
        loop=settings.domain,
        reply_to=told.reply_to or (core.command_address if told.takes_commands else None),
        thread_root=root,
        is_answer=kind.is_answer,
        unsubscribe=None if series is None else link_to_end(core, series, reader.id),
    )
