"""The values of the mail grammar, and its keyword lines in every language (CONTRACTS "Mail")."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache

import chess

from kskak.board.notation import could_be
from kskak.board.shapes import NotationLanguage
from mail.text.catalogue import FACTS

# The keyword lines of CONTRACTS "Mail", in every language: each alone on its line.

# A date without a year means the next such date, or one up to this many days ago.
_LOOK_BACK_DAYS = 31
_MAX_LEAVE_DAYS = 366


class Word(StrEnum):
    """What a keyword asks for."""

    RESIGN = "resign"
    DRAW_OFFER = "draw_offer"
    DRAW_YES = "draw_yes"
    DRAW_NO = "draw_no"
    CLAIM_TIME = "claim_time"
    ADMIT = "admit"
    RAISE_CASE = "raise_case"
    YES = "yes"
    NO = "no"
    STATUS = "status"
    HELP = "help"
    MAILS = "mails"
    LEAVE = "leave"
    LEAVE_END = "leave_end"
    LONG_THINK = "long_think"


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword. LEAVE has `start` and `end`, both included; LEAVE_END has only `end`."""

    word: Word
    start: date | None = None
    end: date | None = None


# The letters of one keyboard as people write them on another.
_WAYS = {letter: f"(?:{ways})" for ways in ("å|aa", "æ|ae|ä", "ø|oe|ö", "ü|ue") for letter in ways}
_WAYS = {one: ways for one, ways in _WAYS.items() if not one.isascii()}
_PLAIN = str.maketrans({"å": "aa", "æ": "ae", "ä": "ae", "ø": "oe", "ö": "oe", "ü": "ue"})


def join_patterns(name: str) -> str:
    """Every language's pattern of that name, any of which may be written; never none.

    Its letters may be those of another keyboard: loeber and löber for løber.
    """
    joined = "|".join(one.patterns[name] for one in FACTS.values() if name in one.patterns)
    return re.sub("[åæäøöü]", lambda letter: _WAYS[letter[0]], joined)


def list_patterns(name: str) -> tuple[str, ...]:
    """The same of a line that holds several, in one order: the numbers one to eight."""
    each = (one.patterns[name].split("; ") for one in FACTS.values())
    joined = ("|".join(same) for same in zip(*each, strict=True))
    return tuple(re.sub("[åæäøöü]", lambda letter: _WAYS[letter[0]], one) for one in joined)


NUMBERS = list_patterns("numbers")


_KEYWORD_SPELLINGS = {
    spelling.translate(_PLAIN): Word(word)
    for language in FACTS.values()
    for word, spellings in language.spellings.items()
    for spelling in spellings
}
_KEYWORD_SPELLINGS["(=)"] = Word.DRAW_OFFER  # the laws' own sign (FIDE 9.1)
_OFFER = re.compile(join_patterns("draw_offer"))
_ANSWERS = {
    word: tuple(re.compile(join_patterns(f"{part}_{word.value}")) for part in ("says", "beside"))
    for word in (Word.YES, Word.NO)
}
"""The words that answer a question, and those that may stand beside them."""
_ANSWER_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NO_ANSWER = re.compile(r"[\d?:»«“”\"]")
_MOST_ANSWER_WORDS = 9
_MOST_IN_SMALL = 4
_HEDGES = re.compile(rf"(?<!\w)(?:{join_patterns('negates')}|{join_patterns('hedges')})(?!\w)")
_CLOSES = re.compile(rf"[ ,.!]+(?:{join_patterns('closes')})\b.*$")
_OF_DRAW = re.compile(
    rf"(?<![^\W_])(?:{join_patterns('of_draw')})(?![^\W_])|[(\[] ?= ?[)\]]", re.IGNORECASE
)
_ACUTE = "\u0301"
_SIGN = re.compile(r"\( ?= ?\)")
_BEGINNINGS = frozenset(word for language in FACTS.values() for word in language.beginnings)
_ASKING = re.compile(r" ?\?[?!]*$")
_EDGES = " \t*_\"'.!,;»«”“"
_LEAVE = re.compile(
    rf"(?:{join_patterns('leave')})[ \t:]+(?:(?:{join_patterns('from')}) )?(?P<first>\S+)[ \t]+"
    rf"(?:(?:{join_patterns('to')}|-|–|—)[ \t]+)?(?P<last>\S+)"
)
_LEAVE_END = re.compile(
    rf"(?:{join_patterns('leave')})[ \t:]+(?:{join_patterns('leave_ends')})[ \t]+"
    rf"(?:(?:{join_patterns('on')}) )?(?P<last>\S+)"
)
_OF_LEAVE = re.compile(join_patterns("leave"))
_CHALLENGE = re.compile(rf"(?:{join_patterns('challenge')})[ \t:]+(?P<whom>\S.*)", re.IGNORECASE)
_EVERYBODY = re.compile(join_patterns("everybody"), re.IGNORECASE)
_INVITATIONS = re.compile(join_patterns("invitations"), re.IGNORECASE)
_OBJECTION = re.compile(rf"(?:{join_patterns('objection')})(?:[ \t]*:.*)?", re.IGNORECASE)
_APPEAL = re.compile(join_patterns("appeal"), re.IGNORECASE)
_OF_APPEAL = re.compile(rf"\b(?:{join_patterns('of_appeal')})\b", re.IGNORECASE)
_CASE = re.compile(rf"\[(?:{join_patterns('case')})\s+(\d{{4}}/\d{{1,6}})\]", re.IGNORECASE)
_ONE_WORD_RANGE = re.compile(r"(\d\d?[./]\d\d?[\d./]*)[-–—](?=\d\d?[./])")
_ISO = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
_DAY_MONTH = re.compile(r"(\d\d?)[./](\d\d?)(?:[./]|[-./](\d{4}|\d\d))?")


def is_draw_offer(text: str) -> bool:
    """Whether words offer a draw and do nothing else (FIDE 9.1)."""
    if not speaks_of_draw(text):
        return False
    folded = _fold_line(_SIGN.sub("(=)", text))
    return Word.DRAW_OFFER in (_word(folded), _word(_fold_line(folded.strip("(){}"))))


def speaks_of_draw(line: str) -> bool:
    """Whether a line mentions a draw at all; if it is no offer, its writer is asked."""
    plain = line
    if not line.isascii():  # another keyboard's letters: ＲＥＭＩＳ, rémis
        plain = unicodedata.normalize("NFKD", line).replace(_ACUTE, "")
        plain = unicodedata.normalize("NFC", plain)
    return _OF_DRAW.search(plain) is not None or find_result(line) == "1/2-1/2"


def nearly_speaks_of_draw(line: str) -> bool:
    """The same, or a few words would with their slips of the pen mended: «reims?»."""
    is_few = len(line.split()) <= _MOST_IN_SMALL
    return speaks_of_draw(line) or (is_few and speaks_of_draw(mend_words(line)))


def read_keyword(line: str, today: date) -> Keyword | None:
    """The keyword that is the whole line, or None. `today` supplies a missing year."""
    if len(line) > 200:
        return None
    text = _fold_line(line)
    word = Word.DRAW_OFFER if is_draw_offer(line) else _word(text)
    if word is None and _is_whole(line, text):
        word = _read_answer(text) or (
            None if _begins_small(line, text) else _read_first_answer(text)
        )
    if word is not None:
        return Keyword(word)
    if _OF_LEAVE.match(text) is not None:
        return _read_leave(_ONE_WORD_RANGE.sub(r"\1 ", text), today)
    return None


def says_only(keywords: Iterable[Keyword], word: Word) -> bool:
    """Whether that word is said and no other."""
    return {one.word for one in keywords} == {word}


def _fold_line(line: str) -> str:
    return " ".join(line.strip(_EDGES).casefold().split())


def _word(text: str) -> Word | None:
    text = _ASKING.sub("?", text).replace(": ", " ").replace(", ", " ")
    if (word := _KEYWORD_SPELLINGS.get(text.translate(_PLAIN))) is not None:
        return word
    return Word.DRAW_OFFER if _OFFER.fullmatch(text) is not None else None


def _is_whole(line: str, text: str) -> bool:
    """Whether a line is no middle of a sentence, as a mail program folds one of our letters.

    One that goes on (with a comma, a colon) or begins small is none, but for a short answer and
    one that begins with a keyword.
    """
    is_short = 1 < len(text.split()) <= _MOST_IN_SMALL
    return not line.strip().endswith((",", ":")) and (is_short or not _begins_small(line, text))


def _begins_small(line: str, text: str) -> bool:
    return line.strip()[:1].islower() and _word(text.split()[0]) is None


def _read_answer(text: str) -> Word | None:
    """«Yes» or «no», where every word says so or may stand beside it: «ja, det mente jeg»."""
    said = _ANSWER_WORDS.findall(_CLOSES.sub("", text))
    if _NO_ANSWER.search(text) or len(said) > _MOST_ANSWER_WORDS:
        return None
    for word, (says, beside) in _ANSWERS.items():
        is_answer = [says.fullmatch(one) is not None for one in said]
        pairs = zip(said, is_answer, strict=True)
        if any(is_answer) and all(found or beside.fullmatch(one) for one, found in pairs):
            return word
    return None


def _read_first_answer(text: str) -> Word | None:
    """«Yes» or «no» before other words that try nothing, and take nothing of a «yes» back."""
    head, sign, rest = text.partition(
        min((one for one in ",.!" if one in text), key=text.index, default=",")
    )
    answer = _read_answer(head.strip()) if sign and not _NO_ANSWER.search(rest) else None
    is_hedged = answer is Word.YES and _HEDGES.search(rest) is not None
    return None if is_hedged or speaks_of_draw(rest) else answer


_RESULT = re.compile(
    r"(?<![\w/.,-])(?:(?P<draw>(?P<half>½|1/2|0[.,]5) ?[-–:] ?(?P=half)|½|=$)"
    r"|(?P<white>1 ?[-–:] ?0)(?!\?)|(?P<black>0 ?[-–:] ?1)(?!\?))(?![\w/-])"
)


def find_result(text: str) -> str | None:
    """The result that somebody writes as a score: 1-0, 0-1, 1/2-1/2."""
    found = _RESULT.search(text)
    if found is None:
        return None
    return "1/2-1/2" if found["draw"] else "1-0" if found["white"] else "0-1"


_WRITTEN_WORD = re.compile(r"[^\W\d_]{3,20}")
_WHOLE_WORD = re.compile(
    r"(?<![\\\w\])])(?P<word>[^\W\d_]{3,})"
    r"(?:(?=[| );]|$)|\(\?:(?P<ends>[^\W\d_|]+)\)\?|\[?(?P<end>[^\W\d_])\]?\?)"
)
"""A word of a pattern that is no stem, and its endings: «hest(?:en)?», «dame[n]?»."""


def _list_words() -> Iterator[str]:
    for language in FACTS.values():
        for text in (*language.words, *language.ordinals, *language.patterns.values()):
            for found in _WHOLE_WORD.finditer(text):
                yield found["word"]
                yield from (found["word"] + one for one in (found["ends"] or "").split("|"))
                yield found["word"] + (found["end"] or "")


_MENDED = tuple(dict.fromkeys(_list_words()))
_KNOWN = frozenset(_MENDED)
_HEARD, _MANY = 5, 7
"""Letters of a word that is known with one of them wrong, or so and in another order."""


def _bags(word: str) -> Iterator[str]:
    """The letters of a word in the alphabet's order: all of them, then without each of them."""
    letters = "".join(sorted(word))
    yield letters
    for at in range(len(word) if len(word) >= _HEARD - 1 else 0):
        yield letters[:at] + letters[at + 1 :]


_BAGS: dict[str, str] = {}
"""The words of each bag, one mostly, so that none takes a list."""
for _one in _MENDED:
    for _bag in _bags(_one):
        _BAGS[_bag] = f"{_BAGS[_bag]} {_one}" if _bag in _BAGS else _one


def mend_words(text: str) -> str:
    """The text with the slips of the pen mended in each word that we know otherwise: its letters in
    another order, and in a longer one a letter wrong, missing or too many."""
    return _WRITTEN_WORD.sub(lambda word: _mend(word[0].casefold()) or word[0], text)


@lru_cache(maxsize=512)
def _mend(word: str) -> str | None:
    if word in _KNOWN:
        return None
    near = dict.fromkeys(one for bag in _bags(word) for one in _BAGS.get(bag, "").split())
    fits = [one for one in near if _is_slip(word, one)]
    return max(fits, key=lambda one: _likeness(word, one), default=None)


def _is_slip(written: str, meant: str) -> bool:
    """Whether a hand that meant the one may write the other: it begins alike, and its letters are
    the same, or all in their order but one, or many."""
    pairs = enumerate(zip(written, meant, strict=False))
    at = next((n for n, (a, b) in pairs if a != b), min(len(written), len(meant)))
    left, right = written[at:], meant[at:]
    is_one = left[1:] == right[1:] or left[1:] == right or left == right[1:]
    is_same = sorted(written) == sorted(meant)
    begins_alike = written[0] in meant[:2] and meant[0] in written[:2]
    is_likely = is_one or (begins_alike and (is_same or len(written) > _MANY))
    return is_likely and (is_same or len(meant) >= _HEARD)


def _likeness(written: str, meant: str) -> tuple[int, int]:
    """How many letters are in both, and how many of them in their places."""
    kept = sum((Counter(written) & Counter(meant)).values()) - abs(len(written) - len(meant))
    return kept, sum(a == b for a, b in zip(written, meant, strict=False))


def case_number(subject: str) -> str | None:
    """The case that a mail's subject names in any language: [Sag 2026/12]."""
    found = _CASE.search(subject)
    return None if found is None else found.group(1)


def is_objection(text: str) -> bool:
    """Whether a text objects to something: the word alone on a line, or before a colon."""
    return any(_OBJECTION.fullmatch(line.strip(_EDGES + ":")) for line in text.split("\n"))


def find_challenged(text: str) -> str | None:
    """Whom the first line of a text challenges by name; "" for everybody, None: nobody."""
    found = _CHALLENGE.fullmatch(text.strip().partition("\n")[0].strip(_EDGES))
    if found is None:
        return None
    whom = found["whom"].strip(_EDGES)
    return "" if _EVERYBODY.fullmatch(whom) else whom


def asks_for_invitations(text: str) -> bool:
    """Whether a text asks who would like a game: the word alone."""
    return _INVITATIONS.fullmatch(text.strip(_EDGES + "?\n")) is not None


def is_appeal(text: str) -> bool:
    """Whether a text clearly appeals: a line says so and is not a question (§ 6.4.3)."""
    lines = (line.strip(_EDGES) for line in text.split("\n"))
    return any(_APPEAL.fullmatch(line) and not line.endswith("?") for line in lines)


def may_be_appeal(text: str) -> bool:
    """Whether a text mentions an appeal at all; if so, its writer is asked (§ 6.4.3)."""
    return _OF_APPEAL.search(text) is not None


def nearly_keyword(line: str) -> bool:
    """True if a line was probably meant as a keyword: one of our words and little else."""
    words = line.strip(_EDGES + "?").casefold().split()
    if not 0 < len(words) <= 6:
        return False
    return words[0].rstrip(":?") in _BEGINNINGS


def _read_leave(text: str, today: date) -> Keyword | None:
    ends = _LEAVE_END.fullmatch(text)
    if ends is not None:
        last = _read_date(ends["last"], today, _LOOK_BACK_DAYS)
        return None if last is None else Keyword(Word.LEAVE_END, None, last)
    found = _LEAVE.fullmatch(text)
    if found is None:
        return None
    start = _read_date(found["first"], today, _LOOK_BACK_DAYS)
    end = _read_date(found["last"], start, 0) if start else None
    if start is not None and end is not None and _has_no_year(found["first"]):
        start = find_day_before(start, end)
    if start is None or end is None or not 0 <= (end - start).days <= _MAX_LEAVE_DAYS:
        return None
    return Keyword(Word.LEAVE, start, end)


def _read_date(text: str, near: date, back: int) -> date | None:
    """8/7, 8.7.2026, 8/7-26 or ISO; without a year the first at or after `near` - `back`."""
    iso = _ISO.fullmatch(text)
    if iso is not None:
        return find_date(int(iso[1]), int(iso[2]), int(iso[3]))
    found = _DAY_MONTH.fullmatch(text)
    if found is None:
        return None
    return find_coming_day(int(found[1]), int(found[2]), found[3], near, back)


def _has_no_year(text: str) -> bool:
    day = _DAY_MONTH.fullmatch(text)
    return day is not None and day[3] is None


def find_day_before(day: date, last: date) -> date | None:
    """The same day of the year, at or before a last day whose year was written."""
    is_later = (day.month, day.day) > (last.month, last.day)
    return day if day <= last else find_date(last.year - is_later, day.month, day.day)


def find_coming_day(day: int, month: int, year: str | None, near: date, back: int) -> date | None:
    """A day as written; without a year the first at or after ``near`` less ``back`` days."""
    if year is not None:
        return find_date(int(year) if int(year) > 99 else 2000 + int(year), month, day)
    # eight years: a 29 February is found across 2100 too
    coming = (find_date(one, month, day) for one in range(near.year - 1, near.year + 9))
    return next((one for one in coming if one and (one - near).days >= -back), None)


def find_date(year: int, month: int, day: int) -> date | None:
    """A day of the calendar; None for one that it has not."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


# The values of the mail grammar: where a game stands, and what a mail was understood to say.


class Repetition(StrEnum):
    """Whether the opponent's last move and the accepted series were repeated, and correctly."""

    OK = "ok"
    ABSENT = "absent"
    WRONG = "wrong"


class ProblemKind(StrEnum):
    """Why no move was made; `Problem.is_invalid` tells which are invalid moves (§ 6.8.6)."""

    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    NOT_UNDERSTOOD = "not_understood"
    CONTRADICTION = "contradiction"
    WRONG_REPETITION = "wrong_repetition"
    WRONG_NUMBER = "wrong_number"
    NOT_YOUR_TURN = "not_your_turn"
    UNSURE = "unsure"
    DRAW_UNCLEAR = "draw_unclear"


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """The kind, the token as the writer wrote it, and the legal moves he may have meant.

    `is_asked`: it is no plain try at his own move, so it is asked about, never charged: a move that
    is in the game already, or what other words of the mail speak against. `leads`: the first of the
    candidates is asked about, and the others are named beside it.
    """

    kind: ProblemKind
    token: str
    candidates: tuple[chess.Move, ...] = ()
    is_asked: bool = False
    leads: bool = False

    @property
    def is_invalid(self) -> bool:
        """Whether it is an invalid move, which costs days by mail (§ 6.8.4, § 6.8.6)."""
        is_fault = self.kind in (ProblemKind.ILLEGAL, ProblemKind.WRONG_REPETITION)
        return is_fault and not self.is_asked

    @property
    def meant(self) -> chess.Move | None:
        """The one move he most likely meant; None if he must write it himself."""
        is_one = len(self.candidates) == 1 or self.leads
        return self.candidates[0] if is_one and not self.is_invalid else None


@dataclass(frozen=True, slots=True)
class PlayedPly:
    """One ply already played: its full-move number, colour, move and SAN."""

    number: int
    colour: chess.Color
    move: chess.Move
    san: str

    @property
    def half(self) -> int:
        """Half-moves before it, counted from move 1."""
        return half_of(self.number, self.colour)

    def matches(self, text: str, languages: Collection[NotationLanguage]) -> bool:
        """Whether a written move can mean this one."""
        return could_be(text, self.move, self.san, languages)


@dataclass(frozen=True, slots=True)
class WriterPosition:
    """Where the game stands for the writer of a mail.

    `board`: now (its move stack is not needed). `my_turn`: the writer is to move. `previous`: plies
    played, oldest first, the more the better; at least the last one. `proposal`: the opponent's
    standing series, beginning with the writer's move. `ply`: plies played in the game.
    """

    board: chess.Board
    my_turn: bool
    previous: tuple[PlayedPly, ...] = ()
    proposal: tuple[chess.Move, ...] = ()
    ply: int = 0


def half_of(number: int, colour: chess.Color) -> int:
    """Half-moves before move `number` of `colour`."""
    return 2 * (number - 1) + (0 if colour == chess.WHITE else 1)


@dataclass(frozen=True, slots=True)
class StatedDays:
    """The days that a writer states of his own move; None: not stated."""

    received: date | None = None
    sent: date | None = None


@dataclass(frozen=True, slots=True)
class ParsedText:
    """What a text says. With a `problem`, `moves` is empty.

    `moves`: all plies the dispatch adds, in order, the last the writer's: the accepted part of
    the series with the bound answers, then his own move. `proposes`: a new series, the first move
    the opponent's. `rest`: what was not understood, to be quoted back. `message`: his free words.
    `stated`: the days that he gives for his move (§ 6.8.2). `unmarked`: the series that is first in
    `rest` but for its 0: he is asked whether it is one (§ 6.2.5). `empty_take`: a move of his that
    is written as a capture and captures nothing.
    """

    moves: tuple[chess.Move, ...] = ()
    proposes: tuple[chess.Move, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    repetition: Repetition = Repetition.ABSENT
    problem: ParseProblem | None = None
    rest: tuple[str, ...] = ()
    message: str = ""
    stated: StatedDays = StatedDays()
    unmarked: tuple[chess.Move, ...] = ()
    empty_take: str = ""

    def asks(self, word: Word) -> bool:
        """True if this keyword is in the text."""
        return any(keyword.word is word for keyword in self.keywords)
