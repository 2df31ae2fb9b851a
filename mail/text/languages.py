"""The languages the server speaks: the folders of ``mail/words`` with a ``language.toml``.

A folder states its own facts; nothing else names a language, so one is added by a folder. NOT for
the texts (words.py), and NOT for how people may write moves to us (``kskak.board.notation``).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any

_FACTS = "language.toml"


@dataclass(frozen=True, slots=True)
class Language:
    """The facts of one language.

    ``order``: its place in lists, the first is the default; ``locale``: Babel's;
    ``called``: other words for it in imported files; ``falls_back``: the languages whose text is
    shown where it has none, nearest first; ``openings``: the column of the table of openings whose
    names it shows, ``danish`` or ``english``; ``reads``: the piece letters that are tried first in
    what its players write (§ 6.8.2); ``keywords``: lines of mail that its help page shows, and
    what they mean. What people may write by mail (``mail.grammar.keywords``): ``spellings``: a
    keyword's, each a whole line in small letters; ``patterns``: regular expressions of words that
    are followed by something; ``beginnings``: first words that were probably meant as a keyword.
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


def _language(code: str, facts: dict[str, Any]) -> Language:
    """A folder's facts. TypeError for one missing or one too many."""
    keywords = tuple(facts.pop("keywords", {}).items())
    spellings = {word: tuple(all_) for word, all_ in facts.pop("spellings", {}).items()}
    facts.setdefault("beginnings", [])
    facts.setdefault("patterns", {})
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


def language_called(word: str) -> str | None:
    """The code of the language that an imported file means; None for one we lack."""
    folded = word.casefold()
    return next((one.code for one in FACTS.values() if folded in (one.code, *one.called)), None)
