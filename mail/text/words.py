"""The catalogues of user text: a folder for each language, one TOML file per subject.

A key is ``subject.name`` (``letters.greeting``); a table with ``one`` and ``other`` is a plural,
chosen by ``n``. Pages, letters and the command line all read their text here. A catalogue also
records how its reader wants moves written. NOT for writing moves (``kskak.board.printing``) nor
for layout.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import format_decimal

from kskak.board.printing import Writing
from mail.text.languages import DEFAULT_LANGUAGE, FACTS, spoken

_TURNING = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE, _ISOLATED = "\u2068", "\u2069"
_FORM = re.compile(r"\.(?:zero|one|two|few|many|other)$")
_BEFORE_STOP = re.compile(r"\{(\w+)\}\.(?!\.)")


def is_turning(text: str) -> bool:
    """Whether a text has right-to-left letters, or characters that change the direction."""
    return not text.isascii() and _TURNING.search(text) is not None


def _apart(values: Mapping[str, object]) -> Mapping[str, object]:
    turning = [name for name, one in values.items() if isinstance(one, str) and is_turning(one)]
    return (
        values
        if not turning
        else {**values} | {name: f"{_ISOLATE}{values[name]}{_ISOLATED}" for name in turning}
    )


def _flat(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{prefix}.{name}"
        if isinstance(value, Mapping):
            yield from _flat(value, key)
        else:
            yield key, str(value).strip("\n")


def _catalogue(lang: str) -> Iterator[tuple[str, str]]:
    areas = (files("mail") / "words" / lang).iterdir()
    for file in (file for area in areas if area.is_dir() for file in area.iterdir()):
        subject, dot, ending = file.name.rpartition(".")
        if dot and ending == "toml":
            yield from _flat(tomllib.loads(file.read_text(encoding="utf-8")), subject)


@dataclass(frozen=True, slots=True)
class Words:
    """One language's texts; call it with a key and the values of its placeholders."""

    lang: str
    locale: Locale = field(hash=False)
    texts: Mapping[str, str] = field(hash=False)
    writing: Writing = Writing.LETTERS
    """How moves are written to this reader."""
    isolates: bool = False
    """Whether right-to-left names are kept from reordering the words around them."""
    leads: bool = False
    """The reader has chosen it, so it comes before the numeric form, not after it."""
    board: tuple[str, str] = ("standard", "calm")
    """The pieces and squares of diagrams for this reader."""

    @staticmethod
    def load(lang: str = DEFAULT_LANGUAGE) -> "Words":
        """The catalogue of a language, read once. KeyError for an unknown language."""
        return _load(lang)

    @staticmethod
    def reaching(lang: str) -> "Words":
        """The catalogue for somebody who wants this language: the default's if we lack it."""
        return _load(spoken(lang))

    def wishing(self, writing: Writing, *, leads: bool = False) -> "Words":
        """The same texts for a reader with this notation; ``leads``: by his own choice."""
        is_so = (writing, leads) == (self.writing, self.leads)
        return self if is_so else replace(self, writing=writing, leads=leads)

    def isolating(self) -> "Words":
        """The same texts for a page, with right-to-left names isolated."""
        return self if self.isolates else replace(self, isolates=True)

    def family(self, keys: str) -> dict[str, str]:
        """The texts of a family, such as ``board.script.{name}``, by name, with placeholders."""
        start, found = keys.partition("{")[0], self.texts.items()
        return {key.removeprefix(start): text for key, text in found if key.startswith(start)}

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its placeholders filled.

        A plural needs ``n``. KeyError for an unknown key or an unfilled placeholder.
        """
        text, count = self.texts.get(key), values.get("n")
        if text is not None and not values:
            return text.format_map(values)
        if text is None and isinstance(count, int) and f"{key}.other" in self.texts:
            form = _form_of(self.lang, count)
            text = self.texts.get(f"{key}.{form}", self.texts[f"{key}.other"])
        if text is None:
            raise KeyError(key)
        filled = _apart(values) if self.isolates else values
        return _stopped_once(text, values).format_map(filled)

    def __contains__(self, key: str) -> bool:
        """Whether there is such a key, plural or not."""
        return key in self.texts or f"{key}.other" in self.texts

    def day(self, day: date) -> str:
        """A date in full: 3. november 2026."""
        return self._dated("dates.day", day)

    def short_day(self, day: date) -> str:
        """A date in short: 3/11."""
        return self._dated("dates.short_day", day)

    def number(self, value: Fraction, pattern: str = "0.##") -> str:
        """A number as the language writes it, by default with at most two decimals: 1899,5.

        Rounded exactly, before it becomes a float; with a true minus sign.
        """
        return _numbered(value, pattern, self.locale)

    def weekday_day(self, day: date) -> str:
        """A date in full with its weekday: tirsdag den 3. november 2026."""
        return self._dated("dates.weekday_day", day)

    def short_weekday_day(self, day: date) -> str:
        """A date in short with its weekday: tirsdag 3/11."""
        return self._dated("dates.short_weekday_day", day)

    def time(self, moment: datetime) -> str:
        """The time of day in the moment's own zone: 20.31."""
        return str(format_time(moment, self("dates.time"), locale=self.locale))

    def _dated(self, key: str, day: date) -> str:
        return _formatted(day, self(key), self.locale)


def _stopped_once(text: str, values: Mapping[str, object]) -> str:
    """The text without its own full stop after a value that ends with one: «540,00 kr.»."""
    for name in _before_stop(text):
        value = str(values.get(name, ""))
        if value.endswith(".") and not value.endswith(".."):
            text = text.replace(f"{{{name}}}.", f"{{{name}}}")
    return text


@lru_cache(maxsize=4096)
def _before_stop(text: str) -> tuple[str, ...]:
    """The placeholders of a text that are followed by a full stop."""
    return tuple(dict.fromkeys(_BEFORE_STOP.findall(text)))


@lru_cache(maxsize=4096)
def _formatted(day: date, pattern: str, locale: Locale) -> str:
    """Cached: a page names the same few days a hundred times."""
    return str(format_date(day, pattern, locale=locale))


@lru_cache(maxsize=4096)
def _numbered(value: Fraction, pattern: str, locale: Locale) -> str:
    """Cached: scores and amounts come from a small set."""
    scale: int = 10 ** len(pattern.partition(".")[2])
    rounded = float(Fraction(round(value * scale), scale))
    return str(format_decimal(rounded, format=pattern, locale=locale)).replace("-", "−")


@lru_cache(maxsize=4096)
def _form_of(lang: str, count: int) -> str:
    """Which form of a plural goes with a number; cached, for pages count days."""
    return str(_load(lang).locale.plural_form(count))


@lru_cache(maxsize=len(FACTS))
def _load(lang: str) -> Words:
    facts = FACTS[lang]
    texts = texts_of(lang)
    for other in facts.falls_back:
        texts = completed(texts, texts_of(other))
    return Words(lang, Locale.parse(facts.locale), MappingProxyType(texts))


def completed(texts: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """The texts, and the other language's where there is none.

    Whole sentences: a plural takes all its forms from one language, which has ``other``.
    """
    had = {_plural(key) for key in texts if key.endswith(".other") or _plural(key) == key}
    own = {key: text for key, text in texts.items() if _plural(key) in had}
    return {key: text for key, text in other.items() if _plural(key) not in had} | own


def texts_of(lang: str) -> dict[str, str]:
    """A language's own texts by key, without those of the languages it falls back on."""
    return dict(_catalogue(lang))


def _plural(key: str) -> str:
    """The key that asks for a text, without the form of its plural."""
    return _FORM.sub("", key)
