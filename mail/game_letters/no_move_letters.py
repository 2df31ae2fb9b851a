"""Answers to mails that have made no move yet: what was wrong, what we ask, what is on hold.

§ 6.8.4, § 6.8.6, § 6.3.3.4; and a series that such an answer adds (§ 6.2.5). Kind and exact, always
saying what to write instead. NOT for the letters that carry a move (``move_letters``).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Self, assert_never

from kskak.board.shapes import MoveNotation
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal
from kskak.play.game_state import AccountCharge, GameState
from kskak.regulation.editions import LeaveType, MoveFault, Regulation, Side
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    GameNote,
    PlayerLetter,
    account_blocks,
    address_blocks,
    board_view,
    both_forms,
    deadline_facts,
    in_letters,
    in_one_form,
    letter,
    paragraphs,
    plain,
    quote_person,
    web_link,
    write_days_used,
    write_move,
    write_numbered_line,
)
from mail.game_letters.move_letters import Relay, leave_subject, series_blocks
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, overstep_readings, side_name, write_charge
from mail.text.letter_facts import Dispatch, MoveText, row_text

# Raising a case after a refused overstep claim: the text to start from (§ 6.3.3.5, § 6.4.1).


def dispute_text(state: GameState, late: Side, name: str, words: Words) -> str:
    """A text the claimant may send as is or add to: the account's figures and the paragraphs on
    the dates, the control and the claim."""
    rules, moves = state.terms.rules, state.clock(late).moves
    # Just past a control, that control is in dispute, not the next one.
    is_past = moves > 0 and moves % rules.moves_per_control == 0
    control = moves if is_past else state.next_control(late)
    return words(
        "claims.text",
        name=plain(name),
        used=days(state.clock(late).total, words),
        limit=days(rules.control_limit(control), words),
        move=control,
        paragraphs=paragraphs(rules.paragraphs.overstep),
    )


# Answers to mails that have made no move yet: what was wrong, what we ask, what is on hold.


class MailTrouble(StrEnum):
    """Why a mail made no move, apart from refusals under the rules."""

    ILLEGAL = "illegal"
    WRONG_REPETITION = "wrong_repetition"
    NOT_UNDERSTOOD = "not_understood"
    AMBIGUOUS = "ambiguous"
    WRONG_NUMBER = "wrong_number"
    UNSURE = "unsure"
    NOTHING_TAKEN = "nothing_taken"
    DRAW_UNCLEAR = "draw_unclear"
    DRAW_OFFERED = "draw_offered"
    NO_OFFER = "no_offer"
    CONTRADICTION = "contradiction"
    SPENT_KEY = "spent_key"
    NOT_YOUR_TURN = "not_your_turn"
    GAME_OVER = "game_over"
    UNREADABLE = "unreadable"
    SEALED = "sealed"
    ATTACHED = "attached"
    WHICH = "which"
    NOT_ASKED = "not_asked"
    ANSWERED_NO = "answered_no"
    LEAVE_DAYS = "leave_days"
    LATER_START = "later_start"
    NEW_ADDRESS = "new_address"
    QUESTION = "question"
    DRAW_CLAIM = "draw_claim"


HEARD = (
    *(MailTrouble.LEAVE_DAYS, MailTrouble.LATER_START, MailTrouble.NEW_ADDRESS),
    *(MailTrouble.QUESTION, MailTrouble.DRAW_CLAIM),
)
"""Mails that tried no move: they are told what to do, not that no move was made."""
_TRIES = (
    *(MailTrouble.ILLEGAL, MailTrouble.WRONG_REPETITION, MailTrouble.NOT_UNDERSTOOD),
    *(MailTrouble.AMBIGUOUS, MailTrouble.WRONG_NUMBER, MailTrouble.UNSURE),
    *(MailTrouble.NOTHING_TAKEN, MailTrouble.DRAW_OFFERED, MailTrouble.NO_OFFER),
    *(MailTrouble.DRAW_UNCLEAR, MailTrouble.CONTRADICTION, MailTrouble.SPENT_KEY),
    *(MailTrouble.NOT_YOUR_TURN, MailTrouble.UNREADABLE, MailTrouble.SEALED),
    MailTrouble.ATTACHED,
)
"""Mails that may have tried one: who is to move is asked for it again."""
_OUT_OF_TURN = (
    *(MailTrouble.NOT_UNDERSTOOD, MailTrouble.AMBIGUOUS, MailTrouble.WRONG_NUMBER),
    *(MailTrouble.UNSURE, MailTrouble.CONTRADICTION, MailTrouble.SPENT_KEY),
    *(MailTrouble.NOT_YOUR_TURN, MailTrouble.ATTACHED, Reason.NOT_YOUR_TURN, Reason.STALE),
)
"""What is told to who is not to move: that his move binds and the other one thinks (§ 6.8.4)."""
_OF_A_MOVE = (Reason.ILLEGAL, Reason.SERIES, Reason.SERIES_ILLEGAL, Reason.STALE, Reason.DATES)
"""Refusals of a move."""


@letter("not_made")
class NotMade(PlayerLetter):
    """The answer to a mail that made no move: what was recognised, what it cost, and one question.

    ``written``: what was taken for the move; ``candidates``: what it could mean; ``charge``:
    the days charged for it (§ 6.8.6, § 6.3.5.1); ``unread``: the rest, quoted. ``asks``: «Did you
    mean this?»: the one candidate is played by a ``ja`` reply or this link, and counts as sent on
    that day, when the mail arrived. ``raise_case``: where a refused claim can become a case
    (§ 6.4.1). ``open``: what a «ja» might be meant for, each with the move that was asked about.
    ``guesses``: the words of what he may have wished for, where nothing was recognised.
    """

    why: MailTrouble | Refusal
    written: str | None = None
    candidates: tuple[MoveText, ...] = ()
    charge: AccountCharge | None = None
    unread: tuple[str, ...] = ()
    asks: tuple[str, date] | None = None
    raise_case: str | None = None
    open: tuple[tuple[str, str], ...] = ()
    guesses: tuple[str, ...] = ()

    is_answer = True

    @property
    def _told(self) -> MailTrouble | Refusal:
        """What is told: that the game is over, or whose turn it is, before what was not read."""
        reason, state = self._reason, self.account.state
        if self.charge is not None or self.asks is not None or reason not in _OUT_OF_TURN:
            return self.why
        if state.result is not None:
            return MailTrouble.GAME_OVER
        return MailTrouble.NOT_YOUR_TURN if state.to_move is self.to.other else self.why

    @property
    def _reason(self) -> MailTrouble | Reason:
        return self.why.reason if isinstance(self.why, Refusal) else self.why

    @property
    def _is_try(self) -> bool:
        """Whether the reader is asked for his move."""
        is_to_move = self.account.state.to_move is self.to
        return is_to_move and self._reason in (*_TRIES, *_OF_A_MOVE)

    @property
    def _own_last(self) -> MoveText | None:
        """The last move that the reader sent himself."""
        own = reversed(self.account.rows)
        return next((row_text(row) for row in own if row.by is self.to), None)

    def about(self, words: Words) -> str:
        if self.asks is not None and self.candidates:
            return words("letters.subject.meant", move=in_one_form(self.candidates[0], words))
        told, last = self._told, self._own_last
        if told is MailTrouble.NOT_YOUR_TURN and last is not None:
            key = "early" if self.written and self.why is told else "binds"
            return words(f"letters.subject.{key}", move=in_one_form(last, words))
        if isinstance(told, Refusal):
            is_move = told.reason in _OF_A_MOVE
            return words(f"letters.subject.{'not_made' if is_move else 'not_done'}")
        return words(f"letters.trouble_subject.{told.value}")

    def lead(self, words: Words) -> str:
        told = self._told
        text = _one_line(self.written or "")
        match told:
            case Refusal():
                return refusal_text(told, words, self.account.terms.regulation)
            case MailTrouble():
                last = self._own_last
                if told is MailTrouble.NOT_YOUR_TURN and last is not None:
                    early = words("letters.not_made.early", text=text) if self.why is told else ""
                    return " ".join(filter(None, (text and early, self._binds(last, words))))
                key = "nothing" if told is MailTrouble.NOT_UNDERSTOOD and not text else told.value
                written = words("letters.not_made.written", text=text) if text else None
                written = written or words("letters.not_made.untold")
                return words(f"letters.trouble.{key}", written=written, **self._named(words))
            case _:
                assert_never(told)

    def _binds(self, move: MoveText, words: Words) -> str:
        return words("letters.not_made.binds", move=write_move(move, words), **self.account.cited)

    def _named(self, words: Words) -> dict[str, object]:
        """What the texts of a trouble may name."""
        rows, state, leader = self.account.rows, self.account.state, self.game.leader
        none = words("letters.not_made.no_move")
        return {
            "last": write_move(row_text(rows[-1]), words) if rows else none,
            "number": state.board.fullmove_number,
            "opponent": self.name(self.to.other),
            "result": "*" if state.result is None else state.result.value,
            "leader": plain(leader.name),
            "email": leader.email,
            **self.account.cited,
        }

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        account, told = self.account, self._told
        is_to_move = account.state.to_move is self.to
        more = f"letters.trouble_more.{told.value if isinstance(told, MailTrouble) else ''}"
        if more in words:
            yield words(more, **self._named(words))
        yield from self._charged(words)
        yield from self._ask(words)
        yield from self._open(words)
        yield from self._unchanged(words)
        yield from self._raise_case(words, envelope)
        yield from self._quoted(words)
        if self._is_try:
            yield board_view(account, self.to, words)
        if self.why is MailTrouble.QUESTION:
            yield from self._where_it_stands(words)
        # After an outage the last day is not known yet.
        if is_to_move and self.why != Refusal(Reason.OUTAGE_UNSETTLED):
            yield from _unboxed(deadline_facts(account, self.to, words))
        if is_to_move:
            yield from address_blocks(envelope.reply_to, words)
        if self.asks is None and self.raise_case is None:
            yield from web_link(self.game, words)

    def _where_it_stands(self, words: Words) -> Blocks:
        """What most questions are about: the move that binds, whose turn it is, days and moves."""
        account, last = self.account, self._own_last
        if account.state.to_move is self.to.other:
            if last is not None:
                yield self._binds(last, words)
            yield from _unboxed(deadline_facts(account, self.to, words))
        yield from account_blocks(account, words, is_short=True)
        yield board_view(account, self.to, words)

    def _ask(self, words: Words) -> Blocks:
        """The one question of the letter."""
        if self.asks is not None and self.candidates:
            yield from self._ask_about_move(*self.asks, self.candidates[0], words)
            yield from self._others(words)
        elif self._told is MailTrouble.LEAVE_DAYS:
            yield b.DueLine(words("letters.question.leave_days"))
            yield b.Example(((words("letters.word.leave"), words("letters.means.leave")),))
        elif self._is_try:
            yield from self._ask_for_move(words)
        elif self.why is MailTrouble.QUESTION and self.account.state.to_move is self.to:
            yield words("letters.not_made.how")
        if self.guesses:
            yield words("letters.not_made.guesses")
            yield b.Example(
                tuple(
                    (words(f"letters.word.{one}"), words(f"letters.means.{one}"))
                    for one in self.guesses
                )
            )

    def _others(self, words: Words) -> Blocks:
        """What else he may have meant than the move that is asked about."""
        is_one = len(self.candidates) == 1
        yield words(f"letters.meant.{'else' if is_one else 'others'}")
        if not is_one:
            yield b.Example(tuple(_candidate(move, words) for move in self.candidates[1:]))
        if self.account.state.draw_offer is self.to.other:
            yield words("letters.meant.declines")

    def _ask_for_move(self, words: Words) -> Blocks:
        """Which move he means, among those it can be, or at all."""
        kind = "candidates" if self.candidates else "move" if self.account.rows else "first"
        yield b.DueLine(words(f"letters.question.{kind}", **self._named(words)))
        if self.candidates:
            yield words("letters.not_made.candidates")
            yield b.Example(tuple(_candidate(move, words) for move in self.candidates))
        else:
            yield words("letters.not_made.how")

    def _quoted(self, words: Words) -> Blocks:
        """His own words, but for those that the first sentence names."""
        own = self.written or ""
        is_named = own != "" and _one_line(own) in self.lead(words)
        said = () if is_named or any(own in one for one in self.unread) else (own,)
        if rest := quote_person("\n".join((*said, *self.unread))).strip():
            key = "you_wrote_too" if is_named else "you_wrote"
            yield words(f"letters.not_made.{key}", opponent=self.name(self.to.other))
            yield b.Quote(rest)

    def _open(self, words: Words) -> Blocks:
        """What a bare «ja» might be meant for, and the words that say which."""
        write = {"resign": "resign", "draw_yes": "draw_yes", "offer": "draw_yes"}
        said = [
            (words(f"letters.word.{write[kind]}"), kind) for kind, _ in self.open if kind in write
        ]
        wished = ("meant", "wish")
        said += [(line.split("\n")[0], kind) for kind, line in self.open if kind in wished]
        if said:
            yield words("letters.which.write")
            rows = ((text, words(f"letters.which.{kind}")) for text, kind in dict(said).items())
            yield b.Example(tuple(rows))
        linked = [kind for kind, _ in self.open if kind in ("held", "late")]
        if linked:
            yield b.Bullets(tuple(words(f"letters.which.{kind}") for kind in dict.fromkeys(linked)))

    def _ask_about_move(self, link: str, arrived: date, move: MoveText, words: Words) -> Blocks:
        """The one move he can have meant, and how to say yes to it."""
        is_offered = self.account.state.draw_offer is self.to.other
        meant = write_move(move, words)
        word = _candidate(move, words)[0] if is_offered else words("letters.word.yes")
        if self.why is MailTrouble.DRAW_OFFERED:
            meant = words("letters.meant.with_offer", move=meant)
        yield b.DueLine(words("letters.meant.lead", move=meant))
        yield from _say_yes(word, words("letters.meant.yes", move=meant), words, is_offered)
        yield words("letters.meant.how", day=words.day(arrived))
        yield b.LinkLine(words("letters.meant.link", move=meant), link)

    def _raise_case(self, words: Words, envelope: Envelope) -> Blocks:
        """How to pursue a refused claim: raise a case, with a text to start from (§ 6.4.1)."""
        if self.raise_case is None:
            return
        late = self.to.other
        yield words("claims.how")
        yield b.Quote(dispute_text(self.account.state, late, self.game.player(late).name, words))
        yield b.Example(((words("claims.word"), words("claims.means")),))
        if envelope.reply_to is not None and self.account.state.to_move is not self.to:
            yield from address_blocks(envelope.reply_to, words)
        yield b.LinkLine(words("claims.link"), self.raise_case)
        yield from account_blocks(self.account, words)

    def _charged(self, words: Words) -> Blocks:
        """The days charged, if any, and how to object (§ 6.8.6, § 6.3.5.1)."""
        if self.charge is None:
            return
        standing = write_days_used(self.account, self.to, words)
        total = words("letters.not_made.total", standing=standing)
        yield f"{write_charge(self.charge, words)} {total}"
        yield words("letters.not_made.object", **self.account.cited)

    def _unchanged(self, words: Words) -> Blocks:
        """That nothing happened; but to who spoke of something else, that it costs nothing."""
        is_said = self.charge is not None or self._told is MailTrouble.ANSWERED_NO
        if self.account.state.result is None and not is_said:
            yield words(f"letters.not_made.{'unchanged' if self._reason in HEARD else 'free'}")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        on, now, knight = date(2026, 12, 5), cast.so_far(), cast.answers("b8c6")
        charged = cast.acc(*cast.EVENTS[:3], ev.FaultySent(Side.BLACK, on, MoveFault.ILLEGAL))
        charge = AccountCharge(Side.BLACK, on, 3, "6.8.6", "illegal")
        made = cls(cast.GAME, now, Side.BLACK, MailTrouble.WRONG_NUMBER, "1... Sc6", knight)
        return {
            "illegal": replace(
                made, account=charged, why=MailTrouble.ILLEGAL, written="2. 7163 2835",
                candidates=(), charge=charge, unread=("mon det går",),
            ),
            "ambiguous": replace(
                made, why=MailTrouble.AMBIGUOUS, written="Se7",
                candidates=cast.answers("g8e7") + knight,
            ),
            "meant": replace(made, asks=(cast.LINK, on)),
            "meant_or": replace(made, why=MailTrouble.UNSURE, written="springeren ud",
                                candidates=knight + cast.answers("b8a6"), asks=(cast.LINK, on)),
            "heard": replace(
                made, why=MailTrouble.LEAVE_DAYS, written="ferie hele juli", candidates=()
            ),
            "nothing": replace(
                made, why=MailTrouble.NOT_UNDERSTOOD, written=None, candidates=(),
                unread=("Tak for sidst, Åge!",), guesses=("resign", "draw")),
            "asked_leader": replace(
                made, why=MailTrouble.QUESTION, written="Hvornår er der ferie?", candidates=()),
            "attached": replace(
                made, why=MailTrouble.ATTACHED, written="IMG_0712.jpg", candidates=()),
            "which": replace(
                made, why=MailTrouble.WHICH, written=None, candidates=(),
                open=(("resign", ""), ("offer", ""))),
            "refused": cls(cast.GAME, now, Side.WHITE, Refusal(Reason.NOT_YOUR_TURN)),
            "out_of_turn": cls(
                cast.GAME, now, Side.WHITE, MailTrouble.NOT_UNDERSTOOD, unread=("Hvad nu?",)),
            "no_claim": cls(cast.GAME, now, Side.BLACK, Refusal(Reason.NO_OVERSTEP)),
        }  # fmt: skip


def _one_line(written: str) -> str:
    """The reader's own words as a sentence names them."""
    return plain(quote_person(written))[:80]


def _unboxed(blocks: Iterator[b.Block]) -> Blocks:
    """The same without a box around it, where the letter has one for its question."""
    yield from (one.text if isinstance(one, b.DueLine) else one for one in blocks)


def _say_yes(word: str, means: str, words: Words, is_offered: bool) -> Blocks:
    """The line that says yes; a «ja» alone is not enough while a draw offer stands, too."""
    if is_offered:
        yield words("letters.ask.offered")
    else:
        yield words("letters.ask.how")
    yield b.Example(((word, means),))


def _candidate(move: MoveText, words: Words) -> tuple[str, str]:
    if words.leads and words.writing is not MoveNotation.NUMERIC:
        lettered_form = move.written(words.writing, words.lang)
        return lettered_form, words("letters.not_made.candidate", move=move.numeric)
    return move.numeric, words("letters.not_made.candidate", move=in_letters(move, words))


def refusal_text(refusal: Refusal, words: Words, regulation: Regulation | None = None) -> str:
    """A refusal under the rules in words, with its paragraph; in a game's letter its own."""
    told = {name: getattr(refusal, name) for name in ("earliest", "latest", "given")}
    named = {name: "-" if day is None else words.day(day) for name, day in told.items()}
    left = days(refusal.days, words) if refusal.days is not None else "-"
    text = words(f"refusals.{refusal.reason.value}", days=left, **named)
    rule = refusal.paragraph if regulation is None else refusal.reason.cited(regulation)
    return f"{text} (§ {rule})."


@dataclass(frozen=True, slots=True)
class _Question(PlayerLetter):
    """A letter that asks something, and waits for the answer."""

    is_answer = True


class ConfirmableAction(StrEnum):
    """What must be confirmed once before it is done."""

    RESIGN = "resign"
    ACCEPT_DRAW = "accept_draw"
    DRAW_NO = "draw_no"
    DRAW_OFFER = "draw_offer"
    CLAIM_TIME = "claim_time"
    LONG_THINK = "long_think"
    LEAVE = "leave"
    SERIES = "series"
    FOLLOW_SERIES = "follow_series"


_ABOUT_THE_POSITION = (
    ConfirmableAction.RESIGN,
    ConfirmableAction.ACCEPT_DRAW,
    ConfirmableAction.DRAW_OFFER,
    ConfirmableAction.FOLLOW_SERIES,
)
"""What is easier to answer with the board in sight."""


@letter("ask_back")
class AskBack(_Question):
    """«Do you resign?», «Do you accept the draw?»: done by a ``ja`` reply or the link.

    ``words``: the line that does the same by itself, where a ``ja`` alone is not clear; ``first``
    and ``last``: the days of LEAVE, both included; ``moves``: those of SERIES.
    """

    question: ConfirmableAction
    link: str
    words: str = ""
    first: date | None = None
    last: date | None = None
    moves: tuple[MoveText, ...] = ()

    def _named(self, words: Words) -> dict[str, str]:
        """What its texts name: days, or moves."""
        days_of = {"first": self.first, "last": self.last}
        named = {name: words.day(day) for name, day in days_of.items() if day is not None}
        if self.moves:
            last = write_move(row_text(self.account.rows[-1]), words)
            named |= {"series": write_numbered_line(self.moves, words), "last": last}
        return named

    def about(self, words: Words) -> str:
        if self.first is not None and self.last is not None:
            return leave_subject(self.first, self.last, LeaveType.PERSONAL, words) + "?"
        last = in_one_form(row_text(self.account.rows[-1]), words) if self.moves else ""
        return words(f"letters.ask_subject.{self.question.value}", last=last)

    def lead(self, words: Words) -> str:
        named = {"opponent": self.name(self.to.other), **self._named(words)}
        return words(f"letters.ask.{self.question.value}", **named)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        is_offered = self.account.state.draw_offer is self.to.other
        is_offered = is_offered and self.question is not ConfirmableAction.ACCEPT_DRAW
        clear = self.words or words("letters.word.resign")
        word = clear if is_offered else words("letters.word.yes")
        means = words(f"letters.ask_yes.{self.question}", **self._named(words))
        yield from _say_yes(word, means, words, is_offered)
        yield b.LinkLine(words("letters.ask.link"), self.link)
        usual = f"letters.ask.nothing{'_turn' * (self.account.state.to_move is self.to)}"
        nothing = f"letters.ask.nothing_{self.question}"
        yield words(nothing if nothing in words else usual, **self._named(words))
        yield from address_blocks(envelope.reply_to, words)
        if self.question in _ABOUT_THE_POSITION:
            yield board_view(self.account, self.to, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        made = cls(cast.GAME, cast.so_far(), Side.BLACK, ConfirmableAction.RESIGN, cast.LINK)
        days = date(2027, 1, 4), date(2027, 1, 9)
        asks = (ConfirmableAction.LEAVE, cast.LINK, "ferie 2027-01-04 2027-01-09", *days)
        moves = cast.answers("b8c6", "f1b5")
        series = replace(made, to=Side.WHITE, question=ConfirmableAction.SERIES, moves=moves)
        leave = cls(cast.GAME, made.account, Side.BLACK, *asks)
        return {"ask_back": made, "ask_leave": leave, "ask_series": series}


@letter("series_added")
class SeriesNotice(PlayerLetter):
    """To both: a series goes with the last move, as its sender has said since (§ 6.2.5)."""

    dispatch: Dispatch | None

    def _sent(self) -> Dispatch:
        assert self.dispatch is not None
        return self.dispatch

    def about(self, words: Words) -> str:
        return words("letters.subject.series", move=in_one_form(self._sent().plies[-1], words))

    def lead(self, words: Words) -> str:
        own, move = self._sent().by is self.to, write_move(self._sent().plies[-1], words)
        key = f"letters.series.added.{'own' if own else 'theirs'}"
        return words(key, move=move, opponent=self.name(self.to.other))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        account, sent = self.account, self._sent()
        if sent.by is not self.to:
            yield from Relay(self.game, account, sent).blocks(words, envelope)
            return
        yield from series_blocks(account, sent, words, is_own=True)
        yield from deadline_facts(account, self.to, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        told = (cast.GAME, cast.so_far())
        return {f"series_added_{side.value}": cls(*told, side, cast.dispatch(2)) for side in Side}


class MailHoldKind(StrEnum):
    """Why a mail is held until its sender confirms it."""

    OTHER_ADDRESS = "other_address"
    KEY_MISSING = "key_missing"
    DOUBTFUL = "doubtful"
    MACHINE = "machine"
    UNCLEAR = "unclear"
    FAR_AHEAD = "far_ahead"
    UNASKED = "unasked"


@letter("held")
class HeldConfirm(_Question):
    """To the registered address: was this you? The move waits until the link is used, then counts
    from its arrival.

    ``words``: what the mail says; shown when it plays no move.
    """

    why: MailHoldKind
    plies: tuple[MoveText, ...]
    arrived: date
    link: str
    words: str = ""

    def about(self, words: Words) -> str:
        if self.plies:
            return words("letters.subject.held", move=in_one_form(self.plies[-1], words))
        return words("letters.subject.held_words")

    def lead(self, words: Words) -> str:
        if self.plies:
            return words("letters.held.lead", moves=both_forms(self.plies, words))
        return words("letters.held.lead_words")

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.words and not self.plies:
            yield b.Quote(quote_person(self.words))
        yield words(f"letters.held.{self.why.value}")
        yield words("letters.ask.how")
        yield b.LinkLine(words("letters.held.link"), self.link)
        yield words("letters.held.counted", day=words.day(self.arrived), **self.account.cited)
        yield words("letters.held.not_you")
        yield from address_blocks(envelope.reply_to, words)
        yield board_view(self.account, self.to, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        held = (MailHoldKind.OTHER_ADDRESS, cast.answers("b8c6"), cast.AT.date(), cast.LINK)
        return {"held": cls(cast.GAME, cast.so_far(), Side.BLACK, *held)}


@letter("late_ask")
class LateAsk(_Question):
    """To the player who answered an overstep: claim, or play on, and then both lose? The move waits
    (§ 6.3.3.4, § 6.8.7)."""

    plies: tuple[MoveText, ...]
    arrived: date
    claim_link: str
    waive_link: str

    def lead(self, words: Words) -> str:
        return words("letters.late.lead", opponent=self.name(self.to.other))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        moves = write_numbered_line(self.plies, words)
        yield words("letters.late.waits", moves=moves, day=words.day(self.arrived))
        yield from self._describe_overstep(words)
        yield words("letters.late.choose", **self.account.cited)
        yield b.LinkLine(words("letters.late.claim"), self.claim_link)
        yield words("letters.late.warning")
        yield from overstep_readings(self.account, words)
        yield b.LinkLine(words("letters.late.waive"), self.waive_link, is_second=True)
        yield from account_blocks(self.account, words)

    def _describe_overstep(self, words: Words) -> Blocks:
        """What the overstep consists of."""
        overstep, late = self.account.overstep, self.to.other
        if overstep is not None:
            who = f"{side_name(late, words)}, {self.game.player(late).name}"
            yield b.FactList(
                (
                    (words("letters.late.who"), who),
                    (words("letters.late.used"), days(overstep.used, words)),
                    (words("letters.late.limit"), days(overstep.limit, words)),
                    (words("letters.late.at"), str(overstep.move)),
                    (words("letters.late.on"), words.day(overstep.on)),
                )
            )

    @classmethod
    def samples(cls) -> dict[str, Self]:
        told = (cast.answers("b8c6"), date(2027, 2, 20), cast.LINK, f"{cast.LINK}x")
        return {"late_ask": cls(cast.GAME, cast.overstepped(), Side.WHITE, *told)}


# The letter about a delayed move that was never sent. NOT for deciding whether to send it.


@letter("not_sent")
class NotSent(GameNote):
    """To the player. ``moves``: what he entered; ``message``: what was to go with them.

    ``is_over``: the game is over; ``is_to_move``: it is his turn now. ``url``: the game's page.
    """

    regulation: Regulation
    moves: tuple[MoveText, ...]
    message: str
    why: Refusal
    is_over: bool
    is_to_move: bool
    url: str

    def about(self, words: Words) -> str:
        return words("letters.not_sent.subject", move=in_one_form(self.moves[-1], words))

    def lead(self, words: Words) -> str:
        return words("letters.not_sent.lead", move=both_forms(self.moves, words))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("letters.not_sent.why", why=refusal_text(self.why, words, self.regulation))
        message = quote_person(self.message)
        if message:
            yield words("letters.not_sent.message")
            yield from (line for line in message.split("\n") if line)
        then = "over" if self.is_over else "yours" if self.is_to_move else "not_yours"
        yield words(f"letters.not_sent.{then}")
        yield b.LinkLine(words("letters.not_sent.page"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        said, why = "Glædelig jul!\n\nPS: jeg er på ferie til den 3/1.", Refusal(Reason.STALE)
        to = (cast.WHITE.name, cast.GAME, Side.WHITE, Regulation.EMAIL)
        made = cls(*to, cast.dispatch(2).plies, said, why, False, True, cast.URL)
        return {
            "not_sent": made,
            "not_sent_theirs": replace(made, message="", is_to_move=False),
            "not_sent_over": replace(made, why=Refusal(Reason.GAME_OVER), is_over=True),
        }
