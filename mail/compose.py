"""Turns a letter into a mail: wording, then text and HTML, then checked headers.

The wording is in ``game_letters`` and ``office_letters``, the layout in ``mail.outgoing.blocks``,
the headers in ``mail.outgoing.envelope``. NOT for sending (``mail.outgoing.smtp_out``).
"""

import email
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email import policy
from email.message import EmailMessage
from typing import TypeVar

from mail.game_letters import card_letters, move_letters, no_move_letters, time_letters
from mail.game_letters.letter_parts import KINDS, Letter
from mail.office_letters import (
    bulletins,
    case_letters,
    entry_letters,
    league_letters,
    result_letters,
    service_letters,
    start_letters,
)
from mail.outgoing import envelope
from mail.outgoing.blocks import BoardView, LetterContent, as_html, as_text
from mail.outgoing.envelope import Envelope, UnsafeHeader, plainer
from mail.outgoing.picture import BoardStyle, png
from mail.text.catalogue import Words

AREAS = (
    *(move_letters, no_move_letters, time_letters, card_letters, start_letters, case_letters),
    *(league_letters, entry_letters, service_letters, bulletins),
    result_letters,
)
"""Where the kinds of letters are: a module registers its own when it is imported."""
LETTERS: Mapping[str, type[Letter]] = KINDS
"""Every kind, by its name in the outbox."""
ANYBODYS = tuple(kind for kind, one in LETTERS.items() if one.is_anybodys)
"""The kinds that anybody can cause without an account."""
_PARAGRAPH = re.compile(r"§ (\d+(?:\.\d+)+)")
Draft = tuple[Letter, Words, Envelope]
_A = TypeVar("_A")
_B = TypeVar("_B")

_AS_WRITTEN = policy.SMTP.clone(refold_source="none")


@dataclass(slots=True)
class ComposedLetter:
    """A letter on its way to ``raw``; ``trouble``: why its headers are plainer than wished."""

    letter: Letter
    words: Words
    envelope: Envelope
    trouble: str = ""
    written: LetterContent = field(init=False)
    head: bytes = field(init=False)
    pictures: list[tuple[str, str, bytes]] = field(init=False)
    text: str = field(init=False)
    html: str = field(init=False)
    raw: bytes = field(init=False)


def compose(letter: Letter, words: Words, envelope: Envelope) -> EmailMessage:
    """The mail as a mail program reads it: text complete in itself, HTML with the board in it.

    Raises UnsafeHeader when a name or address could break the headers. Touches no network, file
    or clock.
    """
    raw, trouble = compose_safely(letter, words, envelope)
    if trouble:
        raise UnsafeHeader(trouble)
    return email.message_from_bytes(raw, policy=_AS_WRITTEN)


def compose_safely(letter: Letter, words: Words, envelope: Envelope) -> tuple[bytes, str]:
    """The octets to send, with plainer headers if the names do not round-trip; also the reason.

    Raises UnsafeHeader when the address itself is invalid.
    """
    (made,) = compose_all([(letter, words, envelope)])
    if isinstance(made, Exception):
        raise made
    return made.raw, made.trouble


def compose_all(drafts: Sequence[Draft | Exception]) -> list[ComposedLetter | Exception]:
    """The same for many, step by step; in place of a letter, what kept it from being written.

    Each step is taken for all before the next: a processor keeps its code at hand.
    """
    made = compose_each(lambda draft: ComposedLetter(*draft), drafts)
    for step in (_word, _head, _draw, _as_text, _as_html, _join):
        made = compose_each(step, made)
    return made


def compose_each(step: Callable[[_A], _B], items: Sequence[_A | Exception]) -> list[_B | Exception]:
    """A step for every item that still stands; one that can't take it holds up no other."""
    done: list[_B | Exception] = []
    for item in items:
        try:
            done.append(item if isinstance(item, Exception) else step(item))
        except Exception as error:
            done.append(error)
    return done


def _word(made: ComposedLetter) -> ComposedLetter:
    made.written = write(made.letter, made.words, made.envelope)
    return made


def _head(made: ComposedLetter) -> ComposedLetter:
    try:
        made.head = envelope.head(made.envelope, made.written.subject)
    except UnsafeHeader as error:
        safer, subject = plainer(made.envelope, made.written.subject)
        made.head, made.trouble = envelope.head(safer, subject), str(error)
        made.written = replace(made.written, subject=subject)
    return made


def _draw(made: ComposedLetter) -> ComposedLetter:
    boards = [block for block in made.written.blocks if isinstance(block, BoardView)]
    drawn, of = BoardStyle(*made.words.board), made.envelope.message_id.strip("<>")
    made.pictures = [
        (f"board{n or ''}.{of}", f"board{n or ''}.png", png(one.board, one.last, one.side, drawn))
        for n, one in enumerate(boards)
    ]
    return made


def _as_text(made: ComposedLetter) -> ComposedLetter:
    made.text = as_text(made.written, made.words.lang)
    return made


def _as_html(made: ComposedLetter) -> ComposedLetter:
    cids = [cid for cid, _, _ in made.pictures]
    made.html = as_html(made.written, made.words.lang, cids)
    return made


def _join(made: ComposedLetter) -> ComposedLetter:
    attached = made.written.attached
    file = None if attached is None else (attached.name, attached.text)
    made.raw = made.head + envelope.octets(made.text, made.html, made.pictures, file)
    return made


def _fitting(letter: Letter, words: Words) -> Words:
    """The words for it: a friendly game has no leader to write to."""
    is_led = letter.topic is None or not letter.topic.leader.is_arbiter
    return words if is_led else words.without_leader()


def write(letter: Letter, words: Words, envelope: Envelope) -> LetterContent:
    """The letter in words, as blocks; in its foot, where the first paragraph it cites is read."""
    written = letter.write(_fitting(letter, words), envelope)
    cited = _PARAGRAPH.search(repr(written.blocks)) if envelope.law else None
    if cited is None:
        return written
    line = words("letters.foot.law", paragraph=cited[0], url=f"{envelope.law}/{cited[1]}")
    return replace(written, foot=(*written.foot, line))
