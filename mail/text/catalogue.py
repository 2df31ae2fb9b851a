"""The catalogues of user text: the languages, figures, and texts as PO files for translators."""

import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from babel import Locale, localedata
from babel.core import get_global
from babel.dates import format_date, format_time
from babel.numbers import format_decimal

from kskak.board.shapes import MoveNotation

if TYPE_CHECKING:  # loaded where translators' files are read or written
    from babel.messages.catalog import Message

# The languages the server speaks: the folders of ``mail/words`` with a ``language.toml``.

_FACTS = "language.toml"


@dataclass(frozen=True, slots=True)
class Language:
    """The facts of one language.

    ``order``: its place in lists, the first is the default; ``locale``: Babel's;
    ``called``: other words for it in imported files; ``falls_back``: the languages whose text is
    shown where it has none, nearest first; ``openings``: the column of the table of openings whose
    names it shows, ``danish`` or ``english``; ``reads``: the piece letters that are tried first in
    what its players write (§ 6.8.2); ``keywords``: lines of mail that its help page shows, and
    what they mean. What people may write by mail (``mail.grammar.keyword_lines``): ``spellings``: a
    keyword's, each a whole line in small letters; ``patterns``: regular expressions of words that
    are followed by something; ``beginnings``: first words that were probably meant as a keyword;
    ``words``: long ones that are known with a slip of the pen in them; ``ordinals``: of a month.
    """

    code: str
    order: int
    name: str
    locale: str
    called: tuple[str, ...]
    falls_back: tuple[str, ...]
    openings: str
    reads: tuple[str, ...]
    keywords: tuple[tuple[str, str], ...]
    spellings: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, str]
    beginnings: tuple[str, ...]
    words: tuple[str, ...]
    ordinals: tuple[str, ...]


def _language(code: str, facts: dict[str, Any]) -> Language:
    """A folder's facts. TypeError for one missing or one too many."""
    keywords = tuple(facts.pop("keywords", {}).items())
    spellings = {word: tuple(all_) for word, all_ in facts.pop("spellings", {}).items()}
    facts = {"beginnings": [], "words": [], "ordinals": [], "patterns": {}} | facts
    lists = {name: tuple(value) for name, value in facts.items() if isinstance(value, list)}
    return Language(**(facts | lists), code=code, keywords=keywords, spellings=spellings)


def _read() -> Mapping[str, Language]:
    found: list[Language] = []
    for folder in (files("mail") / "words").iterdir():
        if (file := folder / _FACTS).is_file():
            facts = tomllib.loads(file.read_text(encoding="utf-8"))
            found.append(_language(folder.name, facts))
    return MappingProxyType({one.code: one for one in sorted(found, key=lambda one: one.order)})


FACTS = _read()
LANGUAGES = tuple(FACTS)
DEFAULT_LANGUAGE = LANGUAGES[0]


def spoken(lang: str) -> str:
    """The language to write in to somebody who wants ``lang``: the default if we lack it."""
    return lang if lang in FACTS else DEFAULT_LANGUAGE


def find_language_code(word: str) -> str | None:
    """The code of the language that an imported file means; None for one we lack."""
    folded = word.casefold()
    return next((one.code for one in FACTS.values() if folded in (one.code, *one.called)), None)


# The catalogues of user text: a folder for each language, one TOML file per subject.

_TURNING = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE, _ISOLATED = "\u2068", "\u2069"
_FORM = re.compile(r"\.(?:zero|one|two|few|many|other)$")
_BEFORE_STOP = re.compile(r"\{(\w+)\}\.(?!\.)")


def is_turning(text: str) -> bool:
    """Whether a text has right-to-left letters, or characters that change the direction."""
    return not text.isascii() and _TURNING.search(text) is not None


def _isolate_values(values: Mapping[str, object]) -> Mapping[str, object]:
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
        else:  # the same keys in each language, kept once
            yield sys.intern(key), str(value).strip("\n")


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
    writing: MoveNotation = MoveNotation.LETTERS
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

    def wishing(self, writing: MoveNotation, *, leads: bool = False) -> "Words":
        """The same texts for a reader with this notation; ``leads``: by his own choice."""
        is_so = (writing, leads) == (self.writing, self.leads)
        return self if is_so else replace(self, writing=writing, leads=leads)

    def without_leader(self) -> "Words":
        """The same texts where nobody leads: of a friendly game the controller hears a dispute."""
        return replace(self, texts=_without_leader(self.lang))

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
            form = _load(self.lang).locale.plural_form(count)
            text = self.texts.get(f"{key}.{form}", self.texts[f"{key}.other"])
        if text is None:
            raise KeyError(key)
        filled = _isolate_values(values) if self.isolates else values
        return self.cite(_stopped_once(text, values).format_map(filled))

    def cite(self, text: str) -> str:
        """A text with the paragraphs of the laws (1.3) and of 4.1 as a handbook has them.

        No handbook has a 1.3.9 or a 4.1.19: 1.3 and 4.1 have paragraphs of their own.
        """
        for section, cited in (("1.3", "cite_laws"), ("4.1", "cite_provisions")):
            if f"§ {section}." in text:
                told = self.texts[f"cases.{cited}"].replace("{n}", r"\1")
                text = re.sub(rf"§ {section}\.(\d+)", told, text)
        return text

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
        return _format_number(value, pattern, self.locale)

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
        return _format_day(day, self(key), self.locale)


def _stopped_once(text: str, values: Mapping[str, object]) -> str:
    """The text without its own full stop after a value that ends with one: «540,00 kr.»."""
    for name in dict.fromkeys(_BEFORE_STOP.findall(text)) if "}." in text else ():
        value = str(values.get(name, ""))
        if value.endswith(".") and not value.endswith(".."):
            text = text.replace(f"{{{name}}}.", f"{{{name}}}")
    return text


@lru_cache(maxsize=512)
def _format_day(day: date, pattern: str, locale: Locale) -> str:
    """Cached: a page names the same few days a hundred times."""
    return str(format_date(day, pattern, locale=locale))


@lru_cache(maxsize=512)
def _format_number(value: Fraction, pattern: str, locale: Locale) -> str:
    """Cached: scores and amounts come from a small set."""
    scale: int = 10 ** len(pattern.partition(".")[2])
    rounded = float(Fraction(round(value * scale), scale))
    return str(format_decimal(rounded, format=pattern, locale=locale)).replace("-", "−")


_NO_USE = (
    *("compact_currency_formats", "compact_decimal_formats", "compound_unit_patterns"),
    *("date_fields", "datetime_skeletons", "interval_formats", "scripts"),
    *("unit_display_names", "unit_patterns", "variants"),
)
"""What babel knows of a language and no text of ours needs."""
_NO_USE_OF_ALL: Final = ("likely_subtags", "territory_currencies", "territory_languages")
"""What it knows of the world and asks only about a language that it has no file of."""


@lru_cache(maxsize=len(FACTS))
def locale_of(lang: str) -> Locale:
    """A language's calendar and numbers, without what else babel loads: 7 MB of all languages."""
    locale = Locale.parse(FACTS[lang].locale)
    for of_all in _NO_USE_OF_ALL:
        cast("dict[str, object]", get_global(of_all)).clear()
    for name in ("root", locale.language, "en_001", str(locale)):
        known = localedata.load(name)
        for key in _NO_USE:
            known.pop(key, None)
    return locale


@lru_cache(maxsize=len(FACTS))
def _load(lang: str) -> Words:
    facts = FACTS[lang]
    texts = read_texts(lang)
    for other in facts.falls_back:
        texts = complete_texts(texts, read_texts(other))
    return Words(lang, locale_of(lang), MappingProxyType(texts))


@lru_cache
def _without_leader(lang: str) -> Mapping[str, str]:
    """A language's texts with the controller in the leader's place, but those that say so."""
    texts = _load(lang).texts
    pairs = [texts[f"letters.no_leader.{name}"].split("|") for name in ("leader", "controller")]
    instead: dict[str, str] = dict(zip(*pairs, strict=True))
    forms = re.compile("|".join(instead), re.IGNORECASE)

    def put(found: re.Match[str]) -> str:
        word = instead[found[0].lower()]
        return word[0].upper() + word[1:] if found[0][0].isupper() else word

    kept = ("friends.", "letters.challenge.", "letters.no_leader.")
    said = {k: text if k.startswith(kept) else forms.sub(put, text) for k, text in texts.items()}
    return MappingProxyType(said)


def complete_texts(texts: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """The texts, and the other language's where there is none.

    Whole sentences: a plural takes all its forms from one language, which has ``other``; a text
    that only ends like a form is its own.
    """
    stems = {_FORM.sub("", key) for key in (*texts, *other) if key.endswith(".other")}
    names = {
        key: stem if (stem := _FORM.sub("", key)) in stems else key for key in (*other, *texts)
    }
    had = {names[key] for key in texts if key.endswith(".other") or names[key] == key}
    own = {key: text for key, text in texts.items() if names[key] in had}
    return {key: text for key, text in other.items() if names[key] not in had} | own


def read_texts(lang: str) -> dict[str, str]:
    """A language's own texts by key, without those of the languages it falls back on."""
    return dict(_catalogue(lang))


# Figures in text: points with halves, decimals in the reader's language, aligned columns.

_HALF = Fraction(1, 2)


def halves(points: Fraction) -> str:
    """Points as chess writes them: 4½, ½, 0. Other fractions unchanged."""
    whole, rest = divmod(points, 1)
    if rest not in (0, _HALF):
        return str(points)
    return f"{whole or ''}½" if rest else str(whole)


def decimal(value: Fraction, words: Words, places: int = 2) -> str:
    """A figure with at most ``places`` decimals, in the reader's language; a true minus sign."""
    return words.number(value, "0." + "#" * places)


def hundredths(value: Fraction, words: Words) -> str:
    """A figure with exactly two decimals, as the rating tables print scores: 0,60."""
    return words.number(value, "0.00")


def write_signed(value: Fraction, words: Words) -> str:
    """A figure with its sign: +16,5."""
    return ("+" if value > 0 else "") + decimal(value, words)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines: left-aligned, two blanks between, trailing blanks cut."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


# A language's texts as a PO file, for translators' programs, and back into its folder.


class BadWords(Exception):
    """A PO file that can't be taken; ``lines`` say what is wrong, and where."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def missing(lang: str) -> tuple[str, ...]:
    """The keys that the default language has and this one lacks."""
    own = read_texts(lang)
    return tuple(key for key in read_texts(DEFAULT_LANGUAGE) if key not in own)


def write_catalogue(texts: Mapping[str, str], lang: str) -> bytes:
    """The PO file of a language with these texts; what it lacks has an empty translation."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    catalog = Catalog(locale=FACTS[lang].locale, project="kskak", fuzzy=False)
    for key, source in read_texts(DEFAULT_LANGUAGE).items():
        catalog.add(source, texts.get(key, ""), context=key)
    out = BytesIO()
    write_po(out, catalog, width=0)
    return out.getvalue()


def read_catalogue(raw: bytes) -> dict[str, str]:
    """The translated texts by key. BadWords, with a line for each fault, if any can't be taken."""
    from babel.messages.pofile import PoFileError, read_po

    try:
        catalog = read_po(BytesIO(raw), abort_invalid=True)
    except (PoFileError, UnicodeError, ValueError) as error:
        raise BadWords(f"not a PO file in UTF-8: {error}") from error
    known = read_texts(DEFAULT_LANGUAGE)
    done = [one for one in catalog if one.id and one.string and not one.fuzzy]
    if faults := [line for one in done for line in _faults(one, known)]:
        raise BadWords(*faults)
    return {str(one.context): str(one.string) for one in done}


def _faults(one: "Message", known: Mapping[str, str]) -> Iterator[str]:
    where = f"line {one.lineno}: {one.context}"
    source = known.get(one.context or "")
    if source is None:
        yield f"{where} is no key"
        return
    if not isinstance(one.string, str):
        yield f"{where} has plural forms, which are keys of their own here"
        return
    try:
        ours, theirs = _places(source), _places(one.string)
    except ValueError:
        yield f"{where} has a brace that is no place to fill"
        return
    if lost := ours - theirs:
        yield f"{where} has lost {', '.join(sorted(lost))}"
    if new := theirs - ours:
        yield f"{where} has {', '.join(sorted(new))}, which nothing fills"


def _places(text: str) -> set[str]:
    """The placeholders of a text. ValueError for a brace without its other."""
    return {f"{{{name}}}" for _, name, _, _ in Formatter().parse(text) if name is not None}


def write_texts(folder: Path, lang: str, texts: Mapping[str, str]) -> int:
    """Put texts into the language's folder beside those it has; how many differ from before.

    Only files with changes are written, one line a text. All are written under another name before
    the first takes its place. OSError if one can't be.
    """
    own = read_texts(lang)
    changed = {key for key, text in texts.items() if own.get(key) != text}
    whole, waiting = dict(own) | dict(texts), []
    for source in sorted((folder / DEFAULT_LANGUAGE).glob("*/*.toml")):
        head = f"{source.stem}."
        if any(key.startswith(head) for key in changed):
            keys = [key for key in read_texts(DEFAULT_LANGUAGE) if key.startswith(head)]
            path = folder / lang / source.parent.name / source.name
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_suffix(".new")
            lines = (
                f"{_toml(key[len(head) :])} = {_toml(whole[key])}\n" for key in keys if key in whole
            )
            new.write_text("".join(lines), encoding="utf-8")
            waiting.append((new, path))
    for new, path in waiting:
        os.replace(new, path)
    return len(changed)


def _toml(text: str) -> str:
    """A basic string: JSON's, but for the one character that TOML wants escaped besides."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
