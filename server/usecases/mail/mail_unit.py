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
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Fault
from mail.grammar.keywords import Word
from mail.grammar.understood import ProblemKind, Reading
from server.store.engine.types import from_us
from server.store.play.questions import ConfirmationRow
from server.usecases.core.game_work import LockedGame, PlainUnit, UsedConfirmation
from server.usecases.core.outbox_letters import Poster
from server.usecases.core.questions import Question
from server.usecases.mail.mail_deeds import Deed, Deeds, Outcome, PlayerMail
from server.usecases.play.ask import not_before
from server.usecases.play.reading import read_words, send_moves

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
        today = local_day(mail.at, locked.row.zone)
        reading = read_words(state, position.side, mail.words, lang=mail.lang, today=today)
        if reading.asks(Word.ADMIT):
            return deeds.do(cmd.AdmitOverstep(position.side), "admitted", reading)
        if reading.asks(Word.RAISE_CASE):
            return deeds.raise_case()
        if state.rests and not _gives_up(deeds, reading):
            return deeds.refuse(Reason.AT_REST, reading)
        if state.result is not None:
            return deeds.refuse(Reason.GAME_OVER, reading)
        if position.ply != state.position.ply:
            return deeds.answer("spent", deeds.answers.spent())
        question = self.mail.open
        if question is not None and question.kind == Question.MEANT and _says_yes(reading):
            return self._meaning(question, reading.message).run(locked)
        return _with_question(deeds, reading)

    def _meaning(self, question: ConfirmationRow, added: str) -> "MailUnit":
        """The first mail as it was meant: dated the day it came, its question answered by this."""
        words = f"{json.loads(question.params)['words']}\n{added}"
        used = UsedConfirmation(question.digest, self.poster.now_us)
        at = from_us(question.sent_us)
        return replace(self, mail=replace(self.mail, words=words, at=at, open=None, answers=used))


def _says_yes(reading: Reading) -> bool:
    return reading.asks(Word.YES) and not reading.moves


def _gives_up(deeds: Deeds, reading: Reading) -> bool:
    """Whether the mail resigns, or confirms a resignation (§ 6.2.6)."""
    question = deeds.mail.open
    is_agreed = question is not None and question.kind == Question.RESIGN and reading.asks(Word.YES)
    is_possible = deeds.try_out(cmd.Resign(deeds.side)) is None
    return is_possible and (is_agreed or reading.asks(Word.RESIGN))


def _with_question(deeds: Deeds, reading: Reading) -> Deed:
    """Whatever ends the game or answers a question takes precedence over a move."""
    side, question = deeds.side, deeds.mail.open
    if question is not None and _says_yes(reading):
        resigns = question.kind == Question.RESIGN
        agreed: Command = cmd.Resign(side) if resigns else cmd.AcceptDraw(side)
        return deeds.do(agreed, "resigned" if resigns else "drawn", None, used=question)
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
    return deeds.answer(problem.kind.value, deeds.answers.problem(reading))


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
