"""A language's texts as a PO file, for translators' programs, and back into its folder.

Each text is a message whose context is its key, and whose source is the default language's text.
NOT for what a reader is shown where a text is missing (words.py).
"""

import json
import os
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po

from mail.text.languages import DEFAULT_LANGUAGE, FACTS
from mail.text.words import texts_of


class BadWords(Exception):
    """A PO file that can't be taken; ``lines`` say what is wrong, and where."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def missing(lang: str) -> tuple[str, ...]:
    """The keys that the default language has and this one lacks."""
    own = texts_of(lang)
    return tuple(key for key in texts_of(DEFAULT_LANGUAGE) if key not in own)


def printed(texts: Mapping[str, str], lang: str) -> bytes:
    """The PO file of a language with these texts; what it lacks has an empty translation."""
    catalog = Catalog(locale=FACTS[lang].locale, project="kskak", fuzzy=False)
    for key, source in texts_of(DEFAULT_LANGUAGE).items():
        catalog.add(source, texts.get(key, ""), context=key)
    out = BytesIO()
    write_po(out, catalog, width=0)
    return out.getvalue()


def parsed(raw: bytes) -> dict[str, str]:
    """The translated texts by key. BadWords, with a line for each fault, if any can't be taken."""
    try:
        catalog = read_po(BytesIO(raw), abort_invalid=True)
    except (PoFileError, UnicodeError, ValueError) as error:
        raise BadWords(f"not a PO file in UTF-8: {error}") from error
    known = texts_of(DEFAULT_LANGUAGE)
    done = [one for one in catalog if one.id and one.string and not one.fuzzy]
    if faults := [line for one in done for line in _faults(one, known)]:
        raise BadWords(*faults)
    return {str(one.context): str(one.string) for one in done}


def _faults(one: Message, known: Mapping[str, str]) -> Iterator[str]:
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
    own = texts_of(lang)
    changed = {key for key, text in texts.items() if own.get(key) != text}
    whole, waiting = dict(own) | dict(texts), []
    for source in sorted((folder / DEFAULT_LANGUAGE).glob("*/*.toml")):
        head = f"{source.stem}."
        if any(key.startswith(head) for key in changed):
            keys = [key for key in texts_of(DEFAULT_LANGUAGE) if key.startswith(head)]
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
