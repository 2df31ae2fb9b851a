"""A player's mail about one position, done in one transaction.

The text is read against the locked game; what it asks is decided, and the letters that answer
it are written with it. A mail has one outcome. Not for whose mail it is (sort_mail.py).
"""

from dataclasses import dataclass
from datetime import datetime

from kskak import commands as cmd
from kskak.commands import Command
from kskak.days import local_day
from kskak.ledger_out import JsonObject
from kskak.quantities import Fault
from kskak.refusals import Reason, Refusal
from mail.keywords import Word
from mail.reading import ProblemKind, Reading, Repetition
from server.store.confirmations import ConfirmationRow
from server.store.idempotency import IdempotencyKey
from server.store.inbox import InboxMark, InboxState
from server.store.instants import to_us
from server.store.outbox import NewOutbox
from server.usecases.mail_answers import Answers, charge_of
from server.usecases.play import Extra, Origin, carry_out, writes_of
from server.usecases.posting import Poster
from server.usecases.questions import Asking, Question
from server.usecases.reply_keys import Position
from server.usecases.texts import read_words, send_moves
from server.usecases.units import LockedGame, UsedConfirmation, Writes


@dataclass(frozen=True, slots=True)
class PlayerMail:
    """A mail that may act. ``at`` is the instant that counts; ``key`` is for a question.

    ``inbox_id`` None: the mail was held and is confirmed now, its inbox row has its outcome.
    ``open``: the question that a «ja» in it would answer.
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a mail, in one word for the operator's page."""

    word: str


@dataclass(frozen=True, slots=True)
class MailUnit:
    """One mail as the writer runs it."""

    mail: PlayerMail
    poster: Poster

    @property
    def game_id(self) -> int:
        """The game it is about."""
        return self.mail.position.game_id

    @property
    def inbox_id(self) -> int | None:
        """The mail: one that has its outcome is not done again."""
        return self.mail.inbox_id

    @property
    def idempotency(self) -> IdempotencyKey | None:
        """Mail has its inbox row instead."""
        return None

    def run(self, locked: LockedGame) -> tuple[Writes, Outcome]:
        """Read the words, decide, and say what is written."""
        answers = Answers(locked, self.mail.position.side, self.poster, self.mail.unique)
        state, position = locked.state, self.mail.position
        today = local_day(self.mail.at, locked.row.zone)
        reading = read_words(
            state, position.side, self.mail.words, lang=self.mail.lang, today=today
        )
        if state.result is not None:
            over = answers.refused(Refusal(Reason.GAME_OVER), reading)
            return self._only(locked, "game_over", Extra(outbox=(over,)))
        if position.ply != state.position.ply:
            return self._only(locked, "spent", Extra(outbox=(answers.spent(),)))
        return self._read(locked, reading, answers)

    def _read(
        self, locked: LockedGame, reading: Reading, answers: Answers
    ) -> tuple[Writes, Outcome]:
        """A mail about the present position: first what ends or asks, then the move."""
        side = self.mail.position.side
        question = self.mail.open
        if question is not None and reading.asks(Word.YES) and not reading.moves:
            return self._confirmed(locked, question, answers)
        if reading.asks(Word.RESIGN):
            return self._ask_back(locked, Question.RESIGN, answers)
        if reading.asks(Word.DRAW_YES) and locked.state.draw_offer is side.other:
            return self._ask_back(locked, Question.DRAW_YES, answers)
        if reading.asks(Word.CLAIM_TIME):
            claimed = carry_out(locked, cmd.ClaimOverstep(side), self._origin)
            if not isinstance(claimed, Refusal) or not reading.moves:
                return self._do(locked, cmd.ClaimOverstep(side), "claimed", answers, reading)
        if reading.repetition is Repetition.WRONG:
            return self._charged(locked, Fault.WRONG_REPETITION, reading, answers)
        if reading.problem is not None:
            if reading.problem.kind is ProblemKind.ILLEGAL:
                return self._charged(locked, Fault.ILLEGAL, reading, answers)
            letter = answers.problem(reading)
            return self._only(locked, reading.problem.kind.value, Extra(outbox=(letter,)))
        return self._act(locked, reading, answers)

    def _act(
        self, locked: LockedGame, reading: Reading, answers: Answers
    ) -> tuple[Writes, Outcome]:
        """The move, or a draw word that stands alone, or nothing that was understood."""
        side, ply = self.mail.position.side, self.mail.position.ply
        if reading.moves:
            move = send_moves(reading, side, ply, offers_draw=False)
            return self._do(locked, move, "moved", answers, reading)
        if reading.asks(Word.DRAW_YES):
            return self._do(locked, cmd.AcceptDraw(side), "drawn", answers, reading)
        if reading.asks(Word.DRAW_NO):
            return self._do(locked, cmd.DeclineDraw(side), "declined", answers, reading)
        if reading.asks(Word.DRAW_OFFER):
            note = answers.offer_noted()
            command = cmd.OfferDraw(side)
            return self._do(locked, command, "offer_noted", answers, reading, (note,))
        letter = answers.nothing_understood(reading)
        return self._only(locked, "not_understood", Extra(outbox=(letter,)))

    @property
    def _origin(self) -> Origin:
        mail = self.mail
        return Origin(mail.at, mail.person_id, "mail", mail.inbox_id)

    def _mark(self, word: str) -> InboxMark | None:
        if self.mail.inbox_id is None:
            return None
        person, game = self.mail.person_id, self.game_id
        return InboxMark(self.mail.inbox_id, InboxState.DONE, word, None, person, game)

    def _only(self, locked: LockedGame, word: str, extra: Extra) -> tuple[Writes, Outcome]:
        """Nothing happens in the game; what is answered is written."""
        writes = Writes(
            outbox=extra.outbox,
            confirmations=extra.confirmations,
            inbox_mark=self._mark(word),
        )
        return writes, Outcome(word)

    def _do(  # noqa: PLR0913 - one command with all that its letters need
        self,
        locked: LockedGame,
        command: Command,
        word: str,
        answers: Answers,
        reading: Reading,
        outbox: tuple[NewOutbox, ...] = (),
    ) -> tuple[Writes, Outcome]:
        """Carry a command out, or answer why not."""
        done = carry_out(locked, command, self._origin)
        if isinstance(done, Refusal):
            if done.reason is Reason.OVERSTEP_ASKS:
                return self._ask_late(locked, reading, answers)
            letter = answers.refused(done, reading)
            return self._only(locked, done.reason.value, Extra(outbox=(letter,)))
        events, after = done
        extra = Extra(
            message=reading.message,
            unread=reading.rest,
            outbox=outbox,
            inbox_mark=self._mark(word),
        )
        writes = writes_of(locked, events, after, self._origin, self.poster, extra)
        return writes, Outcome(word)

    def _charged(
        self, locked: LockedGame, fault: Fault, reading: Reading, answers: Answers
    ) -> tuple[Writes, Outcome]:
        """An invalid move: charged, told at once, with how to object (§ 6.8.4, § 6.8.6)."""
        side = self.mail.position.side
        command = cmd.ReportFaulty(side, fault)
        done = carry_out(locked, command, self._origin)
        assert not isinstance(done, Refusal)
        events, after = done
        charge: JsonObject | None = charge_of(locked.state, after, side, fault, self._day(locked))
        letter = answers.faulty(fault, reading, charge)
        extra = Extra(outbox=(letter,), inbox_mark=self._mark(fault.value))
        writes = writes_of(locked, events, after, self._origin, self.poster, extra)
        return writes, Outcome(fault.value)

    def _day(self, locked: LockedGame) -> str:
        return local_day(self.mail.at, locked.row.zone).isoformat()

    def _asking(self, question: Question) -> Asking:
        mail = self.mail
        now, sent = self.poster.now_us, to_us(mail.at)
        return Asking(question, mail.key, mail.person_id, mail.position, sent, now, mail.inbox_id)

    def _ask_back(
        self, locked: LockedGame, question: Question, answers: Answers
    ) -> tuple[Writes, Outcome]:
        """Resigning and accepting a draw are asked back once (CONTRACTS "Mail")."""
        letter = answers.ask_back(question, self.mail.key)
        extra = Extra(outbox=(letter,), confirmations=(self._asking(question).row(),))
        return self._only(locked, "asked_back", extra)

    def _ask_late(
        self, locked: LockedGame, reading: Reading, answers: Answers
    ) -> tuple[Writes, Outcome]:
        """An answer after the opponent's overstep waits for «claim, or not?» (§ 6.3.3.4)."""
        plies = [move.uci() for move in reading.moves]
        letter = answers.late(plies, self.mail.key, self._day(locked))
        asking = self._asking(Question.LATE).row(words=self.mail.words)
        extra = Extra(outbox=(letter,), confirmations=(asking,))
        return self._only(locked, "late_asked", extra)

    def _confirmed(
        self, locked: LockedGame, question: ConfirmationRow, answers: Answers
    ) -> tuple[Writes, Outcome]:
        """A «ja» to what was asked back."""
        side = self.mail.position.side
        resigns = question.kind == Question.RESIGN
        command: Command = cmd.Resign(side) if resigns else cmd.AcceptDraw(side)
        done = carry_out(locked, command, self._origin)
        if isinstance(done, Refusal):
            letter = answers.refused(done, None)
            return self._only(locked, done.reason.value, Extra(outbox=(letter,)))
        events, after = done
        word = "resigned" if resigns else "drawn"
        used = UsedConfirmation(question.digest, self.poster.now_us)
        extra = Extra(inbox_mark=self._mark(word), confirmations_used=(used,))
        writes = writes_of(locked, events, after, self._origin, self.poster, extra)
        return writes, Outcome(word)
