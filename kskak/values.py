"""Values without a subject of their own.

Typed reading of JSON, numbers and names read, texts in spreadsheets.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, ClassVar, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# Names that each follow from a paragraph.


class RuleName(StrEnum):
    """A name, such as a fault's or a reason's, and the paragraph that it follows from."""

    paragraph: str

    def __new__(cls, name: str, paragraph: str = "") -> "RuleName":
        made = str.__new__(cls, name)
        made._value_, made.paragraph = name, paragraph
        return made


# A value with more than another, or with less.

_D = TypeVar("_D", bound="DataclassInstance")


def recast(kind: type[_D], value: "DataclassInstance", /, **more: object) -> _D:
    """A value of ``kind``: with ``more``, and the rest of its fields as ``value`` has them."""
    names = (one.name for one in fields(kind) if one.name not in more)
    return kind(**{name: getattr(value, name) for name in names}, **more)


# Typed reading of JSON: every error names the object, the field and the remedy.

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ISO_LENGTH = 10
FIRST_YEAR, LAST_YEAR = 1800, 2999
_E = TypeVar("_E", bound=StrEnum)


class FieldError(ValueError):
    """A document that can't be read; the message names the place and the remedy."""


class JsonFields:
    """Typed access to one JSON object; every error names the object and the field."""

    error: ClassVar[type[FieldError]] = FieldError

    def __init__(self, where: str, value: object) -> None:
        if not isinstance(value, dict):
            raise self.error(f"{where}: must be a JSON object")
        self.where = where
        self._values: Mapping[str, object] = value

    def fail(self, name: str, wanted: str) -> FieldError:
        """The error for a field."""
        given = "is missing" if name not in self._values else "is wrong"
        return self.error(f"{self.where}: {name} {given}, write {wanted}")

    def has(self, name: str) -> bool:
        """Whether the field is there, null or not."""
        return name in self._values

    def is_set(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._values.get(name) is not None

    def text(self, name: str) -> str:
        """A string."""
        value = self._values.get(name)
        if not isinstance(value, str):
            raise self.fail(name, "a text")
        return value

    def named(self, name: str) -> str:
        """A name: a string that is not blank."""
        value = self._values.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.fail(name, "a name")
        return value

    def whole(self, name: str) -> int:
        """A whole number."""
        value = self._values.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.fail(name, "a whole number")
        return value

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._values.get(name)
        if not isinstance(value, bool):
            raise self.fail(name, "true or false")
        return value

    def items(self, name: str, wanted: str) -> list[object]:
        """A list; ``wanted`` says of what."""
        value = self._values.get(name)
        if not isinstance(value, list):
            raise self.fail(name, wanted)
        return value

    def day(self, name: str) -> date:
        """An ISO date."""
        value = self._values.get(name)
        if isinstance(value, str) and len(value) == _ISO_LENGTH:
            try:
                day = _day(value)
            except ValueError:
                raise self.fail(name, "a date that exists, as 2026-08-29") from None
            if day is not None:
                return day
        raise self.fail(name, "a date as 2026-08-29")

    def day_or_none(self, name: str) -> date | None:
        """An ISO date, or None when missing or null."""
        return self.day(name) if self.is_set(name) else None

    def one_of(self, name: str, kind: type[_E], default: _E | None = None) -> _E:
        """A member of a closed set, or the default when the field is missing."""
        if default is not None and name not in self._values:
            return default
        value = self._values.get(name)
        members: dict[str, _E] = _members(kind)
        found = members.get(value) if isinstance(value, str) else None
        if found is None:
            raise self.fail(name, "one of " + ", ".join(kind))
        return found


def _day(text: str) -> date | None:
    """The day of an ISO date; None for another text. ValueError when there is no such day."""
    if not _ISO.fullmatch(text):
        return None
    day = date.fromisoformat(text)
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


@cache
def _members(kind: type[_E]) -> dict[str, _E]:
    """A closed set by what is written for each member."""
    return {member.value: member for member in kind}


# Names as they are compared: «Jensen, Åse», «AASE JENSEN» and «Åse Jensen» are the same.

_LETTERS = str.maketrans({"ø": "o", "å": "a", "ö": "o", "ä": "ae", "ß": "ss", "đ": "d", "ł": "l"})
_DIGRAPHS = (("aa", "a"), ("oe", "o"))
"""Danish letters as they are written where they are not available."""


_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the writing around: a name with one shows another name than it is."""


def whole_number(text: str) -> int | None:
    """What up to 18 digits write, as databases hold numbers; None for any other text.

    Of more digits Python reads no number, and «²» is a digit of which it makes none.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def is_line(text: str) -> bool:
    """Whether a text is on one line, without control characters and without what turns it.

    Joiners are left: names are written with them in Persian and in Indian languages.
    """
    return not any(
        char in _TURNING or unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in text
    )


def plain(text: str) -> str:
    """Lower-case letters without accents, digits and single spaces; nothing else."""
    small = unicodedata.normalize("NFC", text).casefold().translate(_LETTERS)
    bare = unicodedata.normalize("NFKD", small).replace("æ", "ae")
    kept = "".join(
        char if char.isalnum() else " " for char in bare if not unicodedata.combining(char)
    )
    for two, one in _DIGRAPHS:
        kept = kept.replace(two, one)
    return " ".join(kept.split())


@dataclass(frozen=True, slots=True)
class Name:
    """A name split into its parts. ``given`` may be initials, or nothing."""

    given: tuple[str, ...]
    last: str

    @staticmethod
    def of(text: str) -> "Name":
        """«Åse Marie Jensen» or «Jensen, Åse Marie»."""
        last, comma, given = text.partition(",")
        words = [*plain(given).split(), *plain(last).split()] if comma else plain(text).split()
        return Name(tuple(words[:-1]), words[-1] if words else "")

    @property
    def key(self) -> str:
        """The whole name: the same for the same name in full."""
        return " ".join((*self.given, self.last))

    @property
    def short(self) -> str:
        """First initial and last name: the same for a name and its initials."""
        return f"{self.given[0][:1] if self.given else ''} {self.last}"

    def agrees(self, other: "Name") -> bool:
        """Whether both can be one person's: equal last names, no conflicting given names."""
        pairs = zip(self.given, other.given, strict=False)
        return self.last == other.last and all(_are_alike(one, two) for one, two in pairs)


def _are_alike(one: str, two: str) -> bool:
    is_initial = len(one) == 1 or len(two) == 1
    return one == two or (is_initial and one[:1] == two[:1])


# Texts in tables for spreadsheets: none is taken for a formula, and each is read back unchanged.

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "'"


def guard_formula(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"{_MARK}{text}" if text.startswith((*_FORMULA, _MARK)) else text


def unguard_formula(text: str) -> str:
    """The original text."""
    is_marked = text.startswith(_MARK) and text[1:].startswith((*_FORMULA, _MARK))
    return text[1:] if is_marked else text
