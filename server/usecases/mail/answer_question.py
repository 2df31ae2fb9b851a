"""A player's mail about one position, read against the locked game.

And questions answered by a link.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from functools import partial
from itertools import chain

import chess

from kskak.game import game_commands as cmd
from kskak.game.game_commands import Command, Reason, Refusal
from kskak.play.decide_command import is_barred
from kskak.play.game_state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.editions import MoveFault, Side
from mail.game_letters.letter_parts import write_numbered_line
from mail.game_letters.move_letters import DrawNotice
from mail.game_letters.time_letters import LongThink
from mail.grammar.intentions import Intention, IntentionKind, OpenMatters, guess_wishes
from mail.grammar.keyword_lines import (
    Keyword,
    ParsedText,
    ProblemKind,
    Word,
    read_keyword,
    says_only,
    speaks_of_draw,
)
from mail.grammar.prose_moves import list_followed
from mail.grammar.spoken_moves import castles
from mail.text.catalogue import FACTS, spoken
from mail.text.letter_facts import move_texts
from server.store.account.sign_in import digest
from server.store.engine.rows import from_us
from server.store.mail import inbox as inbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import requests as request_rows
from server.store.play.games import SeenPosition
from server.store.play.requests import ConfirmationRow
from server.usecases.account.signin import read_preferences
from server.usecases.context import Core, poster_of
from server.usecases.games.game_units import Later, LockedGame, PlainUnit, UsedConfirmation, Writes
from server.usecases.games.outbox_letters import Poster, QuestionKind, ReplyPosition, new_key
from server.usecases.mail.mail_actions import OFFER, Deed, Deeds, PlayerMail, with_talk
from server.usecases.mail.mail_table import (
    OF_WISH,
    UNHEARD,
    GameStanding,
    MailMeaning,
    Who,
    cell_of,
    in_other_text,
    in_subject,
    read_assent,
    says_nothing,
    understand,
    with_draw,
)
from server.usecases.mail.mailed_requests import (
    LEAVE_KEYWORDS,
    LeaveMail,
    book_leave,
    find_general_keyword,
    object_by_mail,
    plays_too,
)
from server.usecases.mail.parsed_mail import may_mean_other, open_mail, strip_answered_text
from server.usecases.play.game_requests import (
    GameRequest,
    GameRequestOutcome,
    ask,
    languages_of,
    not_before,
    send_moves,
)
from server.usecases.play.game_views import GameView, game_view


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
        heard = hear(deeds)
        turn = self._turn(locked)
        is_open = turn in (GameStanding.OWN, GameStanding.THEIRS)
        is_end = heard.wish is not None and heard.wish.kind is IntentionKind.RESIGN
        meant = _meant(deeds, heard.reading) if is_open and not is_end else None
        if meant is not None:
            return self._meaning(*meant).run(locked)
        if turn is GameStanding.PAST and _adds_series(deeds, heard.reading):
            return deeds.refuse(Reason.SERIES_LATE, heard.reading)
        if (
            turn is GameStanding.PAST
        ):  # what is not about the position is about the game as it is now
            now = replace(mail.position, ply=locked.state.position.ply)
            deeds = replace(deeds, mail=replace(mail, position=now, open=None, named=()))
        cell = cell_of(mail.who, heard.what, turn)
        deed, outcome = _DEEDS[cell.how](deeds, heard)
        added = list(_list_besides(deeds, heard, turn))
        return (partial(_with_besides, deed, added) if added else deed), outcome

    def _turn(self, locked: LockedGame) -> GameStanding:
        """How the game stands for the writer of the mail."""
        state, position = locked.state, self.mail.position
        if state.rests:
            return GameStanding.REST
        if state.result is not None:
            return GameStanding.OVER
        if self._is_past(locked) or position.ply != state.position.ply:
            return GameStanding.PAST
        return GameStanding.OWN if state.to_move is position.side else GameStanding.THEIRS

    def _is_past(self, locked: LockedGame) -> bool:
        """Whether the game was set back before the mail was read or while it waited."""
        mail = self.mail
        is_unchanged = mail.read_at in (None, locked.row.seq)
        gone = SeenPosition(seq=mail.read_at)
        return mail.is_past or (not is_unchanged and gone.is_gone(locked.set_backs))

    def _meaning(self, question: ConfirmationRow, asked: str, more: str) -> "MailUnit":
        """The first mail as it was meant: dated the day it came, its question answered by this."""
        words = f"{asked}\n{more}"
        used = UsedConfirmation(question.digest, self.poster.now_us)
        at = from_us(question.sent_us)
        mail = replace(self.mail, words=words, at=at, open=None, named=(), answers=used)
        return replace(self, mail=mail)


_OWN_WORD: dict[str, Word] = {
    QuestionKind.RESIGN: Word.RESIGN,
    QuestionKind.DRAW_YES: Word.DRAW_YES,
}
"""The word that says which question a «ja» is meant for, where more than one thing is open."""


def _is_bare(reading: ParsedText, word: Word) -> bool:
    """Whether the mail says that word and asks for nothing else."""
    return says_only(reading.keywords, word) and not reading.moves and reading.problem is None


def _agrees(deeds: Deeds, question: ConfirmationRow, reading: ParsedText) -> bool:
    """Whether a bare «ja» can only be meant for the question of the letter it answers."""
    mail, offered = deeds.mail, deeds.locked.state.draw_offer
    is_clear = not may_mean_other(question, mail.pending, offered, deeds.side)
    return is_clear and _is_bare(reading, Word.YES)


def _meant(deeds: Deeds, reading: ParsedText) -> tuple[ConfirmationRow, str, str] | None:
    """The question «did you mean this move?» that is answered by «ja», or by the move itself; the
    words it asked about; what else the answer says.

    Answered by the move alone, what was taken for an offer of a draw is none.
    """
    mail, today = deeds.mail, date.fromisoformat(deeds.day)
    for question in mail.named:
        if question.kind != QuestionKind.MEANT:
            continue
        params = json.loads(question.params)
        words = str(params["words"])
        if question is mail.open and _agrees(deeds, question, reading):
            return question, words, reading.message
        asked, is_plain = deeds.read(words), not (reading.proposes or reading.keywords)
        if reading.moves and is_plain and asked.moves == reading.moves:
            offer = f"\n{OFFER}" if params.get("offers") else ""
            return question, words.replace(offer, "", 1), reading.message
        is_clear = not may_mean_other(
            question, mail.pending, deeds.locked.state.draw_offer, deeds.side
        )
        more = read_assent(mail.words, reading, asked.moves, today, is_clear=is_clear)
        if question is mail.open and more is not None:
            is_kept = speaks_of_draw(more) or deeds.read(f"{words}\n{more}").moves == asked.moves
            return question, words, more if is_kept else ""
    return None


def _adds_series(deeds: Deeds, reading: ParsedText) -> bool:
    """Whether a «ja» says that a series goes with the last move."""
    question = deeds.mail.open
    is_series = question is not None and question.kind == QuestionKind.SERIES
    return is_series and _is_bare(reading, Word.YES)


def _confirmed(deeds: Deeds, reading: ParsedText) -> Command | None:
    """What the mail confirms: by «ja» to its question, or by the word where «ja» is not enough."""
    side, question = deeds.side, deeds.mail.open
    if question is not None and _agrees(deeds, question, reading):
        return _asked_command(question, side)
    mail, offered = deeds.mail, deeds.locked.state.draw_offer
    again = {
        q.kind: q
        for q in mail.named
        if q is not mail.open or may_mean_other(q, mail.pending, offered, side)
        if not reading.moves
    }
    said = (again[k] for k, word in _OWN_WORD.items() if k in again and reading.asks(word))
    return next((_asked_command(question, side) for question in said), None)


def _asked_command(question: ConfirmationRow, side: Side) -> Command | None:
    """What a «ja» to it asks of the game, if that is one command."""
    match question.kind:
        case QuestionKind.RESIGN:
            return cmd.Resign(side)
        case QuestionKind.DRAW_YES:
            return cmd.AcceptDraw(side)
        case QuestionKind.SERIES:
            plies = tuple(map(chess.Move.from_uci, json.loads(question.params)["plies"]))
            return cmd.AddSeries(side, question.ply, plies)
    return None


# What is carried out in the game, by the words of the table (mail_table.py).


@dataclass(frozen=True, slots=True)
class HeardMail:
    """What a mail says in its game: how it reads, what its prose may wish, what that is."""

    reading: ParsedText
    wishes: tuple[Intention, ...]
    what: MailMeaning

    @property
    def wish(self) -> Intention | None:
        """The weightiest."""
        return next(iter(self.wishes), None)


def hear(deeds: Deeds) -> HeardMail:
    """Read the words of a mail in its game as it stands."""
    mail, state = deeds.mail, deeds.locked.state
    reading, today = deeds.read(mail.words), local_day(mail.at, deeds.locked.row.zone)
    if mail.file and not (reading.moves or reading.keywords) and says_nothing(reading.problem):
        reading = in_other_text(replace(reading, problem=None), deeds.read(mail.filed), mail.file)
    what, wishes = understand(state, deeds.side, mail.words, reading, today, mail.subject)
    if mail.subject and not wishes and (reading.moves or what in UNHEARD):
        reading = in_subject(reading, deeds.read(mail.subject), mail.subject)
        what, wishes = understand(state, deeds.side, mail.words, reading, today, mail.subject)
    is_plain = all(one.is_plain for one in wishes) and what not in _OF_MOVES
    is_try = reading.problem is not None and _TRIED.search(reading.problem.token) is not None
    is_unread = says_nothing(reading.problem) and not is_try and (what in UNHEARD or is_plain)
    is_again = mail.open is not None and wishes and _wishes_again(mail.open, wishes[0], mail.lang)
    is_word = any(one.word not in (Word.YES, Word.NO) for one in reading.keywords)
    is_soft = mail.named and not is_word and (is_unread or is_again)
    if is_soft or _confirmed(deeds, reading) is not None:
        what = MailMeaning.ANSWER
    return HeardMail(reading, wishes, what)


_TRIED = re.compile(r"[a-h]\d|\d\d", re.IGNORECASE)
"""What tries a move, and so answers no question."""


def _wishes_again(question: ConfirmationRow, wish: Intention, lang: str) -> bool:
    """Whether somebody says once more what he was asked about: «det er rigtigt, jeg vil opgive»."""
    if wish.kind in (IntentionKind.RESIGN, IntentionKind.DRAW_YES):
        return question.kind == wish.kind
    is_said = wish.kind in (*_WISHES, IntentionKind.LEAVE) and wish.start is None
    words = str(json.loads(question.params).get("words", ""))
    return is_said and words.startswith(_word_of(wish.kind, lang))


_BESIDES = (
    *(IntentionKind.RESIGN, IntentionKind.CLAIM_TIME, IntentionKind.LEAVE),
    *(IntentionKind.LATER_START, IntentionKind.LONG_THINK, IntentionKind.NEW_ADDRESS),
    *(IntentionKind.QUESTION, IntentionKind.DRAW_CLAIM),
)
"""Wishes that are asked or told in letters of their own, beside what the mail does."""
_OF_MOVES = (MailMeaning.MOVE, MailMeaning.SERIES, MailMeaning.UNCLEAR)


def _list_besides(deeds: Deeds, heard: HeardMail, turn: GameStanding) -> Iterator[Writes]:
    """What the rest of a mail asks or tells; nothing of it is done without a «yes»."""
    nothing = ParsedText()
    for wish in heard.wishes:
        what, name = OF_WISH[wish.kind], wish.kind.value
        is_said = any(one.word.value == name for one in heard.reading.keywords)
        is_late = wish.kind is IntentionKind.LONG_THINK and heard.what in _OF_MOVES
        if (
            wish.kind in _BESIDES
            and what is not heard.what
            and not (wish.is_plain or wish.is_weak or is_said or is_late)
        ):
            unique = f"{deeds.mail.unique}.{wish.kind.value}"
            own = replace(deeds, mail=replace(deeds.mail, key=new_key(), unique=unique))
            deed = _DEEDS[cell_of(deeds.mail.who, what, turn).how]
            added, _ = deed(own, HeardMail(nothing, (wish,), what))
            if isinstance(added, Writes):
                yield added


def _with_besides(deed: Writes | Later, added: Sequence[Writes]) -> Writes:
    writes = deed if isinstance(deed, Writes) else deed()
    return replace(
        writes,
        outbox=(*writes.outbox, *chain(*(one.outbox for one in added))),
        answers=(*writes.answers, *chain(*(one.answers for one in added))),
        confirmations=(*writes.confirmations, *chain(*(one.confirmations for one in added))),
    )


def _answer(deeds: Deeds, heard: HeardMail) -> Deed:
    """Whatever answers a question takes precedence over a move."""
    reading, question = heard.reading, deeds.mail.open
    confirmed = _confirmed(deeds, reading)
    if confirmed is not None and deeds.locked.state.rests:
        is_possible = isinstance(confirmed, cmd.Resign) and deeds.try_out(confirmed) is None
        if not is_possible:
            return deeds.refuse(Reason.AT_REST, reading)
    if confirmed is not None:
        words = {cmd.Resign: "resigned", cmd.AddSeries: "series_added"}
        return deeds.do(confirmed, words.get(type(confirmed), "drawn"), None)
    if question is not None and _is_bare(reading, Word.NO):
        return deeds.drop(question)
    state = deeds.locked.state
    if state.rests:
        return deeds.refuse(Reason.AT_REST, reading)
    if not deeds.mail.pending and (only := _find_only_matter(deeds, reading)) is not None:
        return _wish(deeds, replace(heard, wishes=(Intention(only, ""),)))
    return deeds.ask_which()


def _find_only_matter(deeds: Deeds, reading: ParsedText) -> IntentionKind | None:
    """What a bare «ja» or «nej» to no question of ours is about: the offer or the series that
    stands."""
    state, is_yes = deeds.locked.state, _is_bare(reading, Word.YES)
    has_series = bool(state.proposal) and state.to_move is deeds.side
    if state.draw_offer is deeds.side.other:
        is_possible = deeds.try_out(cmd.AcceptDraw(deeds.side)) is None and not has_series
        yes_or_no = IntentionKind.DRAW_YES if is_yes else IntentionKind.DRAW_NO
        return yes_or_no if is_possible and (is_yes or _is_bare(reading, Word.NO)) else None
    return IntentionKind.FOLLOW_SERIES if has_series and is_yes else None


def _resign(deeds: Deeds, heard: HeardMail) -> Deed:
    """Asked once whether it is meant (§ 6.2.6)."""
    refusal = deeds.try_out(cmd.Resign(deeds.side))
    if refusal is not None:
        return deeds.refuse(refusal.reason, heard.reading)
    return deeds.ask_back(QuestionKind.RESIGN)


def _case(deeds: Deeds, heard: HeardMail) -> Deed:
    if heard.reading.asks(Word.ADMIT):
        return deeds.do(cmd.AdmitOverstep(deeds.side), "admitted", heard.reading)
    return deeds.raise_case()


def _claim(deeds: Deeds, heard: HeardMail) -> Deed:
    """A claim, unless a move stands beside it and there is nothing to claim."""
    claim = cmd.ClaimOverstep(deeds.side)
    if heard.reading.moves and deeds.try_out(claim) is not None:
        return _play(deeds, heard)
    return deeds.do(claim, "claimed", heard.reading)


def _draw(deeds: Deeds, heard: HeardMail) -> Deed:
    """The offer's answer, asked once where it ends the game; or an offer (FIDE 9.1)."""
    side, reading = deeds.side, heard.reading
    if reading.asks(Word.DRAW_YES):
        if deeds.try_out(cmd.AcceptDraw(side)) is None:
            return deeds.ask_back(QuestionKind.DRAW_YES)
        if reading.moves or reading.problem is not None:
            return _fault(deeds, heard) if reading.problem is not None else _play(deeds, heard)
        return deeds.do(cmd.AcceptDraw(side), "drawn", reading)
    if reading.asks(Word.DRAW_NO):
        return deeds.do(cmd.DeclineDraw(side), "declined", reading)
    noted = deeds.letter(DrawNotice, {"word": "noted"})
    return deeds.do(cmd.OfferDraw(side), "offer_noted", reading, noted)


def _think(deeds: Deeds, heard: HeardMail) -> Deed:
    noted = deeds.letter(LongThink, {})
    return deeds.do(cmd.NotifyLongThink(deeds.side), "long_think", heard.reading, noted)


def _play(deeds: Deeds, heard: HeardMail) -> Deed:
    """The move, which a player who may not send by mail does not make."""
    side, reading = deeds.side, heard.reading
    if is_barred(deeds.locked.state, side):
        return deeds.refuse(Reason.NO_EMAIL, reading)
    ply, received = deeds.mail.position.ply, deeds.stated_receipt(reading)
    move = send_moves(reading, side, ply, offers_draw=False, received=received)
    return deeds.do(move, "moved", reading)


def _fault(deeds: Deeds, heard: HeardMail) -> Deed:
    """Only what is illegal, or contradicts the game, is an invalid move (§ 6.8.4, § 6.8.6)."""
    reading, problem = heard.reading, heard.reading.problem
    assert problem is not None
    if is_barred(deeds.locked.state, deeds.side):
        return deeds.refuse(Reason.NO_EMAIL, reading)  # no move by mail, so no invalid one either
    if problem.is_invalid and deeds.mail.who is Who.KEYED:
        is_illegal = problem.kind is ProblemKind.ILLEGAL
        return deeds.charge(
            MoveFault.ILLEGAL if is_illegal else MoveFault.WRONG_REPETITION, reading
        )
    if problem.meant is not None:
        reading, told = with_draw(heard.reading, heard.wishes, problem)
        return deeds.ask_meant(problem, problem.meant, reading, told)
    is_blind = problem.kind is ProblemKind.NOT_UNDERSTOOD and not problem.candidates
    if is_blind and castles(problem.token):  # it is not possible now
        problem = replace(problem, kind=ProblemKind.ILLEGAL, is_asked=True)
        reading, is_blind = replace(reading, problem=problem), False
    said = deeds.problem(reading, "", **(_guesses(deeds) if is_blind else {}))
    return deeds.answer(problem.kind.value, said, closes=True)


def _nothing(deeds: Deeds, heard: HeardMail) -> Deed:
    if deeds.mail.is_sealed:
        return deeds.answer("sealed", deeds.not_made("sealed", heard.reading))
    if deeds.mail.file:
        told = deeds.not_made("attached", heard.reading, written=deeds.mail.file)
        return deeds.answer("not_understood", told)
    unread = deeds.not_made(ProblemKind.NOT_UNDERSTOOD.value, heard.reading, **_guesses(deeds))
    return deeds.answer("not_understood", unread)


def _guesses(deeds: Deeds) -> dict[str, object]:
    """What a mail in which nothing was recognised may have wished for."""
    mail, is_offered = deeds.mail, deeds.locked.state.draw_offer is deeds.side.other
    about = OpenMatters(is_offered, subject=mail.subject)
    return {"guesses": list(guess_wishes(mail.words, about))}


_WISHES = (IntentionKind.DRAW_NO, IntentionKind.DRAW_OFFER, IntentionKind.LONG_THINK)
"""Wishes that a word grants."""


def _word_of(kind: IntentionKind, lang: str) -> str:
    """The line of a mail that does what is wished for, in a language (CONTRACTS "Mail")."""
    facts = FACTS[spoken(lang)]
    return facts.patterns["leave"] if kind is IntentionKind.LEAVE else facts.spellings[kind][0]


def _wish(deeds: Deeds, heard: HeardMail) -> Deed:
    """What the prose of a mail probably asks for: asked about, or told how."""
    mail, side, wish, reading = deeds.mail, deeds.side, heard.wish, heard.reading
    assert wish is not None
    match wish.kind:
        case IntentionKind.DRAW_YES:
            if deeds.try_out(cmd.AcceptDraw(side)) is not None:
                return deeds.do(cmd.AcceptDraw(side), "drawn", reading)
            return deeds.ask_back(QuestionKind.DRAW_YES)
        case IntentionKind.CLAIM_TIME:
            claim = cmd.ClaimOverstep(side)
            if deeds.try_out(claim) is not None:
                return deeds.do(claim, "claimed", replace(reading, keywords=(_CLAIM,)))
            return deeds.ask_wish(wish, _word_of(wish.kind, mail.lang))
        case IntentionKind.FOLLOW_SERIES:
            board, series = deeds.locked.state.board, deeds.locked.state.proposal
            plies = list_followed(mail.words, board, series, languages_of(mail.lang))
            words = write_numbered_line(move_texts(board, plies))
            return deeds.ask_wish(wish, words, plies)
        case IntentionKind.LEAVE if wish.start and deeds.locked.state.result is None:
            words = f"{_word_of(wish.kind, mail.lang)} {wish.start} {wish.end}"
            return deeds.ask_wish(wish, words)
        case kind if kind in _WISHES:
            return deeds.ask_wish(wish, _word_of(kind, mail.lang))
        case _:
            return deeds.tell(wish, reading)


def _series(deeds: Deeds, heard: HeardMail) -> Deed:
    """A series for the move he has sent: asked about, if it can still be added (§ 6.2.5)."""
    series = cmd.AddSeries(deeds.side, deeds.mail.position.ply, heard.reading.unmarked)
    if deeds.try_out(series) is not None:
        return _DEEDS["turn"](deeds, heard)
    return deeds.answer("series_asked", *deeds.series_question(heard.reading))


_CLAIM = Keyword(Word.CLAIM_TIME)
_DEEDS: dict[str, Callable[[Deeds, HeardMail], Deed]] = {
    "answer": _answer,
    "resign": _resign,
    "case": _case,
    "claim": _claim,
    "draw": _draw,
    "think": _think,
    "play": _play,
    "series": _series,
    "fault": _fault,
    "wish": _wish,
    "nothing": _nothing,
    "turn": lambda deeds, heard: deeds.answer(
        ProblemKind.NOT_YOUR_TURN.value, deeds.problem(heard.reading), closes=True
    ),
    "spent": lambda deeds, _: deeds.answer("spent", deeds.spent()),
    "rests": lambda deeds, heard: deeds.refuse(Reason.AT_REST, heard.reading),
    "over": lambda deeds, heard: deeds.answer(
        "game_over", deeds.not_made("game_over", with_talk(heard.reading))
    ),
}
"""What the table's cells name, of those that are carried out in the locked game."""
_DEEDS |= dict.fromkeys(("leave", "help", "paper", "games", "yours"), _nothing)
"""Carried out outside it; left over only where the game moved on meanwhile."""


# Answering a question by the link in the mail: GET shows it, POST answers it.


class Reply(StrEnum):
    """The possible answers: ``claim`` and ``waive`` only to a late question."""

    YES = "yes"
    NO = "no"
    CLAIM = "claim"
    WAIVE = "waive"


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that can be answered: what it is and the game it is about.

    ``words`` is what the held or late mail says.
    """

    row: ConfirmationRow
    question: QuestionKind
    view: GameView
    side: Side
    words: str
    arrived: datetime


async def peek(core: Core, key: str) -> Pending | None:
    """A question by its key; None when unknown, answered or too old. Changes nothing."""
    row = await core.store.query(request_rows.find_question, digest(key))
    return None if row is None else await _pending(core, row)


async def _pending(core: Core, row: ConfirmationRow) -> Pending | None:
    if row.used_us is not None or row.expires_us <= core.now_us:
        return None
    view = await game_view(core, row.game_id)
    side = None if view is None else view.side_of(row.person_id)
    if view is None or side is None:
        return None
    words = str(json.loads(row.params).get("words", ""))
    if row.inbox_id is not None and not words:
        mail = await core.store.query(inbox_rows.find, row.inbox_id)
        if mail is not None:
            opened = await strip_answered_text(
                core, open_mail(core, mail), row.game_id, row.person_id
            )
            words = opened.words
    return Pending(row, QuestionKind(row.kind), view, side, words, from_us(row.sent_us))


async def answer_question(core: Core, key: str, reply: Reply) -> str | Refusal | None:
    """Answer a question once; what it did in one word, or the refusal. None when it can't be
    answered (any more)."""
    row = await core.store.query(request_rows.find_question, digest(key))
    return None if row is None else await answer(core, row, reply)


async def answer(core: Core, row: ConfirmationRow, reply: Reply) -> str | Refusal | None:
    """The same, of a question that was looked up."""
    pending = await _pending(core, row)
    if pending is None:
        return None
    if reply is not Reply.NO:
        return await _do(core, pending, reply)
    return "no" if await _use(core, pending) else None


async def _use(core: Core, pending: Pending) -> bool:
    """Mark a question as answered on its own, when nothing is written in the game with it."""
    used = await core.store.change(request_rows.use, pending.row.digest, core.now_us)
    return used is not None


async def _do(core: Core, pending: Pending, reply: Reply) -> str | Refusal:
    if (command := _asked_command(pending.row, pending.side)) is not None:
        return await _command(core, pending, command)
    match pending.question:
        case QuestionKind.HELD:
            return await _mail(core, pending)
        case QuestionKind.WISH:
            return await _grant(core, pending)
        case QuestionKind.LATE:
            if reply is Reply.CLAIM:
                return await _command(core, pending, cmd.ClaimOverstep(pending.side))
            if not pending.view.account.state.is_overstep_waived:
                waiver = cmd.WaiveOverstep(pending.side)
                waived = await _command(core, pending, waiver, uses=False)
                if isinstance(waived, Refusal):
                    await _use(core, pending)
                    return waived
    return await _play_kept(core, pending)


async def _command(
    core: Core, pending: Pending, command: Command, *, uses: bool = True
) -> str | Refusal:
    """A player's command, dated by the mail it came in (§ 6.8.2), if it came by mail.

    Its effect and the answer to the question are written together: a crash in between would lose
    what the player asked for. ``uses`` False: the question stays open for further work.
    """

    def build(_: GameState, __: Side) -> Command:
        return command

    row = pending.row
    used = UsedConfirmation(row.digest, core.now_us) if uses else None
    at = None if isinstance(command, cmd.AddSeries) else pending.arrived  # a series has no day
    asked = GameRequest(row.game_id, row.person_id, "mail", build, at=at, used=used)
    answer = await ask(core, asked)
    assert isinstance(answer, GameRequestOutcome)
    return answer.refusal or pending.question.value


async def _mail(core: Core, pending: Pending) -> str | Refusal:
    """Do what the held mail says, counted from its arrival (REGULATION, "Authentication")."""
    row = pending.row
    assert row.inbox_id is not None
    async with core.store.read() as conn:
        kept = await inbox_rows.find(conn, row.inbox_id)
        person = await person_rows.find_person(conn, row.person_id)
    assert kept is not None and person is not None
    opened = await strip_answered_text(core, open_mail(core, kept), row.game_id, person.id)
    objected = await object_by_mail(core, opened, person.id, row.game_id)
    if objected is not None:
        await _use(core, pending)
        return objected
    word = find_general_keyword(opened, core.settings.clock.zone)
    if word is not None and word.word in LEAVE_KEYWORDS:
        await book_leave(core, LeaveMail(person.id, opened.at, str(opened.row.id)), word)
        if not plays_too(opened):
            await _use(core, pending)
            return Word.LEAVE.value
    return await _play_kept(core, pending)


async def _grant(core: Core, pending: Pending) -> str | Refusal:
    """Do what the first mail wished for, counted from its arrival: leave, or a word in the game."""
    at, row = pending.arrived, pending.row
    word = read_keyword(pending.words, at.date())
    if word is None or word.word is not Word.LEAVE:
        return await _play_kept(core, pending)
    await book_leave(core, LeaveMail(row.person_id, at, f"wish.{row.digest.hex()[:20]}"), word)
    await _use(core, pending)
    return Word.LEAVE.value


async def _play_kept(core: Core, pending: Pending) -> str | Refusal:
    """Play what a kept mail says, or was meant to say, as of the day it came (§ 6.8.2)."""
    row = pending.row
    async with core.store.read() as conn:
        person = await person_rows.find_person(conn, row.person_id)
        backs = await conn.run_sync(game_rows.set_backs, [row.game_id])
    assert person is not None
    name = row.digest.hex()[:20] if row.inbox_id is None else row.inbox_id
    mail = PlayerMail(
        inbox_id=None,
        unique=f"mail.{name}",
        person_id=person.id,
        lang=(await read_preferences(core, person.id)).reads.letters_of(person.lang),
        words=pending.words,
        at=pending.arrived,
        position=ReplyPosition(row.game_id, row.ply, pending.side),
        key=new_key(),
        answers=UsedConfirmation(row.digest, core.now_us),
        is_past=game_rows.is_past(backs.get(row.game_id, ()), row.ply, row.sent_us),
    )
    done = await core.writer.submit(MailUnit(mail, poster_of(core)))
    return done if isinstance(done, str) else "already"
