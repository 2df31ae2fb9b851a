"""What a mail is handled as: who wrote it, what was recognised, whose turn it is, and what follows.

The whole of it is one table (below), which the handler reads and the operator's manual prints
(docs/operator.md). Pure. NOT for how a mail is sorted (`sort_mail`) nor for what a deed does
(`handle_mail`, `answer_question`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Final

import chess

from kskak.play.game_state import GameState
from kskak.regulation.editions import Side
from mail.game_letters.no_move_letters import MailTrouble
from mail.grammar.intentions import (
    Intention,
    IntentionKind,
    OpenMatters,
    offers_draw,
    read_intentions,
)
from mail.grammar.keyword_lines import (
    Keyword,
    ParsedText,
    ParseProblem,
    ProblemKind,
    Word,
    join_patterns,
    read_keyword,
    says_only,
)
from mail.grammar.move_lines import list_move_words
from mail.grammar.program_games import split_records
from mail.grammar.read_text import is_talk, regrets
from mail.grammar.spoken_moves import NAMED_PIECE, castles


class Who(StrEnum):
    """Whose word a mail is."""

    KEYED = "key and address"
    KEY = "key alone"
    ADDRESS = "address alone"
    LIST = "through a list"
    NOTICE = "like a notice"
    ODD = "oddly built"
    FOREIGN = "foreign"
    ROBOT = "robot"


class GameStanding(StrEnum):
    """How the game stands for the writer; told apart only for his own word."""

    OWN = "his turn"
    THEIRS = "opponent's turn"
    PAST = "older letter"
    REST = "at rest"
    OVER = "over"


class MailMeaning(StrEnum):
    """What was recognised: by the words that act as they stand, or in prose."""

    MOVE = "a move"
    SERIES = "a series"
    SEVERAL = "several moves"
    UNCLEAR = "a move that may be meant"
    TRY = "a try that is not possible"
    ANSWER = "an answer to a question of ours"
    RESIGN = "resignation"
    DRAW_WORD = "draw, by its word"
    DRAW = "draw, in prose"
    FOLLOWS = "the opponent's series, in prose"
    CLAIM_WORD = "claim, by its word"
    CLAIM = "claim, in prose"
    CASE = "admits, or raises a case"
    THINK_WORD = "long think, by its word"
    THINK = "long think, in prose"
    LEAVE_WORD = "leave, by its word"
    LEAVE = "leave, in prose"
    LATER_START = "a later start"
    NEW_ADDRESS = "a new address"
    QUESTION = "a question"
    HELP = "help, status, mails"
    PAPER = "objection, appeal, word in a case"
    NOTHING = "nothing"


class MailFate(StrEnum):
    """What becomes of it, as its writer sees it."""

    DONE = "done"
    ASKED = "asked"
    TOLD = "told"
    HELD = "held"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Cell:
    """What becomes of a mail, and how: the deed, what is asked, what is told, who looks."""

    fate: MailFate
    how: str


OWN_TABLE: Final = """
| recognised | his turn | opponent's turn | older letter | at rest | over |
|---|---|---|---|---|---|
| a move | done: play | told: turn | told: spent | told: rests | told: over |
| a series | done: play | asked: series | told: spent | told: rests | told: over |
| several moves | asked: fault | told: turn | told: spent | told: rests | told: over |
| a move that may be meant | asked: fault | told: turn | told: spent | told: rests | told: over |
| a try that is not possible | told: fault | told: turn | told: spent | told: rests | told: over |
| an answer to a question of ours | done: answer | done: answer | told: spent | done: answer | told: over |
| resignation | asked: resign | asked: resign | asked: resign | asked: resign | told: over |
| draw, by its word | done: draw | done: draw | told: spent | told: rests | told: over |
| draw, in prose | asked: wish | asked: wish | asked: wish | told: rests | told: over |
| the opponent's series, in prose | asked: wish | told: turn | told: spent | told: rests | told: over |
| claim, by its word | done: claim | done: claim | done: claim | told: rests | told: over |
| claim, in prose | asked: wish | asked: wish | asked: wish | told: rests | told: over |
| admits, or raises a case | done: case | done: case | done: case | done: case | done: case |
| long think, by its word | done: think | told: think | told: spent | told: rests | told: over |
| long think, in prose | asked: wish | told: think | told: spent | told: rests | told: over |
| leave, by its word | done: leave | done: leave | done: leave | done: leave | done: leave |
| leave, in prose | asked: wish | asked: wish | asked: wish | asked: wish | told: wish |
| a later start | told: wish | told: wish | told: wish | told: wish | told: wish |
| a new address | told: wish | told: wish | told: wish | told: wish | told: wish |
| a question | told: wish | told: wish | told: wish | told: wish | told: wish |
| help, status, mails | done: help | done: help | done: help | done: help | done: help |
| objection, appeal, word in a case | done: paper | done: paper | done: paper | done: paper | done: paper |
| nothing | told: nothing | told: nothing | told: spent | told: rests | told: over |
"""  # noqa: E501 - a table is read by its rows
"""A player's own word, by his key and address."""

OTHERS_TABLE: Final = """
| recognised | key alone | address alone | through a list | like a notice | oddly built | foreign | robot |
|---|---|---|---|---|---|---|---|
| a move | asked: yours | asked: yours | asked: yours | asked: yours | asked: yours | held: official | kept: silent |
| a series | asked: yours | asked: yours | asked: yours | asked: yours | asked: yours | held: official | kept: silent |
| several moves | asked: yours | asked: fault | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| a move that may be meant | asked: yours | asked: fault | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| a try that is not possible | asked: yours | told: games | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| an answer to a question of ours | asked: yours | told: games | done: answer | asked: yours | held: unread | held: official | kept: silent |
| resignation | asked: yours | asked: resign | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| draw, by its word | asked: yours | asked: yours | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| draw, in prose | asked: yours | asked: wish | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| the opponent's series, in prose | asked: yours | asked: wish | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| claim, by its word | asked: yours | asked: yours | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| claim, in prose | asked: yours | asked: wish | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| admits, or raises a case | asked: yours | asked: yours | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| long think, by its word | asked: yours | asked: yours | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| long think, in prose | asked: yours | asked: wish | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| leave, by its word | asked: yours | asked: yours | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| leave, in prose | asked: yours | asked: wish | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| a later start | asked: yours | told: wish | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| a new address | asked: yours | told: wish | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| a question | asked: yours | told: games | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| help, status, mails | asked: yours | done: help | done: help | asked: yours | held: unread | held: official | kept: silent |
| objection, appeal, word in a case | asked: yours | done: paper | asked: yours | asked: yours | held: unread | held: official | kept: silent |
| nothing | asked: yours | told: games | asked: yours | asked: yours | held: unread | held: official | kept: silent |
"""  # noqa: E501 - a table is read by its rows
"""Everybody else's, whosever turn it is. "address alone": where the game is known by the subject or
as the only one running; where it is not, his games are told."""


def _cells(table: str) -> dict[tuple[str, MailMeaning], Cell]:
    """A table's cells by column and row."""
    rows = [[one.strip() for one in row.strip("|").split("|")] for row in table.split("\n") if row]
    columns = rows[0][1:]
    return {
        (column, MailMeaning(row[0])): Cell(MailFate(fate), how)
        for row in rows[2:]
        for column, cell in zip(columns, row[1:], strict=True)
        for fate, how in [cell.split(": ")]
    }


_OWN: Final = {
    (GameStanding(column), what): cell for (column, what), cell in _cells(OWN_TABLE).items()
}
_OTHERS: Final = {(Who(name), what): cell for (name, what), cell in _cells(OTHERS_TABLE).items()}


def cell_of(who: Who, what: MailMeaning, turn: GameStanding = GameStanding.OWN) -> Cell:
    """What becomes of such a mail."""
    return _OWN[turn, what] if who is Who.KEYED else _OTHERS[who, what]


_WISHED: Final = {
    IntentionKind.CLAIM_TIME: MailMeaning.CLAIM,
    IntentionKind.FOLLOW_SERIES: MailMeaning.FOLLOWS,
    IntentionKind.DRAW_CLAIM: MailMeaning.QUESTION,
    IntentionKind.DRAW_YES: MailMeaning.DRAW,
    IntentionKind.DRAW_NO: MailMeaning.DRAW,
    IntentionKind.DRAW_OFFER: MailMeaning.DRAW,
    IntentionKind.LONG_THINK: MailMeaning.THINK,
}
OF_WISH: Final = {kind: _WISHED.get(kind) or MailMeaning[kind.name] for kind in IntentionKind}
"""As what a wish is recognised: by its own name, where it has one."""


_ACTS: Final = {
    Word.ADMIT: MailMeaning.CASE,
    Word.RAISE_CASE: MailMeaning.CASE,
    Word.RESIGN: MailMeaning.RESIGN,
    Word.CLAIM_TIME: MailMeaning.CLAIM_WORD,
}
"""Words that go before a move of the same mail."""
_BESIDES: Final = {
    Word.DRAW_YES: MailMeaning.DRAW_WORD,
    Word.DRAW_NO: MailMeaning.DRAW_WORD,
    Word.DRAW_OFFER: MailMeaning.DRAW_WORD,
    Word.LONG_THINK: MailMeaning.THINK_WORD,
    Word.LEAVE: MailMeaning.LEAVE_WORD,
    Word.LEAVE_END: MailMeaning.LEAVE_WORD,
    Word.STATUS: MailMeaning.HELP,
    Word.HELP: MailMeaning.HELP,
    Word.MAILS: MailMeaning.HELP,
}
_BEFORE_GUESSES: Final = (
    *(MailMeaning.RESIGN, MailMeaning.CLAIM, MailMeaning.FOLLOWS, MailMeaning.HELP),
)
_OF_PROBLEM: Final = {
    ProblemKind.CONTRADICTION: MailMeaning.SEVERAL,
    ProblemKind.NOT_YOUR_TURN: MailMeaning.MOVE,
}


def recognise(reading: ParsedText, wish: Intention | None, *, accepts: bool = False) -> MailMeaning:
    """What a mail says, the weightiest first; ``wish``: what its prose probably asks for.

    ``accepts``: an offer stands that «remis ja» would accept, which goes before a move.
    """
    is_bare = not (reading.moves or reading.problem)
    if is_bare and any(says_only(reading.keywords, word) for word in (Word.YES, Word.NO)):
        return MailMeaning.ANSWER
    found = (what for word, what in _ACTS.items() if reading.asks(word))
    if (act := next(found, None)) is not None:
        return act
    if accepts and reading.asks(Word.DRAW_YES):
        return MailMeaning.DRAW_WORD
    problem, meant = reading.problem, None if wish is None else OF_WISH[wish.kind]
    if problem is not None and wish is not None and meant is not None:
        is_unread = problem.kind is ProblemKind.NOT_UNDERSTOOD
        is_behind = problem.kind is ProblemKind.WRONG_NUMBER and meant is MailMeaning.FOLLOWS
        is_early = problem.kind is ProblemKind.NOT_YOUR_TURN and meant in _BEFORE_GUESSES
        is_guess = bool(problem.candidates) and (wish.is_plain or wish.is_weak)
        is_likelier = meant in _BEFORE_GUESSES or not _names_move(problem.token)
        is_likelier &= (
            wish.kind is not IntentionKind.DRAW_NO
        )  # a move declines the offer (FIDE 9.1)
        is_unsure = problem.kind is ProblemKind.UNSURE and is_likelier
        if is_behind or is_early or ((is_unread or is_unsure) and not is_guess):
            return meant
    if problem is not None:
        if reading.unmarked and problem.kind is ProblemKind.NOT_YOUR_TURN:
            return MailMeaning.SERIES
        is_asked = problem.candidates and not problem.is_invalid
        return _OF_PROBLEM.get(problem.kind, MailMeaning.UNCLEAR if is_asked else MailMeaning.TRY)
    if reading.moves:
        return (
            MailMeaning.SERIES if reading.proposes or len(reading.moves) > 1 else MailMeaning.MOVE
        )
    besides = (what for word, what in _BESIDES.items() if reading.asks(word))
    return next(besides, meant or MailMeaning.NOTHING)


def _names_move(said: str) -> bool:
    """Whether a square, a piece or castling is in it: «jeg tager imod» takes nothing."""
    is_named = NAMED_PIECE.search(said) is not None or castles(said)
    return is_named or any(map(str.isdigit, said))


# What the words of a mail, of a file or of its subject say in a game.


def says_nothing(problem: ParseProblem | None) -> bool:
    """Whether no move at all was found in the words of a mail."""
    is_unread = problem is not None and problem.kind is ProblemKind.NOT_UNDERSTOOD
    return problem is None or (is_unread and not problem.candidates)


UNHEARD = (MailMeaning.NOTHING, MailMeaning.TRY)
_NUMBERED = re.compile(r"\d{1,3} ?\.")


def in_other_text(reading: ParsedText, other: ParsedText, name: str) -> ParsedText:
    """What a mail says beside a file or subject: the one move of it is asked about, no more."""
    problem = other.problem
    is_unsure = problem is not None and problem.kind is ProblemKind.UNSURE
    moves = problem.candidates if problem is not None and is_unsure else other.moves
    if len(moves) != 1 or other.proposes:
        return reading
    return replace(reading, problem=ParseProblem(ProblemKind.UNSURE, name, moves))


def in_subject(reading: ParsedText, subject: ParsedText, written: str) -> ParsedText:
    """What a mail says with its writer's own subject: a move there where there is none else; asked,
    if it is another one with its number."""
    if not reading.moves:
        is_silent = not reading.keywords and says_nothing(reading.problem)
        return in_other_text(reading, subject, written[:80]) if is_silent else reading
    if not subject.moves or subject.moves[0] == reading.moves[0] or not _NUMBERED.match(written):
        return reading
    clash = ParseProblem(ProblemKind.UNSURE, written[:80], (reading.moves[0], subject.moves[0]))
    return replace(reading, moves=(), proposes=(), unmarked=(), problem=clash)


_FIRST_WORDS = re.compile(
    r"\s*(?:\d[.)] )?(?P<head>[^.,!;:\n]{1,60})[.,!;:\s]*(?P<rest>.*)", re.DOTALL
)
_DENIES = re.compile(rf"(?<!\w)(?:{join_patterns('negates')})(?!\w)", re.IGNORECASE)
_SAYS_NO = re.compile(
    rf"(?<!\w)(?:{join_patterns('says_no')}|{join_patterns('hedges')})(?!\w)|\?", re.IGNORECASE
)
_SUPPOSES = re.compile(rf"(?<!\w)(?:{join_patterns('supposes_too')})(?!\w)", re.IGNORECASE)


def read_assent(
    words: str, reading: ParsedText, asked: tuple[chess.Move, ...], today: date, *, is_clear: bool
) -> str | None:
    """What else a mail says that answers «did you mean this move?» with the move once more, or
    with a «yes» before other words; None where it says neither, or takes something of it back.

    ``asked``: the move, with its series; ``is_clear``: a «yes» can be meant for nothing else.
    """
    problem = reading.problem
    candidates = () if problem is None else problem.candidates
    found = _FIRST_WORDS.match(words)
    if reading.moves or not asked or not found or regrets(words) or _DENIES.search(words):
        return None
    is_unsure = problem is not None and problem.kind is ProblemKind.UNSURE
    is_one = candidates == asked[:1] and len(set(list_move_words(words))) < 2
    if is_unsure and is_one and not _SAYS_NO.search(words):
        return ""
    is_yes = read_keyword(found["head"], today) == Keyword(Word.YES)
    is_other = bool(candidates) and asked[0] not in candidates and not _SUPPOSES.search(words)
    if not (is_yes and is_clear) or is_other:
        return None
    return "" if _SUPPOSES.search(words) else found["rest"]


def understand(
    state: GameState, side: Side, words: str, reading: ParsedText, today: date, subject: str = ""
) -> tuple[MailMeaning, tuple[Intention, ...]]:
    """What the words say in a game, and what their prose probably wishes, the weightiest first."""
    is_offered = state.draw_offer is side.other
    is_lone = bool(reading.moves) and not (reading.rest or reading.keywords)
    if is_lone and not is_talk(reading.message.split("\n")):
        return recognise(reading, None), ()  # nothing but a move
    prose, _ = split_records(words)  # a game in it speaks of offers and ends, too
    has_series = bool(state.proposal) and state.to_move is side
    is_played = bool(reading.moves)
    about = OpenMatters(is_offered, has_series, side is Side.WHITE, subject, is_played)
    wishes = read_intentions("\n".join(prose), today, about)
    return recognise(reading, next(iter(wishes), None), accepts=is_offered), wishes


def with_draw(
    reading: ParsedText, heard: Iterable[Intention], problem: ParseProblem
) -> tuple[ParsedText, str]:
    """The reading of a move that is asked about, with the draw that is offered beside it, and what
    is told of it: an offer is not lost, and what declines one is none (FIDE 9.1)."""
    wishes = {one.kind: one for one in heard}
    offer, unclear = wishes.get(IntentionKind.DRAW_OFFER), ProblemKind.DRAW_UNCLEAR
    if offer is not None and (offers_draw(offer) or IntentionKind.DRAW_NO not in wishes):
        asked = replace(problem, kind=unclear, token=offer.sentence[:80])
        if not offers_draw(offer):
            return replace(reading, problem=asked), ""
        keywords = (*reading.keywords, Keyword(Word.DRAW_OFFER))
        return replace(reading, problem=asked, keywords=keywords), MailTrouble.DRAW_OFFERED
    if problem.kind is ProblemKind.UNSURE and problem.token == reading.empty_take:
        return reading, MailTrouble.NOTHING_TAKEN
    is_taken = IntentionKind.DRAW_YES in wishes or reading.asks(Word.DRAW_YES)
    is_none = problem.kind is unclear and not is_taken
    return reading, MailTrouble.NO_OFFER if is_none else ""
