"""A player's mail about one position: read against the locked game, one deed chosen.

A mail has one outcome. Not for what the deeds do (mail_deeds.py) nor for whose mail it is
(sort_mail.py).
"""

import json
from dataclasses import dataclass, replace

from kskak.game import commands as cmd
from kskak.game.commands import Command
from kskak.game.refusals import Reason
from kskak.play.decide_cards import is_barred
from kskak.regulation.quantities import Fault
from mail.grammar.keywords import Word, says_only
from mail.grammar.understood import ProblemKind, Reading
from server.store.engine.types import from_us
from server.store.play.questions import ConfirmationRow
from server.usecases.core.game_work import LockedGame, PlainUnit, UsedConfirmation
from server.usecases.core.outbox_letters import Poster
from server.usecases.core.questions import Question
from server.usecases.mail.answered_letter import may_mean_other
from server.usecases.mail.mail_deeds import Deed, Deeds, Outcome, PlayerMail
from server.usecases.play.ask import not_before
from server.usecases.play.reading import send_moves

__all__ = ["MailUnit", "Outcome", "PlayerMail"]


@dataclass(frozen=True, slots=True)
class MailUnit(PlainUnit):
    """One mail as the writer runs it."""

    mail: PlayerMail
    poster: Poster

    @property
    def game_id(self) -> int:
        """The game it is about."""
        return self.mail.position.game_id

    @property
    def inbox_id(self) -> int | None:
        """The mail's row: a mail that has its outcome is not processed again."""
        return self.mail.inbox_id

    def run(self, locked: LockedGame) -> Deed:
        """Read the words, decide, and return what to write."""
        mail = replace(self.mail, at=not_before(locked, self.mail.at, is_now=False))
        deeds = Deeds(mail, locked, self.poster)
        state, position = locked.state, mail.position
        reading = deeds.read(mail.words)
        if reading.asks(Word.ADMIT):
            return deeds.do(cmd.AdmitOverstep(position.side), "admitted", reading)
        if reading.asks(Word.RAISE_CASE):
            return deeds.raise_case()
        if state.rests and not _gives_up(deeds, reading):
            return deeds.refuse(Reason.AT_REST, reading)
        if state.result is not None:
            return deeds.refuse(Reason.GAME_OVER, reading)
        if mail.is_past or position.ply != state.position.ply:
            return deeds.answer("spent", deeds.answers.spent())
        meant = _meant(deeds, reading)
        if meant is not None:
            return self._meaning(meant, reading.message).run(locked)
        return _with_question(deeds, reading)

    def _meaning(self, question: ConfirmationRow, added: str) -> "MailUnit":
        """The first mail as it was meant: dated the day it came, its question answered by this."""
        words = f"{json.loads(question.params)['words']}\n{added}"
        used = UsedConfirmation(question.digest, self.poster.now_us)
        at = from_us(question.sent_us)
        mail = replace(self.mail, words=words, at=at, open=None, named=(), answers=used)
        return replace(self, mail=mail)


_OWN_WORD: dict[str, Word] = {Question.RESIGN: Word.RESIGN, Question.DRAW_YES: Word.DRAW_YES}
"""The word that says which question a «ja» is meant for, where more than one thing is open."""


def _is_bare(reading: Reading, word: Word) -> bool:
    """Whether the mail says that word and asks for nothing else."""
    return says_only(reading.keywords, word) and not reading.moves and reading.problem is None


def _agrees(deeds: Deeds, question: ConfirmationRow, reading: Reading) -> bool:
    """Whether a bare «ja» can only be meant for the question of the letter it answers."""
    mail, offered = deeds.mail, deeds.locked.state.draw_offer
    is_clear = not may_mean_other(question, mail.pending, offered, deeds.side)
    return is_clear and _is_bare(reading, Word.YES)


def _meant(deeds: Deeds, reading: Reading) -> ConfirmationRow | None:
    """The question «did you mean this move?» that is answered by «ja», or by the move itself."""
    mail = deeds.mail
    for question in mail.named:
        if question.kind != Question.MEANT:
            continue
        if question is mail.open and _agrees(deeds, question, reading):
            return question
        is_plain = reading.moves and not (reading.proposes or reading.keywords)
        if is_plain and deeds.read(json.loads(question.params)["words"]).moves == reading.moves:
            return question
    return None


def _confirmed(deeds: Deeds, reading: Reading) -> Command | None:
    """What the mail confirms: by «ja» to its question, or by the word where «ja» is not enough."""
    side, question = deeds.side, deeds.mail.open
    commands: dict[str, Command] = {
        Question.RESIGN: cmd.Resign(side),
        Question.DRAW_YES: cmd.AcceptDraw(side),
    }
    if question is not None and _agrees(deeds, question, reading):
        return commands.get(question.kind)
    mail, offered = deeds.mail, deeds.locked.state.draw_offer
    again = {
        q.kind
        for q in mail.named
        if q is not mail.open or may_mean_other(q, mail.pending, offered, side)
        if not reading.moves
    }
    return next((c for k, c in commands.items() if k in again and reading.asks(_OWN_WORD[k])), None)


def _gives_up(deeds: Deeds, reading: Reading) -> bool:
    """Whether the mail resigns, or confirms a resignation (§ 6.2.6)."""
    is_agreed = isinstance(_confirmed(deeds, reading), cmd.Resign)
    is_possible = deeds.try_out(cmd.Resign(deeds.side)) is None
    return is_possible and (is_agreed or reading.asks(Word.RESIGN))


def _with_question(deeds: Deeds, reading: Reading) -> Deed:
    """Whatever ends the game or answers a question takes precedence over a move."""
    side = deeds.side
    confirmed = _confirmed(deeds, reading)
    if confirmed is not None:
        word = "resigned" if isinstance(confirmed, cmd.Resign) else "drawn"
        return deeds.do(confirmed, word, None)
    if deeds.mail.open is not None and _is_bare(reading, Word.NO):
        return deeds.drop(deeds.mail.open)
    if _is_bare(reading, Word.YES) or _is_bare(reading, Word.NO):
        return deeds.ask_which()
    if reading.asks(Word.RESIGN):
        return deeds.ask_back(Question.RESIGN)
    if reading.asks(Word.DRAW_YES) and deeds.try_out(cmd.AcceptDraw(side)) is None:
        return deeds.ask_back(Question.DRAW_YES)
    if reading.asks(Word.CLAIM_TIME):
        claim = cmd.ClaimOverstep(side)
        if not reading.moves or deeds.try_out(claim) is None:
            return deeds.do(claim, "claimed", reading)
    return _with_fault(deeds, reading)


def _with_fault(deeds: Deeds, reading: Reading) -> Deed:
    """Only what is illegal, or contradicts the game, is an invalid move (§ 6.8.4, § 6.8.6)."""
    problem, is_try = reading.problem, bool(reading.moves) or reading.problem is not None
    if is_try and is_barred(deeds.locked.state, deeds.side):
        return deeds.refuse(Reason.NO_EMAIL, reading)  # no move by mail, so no invalid one either
    if problem is None:
        return _with_move(deeds, reading)
    if problem.is_invalid:
        is_illegal = problem.kind is ProblemKind.ILLEGAL
        return deeds.charge(Fault.ILLEGAL if is_illegal else Fault.WRONG_REPETITION, reading)
    if problem.meant is not None:
        return deeds.ask_meant(problem, problem.meant, reading)
    return deeds.answer(problem.kind.value, deeds.answers.problem(reading), closes=True)


def _with_move(deeds: Deeds, reading: Reading) -> Deed:
    """The move, else a keyword that stands alone, else nothing was understood."""
    side = deeds.side
    if reading.moves:
        move = send_moves(reading, side, deeds.mail.position.ply, offers_draw=False)
        return deeds.do(move, "moved", reading)
    if reading.asks(Word.DRAW_YES):
        return deeds.do(cmd.AcceptDraw(side), "drawn", reading)
    if reading.asks(Word.DRAW_NO):
        return deeds.do(cmd.DeclineDraw(side), "declined", reading)
    if reading.asks(Word.DRAW_OFFER):
        return deeds.do(cmd.OfferDraw(side), "offer_noted", reading, deeds.answers.offer_noted())
    if reading.asks(Word.LONG_THINK):
        noted = deeds.answers.long_think_noted()
        return deeds.do(cmd.NotifyLongThink(side), "long_think", reading, noted)
    return deeds.answer("not_understood", deeds.answers.nothing_understood(reading))
