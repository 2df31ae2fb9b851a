"""Turns a letter into a mail: wording, then text and HTML, then checked headers.

Only picks the writer; the wording is in ``game_letters`` and ``office_letters``, the layout in
``mail.outgoing.rendering``, the headers in ``mail.outgoing.envelope``. NOT for sending
(``mail.outgoing.smtp_out``).
"""

import email
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from email import policy
from email.message import EmailMessage
from typing import TypeVar, assert_never

from mail.game_letters import cards as postal
from mail.game_letters import delayed, digest, moves, not_made, results, silences
from mail.game_letters import facts as lt
from mail.game_letters import leave as leaves
from mail.game_letters import silence_facts as sl
from mail.game_letters import thread as threads
from mail.game_letters.cards import PostalLetter
from mail.game_letters.delayed import NotSent
from mail.game_letters.digest import Digest
from mail.game_letters.leave import LeaveTold
from mail.game_letters.thread import ThreadLetter
from mail.office_letters import (
    account,
    bulletins,
    duties,
    entries,
    joining,
    leader_letter,
    league,
    service,
    start,
)
from mail.office_letters import notice_facts as nt
from mail.office_letters import takeover as takeovers
from mail.office_letters.account import WaysChanged
from mail.office_letters.bulletin_facts import BulletinLetter
from mail.office_letters.cases import CaseLetter, StartAnnulled, start_annulled, write_case
from mail.office_letters.duties import DutyLetter
from mail.office_letters.entries import EntryLetter
from mail.office_letters.join_letters import JoinLetter
from mail.office_letters.leader_letter import LeaderLetter
from mail.office_letters.league_facts import LeagueLetter
from mail.office_letters.takeover import TakeoverLetter
from mail.outgoing import envelope as envelopes
from mail.outgoing import mime
from mail.outgoing.blocks import BoardView, Written
from mail.outgoing.envelope import Envelope, UnsafeHeader, plainer
from mail.outgoing.picture import Drawn, png
from mail.outgoing.rendering import as_html, as_text
from mail.text.words import Words

OfGame = lt.GameLetter | sl.SilenceLetter | TakeoverLetter
BesidePlay = WaysChanged | JoinLetter | ThreadLetter | NotSent | LeaveTold | LeaderLetter
Plain = DutyLetter | BulletinLetter | EntryLetter | LeagueLetter | BesidePlay
Letter = OfGame | Plain | nt.NoticeLetter | PostalLetter | CaseLetter | StartAnnulled | Digest
Draft = tuple[Letter, Words, Envelope]
_A = TypeVar("_A")
_B = TypeVar("_B")

_AS_WRITTEN = policy.SMTP.clone(refold_source="none")


@dataclass(slots=True)
class Composed:
    """A letter on its way to ``raw``; ``trouble``: why its headers are plainer than wished."""

    letter: Letter
    words: Words
    envelope: Envelope
    trouble: str = ""
    written: Written = field(init=False)
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


def compose_all(drafts: Sequence[Draft | Exception]) -> list[Composed | Exception]:
    """The same for many, step by step; in place of a letter, what kept it from being written.

    Each step is taken for all before the next: a processor keeps its code at hand.
    """
    made = each(lambda draft: Composed(*draft), drafts)
    for step in (_word, _head, _draw, _as_text, _as_html, _join):
        made = each(step, made)
    return made


def each(step: Callable[[_A], _B], items: Sequence[_A | Exception]) -> list[_B | Exception]:
    """A step for every item that still stands; one that can't take it holds up no other."""
    done: list[_B | Exception] = []
    for item in items:
        try:
            done.append(item if isinstance(item, Exception) else step(item))
        except Exception as error:
            done.append(error)
    return done


def _word(made: Composed) -> Composed:
    made.written = write(made.letter, made.words, made.envelope)
    return made


def _head(made: Composed) -> Composed:
    try:
        made.head = envelopes.head(made.envelope, made.written.subject)
    except UnsafeHeader as error:
        safer, subject = plainer(made.envelope, made.written.subject)
        made.head, made.trouble = envelopes.head(safer, subject), str(error)
        made.written = replace(made.written, subject=subject)
    return made


def _draw(made: Composed) -> Composed:
    boards = [block for block in made.written.blocks if isinstance(block, BoardView)]
    drawn, of = Drawn(*made.words.board), made.envelope.message_id.strip("<>")
    made.pictures = [
        (f"board{n or ''}.{of}", f"board{n or ''}.png", png(one.board, one.last, one.side, drawn))
        for n, one in enumerate(boards)
    ]
    return made


def _as_text(made: Composed) -> Composed:
    made.text = as_text(made.written, made.words.lang)
    return made


def _as_html(made: Composed) -> Composed:
    cids = [cid for cid, _, _ in made.pictures]
    made.html = as_html(made.written, made.words.lang, cids)
    return made


def _join(made: Composed) -> Composed:
    attached = made.written.attached
    file = None if attached is None else (attached.name, attached.text)
    made.raw = made.head + mime.octets(made.text, made.html, made.pictures, file)
    return made


def write(letter: Letter, words: Words, envelope: Envelope) -> Written:
    """The letter in words, as blocks."""
    if isinstance(letter, PostalLetter):
        return replace(postal.write(letter, words, envelope), cut_line=None)
    if isinstance(letter, Plain):
        return _plain(letter, words)
    if isinstance(letter, nt.NoticeLetter):
        return _notice(letter, words, envelope)
    if isinstance(letter, Digest):
        return digest.write(letter, words, envelope)
    if isinstance(letter, CaseLetter):
        return write_case(letter, words, envelope)
    if isinstance(letter, StartAnnulled):
        return start_annulled(letter, words, envelope)
    written = _to_a_player(letter, words, envelope)
    return written if envelope.reply_to is not None else replace(written, cut_line=None)


def _plain(letter: Plain, words: Words) -> Written:
    """Letters that cannot be answered with a move and need nothing from the envelope."""
    if isinstance(letter, DutyLetter):
        return duties.write(letter, words)
    if isinstance(letter, BulletinLetter):
        return bulletins.write(letter, words)
    if isinstance(letter, EntryLetter):
        return entries.write(letter, words)
    if isinstance(letter, LeagueLetter):
        return league.write(letter, words)
    return _beside_play(letter, words)


def _beside_play(letter: BesidePlay, words: Words) -> Written:
    """Account changes, requests to join, messages, delayed moves, leave, a leader's own words."""
    if isinstance(letter, WaysChanged):
        return account.write(letter, words)
    if isinstance(letter, JoinLetter):
        return joining.write(letter, words)
    if isinstance(letter, NotSent):
        return delayed.write(letter, words)
    if isinstance(letter, LeaveTold):
        return leaves.write(letter, words)
    if isinstance(letter, LeaderLetter):
        return leader_letter.write(letter, words)
    return threads.write(letter, words)


def _to_a_player(letter: OfGame, words: Words, envelope: Envelope) -> Written:
    """Letters that may be answered with a move."""
    if isinstance(letter, sl.SilenceLetter):
        return silences.write(letter, words, envelope)
    if isinstance(letter, TakeoverLetter):
        return takeovers.write(letter, words, envelope)
    return _of_a_game(letter, words, envelope)


def _of_a_game(letter: lt.GameLetter, words: Words, envelope: Envelope) -> Written:  # noqa: C901
    match letter:
        case lt.FirstMove():
            return moves.first_move(letter, words, envelope)
        case lt.PositionLetter():
            return moves.position(letter, words, envelope)
        case lt.Confirmation():
            return moves.confirmation(letter, words, envelope)
        case lt.Relay():
            return moves.relay(letter, words, envelope)
        case lt.NotMade():
            return not_made.not_made(letter, words, envelope)
        case lt.AskBack():
            return not_made.ask_back(letter, words, envelope)
        case lt.HeldConfirm():
            return not_made.held_confirm(letter, words, envelope)
        case lt.LateAsk():
            return not_made.late_ask(letter, words, envelope)
        case lt.GameOver():
            return results.game_over(letter, words, envelope)
        case lt.DrawNotice():
            return results.draw_notice(letter, words, envelope)
        case lt.LeaveNotice():
            return results.leave_notice(letter, words, envelope)
        case lt.OverstepWarning():
            return results.overstep_warning(letter, words, envelope)
        case lt.ClaimFiled():
            return results.claim_filed(letter, words, envelope)
        case lt.AnnulmentNotice():
            return results.annulment_notice(letter, words, envelope)
        case lt.SilenceReport():
            return results.silence_report(letter, words, envelope)
        case _:
            assert_never(letter)


def _notice(letter: nt.NoticeLetter, words: Words, envelope: Envelope) -> Written:
    match letter:
        case nt.StartLetter():
            return start.start_letter(letter, words, envelope)
        case nt.GameList():
            return start.game_list(letter, words, envelope)
        case nt.LeaveConfirmed():
            return service.leave_confirmed(letter, words, envelope)
        case nt.LeaveRefused():
            return service.leave_refused(letter, words, envelope)
        case nt.DeliveryTrouble():
            return service.delivery_trouble(letter, words, envelope)
        case nt.SignIn():
            return service.sign_in(letter, words, envelope)
        case nt.Unwritten():
            return service.unwritten(letter, words, envelope)
        case nt.OperatorAlert():
            return service.operator_alert(letter, words, envelope)
        case _:
            assert_never(letter)
