"""What a mail that is no move and no keyword probably wants: to be asked about, never done.

A net of stems and dates in every language at once (``mail/words/*/language.toml``): nothing binds
before the writer has said yes, so it is wide, and what it catches is named in the answer to him
(§ 6.2.6, § 6.3.3.5, § 6.3.4, § 6.3.6). Pure; never raises. NOT for the words that act as they stand
(``keyword_lines``), nor for moves.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from typing import Final

from kskak.cases.case_events import ClaimedDate, ClaimedDateKind
from mail.grammar.keyword_lines import find_coming_day, join_patterns, speaks_of_draw
from mail.text.catalogue import FACTS, locale_of


class IntentionKind(StrEnum):
    """What a writer may want, the weightiest first."""

    RESIGN = "resign"
    CLAIM_TIME = "claim_time"
    DRAW_YES = "draw_yes"
    DRAW_NO = "draw_no"
    DRAW_OFFER = "draw_offer"
    LEAVE = "leave"
    LATER_START = "later_start"
    LONG_THINK = "long_think"
    NEW_ADDRESS = "new_address"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Intention:
    """What a sentence of a mail probably wants; LEAVE has ``start`` and ``end`` if it names them,
    both included."""

    kind: IntentionKind
    sentence: str
    start: date | None = None
    end: date | None = None


_ORDER: Final = tuple(IntentionKind)
_MOST = 2_000
"""Characters of a mail that are looked through: what somebody wants stands at its beginning."""
_SENTENCES = re.compile(
    r"(?<=[^\W\d]{2}[.!?])(?<!(?:jan|feb|mar|apr|jun|jul|aug|sep|okt|oct|nov|dec)\.)\s+"
    r"|(?<=[.!?][.!?])\s+|\n+",
    re.IGNORECASE,
)
_LONGEST_LEAVE = timedelta(days=92)
"""Longer, the days are rather written in another way than they are read here."""


def _any_language(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{join_patterns(name)})(?!\w)", re.IGNORECASE)


_NEGATES, _AGREES, _DECLINES = map(_any_language, ("negates", "agrees", "declines"))
_PROPOSES = _any_language("proposes")  # «skal vi ikke tage remis» is an offer
_OF_OPPONENT = _any_language("of_opponent")
_OF_LEAVE, _AWAY = _any_language("means_leave"), _any_language("means_away")
_WISHES_LEAVE = _any_language("wishes_leave")  # the opponent's, whom he wishes well
_OF_TIME = _any_language("means_claim")
_MEANS = {
    kind: _any_language(f"means_{kind.value}")
    for kind in (
        IntentionKind.RESIGN,
        IntentionKind.LATER_START,
        IntentionKind.LONG_THINK,
        IntentionKind.NEW_ADDRESS,
    )
}


def read_intention(text: str, today: date, *, is_offered: bool) -> Intention | None:
    """The weightiest thing that the text probably asks for; None if it is talk.

    ``today`` supplies missing years; ``is_offered``: the opponent's draw offer stands, so that
    words of agreement are about it.
    """
    found = [
        one
        for sentence in _SENTENCES.split(text[:_MOST])
        if (one := _of_sentence(sentence.strip(), today, is_offered=is_offered)) is not None
    ]
    return min(found, key=lambda one: _ORDER.index(one.kind), default=None)


def _of_sentence(sentence: str, today: date, *, is_offered: bool) -> Intention | None:
    if not sentence:
        return None
    is_question, is_denied = sentence.endswith("?"), _NEGATES.search(sentence) is not None
    if not is_question and _resigns(sentence):
        return Intention(IntentionKind.RESIGN, sentence)
    draw = _of_draw(sentence, is_offered=is_offered, is_question=is_question)
    if draw is not None:
        return Intention(draw, sentence)
    if not is_denied and _OF_TIME.search(sentence) and _OF_OPPONENT.search(sentence):
        return Intention(IntentionKind.CLAIM_TIME, sentence)
    if _MEANS[IntentionKind.LATER_START].search(sentence):
        return Intention(IntentionKind.LATER_START, sentence)
    is_others = _WISHES_LEAVE.search(sentence) is not None
    days = read_days(sentence, today)
    is_away = bool(days) and _AWAY.search(sentence) is not None
    if is_away or (not (is_denied or is_others) and _OF_LEAVE.search(sentence)):
        return Intention(IntentionKind.LEAVE, sentence, *days)
    for kind in (IntentionKind.LONG_THINK, IntentionKind.NEW_ADDRESS):
        if not is_denied and _MEANS[kind].search(sentence):
            return Intention(kind, sentence)
    return Intention(IntentionKind.QUESTION, sentence) if is_question else None


def _resigns(sentence: str) -> bool:
    """Whether a part of it does, which is not denied itself: «det nytter ikke, jeg opgiver»."""
    means = _MEANS[IntentionKind.RESIGN]
    return any(means.search(part) and not _NEGATES.search(part) for part in sentence.split(","))


def _of_draw(sentence: str, *, is_offered: bool, is_question: bool) -> IntentionKind | None:
    """What is said of a draw: an answer where the opponent has offered one, else an offer."""
    speaks = speaks_of_draw(sentence)
    agrees, declines = _AGREES.search(sentence), _DECLINES.search(sentence)
    if not is_offered:
        is_offer = speaks and (not declines or is_question or _PROPOSES.match(sentence))
        return IntentionKind.DRAW_OFFER if is_offer else None
    if declines and (speaks or not agrees):
        return IntentionKind.DRAW_NO if speaks or _DECLINES.match(sentence) else None
    if speaks and not is_question:
        return IntentionKind.DRAW_YES
    if agrees is not None and len(sentence.split()) <= _SHORT and not is_question:
        return IntentionKind.DRAW_YES
    return IntentionKind.DRAW_OFFER if speaks else None


_SHORT = 8
"""Words of a sentence that may agree to an offer without naming it."""

# Days as people write them: 4/1, 4.-9. januar, from 22 December to 3 January, uge 52.

_YEAR = r"(?:[ ,]+(?P<year{n}>\d{{4}})\b)?"
_DAY = r"(?:\bden |\bthe |\bd\. )?(?P<{name}>\d{{1,2}})(?:\.|st|nd|rd|th)?"
_JOINS = rf"\s*(?:[-–—]|\b(?:{join_patterns('day_joins')})\b)\s*"


@cache
def _months() -> dict[str, int]:
    """The number of a month by its name, in full and in short, in every language.

    Made with the first mail in prose: the languages' calendars take 5 MB and some of a start.
    """
    return {
        name.casefold().rstrip("."): number
        for lang in FACTS
        for width in ("wide", "abbreviated")
        for number, name in locale_of(lang).months["format"][width].items()
    }


@cache
def _dates() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Two days of one month, and one day, each as people write them."""
    month = "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))
    shared = (
        rf"(?<![\d/.]){_DAY.format(name='first')}{_JOINS}{_DAY.format(name='last')}\s+(?:of )?"
        rf"(?P<month>{month})\b\.?{_YEAR.format(n='')}"
    )
    one = (
        r"(?P<iso>\d{4}-\d\d?-\d\d?)"
        r"|(?<![\d/.])(?P<d1>\d\d?)[./](?P<m1>\d\d?)"
        r"(?:[./](?P<y1>\d{4}|\d\d)\b| (?P<y4>\d{4})\b)?(?![\d/])"
        rf"|(?<!\d)(?P<d2>\d\d?)(?:\.|st|nd|rd|th)?\s+(?:of )?(?P<m2>{month})\b\.?"
        rf"(?:[ ,]+(?P<y2>\d{{4}})\b)?"
        rf"|\b(?P<m3>{month})\b\.?\s+(?P<d3>\d\d?)(?:st|nd|rd|th)?(?!\d)"
        rf"(?:[ ,]+(?P<y3>\d{{4}})\b)?"
    )
    return re.compile(shared), re.compile(one)


_WEEKS = re.compile(
    rf"\b(?:{join_patterns('week')}) (?P<first>\d\d?)(?:{_JOINS}(?P<last>\d\d?))?(?!\d)"
)


def read_days(text: str, today: date) -> tuple[date, date] | tuple[()]:
    """The first and last day that a sentence names, both included; () unless both are clear."""
    folded, (of_one_month, one_day) = text.casefold(), _dates()
    if (weeks := _WEEKS.search(folded)) is not None:
        first = _week(int(weeks["first"]), today)
        last = first and _week(int(weeks["last"] or weeks["first"]), first)
        days = [] if first is None or last is None else [first, last + timedelta(days=6)]
    elif (shared := of_one_month.search(folded)) is not None:
        month, year = _months()[shared["month"]], shared["year"]
        days = list(_in_order([(int(shared[n]), month, year) for n in ("first", "last")], today))
    else:
        days = list(_in_order(map(_written, one_day.finditer(folded)), today))
    if len(days) != 2 or not timedelta(0) <= days[1] - days[0] <= _LONGEST_LEAVE:
        return ()
    return days[0], days[1]


_CLAIMS = {
    kind: re.compile(rf"(?<!\w)(?:{join_patterns(f'stated_{kind.value}')})(?!\w)")
    for kind in ClaimedDateKind
}
_SENTENCE_ENDS = re.compile(r"(?<=[^\W\d]{2})[.!?;]\s|\n")
_A_YEAR_BACK = 365


def read_claimed_dates(text: str, today: date) -> tuple[ClaimedDate, ...]:
    """The days on which something was stamped, sent or received by what somebody writes.

    «kortet er stemplet den 19/8»: the word stands before its day in one sentence, and nothing
    denies it there. A day without a year is the last such day.
    """
    folded, found = text.casefold(), dict[ClaimedDate, None]()
    for written in _dates()[1].finditer(folded):
        before = _SENTENCE_ENDS.split(folded[: written.start()])[-1]
        named = [(one.end(), kind) for kind in _CLAIMS for one in _CLAIMS[kind].finditer(before)]
        day = find_coming_day(*_written(written), today, _A_YEAR_BACK)
        if named and day is not None and day <= today and not _NEGATES.search(before):
            found[ClaimedDate(max(named)[1], day)] = None
    return tuple(found)


def _written(found: re.Match[str]) -> tuple[int, int, str | None]:
    """Day, month and the year as written, if it is."""
    if found["iso"] is not None:
        year, month, day = found["iso"].split("-")
        return int(day), int(month), year
    n = next(n for n in "123" if found[f"d{n}"] is not None)
    month = found[f"m{n}"]
    return (
        int(found[f"d{n}"]),
        int(month) if month.isdigit() else _months()[month],
        found[f"y{n}"] or found["y4"],
    )


def _in_order(written: Iterable[tuple[int, int, str | None]], today: date) -> Iterator[date]:
    """The days in the order they are written; each without a year is the next after the last."""
    near, back = today, _LOOK_BACK
    for day, month, year in written:
        found = find_coming_day(day, month, year, near, back)
        if found is None:
            return
        yield found
        near, back = found, 0


_LOOK_BACK = 31
"""Days ago that a day without a year may still mean."""


def _week(number: int, near: date) -> date | None:
    """The Monday of a week by ISO 8601, the next one that is not over."""
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            monday = date.fromisocalendar(year, number, 1)
        except ValueError:
            continue
        if monday + timedelta(days=6) >= near:
            return monday
    return None
