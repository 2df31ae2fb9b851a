"""Turns a letter into a mail: wording, then text and HTML, then checked headers.

Only picks the writer; the wording is in ``game_letters`` and ``office_letters``, the layout in
``mail.outgoing.blocks``, the headers in ``mail.outgoing.envelope``. NOT for sending
(``mail.outgoing.smtp_out``).
"""

import email
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from email import policy
from email.message import EmailMessage
from typing import TypeVar, assert_never

from mail.game_letters import card_letters as pl
from mail.game_letters import game_facts as letter_facts
from mail.game_letters import move_letters
from mail.game_letters import no_move_letters as not_made
from mail.game_letters import time_letters as silences
from mail.game_letters.card_letters import PostalLetter
from mail.game_letters.move_letters import ThreadLetter
from mail.game_letters.no_move_letters import NotSent
from mail.game_letters.time_letters import Digest, LeaveTold
from mail.office_letters import bulletins as bulletin_letters
from mail.office_letters import entry_letters, league_letters, service_letters, start_letters
from mail.office_letters.bulletins import BulletinLetter
from mail.office_letters.case_letters import (
    CaseLetter,
    StartAnnulled,
    write_case,
    write_start_annulled,
)
from mail.office_letters.entry_letters import EntryLetter, JoinLetter, WaysChanged
from mail.office_letters.league_letters import LeagueLetter
from mail.office_letters.service_letters import DutyLetter, LeaderLetter
from mail.office_letters.start_letters import TakeoverLetter
from mail.outgoing import envelope
from mail.outgoing.blocks import BoardView, GameSheet, Labels, LetterContent, as_html, as_text
from mail.outgoing.envelope import Envelope, UnsafeHeader, plainer
from mail.outgoing.picture import BoardStyle, png
from mail.text.catalogue import Words

OfGame = letter_facts.GameLetter | letter_facts.SilenceLetter | TakeoverLetter
BesidePlay = WaysChanged | JoinLetter | ThreadLetter | NotSent | LeaveTold | LeaderLetter
Plain = DutyLetter | BulletinLetter | EntryLetter | LeagueLetter | BesidePlay
Letter = (
    OfGame
    | Plain
    | service_letters.NoticeLetter
    | PostalLetter
    | CaseLetter
    | StartAnnulled
    | Digest
)
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


def write(letter: Letter, words: Words, envelope: Envelope) -> LetterContent:
    """The letter in words, as blocks."""
    if isinstance(letter, PostalLetter):
        return replace(pl.write(letter, words, envelope), cut_line=None)
    if isinstance(letter, Plain):
        return _plain(letter, words)
    if isinstance(letter, service_letters.NoticeLetter):
        return _notice(letter, words, envelope)
    if isinstance(letter, Digest):
        return silences.write_digest(letter, words, envelope)
    if isinstance(letter, CaseLetter):
        return write_case(letter, words, envelope)
    if isinstance(letter, StartAnnulled):
        return write_start_annulled(letter, words, envelope)
    written = _to_a_player(letter, words, envelope)
    return written if envelope.reply_to is not None else replace(written, cut_line=None)


def _plain(letter: Plain, words: Words) -> LetterContent:
    """Letters that cannot be answered with a move and need nothing from the envelope."""
    if isinstance(letter, DutyLetter):
        return service_letters.write(letter, words)
    if isinstance(letter, BulletinLetter):
        return bulletin_letters.write(letter, words)
    if isinstance(letter, EntryLetter):
        return entry_letters.write(letter, words)
    if isinstance(letter, LeagueLetter):
        return league_letters.write(letter, words)
    return _write_service_letter(letter, words)


def _write_service_letter(letter: BesidePlay, words: Words) -> LetterContent:
    """Account changes, requests to join, messages, delayed moves, leave, a leader's own words."""
    if isinstance(letter, WaysChanged):
        return entry_letters.write_account(letter, words)
    if isinstance(letter, JoinLetter):
        return entry_letters.write_joining(letter, words)
    if isinstance(letter, NotSent):
        return not_made.write(letter, words)
    if isinstance(letter, LeaveTold):
        return silences.write_leave(letter, words)
    if isinstance(letter, LeaderLetter):
        return service_letters.write_leader_letter(letter, words)
    return move_letters.write(letter, words)


def _to_a_player(letter: OfGame, words: Words, envelope: Envelope) -> LetterContent:
    """Letters that may be answered with a move."""
    if isinstance(letter, letter_facts.SilenceLetter):
        return silences.write(letter, words, envelope)
    if isinstance(letter, TakeoverLetter):
        return start_letters.write(letter, words, envelope)
    return _of_a_game(letter, words, envelope)


def _of_a_game(letter: letter_facts.GameLetter, words: Words, envelope: Envelope) -> LetterContent:  # noqa: C901
    match letter:
        case letter_facts.FirstMove():
            return move_letters.first_move(letter, words, envelope)
        case letter_facts.PositionLetter():
            return move_letters.position(letter, words, envelope)
        case letter_facts.Confirmation():
            return move_letters.confirmation(letter, words, envelope)
        case letter_facts.Relay():
            return move_letters.relay(letter, words, envelope)
        case letter_facts.NotMade():
            return not_made.write_no_move(letter, words, envelope)
        case letter_facts.AskBack():
            return not_made.ask_back(letter, words, envelope)
        case letter_facts.HeldConfirm():
            return not_made.held_confirm(letter, words, envelope)
        case letter_facts.LateAsk():
            return not_made.late_ask(letter, words, envelope)
        case letter_facts.GameOver():
            return move_letters.game_over(letter, words, envelope)
        case letter_facts.DrawNotice():
            return move_letters.draw_notice(letter, words, envelope)
        case letter_facts.LeaveNotice():
            return move_letters.leave_notice(letter, words, envelope)
        case letter_facts.OverstepWarning():
            return move_letters.overstep_warning(letter, words, envelope)
        case letter_facts.ClaimFiled():
            return move_letters.write_claim_filed(letter, words, envelope)
        case letter_facts.AnnulmentNotice():
            return move_letters.annulment_notice(letter, words, envelope)
        case letter_facts.SilenceReport():
            return move_letters.silence_report(letter, words, envelope)
        case _:
            assert_never(letter)


def _notice(
    letter: service_letters.NoticeLetter, words: Words, envelope: Envelope
) -> LetterContent:
    match letter:
        case service_letters.StartLetter():
            return start_letters.start_letter(letter, words, envelope)
        case service_letters.GameListFacts():
            return start_letters.game_list(letter, words, envelope)
        case service_letters.LeaveConfirmed():
            return service_letters.write_leave_confirmed(letter, words, envelope)
        case service_letters.LeaveRefused():
            return service_letters.write_leave_refused(letter, words, envelope)
        case service_letters.DeliveryTrouble():
            return service_letters.delivery_trouble(letter, words, envelope)
        case service_letters.SignIn():
            return service_letters.sign_in(letter, words, envelope)
        case service_letters.Unwritten():
            return service_letters.unwritten(letter, words, envelope)
        case service_letters.OperatorAlert():
            return service_letters.operator_alert(letter, words, envelope)
        case _:
            assert_never(letter)


# Papers on A4. The library that draws is loaded with the first: few are asked for, and each start
# would pay for it. Both take long, the first time a tenth of a second more: call them off the loop.


def letter_as_pdf(written: LetterContent, lang: str, title: str, dated: date) -> bytes:
    """A letter's blocks under their title; ``dated`` is the document's own date."""
    from mail.outgoing.pdf import as_pdf

    return as_pdf(written, lang, title, dated)


def sheet_as_pdf(sheet: GameSheet, labels: Labels) -> bytes:
    """A finished game on one page, or two where it has more than some 300 moves."""
    from mail.outgoing.game_sheet import sheet_pdf

    return sheet_pdf(sheet, labels)
