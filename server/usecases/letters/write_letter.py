"""A whole mail from an outbox row: letter, words in the reader's language, headers.

Not for sending it (the outbox job).
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from sqlalchemy import Connection

from kskak.game import game_events as ev
from kskak.game.game_commands import Refusal
from kskak.play.events_in_force import was_set_back
from kskak.play.game_state import AccountCharge
from kskak.regulation.editions import Side
from mail.compose import Draft, Letter, OfGame, compose_all, compose_each, compose_safely
from mail.game_letters import game_facts as letter_facts
from mail.game_letters.card_letters import PostalLetter
from mail.game_letters.letter_parts import plain
from mail.incoming.parse_mail import reply_address, return_path
from mail.office_letters.case_letters import CaseLetter, StartAnnulled
from mail.office_letters.service_letters import LeaderLetter, Unwritten
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from server.store.engine.connection import DATABASE_ERRORS, StoreError
from server.store.engine.rows import from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.case_letter_facts import case_letter, load_start_annulled, overstep_case
from server.usecases.context import Core
from server.usecases.games.outbox_letters import LetterKind
from server.usecases.games.reply_keys import (
    QUESTIONED,
    QuestionKind,
    ReplyPosition,
    bounce_token,
    make_key,
)
from server.usecases.letter_facts import (
    GameFacts,
    NoLetter,
    Params,
    day,
    game_facts,
    official,
    params_of,
    person,
    refusal_of,
    text,
    texts,
)
from server.usecases.letters.digest import Series, digest, link_to_end
from server.usecases.letters.notice_facts import notice
from server.usecases.postal.postal_letter_facts import POSTAL
from server.usecases.preferences import Pace, read
from server.usecases.reflection.silence import SILENCE_LETTERS
from server.usecases.register.join_requests import asker
from server.usecases.starts.takeover import TAKEOVERS

# From an outbox row to a letter: which one, with which facts.


def _charge(params: Params) -> AccountCharge | None:
    value = params.get("charge")
    if not isinstance(value, dict):
        return None
    return AccountCharge(
        Side(value["by"]),
        date.fromisoformat(value["on"]),
        value["days"],
        value["paragraph"],
        value["reason"],
    )


def _sent(found: GameFacts) -> "ev.MoveSent":
    if not isinstance(found.event, ev.MoveSent):
        raise NoLetter("the event is no move")
    return found.event


def _first_move(_: Core, found: GameFacts, __: Params) -> letter_facts.GameLetter:
    return letter_facts.FirstMove(found.game, found.account, found.side)


def _position(_: Core, found: GameFacts, __: Params) -> letter_facts.GameLetter:
    return letter_facts.PositionLetter(found.game, found.account, found.side, found.last_dispatch())


def _confirmation(_: Core, found: GameFacts, params: Params) -> letter_facts.GameLetter:
    _sent(found)
    dispatch = found.dispatch()
    assert dispatch is not None
    unread = tuple(texts(params, "unread"))
    return letter_facts.Confirmation(
        found.game, found.account, dispatch, unread, _REACHES[found.pace]
    )


_REACHES = {
    Pace.MOVES: letter_facts.Reaches.MAIL,
    Pace.DAILY: letter_facts.Reaches.DAILY,
    Pace.DEADLINES: letter_facts.Reaches.WEB,
}


def _relay(_: Core, found: GameFacts, __: Params) -> letter_facts.GameLetter:
    _sent(found)
    dispatch = found.dispatch()
    assert dispatch is not None
    return letter_facts.Relay(found.game, found.account, dispatch, found.message)


def _load_no_move_letter(core: Core, found: GameFacts, params: Params) -> letter_facts.GameLetter:
    why: letter_facts.MailTrouble | Refusal
    is_refusal = params.get("is_refusal") is True
    why = refusal_of(params) if is_refusal else letter_facts.MailTrouble(text(params, "why"))
    written, is_claim = params.get("written"), params.get("is_claim") is True
    asks, opens = None, params.get("open")
    if "key" in params:
        asks = letter_facts.MoveSuggestion(
            core.url(f"/c/{text(params, 'key')}"), day(params, "arrived")
        )
    return letter_facts.NotMade(
        game=found.game,
        account=found.account,
        to=found.side,
        why=why,
        written=written if isinstance(written, str) else None,
        candidates=found.choices(texts(params, "candidates")),
        charge=_charge(params),
        unread=tuple(texts(params, "unread")),
        asks=asks,
        open=tuple((str(kind), str(move)) for kind, move in opens)
        if isinstance(opens, list)
        else (),
        raise_case=core.url(f"/games/{found.row.id}/object?kind=overstep") if is_claim else None,
    )


def _ask_back(core: Core, found: GameFacts, params: Params) -> letter_facts.GameLetter:
    asked, link = text(params, "question"), core.url(f"/c/{text(params, 'key')}")
    question = letter_facts.ConfirmableAction(
        "accept_draw" if asked == QuestionKind.DRAW_YES else asked
    )
    days = {name: day(params, name) for name in ("first", "last") if name in params}
    words = text(params, "words") if "words" in params else ""
    return letter_facts.AskBack(
        found.game, found.account, found.side, question, link, words, **days
    )


def _held(core: Core, found: GameFacts, params: Params) -> letter_facts.GameLetter:
    words = params.get("words")
    return letter_facts.HeldConfirm(
        game=found.game,
        account=found.account,
        to=found.side,
        why=letter_facts.MailHoldKind(text(params, "why")),
        plies=found.texts(texts(params, "plies")),
        arrived=day(params, "arrived"),
        link=core.url(f"/c/{text(params, 'key')}"),
        words=words if isinstance(words, str) else "",
    )


def _late_ask(core: Core, found: GameFacts, params: Params) -> letter_facts.GameLetter:
    link = core.url(f"/c/{text(params, 'key')}")
    return letter_facts.LateAsk(
        game=found.game,
        account=found.account,
        to=found.side,
        plies=found.texts(texts(params, "plies")),
        arrived=day(params, "arrived"),
        claim_link=f"{link}?reply=claim",
        waive_link=f"{link}?reply=waive",
    )


def _game_over(_: Core, found: GameFacts, __: Params) -> letter_facts.GameLetter:
    return letter_facts.GameOver(found.game, found.account, found.reader, found.dispatch())


def _draw(_: Core, found: GameFacts, params: Params) -> letter_facts.GameLetter:
    word = letter_facts.DrawWord(text(params, "word"))
    return letter_facts.DrawNotice(found.game, found.account, found.side, word)


def _leave_notice(_: Core, found: GameFacts, __: Params) -> letter_facts.GameLetter:
    event = found.event
    if not isinstance(event, ev.LeaveBooked):
        raise NoLetter("the event is no leave")
    game, told = found.game, found.account
    days = (event.first, event.last, event.leave_type)
    return letter_facts.LeaveNotice(game, told, found.reader, event.by, *days)


def _overstep(_: Core, found: GameFacts, __: Params) -> letter_facts.GameLetter:
    return letter_facts.OverstepWarning(found.game, found.account, found.reader)


def _claim(_: Core, found: GameFacts, __: Params) -> letter_facts.GameLetter:
    event = found.event
    if not isinstance(event, ev.OverstepClaimed):
        raise NoLetter("the event is no claim")
    return letter_facts.ClaimFiled(found.game, found.account, found.reader, event.by, event.on)


def _annulled(_: Core, found: GameFacts, params: Params) -> letter_facts.GameLetter:
    seqs = tuple(map(int, texts(params, "seqs")))
    return letter_facts.AnnulmentNotice(found.game, found.account, found.reader, seqs)


_Make = Callable[[Core, GameFacts, Params], OfGame]
_ABOUT_GAMES: dict[LetterKind, _Make] = {
    LetterKind.FIRST_MOVE: _first_move,
    LetterKind.POSITION: _position,
    LetterKind.ANNULLED: _annulled,
    LetterKind.CONFIRMATION: _confirmation,
    LetterKind.RELAY: _relay,
    LetterKind.NOT_MADE: _load_no_move_letter,
    LetterKind.ASK_BACK: _ask_back,
    LetterKind.HELD: _held,
    LetterKind.LATE_ASK: _late_ask,
    LetterKind.GAME_OVER: _game_over,
    LetterKind.DRAW: _draw,
    LetterKind.LEAVE_NOTICE: _leave_notice,
    LetterKind.OVERSTEP: _overstep,
    LetterKind.CLAIM: _claim,
    **SILENCE_LETTERS,
    **TAKEOVERS,
}


def is_about_game(kind: LetterKind) -> bool:
    """Whether a letter of this kind is about one game."""
    return kind in _ABOUT_GAMES or kind in POSTAL


def game_letter(
    core: Core, letter: OutboxRow, found: GameFacts, case: str | None
) -> OfGame | PostalLetter:
    """The letter a row stands for; ``case``: the number of the one it opened. Raises NoLetter."""
    kind = LetterKind(letter.kind)
    if kind in POSTAL:
        return POSTAL[kind](found, params_of(letter))
    told = _ABOUT_GAMES[kind](core, found, params_of(letter))
    return replace(told, case=case) if isinstance(told, letter_facts.ClaimFiled) and case else told


# A whole mail from an outbox row: letter, words in the reader's language, headers.

_log = logging.getLogger(__name__)

SENDER_NAME = "K-skak"
_LONGEST_NAME = 200
_ANSWERS = frozenset(
    {
        LetterKind.NOT_MADE,
        LetterKind.ASK_BACK,
        LetterKind.HELD,
        LetterKind.LATE_ASK,
        LetterKind.GAMES,
    }
)
_CASES = frozenset({LetterKind.CASE, LetterKind.DECISION, LetterKind.START_ANNULLED})
_WISHED = {LetterKind.DIGEST: Series.DAILY, LetterKind.BULLETIN: Series.BULLETINS}
"""What one press in a mail program may end; letters that are the game itself never (§ 6.8.2)."""
_ABOUT_THE_GAME = frozenset(
    {LetterKind.LEAVE_CONFIRMED, LetterKind.LEAVE_REFUSED, LetterKind.GAMES, LetterKind.START}
)


_Told = tuple[Letter, str | None, str | None]
"""A letter, its reply address, and its thread."""
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
    if letter.person_id is None and letter.kind == LetterKind.JOIN:
        new = await asker(core, letter)
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


async def _of_a_case(
    core: Core, letter: OutboxRow, reader: PersonRow
) -> tuple[CaseLetter | StartAnnulled, str | None]:
    """A letter of a case and its thread; an annulled start has no thread."""
    if letter.kind == LetterKind.START_ANNULLED:
        return await load_start_annulled(core, letter, reader), None
    told = await case_letter(core, letter, reader)
    number = told.case.number.replace("/", ".")
    return told, f"<case.{number}.{reader.id}@{core.settings.mail.domain}>"


@dataclass(frozen=True, slots=True)
class _Read:
    """A letter of which all is read. ``found``: its game, if it is about one."""

    found: GameFacts | None
    draft: Callable[[], Draft]


async def _load_letter_facts(
    core: Core, letter: OutboxRow, reader: PersonRow
) -> tuple[GameFacts | None, Callable[[], _Told]]:
    """Reads all that a letter tells. Its game is not played out yet."""
    reply_to = core.command_address if LetterKind(letter.kind) in _ABOUT_THE_GAME | _CASES else None
    kind = LetterKind(letter.kind)
    if is_about_game(kind):
        found = await game_facts(core, letter)
        case = await overstep_case(core, found.row.id) if kind is LetterKind.CLAIM else None
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
    if kind is LetterKind.DIGEST:
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
    key = make_key(core.secret, ReplyPosition(found.row.id, position.ply, found.reader))
    is_own = not {"key", QUESTIONED}.isdisjoint(params_of(letter)) or was_set_back(found.events)
    return reply_address(settings.local, key, settings.domain, letter.id if is_own else None)


async def _read(core: Core, letter: OutboxRow) -> _Read:
    """All that a letter is written from."""
    reader, words = await _reader(core, letter)
    found, told = await _load_letter_facts(core, letter, reader)

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


def _of_leader(letter: Letter, envelope: Envelope) -> Envelope:
    """A leader's own letter has his name on it, and he gets the answers."""
    if not isinstance(letter, LeaderLetter):
        return envelope
    name = plain(letter.by.name)[:_LONGEST_NAME] or SENDER_NAME
    return replace(envelope, sender_name=name, reply_to=letter.by.email)


async def _plainly(core: Core, letter: OutboxRow, trouble: Exception) -> FinishedLetter | Exception:
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
    return FinishedLetter(
        raw, envelope.bounce_to, envelope.to, f"{type(trouble).__name__}: {trouble}"
    )


def _envelope(
    core: Core, letter: OutboxRow, reader: PersonRow, reply_to: str | None, root: str | None
) -> Envelope:
    """All headers that the letter itself does not know."""
    settings, kind = core.settings.mail, LetterKind(letter.kind)
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
