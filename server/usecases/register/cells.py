"""Parsing a cell: days, numbers, yes and no, kinds; as written in Danish and in English.

Every fault says what was read and what to write instead. Not for whole lines.
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date

from mail.incoming.address import normal_address
from mail.text.languages import language_called
from server.store.register.members import MemberKind, RatingKind
from server.usecases.register.report import Slip

CLEAR = "-"
"""In a cell: clear the field. An empty cell leaves what is there."""
HIGHEST = 4000
LONGEST_NUMBER = 16
"""Characters; the unions use up to 8."""
FIRST_YEAR = 1850
LAST_YEAR = 2200
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DANISH = re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{4})")
_NUMBER = re.compile(r"(\d{1,2}\.\d{3}|\d{1,6})(?:,(\d{1,3}))?")
_POINTED = re.compile(r"(\d{1,6})\.(\d{1,2})")
_YES = frozenset({"ja", "j", "yes", "y", "true", "sand", "1", "x", "dansk", "danish"})
_NO = frozenset({"nej", "n", "no", "false", "falsk", "0"})
_KINDS: Mapping[str, MemberKind] = {
    "klub": MemberKind.CLUB,
    "klubmedlem": MemberKind.CLUB,
    "club": MemberKind.CLUB,
    "klubb": MemberKind.CLUB,
    "klubbmedlem": MemberKind.CLUB,
    "enkelt": MemberKind.INDIVIDUAL,
    "enkeltmedlem": MemberKind.INDIVIDUAL,
    "personligt": MemberKind.INDIVIDUAL,
    "individual": MemberKind.INDIVIDUAL,
    "enskild": MemberKind.INDIVIDUAL,
    "enskild medlem": MemberKind.INDIVIDUAL,
    "ingen": MemberKind.NONE,
    "ikke-medlem": MemberKind.NONE,
    "none": MemberKind.NONE,
    "inte medlem": MemberKind.NONE,
    "non-member": MemberKind.NONE,
}
_STATUSES: Mapping[str, bool] = {
    "endelig": False,
    "endeligt": False,
    "final": False,
    "slutgiltig": False,
    "midlertidig": True,
    "midlertidigt": True,
    "provisional": True,
    "tillfällig": True,
}
_RATINGS: Mapping[str, RatingKind] = {
    "k": RatingKind.K,
    "k-skak": RatingKind.K,
    "k-rating": RatingKind.K,
    "otb": RatingKind.OTB,
    "bræt": RatingKind.OTB,
    "nærskak": RatingKind.OTB,
    "närschack": RatingKind.OTB,
    "over the board": RatingKind.OTB,
}


class BadCell(Exception):
    """A cell that can't be used."""

    def __init__(self, code: str, hint: str = "") -> None:
        super().__init__(code)
        self.code, self.hint = code, hint

    def slip(self, field: str, value: str) -> Slip:
        """The fault with its place."""
        return Slip(self.code, field, value, self.hint)


def line_text(text: str) -> str:
    """A text on one line, with single spaces and composed letters (NFC)."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def folded(text: str) -> str:
    """A name in the form used for comparison."""
    return line_text(text).casefold()


def day(text: str) -> str:
    """2026-11-20, 20-11-2026, 20.11.2026 or 20/11/2026, as an ISO day."""
    if found := _ISO.fullmatch(text):
        year, month, number = (int(part) for part in found.groups())
    elif found := _DANISH.fullmatch(text):
        number, month, year = (int(part) for part in found.groups())
    else:
        raise BadCell("bad_day")
    try:
        made = date(year, month, number)
    except ValueError:
        raise BadCell("no_such_day") from None
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise BadCell("no_such_day")
    return made.isoformat()


def rating(text: str) -> int:
    """1542, 1.542, or 1542,6 and 1542.6, rounded to the nearest point."""
    if found := _NUMBER.fullmatch(text):
        whole, part = int(found[1].replace(".", "")), found[2] or "0"
    elif found := _POINTED.fullmatch(text):
        whole, part = int(found[1]), found[2]
    else:
        raise BadCell("bad_rating")
    value = whole + (part[0] >= "5")
    if value > HIGHEST:
        raise BadCell("bad_rating")
    return value


def yes_no(text: str) -> bool:
    """Ja, nej and their equivalents."""
    word = text.casefold()
    if word not in _YES | _NO:
        raise BadCell("bad_yes_no")
    return word in _YES


def member_kind(text: str) -> str:
    """Klub, enkelt, ingen and their equivalents."""
    try:
        return _KINDS[text.casefold()].value
    except KeyError:
        raise BadCell("bad_kind") from None


def is_provisional(text: str) -> bool:
    """Endelig or midlertidig (§ 6.4.4)."""
    try:
        return _STATUSES[text.casefold()]
    except KeyError:
        raise BadCell("bad_status") from None


def rating_kind(text: str) -> str:
    """K, or over the board."""
    try:
        return _RATINGS[text.casefold()].value
    except KeyError:
        raise BadCell("bad_rating_kind") from None


def email(text: str) -> str:
    """One address in the form that is stored."""
    found = normal_address(text)
    if found is None:
        raise BadCell("bad_email")
    return found


def number(text: str) -> str:
    """A member's or club's number: what is printed on a card, without spaces."""
    tidy = "".join(text.split())
    if len(tidy) > LONGEST_NUMBER or not any(char.isalnum() for char in tidy):
        raise BadCell("bad_number")
    return tidy


def lang(text: str) -> str:
    """The language of a member's letters."""
    code = language_called(text)
    if code is None:
        raise BadCell("bad_lang")
    return code
