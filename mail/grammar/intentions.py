"""What a mail that is no move and no keyword probably wants: to be asked about, never done.

A net of stems and dates in every language at once (``mail/words/*/language.toml``): nothing binds
before the writer has said yes, so it is wide, and what it catches is named in the answer to him
(§ 6.2.5, § 6.2.6, § 6.3.3.5, § 6.3.4, § 6.3.6). Where it catches nothing, the words are read again
without their slips of the pen. Pure; never raises. NOT for the words that act as they stand
(``keyword_lines``), nor for moves.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from typing import Final

from kskak.cases.case_events import ClaimedDate, ClaimedDateKind, ClaimedResult
from kskak.regulation.days import easter
from mail.grammar.keyword_lines import (
    NUMBERS,
    find_coming_day,
    find_day_before,
    find_result,
    is_draw_offer,
    join_patterns,
    list_patterns,
    mend_words,
    speaks_of_draw,
)
from mail.grammar.spoken_moves import names_piece
from mail.text.catalogue import FACTS, locale_of


class IntentionKind(StrEnum):
    """What a writer may want, the weightiest first."""

    RESIGN = "resign"
    CLAIM_TIME = "claim_time"
    DRAW_CLAIM = "draw_claim"
    FOLLOW_SERIES = "follow_series"
    DRAW_YES = "draw_yes"
    DRAW_NO = "draw_no"
    DRAW_OFFER = "draw_offer"
    LEAVE = "leave"
    LATER_START = "later_start"
    LONG_THINK = "long_think"
    NEW_ADDRESS = "new_address"
    HELP = "help"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Intention:
    """What a sentence of a mail probably wants; LEAVE has ``start`` and ``end`` if it names them,
    both included. ``is_plain``: nothing but a question mark or a question's first word says so.
    ``is_weak``: as what he fears, or others say, so that a move beside it is what he wants."""

    kind: IntentionKind
    sentence: str
    start: date | None = None
    end: date | None = None
    is_plain: bool = False
    is_weak: bool = False


@dataclass(frozen=True, slots=True)
class OpenMatters:
    """What words may be about in a game: the opponent's offer, his series, the writer's colour.

    ``subject``: the writer's own, where his words alone don't say what he wants, or when.
    ``is_played``: a move was read, so that nothing is guessed besides.
    """

    is_offered: bool = False
    has_series: bool = False
    is_white: bool | None = None
    subject: str = ""
    is_played: bool = False


_ORDER: Final = tuple(IntentionKind)
_MOST = 2_000
"""Characters of a mail that are looked through: what somebody wants stands at its beginning."""
_SENTENCES = re.compile(
    r"(?<=[^\W\d]{2}[.!?])(?<!\bca\.)"
    r"(?<!(?:jan|feb|mar|apr|jun|jul|aug|sep|okt|oct|nov|dec|dvs|evt)\.)\s+"
    r"|(?<=[.!?\s][.!?])\s+|(?<=[a-h][1-8][.!?])\s+|(?<=0-0[.!])\s+|\n+",
    re.IGNORECASE,
)
_PARTS = re.compile(rf"[,;:]\s|\s[-–—]\s|\b(?:{join_patterns('but')})\b", re.IGNORECASE)
"""Of a sentence, each with its own «not»."""
_LONGEST_LEAVE = timedelta(days=92)
"""Longer, the days are rather written in another way than they are read here."""
_INITIALS = 3
"""Letters with which somebody signs."""
_FEW, _SAID = 60, 80
"""Words of a mail that only its days tell what is wished for; characters of it that are named."""
_NUMERIC_MOVE = re.compile(r"(?<!\d)[1-8]{4}(?!\d)")
"""Days beside one are those of the moves (§ 6.8.2)."""
_SHORT = 12
"""Words of a sentence that may answer an offer without naming it."""


def _any_language(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{join_patterns(name)})(?!\w)", re.IGNORECASE)


_NEGATES, _AGREES, _DECLINES, _PLAYS_ON = map(
    _any_language, ("negates", "agrees", "declines", "plays_on")
)
_PROPOSES = _any_language("proposes")  # «skal vi ikke tage remis» is an offer
_OFFERS, _NO_OFFER = _any_language("offers"), _any_language("no_offer")
_AWAY, _WISHES_LEAVE = _any_language("means_away"), _any_language("wishes_leave")
_NO_LEAVE = _any_language("no_leave")  # «aflyse ferien», «gælder juleferien automatisk?»
_ASKS, _OF_WAITING = _any_language("asks"), _any_language("of_waiting")
_WEAK, _RULES = _any_language("weak_resign"), _any_language("of_rule")
_NO = ("nej", "no", "nä")
"""It denies what was said before, not what it stands beside."""
_QUOTED = re.compile(r"[\"“”„»«][^\"“”„»«\n]*[\"“”»«]")
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+\.\w+")
_OF_ADDRESS = _any_language("of_address")
_MEANS: dict[IntentionKind, re.Pattern[str]] = {
    kind: _any_language(f"means_{kind.value}")
    for kind in IntentionKind
    if kind not in (IntentionKind.DRAW_YES, IntentionKind.DRAW_NO)
}
_HINTED = ("resign", "draw", "leave", "claim", "long_think")
_HINTS = {
    word: re.compile(rf"(?<!\w)(?:{stems})(?!\w)", re.IGNORECASE)
    for word, stems in zip(_HINTED, list_patterns("hints"), strict=True)
}
_UNLESS = {
    kind: _any_language(f"unless_{kind.value}")
    for kind in (IntentionKind.RESIGN, IntentionKind.CLAIM_TIME, IntentionKind.QUESTION)
}
"""What else such words are said of: somebody else's game, one's own time, whom one greets."""


def read_intentions(text: str, today: date, about: OpenMatters) -> tuple[Intention, ...]:
    """What the text probably asks for, the weightiest first, each kind once; () if it is talk.

    ``today`` supplies missing years.
    """
    sentences = [one.strip() for one in _SENTENCES.split(text[:_MOST])]
    if len(sentences) > 1 and len(sentences[-1]) <= _INITIALS and sentences[-1].isupper():
        del sentences[-1]  # JO
    found = _find_intentions(sentences, sentences, today, about)
    if all(one.is_plain for one in found) and about.subject:
        whole = [*sentences, about.subject]
        found = [
            one
            for one in _find_intentions(whole, whole, today, about)
            if not (about.is_offered and one.kind is IntentionKind.DRAW_OFFER)
        ]
    if all(one.is_plain for one in found) and not about.is_played:
        mended = [mend_words(one) for one in (*sentences, about.subject)]
        likely = _find_intentions((*sentences, about.subject), mended, today, about)
        found = [replace(one, is_plain=True) for one in likely] or found
        if not found:
            found = list(_by_days(" ".join(mended), today))
    days = (read_days(one, today) for one in (*sentences, about.subject, " ".join(sentences)))
    named = next(filter(None, days), ()) if any(map(_lacks_days, found)) else ()
    found = [
        replace(one, start=named[0], end=named[1]) if named and _lacks_days(one) else one
        for one in found
    ]
    return tuple(sorted(found, key=lambda one: _ORDER.index(one.kind)))


def _by_days(text: str, today: date) -> Iterator[Intention]:
    """What nothing but days says: leave from one to another, or an answer that waits for one."""
    folded, (_, one_day, _) = text.casefold(), _dates()
    is_other = len(text.split()) > _FEW or _NUMERIC_MOVE.search(text)
    if is_other or _FEAST_DAYS.search(folded) or _WISHES_LEAVE.search(text):
        return
    if days := read_days(text, today):
        yield Intention(IntentionKind.LEAVE, text[:_SAID], *days, is_plain=True)
    elif (one_day.search(folded) or _LAST_DAY.search(folded)) and _OF_WAITING.search(text):
        yield Intention(IntentionKind.LONG_THINK, text[:_SAID], is_plain=True)


def offers_draw(wish: Intention) -> bool:
    """Whether a sentence of a draw says that it is offered, and does not only speak of it."""
    return wish.kind is IntentionKind.DRAW_OFFER and _is_offer(wish.sentence)


def _is_offer(sentence: str) -> bool:
    says = _OFFERS.search(sentence) is not None and not sentence.endswith("?")
    return says or _PROPOSES.match(sentence) is not None


def guess_wishes(text: str, about: OpenMatters) -> tuple[str, ...]:
    """The words of what a text may wish for that says nothing clearly: a stem of it is enough, and
    what else the sentence says is not weighed. They are named in the answer, no more."""
    said = mend_words(f"{text[:_MOST]} {about.subject}")
    found = (word for word, stems in _HINTS.items() if stems.search(said))
    draws = ("draw_yes", "draw_no") if about.is_offered else ("draw",)
    return tuple(one for word in found for one in (draws if word == "draw" else (word,)))


def _lacks_days(one: Intention) -> bool:
    return one.kind is IntentionKind.LEAVE and one.start is None


def _find_intentions(
    written: Iterable[str], meant: Iterable[str], today: date, about: OpenMatters
) -> Iterable[Intention]:
    found: dict[IntentionKind, Intention] = {}
    for sentence, text in zip(written, meant, strict=True):
        one = _of_sentence(text, today, about)
        if one is not None and (one.kind not in found or found[one.kind].start is None):
            found[one.kind] = replace(one, sentence=sentence)
        also = IntentionKind.NEW_ADDRESS
        if one is not None and _says(also, text):
            found.setdefault(also, Intention(also, sentence))
    return found.values()


def _of_sentence(sentence: str, today: date, about: OpenMatters) -> Intention | None:
    sentence = _QUOTED.sub(" ", sentence).strip()
    if not sentence:
        return None
    is_question = sentence.endswith("?")
    if is_question and _says(IntentionKind.HELP, sentence):
        return Intention(IntentionKind.HELP, sentence)
    ends = _of_end(sentence, about, is_question=is_question)
    if ends is not None:
        is_weak = ends is IntentionKind.RESIGN and _WEAK.search(sentence) is not None
        return Intention(ends, sentence, is_weak=is_weak)
    if _says(IntentionKind.LATER_START, sentence):
        return Intention(IntentionKind.LATER_START, sentence)
    if days := _of_leave(sentence, today):
        return days
    if _ADDRESS.search(sentence) and _OF_ADDRESS.search(sentence):
        return Intention(IntentionKind.NEW_ADDRESS, sentence)
    for kind in (IntentionKind.LONG_THINK, IntentionKind.NEW_ADDRESS, IntentionKind.HELP):
        is_pieces = kind is IntentionKind.NEW_ADDRESS and names_piece(sentence)
        if _says(kind, sentence) and not is_pieces:  # «springeren flytter væk»
            return Intention(kind, sentence)
    kind = IntentionKind.QUESTION
    asks = bool(_MEANS[kind].search(sentence)) and not _UNLESS[kind].search(sentence)
    if asks or is_question or _ASKS.match(sentence):
        return Intention(kind, sentence, is_plain=not asks)
    return None


def _of_end(sentence: str, about: OpenMatters, *, is_question: bool) -> IntentionKind | None:
    """What is said of how the game shall end, or go on: the opponent's series."""
    result = find_result(sentence)
    if result in ("1-0", "0-1") and about.is_white is (result == "0-1"):
        return IntentionKind.RESIGN
    is_told = not (about.is_offered or _is_offer(sentence)) and speaks_of_draw(sentence)
    if is_told and _NO_OFFER.search(sentence):  # another game's
        return IntentionKind.QUESTION
    if (is_told or _RULES.search(sentence)) and _says(
        IntentionKind.DRAW_CLAIM, sentence, is_asked=is_question
    ):
        return IntentionKind.DRAW_CLAIM
    for kind in (IntentionKind.RESIGN, IntentionKind.CLAIM_TIME):
        is_asked = is_question and (kind is IntentionKind.RESIGN or _ASKS.match(sentence))
        is_own = is_asked or _UNLESS[kind].search(sentence)
        if not is_own and _says(kind, sentence, is_asked=is_question):
            return kind
    if about.has_series and _follows(sentence, about):
        return IntentionKind.FOLLOW_SERIES
    is_draw = speaks_of_draw(sentence) or _MEANS[IntentionKind.DRAW_OFFER].search(sentence)
    return _of_draw(sentence, about, is_draw=bool(is_draw), is_question=is_question)


def _says(kind: IntentionKind, sentence: str, *, is_asked: bool = False) -> bool:
    """Whether a part of it does, which is not denied itself: «det nytter ikke, jeg opgiver».

    ``is_asked``: a «not» in it denies nothing: «er tiden ikke løbet ud?».
    """
    for part in _PARTS.split(sentence):
        found = _MEANS[kind].search(part)
        denied = (one for one in _NEGATES.finditer(part) if one[0].casefold() not in _NO)
        if found and (is_asked or all(one.start() == found.start() for one in denied)):
            return True
    return False


def _follows(sentence: str, about: OpenMatters) -> bool:
    """Whether a sentence agrees to the opponent's series, the one thing that is proposed or not."""
    is_short = len(sentence.split()) <= _SHORT and not about.is_offered
    agrees = is_short and _AGREES.search(sentence) and not _DECLINES.search(sentence)
    return bool(agrees) or _says(IntentionKind.FOLLOW_SERIES, sentence)


def _of_draw(
    sentence: str, about: OpenMatters, *, is_draw: bool, is_question: bool
) -> IntentionKind | None:
    """What is said of a draw: an answer where the opponent has offered one, else an offer."""
    agrees, declines = _AGREES.search(sentence), _DECLINES.search(sentence)
    is_short = len(sentence.split()) <= _SHORT and not names_piece(sentence)
    if not about.is_offered:
        is_offer = is_draw and (not declines or is_question or _PROPOSES.match(sentence))
        return IntentionKind.DRAW_OFFER if is_offer else None
    plays_on = _PLAYS_ON.search(sentence) is not None
    is_first = declines and (agrees is None or declines.start() < agrees.start())
    is_no = plays_on or is_first
    of_end = _MEANS[IntentionKind.RESIGN].search(sentence)  # «jeg opgiver ikke endnu»
    if is_no and (is_draw or ((plays_on or is_short) and not of_end)):
        return IntentionKind.DRAW_NO
    if not is_question and (is_draw or (agrees and is_short)):
        return IntentionKind.DRAW_YES
    return IntentionKind.DRAW_OFFER if is_draw else None


def _of_leave(sentence: str, today: date) -> Intention | None:
    """Leave, by its own words, or by days and words that he is away then."""
    days = read_days(sentence, today)
    is_away = bool(days) and _AWAY.search(sentence) is not None
    is_others = _WISHES_LEAVE.search(sentence) is not None
    if is_away or (not is_others and _says(IntentionKind.LEAVE, sentence)):
        if _NO_LEAVE.search(sentence):
            return Intention(IntentionKind.QUESTION, sentence)
        return Intention(IntentionKind.LEAVE, sentence, *days)
    return None


# Days as people write them: 4/1, 4.-9. januar, 4-9/1, from 22 December for 10 days, uge 52.

_YEAR = r"(?:[ ,]+(?P<year>\d{4})\b)?"
_DAY = r"(?:\bden |\bthe |\bd\. )?(?P<{name}>\d{{1,2}})(?:\.|st|nd|rd|th)?"
_JOINS = rf"\s*(?:[-–—]|\b(?:{join_patterns('day_joins')})\b)\s*"


@cache
def _names(kind: str) -> dict[str, int]:
    """The number of a month or weekday by its name, in full and in short, in every language.

    Made with the first mail in prose: the languages' calendars take 5 MB and some of a start.
    """
    return {
        name.casefold().rstrip("."): number
        for lang in FACTS
        for width in ("wide", "abbreviated")[: 2 if kind == "months" else 1]
        for number, name in getattr(locale_of(lang), kind)["format"][width].items()
    }


def _one_of(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


@cache
def _dates() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Two days of one month, one day, and a day by its weekday or «tomorrow»."""
    month = _one_of(_names("months"))
    shared = (
        rf"(?<![\d/.-]){_DAY.format(name='first')}{_JOINS}(?:(?:{_one_of(_names('days'))}) )?"
        rf"{_DAY.format(name='last')}"
        rf"(?:\s+(?:of )?(?P<month>{month})\b\.?|(?<!\.)[./](?P<number>1[0-2]|0?[1-9])\b){_YEAR}"
    )
    one = (
        r"(?P<iso>\d{4}-\d\d?-\d\d?)"
        r"|(?<![\d/.])(?P<d1>\d\d?)[./](?P<m1>\d\d?)"
        r"(?:[./](?P<y1>\d{4}|\d\d)\b| (?P<y4>\d{4})\b|-(?P<y5>\d{4}|\d\d)\b(?![./]))?(?![\d/])"
        rf"|(?<!\d)(?P<d2>\d\d?)(?:\.|st|nd|rd|th)?\s+(?:of )?(?P<m2>{month})\b\.?"
        rf"(?:[ ,]+(?P<y2>\d{{4}})\b)?"
        rf"|\b(?P<m3>{month})\b\.?\s+(?P<d3>\d\d?)(?:st|nd|rd|th)?(?!\d)"
        rf"(?:[ ,]+(?P<y3>\d{{4}})\b)?"
    )
    near = (
        rf"\b(?:(?P<today>{join_patterns('today')})|(?P<tomorrow>{join_patterns('tomorrow')})"
        rf"(?: (?:{_one_of(_names('days'))})\b)?"
        rf"|(?P<weekday>{_one_of(_names('days'))}))\b(?![ ,]+(?:den |d\. ?|the )?\d)"
    )
    return re.compile(shared), re.compile(one), re.compile(near)


_ORDINALS: Final = {
    word: number for facts in FACTS.values() for number, word in enumerate(facts.ordinals, 1)
}
_ORDINAL = re.compile(
    rf"\b((?:den|the) )?({'|'.join(_ORDINALS)})\b(?(1)|(?= (?:{join_patterns('of_month')})))"
)
_WEEKS = re.compile(
    rf"\b(?:{join_patterns('week')}) ?(?P<first>\d\d?)"
    rf"(?:{_JOINS}(?:(?:{join_patterns('week')}) )?(?P<last>\d\d?))?(?!\d)"
)
_LASTS = re.compile(
    rf"\b(?P<count>\d\d?|{'|'.join(NUMBERS[:4])})"
    rf" (?:(?P<days>{join_patterns('lasts_days')})|(?:{join_patterns('lasts_weeks')}))\b"
)
_LAST_DAY = re.compile(r"\b(?:den|d\.|the) ?(?P<day>\d\d?)(?:\.|st|nd|rd|th)?(?![\d/]|\.\d)")


def read_days(text: str, today: date) -> tuple[date, date] | tuple[()]:
    """The first and last day that a sentence names, both included; () unless both are clear.

    A feast by its name is a day where no other is named: «vi holder jul her 20/12-3/1».
    """
    folded = text.casefold()
    return _read_days(folded, today) or _read_days(_write_feasts(folded, today), today)


def _read_days(folded: str, today: date) -> tuple[date, date] | tuple[()]:
    of_one_month, one_day, near = _dates()
    weekdays = [_names("days")[one["weekday"]] for one in near.finditer(folded) if one["weekday"]]
    folded = _write_near_days(folded, near, today)
    if (weeks := _WEEKS.search(folded)) is not None:
        first = _week(int(weeks["first"]), today)
        last = first and _week(int(weeks["last"] or weeks["first"]), first)
        parts = weekdays if len(weekdays) == 2 and not weeks["last"] else (0, 6)
        at = (first, last)
        days = [one + timedelta(days=n) for one, n in zip(at, parts, strict=True) if one]
    elif (shared := of_one_month.search(folded)) is not None:
        month, year = shared["number"] or _names("months")[shared["month"]], shared["year"]
        days = list(
            _in_order([(int(shared[n]), int(month), year) for n in ("first", "last")], today)
        )
    else:
        named = list(one_day.finditer(folded))
        days = list(_in_order(map(_written, named), today))
        if len(days) == 2 and _written(named[0])[2] is None:  # «1/11-5/11 2025»
            days[:1] = filter(None, [find_day_before(*days)])
        if len(set(days)) == 1 and {one["iso"] is None for one in named} == {True, False}:
            days = days[:1]  # «on Friday, 4/12»
        if len(days) == 1:
            days += _find_last_day(folded, named[-1], days[0])
        if not named:  # «tirsdag den 1. til den 15.»
            days = list(_in_month(map(int, _LAST_DAY.findall(folded)), today))
    if len(days) != 2 or not timedelta(0) <= days[1] - days[0] <= _LONGEST_LEAVE:
        return ()
    return days[0], days[1]


def _in_month(written: Iterable[int], near: date) -> Iterator[date]:
    """The next such days of a month, each after the one before."""
    for number in written:
        ahead = (near + timedelta(days=n) for n in range(62))
        near = next((day for day in ahead if day.day == number), near)
        yield near


_FEASTS: Final[dict[str, tuple[int, int] | int]] = {
    "little_christmas_eve": (12, 23),
    "christmas_eve": (12, 24),
    "christmas_day": (12, 25),
    "boxing_day": (12, 26),
    "new_years_eve": (12, 31),
    "new_years_day": (1, 1),
    "epiphany": (1, 6),
    "maundy_thursday": -3,
    "good_friday": -2,
    "easter_day": 0,
    "easter_monday": 1,
    "ascension": 39,
    "whit_sunday": 49,
    "whit_monday": 50,
}
"""Days by their names, as month and day, or as days after Easter."""
_FEAST_SPANS: Final[dict[str, tuple[str, ...]]] = {
    "christmas_to_new_year": ("christmas_eve", "new_years_day"),
    "christmas": ("christmas_eve", "boxing_day"),
    "new_year": ("new_years_eve", "new_years_day"),
    "easter": ("maundy_thursday", "easter_monday"),
    "whitsun": ("whit_sunday", "whit_monday"),
}
_SPAN_NAMES = list_patterns("feast_spans")
_FEAST_NAMES = (*_SPAN_NAMES, *list_patterns("feasts"))
_FEAST = re.compile(
    "|".join(
        rf"(?P<{feast}>(?<!\w)(?:{names})(?!\w))"
        for feast, names in zip((*_FEAST_SPANS, *_FEASTS), _FEAST_NAMES, strict=True)
    )
)
_FEAST_DAYS = re.compile("|".join(rf"\b(?:{names})\b" for names in _SPAN_NAMES))
_SCHOOL_WEEKS: Final = {"autumn_holiday": 42, "winter_holiday": 7}
"""Of which weeks the schools' holidays are, in most places."""


def _write_feasts(folded: str, today: date) -> str:
    """The text with the days of feasts as dates, and school holidays as their week."""

    def write(found: re.Match[str]) -> str:
        name = str(found.lastgroup)
        days, near = list[str](), today
        for one in _FEAST_SPANS.get(name, (name,)):
            near = _feast(one, near)
            days.append(near.isoformat())
        return " til ".join(days)

    for name, week in _SCHOOL_WEEKS.items():
        folded = re.sub(join_patterns(f"day_{name}"), rf"\g<0> uge {week}", folded)
    return _FEAST.sub(write, folded)


def _feast(name: str, near: date) -> date:
    """The next day of that name."""
    when = _FEASTS[name]
    coming = (
        easter(year) + timedelta(days=when) if isinstance(when, int) else date(year, *when)
        for year in (near.year, near.year + 1)
    )
    return next(day for day in coming if day >= near)


def _write_near_days(folded: str, near: re.Pattern[str], today: date) -> str:
    """The text with «tomorrow» and «on Monday» as dates, each after the one before."""
    last = today

    def write(found: re.Match[str]) -> str:
        nonlocal last
        if found["weekday"] is not None:
            ahead = (_names("days")[found["weekday"]] - last.weekday() - 1) % 7 + 1
            last += timedelta(days=ahead)
            return last.isoformat()
        return (today + timedelta(days=found["tomorrow"] is not None)).isoformat()

    return near.sub(
        write, _ORDINAL.sub(lambda found: f"{found[1] or ''}{_ORDINALS[found[2]]}.", folded)
    )


def _find_last_day(folded: str, named: re.Match[str], first: date) -> list[date]:
    """The last day behind a first: «for 10 days», or a day of the same month or the next."""
    if (lasts := _LASTS.search(folded)) is not None:
        count = lasts["count"]
        number = int(count) if count.isdigit() else _count(count)
        days = number if lasts["days"] else 7 * number
        return [first + timedelta(days=days - 1)]
    if (found := _LAST_DAY.search(folded, named.end())) is None:
        return []
    day = int(found["day"])
    month = first.month if day >= first.day else first.month % 12 + 1
    coming = find_coming_day(day, month, None, first, 0)
    return [] if coming is None else [coming]


def _count(word: str) -> int:
    return next(n for n, names in enumerate(NUMBERS, 1) if re.fullmatch(names, word))


_CLAIMS = {
    kind: re.compile(rf"(?<!\w)(?:{join_patterns(f'stated_{kind.value}')})(?!\w)")
    for kind in ClaimedDateKind
}
_SENTENCE_ENDS = re.compile(r"(?<=[^\W\d]{2})[.!?;]\s|\n")
_A_YEAR_BACK = 365
_A_GAME_BACK = 3653  # days; a year typed wrongly is no day of any game


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
        is_near = day is not None and 0 <= (today - day).days <= _A_GAME_BACK
        if named and day is not None and is_near and not _NEGATES.search(before):
            found[ClaimedDate(max(named)[1], day)] = None
    return tuple(found)


_WON, _LOST = _any_language("says_won"), _any_language("says_lost")


def read_claimed_result(text: str) -> ClaimedResult | None:
    """How a game ended for its writer by the first of his sentences that says so (§ 6.2.6).

    «jeg vandt», «vi blev enige om remis»; an offer of a draw, a question or a denial says nothing.
    """
    for sentence in map(str.strip, _SENTENCES.split(text[:_MOST])):
        if sentence.endswith("?") or is_draw_offer(sentence):
            continue
        parts = [part for part in sentence.split(",") if not _NEGATES.search(part)]
        if any(map(_WON.search, parts)):  # «nej, jeg vandt»
            return ClaimedResult.WON
        if any(map(_LOST.search, parts)) or _says(IntentionKind.RESIGN, sentence):
            return ClaimedResult.LOST
        is_offer = _NEGATES.search(sentence) or _PROPOSES.search(sentence)
        if speaks_of_draw(sentence) and not is_offer:
            return ClaimedResult.DRAWN
    return None


def _written(found: re.Match[str]) -> tuple[int, int, str | None]:
    """Day, month and the year as written, if it is."""
    if found["iso"] is not None:
        year, month, day = found["iso"].split("-")
        return int(day), int(month), year
    n = next(n for n in "123" if found[f"d{n}"] is not None)
    month = found[f"m{n}"]
    return (
        int(found[f"d{n}"]),
        int(month) if month.isdigit() else _names("months")[month],
        found[f"y{n}"] or found["y4"] or found["y5"],
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
