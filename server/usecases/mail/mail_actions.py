"""What a player's mail does to its game: each deed with its letters and its outcome.

Pure, inside the writer's transaction. Not for choosing the deed (answer_question.py).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import chess

from kskak.game import game_commands as cmd
from kskak.game.game_commands import Command, Reason, Refusal
from kskak.ledger.ledger_files import JsonObject
from kskak.play.game_state import GameState
from kskak.reflection import PARAGRAPH
from kskak.regulation.days import local_day
from kskak.regulation.editions import MoveFault, Side
from mail.game_letters.letter_parts import Letter, write_numbered_line
from mail.game_letters.move_letters import DrawNotice
from mail.game_letters.no_move_letters import AskBack, LateAsk, NotMade
from mail.game_letters.time_letters import LongThink
from mail.grammar.intentions import Intention, IntentionKind
from mail.grammar.keyword_lines import ParsedText, ParseProblem, ProblemKind, Word, speaks_of_draw
from mail.grammar.read_text import regrets
from mail.text.letter_facts import move_texts
from server.store.engine.rows import to_us
from server.store.mail.inbox import InboxMark, InboxState
from server.store.mail.outbox import NewOutbox
from server.store.play.requests import ConfirmationRow, NewConfirmation
from server.usecases.games.game_units import (
    CaseRaised,
    Later,
    LockedGame,
    UsedConfirmation,
    Writes,
    hash_mail_text,
)
from server.usecases.games.outbox_letters import Poster
from server.usecases.games.reply_keys import (
    ELSEWHERE,
    QUESTIONED,
    PlayerQuestion,
    QuestionKind,
    ReplyPosition,
)
from server.usecases.play.game_requests import (
    Origin,
    parse_player_text,
    run_command,
    writes_of,
)

# The letters that answer a mail: what was understood, what was wrong, what to write instead.

LONGEST_SENTENCE = 120
"""Characters of a wish that its writer is shown again."""
_WAITING = (Reason.AT_REST, Reason.OUTAGE_UNSETTLED)
"""Claims refused for what is decided elsewhere: no case is begun about them."""


def charge_of(
    before: GameState, after: GameState, side: Side, fault: MoveFault, on: str
) -> JsonObject | None:
    """The days that a faulty move cost; None when it cost nothing."""
    days = after.clock(side).total - before.clock(side).total
    if days == 0:
        return None
    paragraph = PARAGRAPH[after.terms.regulation]
    charge: JsonObject = {"by": side.value, "on": on, "days": days}
    return charge | {"paragraph": paragraph, "reason": fault.value}


@dataclass(frozen=True, slots=True)
class Answers:
    """Makes the answers to one mail.

    ``unique`` names the mail, so that each gets one answer, and none is silent; what ends the talk
    of two robots is a number a day (games/game_units.py). ``words`` names what it says, and the
    day: copies of a mail that made its move get one answer together.
    """

    locked: LockedGame
    side: Side
    poster: Poster
    unique: str
    words: str

    def _letter(
        self, kind: type[Letter], params: dict[str, object], unique: str = "", after: int = 0
    ) -> NewOutbox:
        """``after``: how many new events the letter takes into account."""
        at = (self.locked.row.seq + after, self.locked.state.position.ply)
        return self.poster.about_game(
            kind, self.locked.row, self.side, at, params, unique or self.unique
        )

    def _not_made(self, why: str, reading: ParsedText | None, **more: object) -> NewOutbox:
        rest = [] if reading is None else list(reading.rest)
        return self._letter(NotMade, {"why": why, "unread": rest, **more})

    def spent(self) -> NewOutbox:
        """The position is past: what stands now, and where to write."""
        params: dict[str, object] = {"why": "spent_key", "unread": []}
        return self._letter(NotMade, params, f"spent.{self.words}")

    def refused(self, refusal: Refusal, reading: ParsedText | None) -> NewOutbox:
        """Which rule stood in the way."""
        earliest = refusal.earliest.isoformat() if refusal.earliest else None
        is_claim = reading is not None and reading.asks(Word.CLAIM_TIME)
        return self._not_made(
            refusal.reason.value,
            reading,
            is_refusal=True,
            is_claim=is_claim and refusal.reason not in _WAITING,
            earliest=earliest,
            days=refusal.days,
        )

    def problem(self, reading: ParsedText, **asked: str) -> NewOutbox:
        """What could not be read as one move; it costs nothing.

        ``asked``: the ``key`` of the question whether the one candidate was meant, and the day on
        which the mail ``arrived``.
        """
        problem = reading.problem
        assert problem is not None
        candidates = [move.uci() for move in problem.candidates]
        return self._not_made(
            problem.kind.value, reading, written=problem.token, candidates=candidates, **asked
        )

    def nothing_understood(self, reading: ParsedText) -> NewOutbox:
        """No move and no keyword at all."""
        return self._not_made(ProblemKind.NOT_UNDERSTOOD.value, reading)

    def faulty(
        self, fault: MoveFault, reading: ParsedText, charge: JsonObject | None, events: int
    ) -> NewOutbox:
        """An invalid move and what it cost (§ 6.8.6); totals and last day are those after it."""
        params: dict[str, object] = {
            "why": fault.value,
            "unread": list(reading.rest),
            "written": None if reading.problem is None else reading.problem.token,
            "charge": charge,
        }
        return self._letter(NotMade, params, after=events)

    def offer_noted(self) -> NewOutbox:
        """An offer that goes with the next move (FIDE 9.1)."""
        return self._letter(DrawNotice, {"word": "noted"})

    def long_think_noted(self) -> NewOutbox:
        """The notice of a long think was accepted, and the opponent told (§ 6.3.4)."""
        return self._letter(LongThink, {})

    def which(self, pending: Sequence[ConfirmationRow], *, is_offered: bool) -> NewOutbox:
        """A «ja» or «nej» to nothing that is known for sure: what is open, and what to write."""
        opens = [[q.kind, str(json.loads(q.params).get("words", ""))] for q in pending]
        opens += [["offer", ""]] if is_offered else []
        digests = [q.digest.hex() for q in pending]
        why, more = "which" if opens else "not_asked", {QUESTIONED: digests}
        return self._not_made(why, None, open=opens, **more)

    def answered_no(self) -> NewOutbox:
        """«nej» to a question: nothing was done."""
        return self._not_made("answered_no", None)

    def ask_back(self, question: str, key: str, **more: str) -> NewOutbox:
        """«Do you resign?», «do you accept?»; ``more``: the line that does it, and its days."""
        return self._letter(AskBack, {"question": question, "key": key, **more})

    def heard(self, wish: Intention, reading: ParsedText) -> NewOutbox:
        """What the writer wants and what he can do about it: nothing the server does for him."""
        is_leave = wish.kind is IntentionKind.LEAVE
        why = "leave_days" if is_leave else wish.kind.value
        return self._not_made(why, reading, written=wish.sentence[:LONGEST_SENTENCE])

    def late(self, plies: list[str], key: str, arrived: str) -> NewOutbox:
        """The opponent overstepped: claim, or not?"""
        params: dict[str, object] = {"plies": plies, "key": key, "arrived": arrived}
        return self._letter(LateAsk, params)


# What a player's mail does to its game: each deed with its letters and its outcome.


@dataclass(frozen=True, slots=True)
class PlayerMail:
    """A mail that may act. ``at`` is the instant that counts; ``key`` is for a question.

    ``inbox_id`` None: the mail was held and is now confirmed; its inbox row has its outcome.
    ``open``: the question that the letter it answers is; ``named``: all those which that letter
    names; ``pending``: all that the player has not answered about the position. ``answers``: the
    question whose «yes» lets a kept mail act. ``is_past``: the game was set back since the letter
    it answers, so that it is about a position before that, whatever its number. ``read_at``: the
    number of the game's newest event when that was looked up.
    """

    inbox_id: int | None
    unique: str
    person_id: int
    lang: str
    words: str
    at: datetime
    position: ReplyPosition
    key: str
    open: ConfirmationRow | None = None
    named: tuple[ConfirmationRow, ...] = ()
    pending: tuple[ConfirmationRow, ...] = ()
    answers: UsedConfirmation | None = None
    is_past: bool = False
    read_at: int | None = None


Deed = tuple[Writes | Later, str]
"""What a mail does, and its outcome in one word for the operator's page."""


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
        words = hash_mail_text(self.mail.words, self.day)
        return Answers(self.locked, self.side, self.poster, self.mail.unique, words)

    def read(self, words: str) -> ParsedText:
        """Words of the writer's as they read in this game now."""
        mail, today = self.mail, local_day(self.mail.at, self.locked.row.zone)
        return parse_player_text(self.locked.state, self.side, words, lang=mail.lang, today=today)

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
    ) -> tuple[Writes, str]:
        """Answer the mail, perhaps with a question; nothing happens in the game.

        An answer that asks nothing and replies to no button may be withheld (games/game_units.py).
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
        return writes, word

    def refuse(self, reason: Reason, reading: ParsedText) -> Deed:
        """Say in a letter why nothing was done."""
        return self.answer(reason.value, self.answers.refused(Refusal(reason), reading))

    def raise_case(self) -> Deed:
        """A case about an overstep that the account does not show (§ 6.4.1, Kendelse 107)."""
        mail, game = self.mail, self.locked.row
        raised = CaseRaised(game, mail.person_id, mail.at, self.poster, self.side.other, mail.words)
        mark, used = self._mark("case_raised"), self._closed
        writes = Writes(raised=(raised,), confirmations_used=used, inbox_mark=mark)
        return writes, "case_raised"

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
        done = run_command(self.locked, command, self._origin)
        return done if isinstance(done, Refusal) else None

    def do(
        self, command: Command, word: str, reading: ParsedText | None, *letters: NewOutbox
    ) -> Deed:
        """Carry out a command, or answer why not."""
        done = run_command(self.locked, command, self._origin)
        if isinstance(done, Refusal):
            if done.reason is Reason.OVERSTEP_ASKS and reading is not None:
                return self.ask_late(reading)
            return self.answer(done.reason.value, self.answers.refused(done, reading))
        besides = Writes(
            outbox=letters, inbox_mark=self._mark(word), confirmations_used=self._closed
        )
        said = ("", ()) if reading is None else (reading.message, reading.rest)
        written = (self.locked, done, self._origin, self.poster, besides, *said)
        return partial(writes_of, *written), word

    def charge(self, fault: MoveFault, reading: ParsedText) -> Deed:
        """An invalid move: charged and reported at once, with how to object (§ 6.8.4, § 6.8.6)."""
        command = cmd.ReportFaulty(self.side, fault)
        done = run_command(self.locked, command, self._origin)
        assert not isinstance(done, Refusal)
        events, after = done
        charge = charge_of(self.locked.state, after, self.side, fault, self.day)
        letter = self.answers.faulty(fault, reading, charge, len(events))
        besides = Writes(
            outbox=(letter,), inbox_mark=self._mark(fault.value), confirmations_used=self._closed
        )
        writes = writes_of(self.locked, done, self._origin, self.poster, besides)
        return writes, fault.value

    def _asking(self, question: QuestionKind) -> PlayerQuestion:
        mail = self.mail
        now, sent = self.poster.now_us, to_us(mail.at)
        return PlayerQuestion(
            question, mail.key, mail.person_id, mail.position, sent, now, mail.inbox_id
        )

    def ask_back(self, question: QuestionKind) -> Deed:
        """Ask once whether to resign or accept a draw (CONTRACTS "Mail")."""
        letter = self.answers.ask_back(question.value, self.mail.key)
        return self.answer("asked_back", letter, self._asking(question).row())

    def ask_wish(self, wish: Intention, words: str) -> Deed:
        """Ask whether the writer wants what his prose seems to say; ``words`` say it for him."""
        days = {"first": wish.start, "last": wish.end}
        told = {name: day.isoformat() for name, day in days.items() if day is not None}
        letter = self.answers.ask_back(wish.kind.value, self.mail.key, words=words, **told)
        return self.answer("asked_back", letter, self._asking(QuestionKind.WISH).row(words=words))

    def ask_meant(self, problem: ParseProblem, move: chess.Move, reading: ParsedText) -> Deed:
        """Ask about a slip of the pen: it is played as meant once the player says so (§ 6.8.6).

        The message to the opponent and any draw offer go with it.
        """
        words = [write_numbered_line(move_texts(self.locked.state.board, (move,)))]
        words += ["remis?"] if reading.asks(Word.DRAW_OFFER) else []
        said = reading.message.split("\n")
        words += [line for line in said if not (regrets(line) or speaks_of_draw(line))]
        asked = self._asking(QuestionKind.MEANT).row(words="\n".join(words))
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

    def ask_late(self, reading: ParsedText) -> Deed:
        """A reply after the opponent's overstep waits for «claim, or not?» (§ 6.3.3.4)."""
        plies = [move.uci() for move in reading.moves]
        letter = self.answers.late(plies, self.mail.key, self.day)
        asked = self._asking(QuestionKind.LATE).row(words=self.mail.words)
        return self.answer("late_asked", letter, asked)
