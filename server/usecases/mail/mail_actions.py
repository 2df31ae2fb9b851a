"""What a player's mail does to its game: each deed with its letters and its outcome.

Pure, inside the writer's transaction. Not for choosing the deed (answer_question.py).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial

import chess

from kskak.game import game_commands as cmd
from kskak.game.game_commands import Command, Reason, Refusal
from kskak.ledger.ledger_files import JsonObject
from kskak.play.game_state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.editions import MoveFault, Side
from mail.game_letters.letter_parts import Letter, write_numbered_line
from mail.game_letters.no_move_letters import AskBack, LateAsk, MailTrouble, NotMade
from mail.grammar.intentions import Intention, IntentionKind
from mail.grammar.keyword_lines import (
    ParsedText,
    ParseProblem,
    ProblemKind,
    Word,
    nearly_speaks_of_draw,
)
from mail.grammar.read_text import regrets, unless_empty_take
from mail.grammar.stated_days import FARTHEST_STATED
from mail.text.letter_facts import move_texts
from server.store.engine.rows import to_us
from server.store.mail.inbox import InboxMark, InboxState
from server.store.mail.outbox import NewOutbox
from server.store.play.requests import ConfirmationRow
from server.usecases.game_letters import NO_NOTES, MailNotes
from server.usecases.games.game_units import (
    CaseRaised,
    Later,
    LockedGame,
    Origin,
    UsedConfirmation,
    Writes,
    hash_mail_text,
)
from server.usecases.games.outbox_letters import (
    QUESTIONED,
    PlayerQuestion,
    Poster,
    QuestionKind,
    ReplyPosition,
    is_elsewhere,
)
from server.usecases.mail.mail_table import Who
from server.usecases.play.game_requests import parse_player_text, run_command, writes_of

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
    paragraph = after.terms.rules.paragraphs.faulty
    charge: JsonObject = {"by": side.value, "on": on, "days": days}
    return charge | {"paragraph": paragraph, "reason": fault.value}


# What a player's mail does to its game: each deed with its letters and its outcome.


@dataclass(frozen=True, slots=True)
class PlayerMail:
    """A mail that may act. ``at`` is the instant that counts; ``key`` is for a question.

    ``inbox_id`` None: the mail was held and is now confirmed; its inbox row has its outcome.
    ``open``: the question that the letter it answers is; ``named``: all those which that letter
    names; ``pending``: all that the player has not answered about the position. ``answers``: the
    question whose «yes» lets a kept mail act. ``is_past``: the game was set back since the letter
    it answers, so that it is about a position before that, whatever its number. ``read_at``: the
    number of the game's newest event when that was looked up. ``dated``: the instant that the mail
    itself gives (§ 6.8.2). ``who``: whose word it is, by which the table is read.
    ``is_sealed``: its text is encrypted; ``file`` and ``filed``: what is attached to it;
    ``subject``: its own, if it is no answer's.
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
    dated: datetime | None = None
    who: Who = Who.KEYED
    is_sealed: bool = False
    file: str = ""
    filed: str = ""
    subject: str = ""


OFFER = "remis?"
"""The line that offers a draw (CONTRACTS "Mail")."""
Deed = tuple[Writes | Later, str]
"""What a mail does, and its outcome in one word for the operator's page."""


def with_talk(reading: ParsedText) -> ParsedText:
    """The reading where nothing of a mail goes on, as no move does: all of it is quoted back."""
    said = filter(None, reading.message.split("\n"))
    return replace(reading, rest=tuple(dict.fromkeys((*reading.rest, *said))))


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

    def read(self, words: str) -> ParsedText:
        """Words of the writer's as they read in this game now."""
        mail, today = self.mail, local_day(self.mail.at, self.locked.row.zone)
        read = parse_player_text(self.locked.state, self.side, words, lang=mail.lang, today=today)
        return unless_empty_take(read)

    @property
    def day(self) -> str:
        """The tournament's day that counts for this mail, in ISO."""
        return local_day(self.mail.at, self.locked.row.zone).isoformat()

    @property
    def _origin(self) -> Origin:
        return Origin(self.mail.at, self.mail.person_id, "mail", self.mail.inbox_id)

    def letter(
        self, kind: type[Letter], params: dict[str, object], unique: str = "", after: int = 0
    ) -> NewOutbox:
        """A letter that answers the mail: what was understood, what was wrong, what to write.

        Each mail gets one answer, and none is silent, as ``unique`` names the mail; what ends the
        talk of two robots is a number a day (games/game_units.py). ``after``: how many new events
        the letter takes into account.
        """
        row, unique = self.locked.row, unique or self.mail.unique
        at = (row.seq + after, self.locked.state.position.ply)
        return self.poster.about_game(kind, row, self.side, at, params, unique)

    def not_made(self, why: str, reading: ParsedText | None = None, **more: object) -> NewOutbox:
        """The letter that says why nothing was done."""
        rest = [] if reading is None else list(reading.rest)
        return self.letter(NotMade, {"why": why, "unread": rest, **more})

    def spent(self) -> NewOutbox:
        """The position is past: what stands now, and where to write.

        Copies of a mail that made its move get one answer together: it names the words and the day.
        """
        params: dict[str, object] = {"why": "spent_key", "unread": []}
        words = hash_mail_text(self.mail.words, self.day)
        return self.letter(NotMade, params, f"spent.{words}")

    def refused(self, refusal: Refusal, reading: ParsedText | None) -> NewOutbox:
        """Which rule stood in the way."""
        is_claim = reading is not None and reading.asks(Word.CLAIM_TIME)
        return self.not_made(
            refusal.reason.value,
            reading,
            is_refusal=True,
            is_claim=is_claim and refusal.reason not in _WAITING,
            earliest=refusal.earliest.isoformat() if refusal.earliest else None,
            days=refusal.days,
        )

    def problem(self, reading: ParsedText, told: str = "", **asked: object) -> NewOutbox:
        """What could not be read as one move; it costs nothing.

        ``told``: what is said of it where its kind says too little; ``asked``: the ``key`` of the
        question whether the one candidate was meant, and the day on which the mail ``arrived``.
        """
        problem = reading.problem
        assert problem is not None
        candidates = [move.uci() for move in problem.candidates]
        is_guess = bool(candidates) and problem.kind is ProblemKind.NOT_UNDERSTOOD
        why = ProblemKind.UNSURE if is_guess else problem.kind
        reading = with_talk(reading) if why is ProblemKind.NOT_YOUR_TURN else reading
        return self.not_made(
            told or why.value, reading, written=problem.token, candidates=candidates, **asked
        )

    def _mark(self, word: str) -> InboxMark | None:
        mail = self.mail
        if mail.inbox_id is None:
            return None
        about = (mail.person_id, mail.position.game_id)
        return InboxMark(mail.inbox_id, InboxState.DONE, word, None, *about)

    def answer(
        self, word: str, letter: NewOutbox, *asked: ConfirmationRow, closes: bool = False
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
        return self.answer(reason.value, self.refused(Refusal(reason), reading))

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
        old = (q for q in self.mail.pending if not is_elsewhere(q))
        now_us = self.poster.now_us
        return (*(UsedConfirmation(q.digest, now_us) for q in old), *self._answered)

    def try_out(self, command: Command) -> Refusal | None:
        """The refusal that a command would get, if any; nothing is done."""
        done = run_command(self.locked, command, self._origin)
        return done if isinstance(done, Refusal) else None

    def do(
        self,
        command: Command,
        word: str,
        reading: ParsedText | None,
        *letters: NewOutbox,
        asked: tuple[ConfirmationRow, ...] = (),
    ) -> Deed:
        """Carry out a command, or answer why not; ``asked``: what ``letters`` ask besides."""
        done = run_command(self.locked, command, self._origin)
        if isinstance(done, Refusal):
            if done.reason is Reason.OVERSTEP_ASKS and reading is not None:
                return self.ask_late(reading)
            return self.answer(done.reason.value, self.refused(done, reading))
        if reading is not None and reading.unmarked and reading.moves:
            letter, question = self.series_question(reading, len(done[0]), done[1])
            letters, asked = (*letters, letter), (*asked, question)
        besides = Writes(
            outbox=letters,
            confirmations=asked,
            inbox_mark=self._mark(word),
            confirmations_used=self._closed,
        )
        said = ("", NO_NOTES) if reading is None else (reading.message, self._notes(reading))
        written = (self.locked, done, self._origin, self.poster, besides, *said)
        return partial(writes_of, *written), word

    def stated_receipt(self, reading: ParsedText) -> date | None:
        """The day of receipt that the writer gives, if it is earlier than the one that would count:
        it is honoured (reading of § 6.8.2)."""
        state, stated = self.locked.state, reading.stated.received
        opponent_sent, usual = state.turn.opponent_sent, state.receipt
        if stated is None or opponent_sent is None or usual is None:
            return None
        counted = local_day(self.mail.at, self.locked.row.zone)
        return stated if opponent_sent <= stated < min(usual, counted) else None

    def _notes(self, reading: ParsedText) -> MailNotes:
        """What the mail says besides its move: what was not understood, days that differ."""
        zone, state = self.locked.row.zone, self.locked.state
        counted, dated = local_day(self.mail.at, zone), self.mail.dated
        rest = reading.rest[1:] if reading.unmarked else reading.rest
        sent = reading.stated.sent or (None if dated is None else local_day(dated, zone))
        sent = None if sent == counted or sent is None else sent
        if sent is not None and abs(counted - sent) > FARTHEST_STATED:
            sent = None  # a clock that was never set
        received, usual = reading.stated.received, state.receipt
        if received is not None and (usual is None or received <= usual):
            received = None
        is_long = sent is not None and counted - sent > timedelta(days=1)
        return MailNotes(rest, sent, received, is_long or received is not None)

    def charge(self, fault: MoveFault, reading: ParsedText) -> Deed:
        """An invalid move: charged and reported at once, with how to object (§ 6.8.4, § 6.8.6)."""
        command = cmd.ReportFaulty(self.side, fault)
        done = run_command(self.locked, command, self._origin)
        assert not isinstance(done, Refusal)
        events, after = done
        params: dict[str, object] = {  # totals and last day are those after it
            "why": fault.value,
            "unread": list(reading.rest),
            "written": None if reading.problem is None else reading.problem.token,
            "charge": charge_of(self.locked.state, after, self.side, fault, self.day),
        }
        letter = self.letter(NotMade, params, after=len(events))
        besides = Writes(
            outbox=(letter,), inbox_mark=self._mark(fault.value), confirmations_used=self._closed
        )
        writes = writes_of(self.locked, done, self._origin, self.poster, besides)
        return writes, fault.value

    def _asking(
        self, question: QuestionKind, position: ReplyPosition | None = None
    ) -> PlayerQuestion:
        mail = self.mail
        position = position or mail.position
        now, sent = self.poster.now_us, to_us(mail.at)
        return PlayerQuestion(
            question, mail.key, mail.person_id, position, sent, now, mail.inbox_id
        )

    def series_question(
        self, reading: ParsedText, events: int = 0, after: GameState | None = None
    ) -> tuple[NewOutbox, ConfirmationRow]:
        """Whether the moves that had no 0 are a series of the move sent, in the game ``after`` so
        many new ``events`` (§ 6.2.5)."""
        row, state = self.locked.row, after or self.locked.state
        plies, ply = [move.uci() for move in reading.unmarked], state.position.ply
        params: dict[str, object] = {"question": QuestionKind.SERIES.value, "key": self.mail.key}
        letter = self.poster.about_game(
            AskBack,
            *(row, self.side, (row.seq + events, ply), params | {"plies": plies}),
            f"{self.mail.unique}.series",
        )
        words = write_numbered_line(move_texts(state.board, reading.unmarked))
        at = replace(self.mail.position, ply=ply)
        return letter, self._asking(QuestionKind.SERIES, at).row(words=words, plies=plies)

    def ask_back(self, question: QuestionKind) -> Deed:
        """Ask once whether to resign or accept a draw (CONTRACTS "Mail")."""
        params: dict[str, object] = {"question": question.value, "key": self.mail.key}
        letter = self.letter(AskBack, params)
        return self.answer("asked_back", letter, self._asking(question).row())

    def ask_wish(self, wish: Intention, words: str, plies: Sequence[chess.Move] = ()) -> Deed:
        """Ask whether the writer wants what his prose seems to say; ``words`` say it for him.

        ``plies``: the moves that they are.
        """
        days = {"first": wish.start, "last": wish.end}
        told = {name: day.isoformat() for name, day in days.items() if day is not None}
        params: dict[str, object] = {"question": wish.kind.value, "key": self.mail.key}
        params |= {"words": words, "plies": [move.uci() for move in plies], **told}
        letter = self.letter(AskBack, params, f"{self.mail.unique}.wish")
        kept = {"words": words} | ({"of_leave": True} if wish.kind is IntentionKind.LEAVE else {})
        return self.answer("asked_back", letter, self._asking(QuestionKind.WISH).row(**kept))

    def tell(self, wish: Intention, reading: ParsedText) -> Deed:
        """What the writer wants and what he can do about it: nothing the server does for him."""
        why = "leave_days" if wish.kind is IntentionKind.LEAVE else wish.kind.value
        letter = self.not_made(why, reading, written=wish.sentence[:LONGEST_SENTENCE])
        return self.answer("told", letter)

    def ask_meant(
        self, problem: ParseProblem, move: chess.Move, reading: ParsedText, told: str = ""
    ) -> Deed:
        """Ask about a slip of the pen: it is played as meant once the player says so (§ 6.8.6).

        The message to the opponent and any draw offer go with it. ``told``: as in `problem`.
        """
        plies = (move, *reading.unmarked)  # of a series that is asked about once the move is sent
        words = [write_numbered_line(move_texts(self.locked.state.board, plies))]
        words += [OFFER] if reading.asks(Word.DRAW_OFFER) else []
        said = [line for line in reading.message.split("\n") if line not in reading.rest]
        words += [line for line in said if not (regrets(line) or nearly_speaks_of_draw(line))]
        offers = {"offers": True} if told == MailTrouble.DRAW_OFFERED else {}
        asked = self._asking(QuestionKind.MEANT).row(words="\n".join(words), **offers)
        letter = self.problem(reading, told, key=self.mail.key, arrived=self.day)
        writes, outcome = self.answer(problem.kind.value, letter, closes=True)
        return replace(writes, confirmations=(asked,)), outcome

    def ask_which(self) -> Deed:
        """A bare «ja» or «nej» that may be meant for more than one thing, or for none: asked."""
        pending, offered = self.mail.pending, self.locked.state.draw_offer is self.side.other
        opens = [[q.kind, str(json.loads(q.params).get("words", ""))] for q in pending]
        opens += [["offer", ""]] if offered else []
        digests = [q.digest.hex() for q in pending]
        why = "which" if opens else "not_asked"
        letter = self.not_made(why, None, open=opens, **{QUESTIONED: digests})
        return self.answer("asked_which" if opens else "not_understood", letter)

    def drop(self, question: ConfirmationRow) -> Deed:
        """«nej» to a question: it is closed, and nothing is done."""
        writes, outcome = self.answer("answered_no", self.not_made("answered_no"))
        used = UsedConfirmation(question.digest, self.poster.now_us)
        return replace(writes, confirmations_used=(used, *self._answered)), outcome

    def ask_late(self, reading: ParsedText) -> Deed:
        """A reply after the opponent's overstep waits for «claim, or not?» (§ 6.3.3.4)."""
        plies = [move.uci() for move in reading.moves]
        params: dict[str, object] = {"plies": plies, "key": self.mail.key, "arrived": self.day}
        letter = self.letter(LateAsk, params)
        asked = self._asking(QuestionKind.LATE).row(words=self.mail.words)
        return self.answer("late_asked", letter, asked)
