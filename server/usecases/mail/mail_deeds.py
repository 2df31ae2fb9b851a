"""What a player's mail does to its game: each deed with its letters and its outcome.

Pure, inside the writer's transaction. Not for choosing the deed (mail_unit.py).
"""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import chess

from kskak.game import commands as cmd
from kskak.game.commands import Command
from kskak.game.refusals import Reason, Refusal
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Fault, Side
from mail.game_letters.common import numbered
from mail.grammar.doubtful import regrets
from mail.grammar.keywords import Word, speaks_of_draw
from mail.grammar.understood import Problem, Reading
from mail.text.facts import move_texts
from server.store.engine.types import to_us
from server.store.mail.inbox import InboxMark, InboxState
from server.store.mail.outbox import NewOutbox
from server.store.play.questions import ConfirmationRow, NewConfirmation
from server.usecases.core.game_work import CaseRaised, Later, LockedGame, UsedConfirmation, Writes
from server.usecases.core.outbox_letters import Poster
from server.usecases.core.questions import ELSEWHERE, Asking, Question
from server.usecases.core.reply_keys import Position
from server.usecases.core.reply_limits import same_words
from server.usecases.mail.mail_answers import Answers, charge_of
from server.usecases.play.ask import Extra, Origin, carry_out, writes_of
from server.usecases.play.reading import read_words


@dataclass(frozen=True, slots=True)
class PlayerMail:
    """A mail that may act. ``at`` is the instant that counts; ``key`` is for a question.

    ``inbox_id`` None: the mail was held and is now confirmed; its inbox row has its outcome.
    ``open``: the question that the letter it answers is; ``named``: all those which that letter
    names; ``pending``: all that the player has not answered about the position. ``answers``: the
    question whose «yes» lets a kept mail act. ``is_past``: the game was set back since the letter
    it answers, so that it is about a position before that, whatever its number.
    """

    inbox_id: int | None
    unique: str
    person_id: int
    lang: str
    words: str
    at: datetime
    position: Position
    key: str
    open: ConfirmationRow | None = None
    named: tuple[ConfirmationRow, ...] = ()
    pending: tuple[ConfirmationRow, ...] = ()
    answers: UsedConfirmation | None = None
    is_past: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A mail's outcome, in one word for the operator's page."""

    word: str


Deed = tuple[Writes | Later, Outcome]


@dataclass(frozen=True, slots=True)
class Deeds:
    """What one mail may do in its locked game."""

    mail: PlayerMail
    locked: LockedGame
    poster: Poster

    @property
    def side(self) -> Side:
        """The writer's side."""
        return self.mail.position.side

    @property
    def answers(self) -> Answers:
        """The letters that answer this mail."""
        words = same_words(self.mail.words, self.day)
        return Answers(self.locked, self.side, self.poster, self.mail.unique, words)

    def read(self, words: str) -> Reading:
        """Words of the writer's as they read in this game now."""
        mail, today = self.mail, local_day(self.mail.at, self.locked.row.zone)
        return read_words(self.locked.state, self.side, words, lang=mail.lang, today=today)

    @property
    def day(self) -> str:
        """The tournament's day that counts for this mail, in ISO."""
        return local_day(self.mail.at, self.locked.row.zone).isoformat()

    @property
    def _origin(self) -> Origin:
        return Origin(self.mail.at, self.mail.person_id, "mail", self.mail.inbox_id)

    def _mark(self, word: str) -> InboxMark | None:
        mail = self.mail
        if mail.inbox_id is None:
            return None
        about = (mail.person_id, mail.position.game_id)
        return InboxMark(mail.inbox_id, InboxState.DONE, word, None, *about)

    def answer(
        self, word: str, letter: NewOutbox, *asked: NewConfirmation, closes: bool = False
    ) -> tuple[Writes, Outcome]:
        """Answer the mail, perhaps with a question; nothing happens in the game.

        An answer that asks nothing and replies to no button may be withheld (core/reply_limits.py).
        A new question closes older ones, and so does what is said of the position (``closes``).
        """
        is_needed = bool(asked) or self.mail.inbox_id is None
        writes = Writes(
            outbox=(letter,) if is_needed else (),
            answers=() if is_needed else (letter,),
            confirmations=asked,
            confirmations_used=self._closed if asked or closes else self._answered,
            inbox_mark=self._mark(word),
        )
        return writes, Outcome(word)

    def refuse(self, reason: Reason, reading: Reading) -> Deed:
        """Say in a letter why nothing was done."""
        return self.answer(reason.value, self.answers.refused(Refusal(reason), reading))

    def raise_case(self) -> Deed:
        """A case about an overstep that the account does not show (§ 6.4.1, Kendelse 107)."""
        mail, game = self.mail, self.locked.row
        raised = CaseRaised(game, mail.person_id, self.side.other, mail.at, self.poster, mail.words)
        mark, used = self._mark("case_raised"), self._closed
        writes = Writes(raised=(raised,), confirmations_used=used, inbox_mark=mark)
        return writes, Outcome("case_raised")

    @property
    def _answered(self) -> tuple[UsedConfirmation, ...]:
        """The question answered by the «yes» that let this mail act."""
        return () if self.mail.answers is None else (self.mail.answers,)

    @property
    def _closed(self) -> tuple[UsedConfirmation, ...]:
        """What this mail answers, or leaves behind: a new word about the position is the last."""
        old = (q for q in self.mail.pending if q.kind not in ELSEWHERE)
        now_us = self.poster.now_us
        return (*(UsedConfirmation(q.digest, now_us) for q in old), *self._answered)

    def try_out(self, command: Command) -> Refusal | None:
        """The refusal that a command would get, if any; nothing is done."""
        done = carry_out(self.locked, command, self._origin)
        return done if isinstance(done, Refusal) else None

    def do(
        self,
        command: Command,
        word: str,
        reading: Reading | None,
        *letters: NewOutbox,
    ) -> Deed:
        """Carry out a command, or answer why not."""
        done = carry_out(self.locked, command, self._origin)
        if isinstance(done, Refusal):
            if done.reason is Reason.OVERSTEP_ASKS and reading is not None:
                return self.ask_late(reading)
            return self.answer(done.reason.value, self.answers.refused(done, reading))
        events, after = done
        extra = Extra(
            message="" if reading is None else reading.message,
            unread=() if reading is None else reading.rest,
            outbox=letters,
            inbox_mark=self._mark(word),
            confirmations_used=self._closed,
        )
        origin, poster = self._origin, self.poster
        return partial(writes_of, self.locked, events, after, origin, poster, extra), Outcome(word)

    def charge(self, fault: Fault, reading: Reading) -> Deed:
        """An invalid move: charged and reported at once, with how to object (§ 6.8.4, § 6.8.6)."""
        command = cmd.ReportFaulty(self.side, fault)
        done = carry_out(self.locked, command, self._origin)
        assert not isinstance(done, Refusal)
        events, after = done
        charge = charge_of(self.locked.state, after, self.side, fault, self.day)
        letter = self.answers.faulty(fault, reading, charge, len(events))
        extra = Extra(
            outbox=(letter,),
            inbox_mark=self._mark(fault.value),
            confirmations_used=self._closed,
        )
        writes = writes_of(self.locked, events, after, self._origin, self.poster, extra)
        return writes, Outcome(fault.value)

    def _asking(self, question: Question) -> Asking:
        mail = self.mail
        now, sent = self.poster.now_us, to_us(mail.at)
        return Asking(question, mail.key, mail.person_id, mail.position, sent, now, mail.inbox_id)

    def ask_back(self, question: Question) -> Deed:
        """Ask once whether to resign or accept a draw (CONTRACTS "Mail")."""
        letter = self.answers.ask_back(question, self.mail.key)
        return self.answer("asked_back", letter, self._asking(question).row())

    def ask_meant(self, problem: Problem, move: chess.Move, reading: Reading) -> Deed:
        """Ask about a slip of the pen: it is played as meant once the player says so (§ 6.8.6).

        The message to the opponent and any draw offer go with it.
        """
        words = [numbered(move_texts(self.locked.state.board, (move,)))]
        words += ["remis?"] if reading.asks(Word.DRAW_OFFER) else []
        said = reading.message.split("\n")
        words += [line for line in said if not (regrets(line) or speaks_of_draw(line))]
        asked = self._asking(Question.MEANT).row(words="\n".join(words))
        letter = self.answers.problem(reading, key=self.mail.key, arrived=self.day)
        writes, outcome = self.answer(problem.kind.value, letter, closes=True)
        return replace(writes, confirmations=(asked,)), outcome

    def ask_which(self) -> Deed:
        """A bare «ja» or «nej» that may be meant for more than one thing, or for none: asked."""
        pending, offered = self.mail.pending, self.locked.state.draw_offer is self.side.other
        is_open = bool(pending) or offered
        letter = self.answers.which(pending, is_offered=offered)
        return self.answer("asked_which" if is_open else "not_understood", letter)

    def drop(self, question: ConfirmationRow) -> Deed:
        """«nej» to a question: it is closed, and nothing is done."""
        writes, outcome = self.answer("answered_no", self.answers.answered_no())
        used = UsedConfirmation(question.digest, self.poster.now_us)
        return replace(writes, confirmations_used=(used, *self._answered)), outcome

    def ask_late(self, reading: Reading) -> Deed:
        """A reply after the opponent's overstep waits for «claim, or not?» (§ 6.3.3.4)."""
        plies = [move.uci() for move in reading.moves]
        letter = self.answers.late(plies, self.mail.key, self.day)
        asked = self._asking(Question.LATE).row(words=self.mail.words)
        return self.answer("late_asked", letter, asked)
