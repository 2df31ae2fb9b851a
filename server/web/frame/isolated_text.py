"""Isolates user text in a page, so that it neither reorders nor widens what is around it.

A name in a right-to-left script is put in a ``<bdi>``, so that the words around it stay in order;
a word too long for a phone in a ``<bdi class="long">``, which breaks anywhere. It is applied to
every value that a template writes between its tags, so that no template has to think of it.
Not for attributes, titles and fields, which have no markup, or names inside a sentence of the
catalogue (``Words.isolating``).
"""

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup, escape

from mail.text.words import is_turning

LONGEST = 25
"""The longest unbreakable run of characters that fits a table on any phone."""
_LONG = re.compile(rf"[^\s\-/\u2010-\u2014]{{{LONGEST + 1}}}")
_RAW = frozenset({"code", "title", "textarea", "option", "script", "style", "svg"})
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)|<!--")


def apart(value: object) -> object:
    """A value isolated for a page's text; markup and other types are unchanged."""
    if type(value) is not str or (len(value) <= LONGEST and value.isascii()):
        return value
    if _LONG.search(value):
        return Markup('<bdi class="long">') + escape(value) + Markup("</bdi>")
    return Markup("<bdi>") + escape(value) + Markup("</bdi>") if is_turning(value) else value


class _Place:
    """Tracks whether the template's text is inside a tag or raw element."""

    def __init__(self) -> None:
        self._raw, self._quote, self._is_in_tag = "", "", False

    @property
    def is_text(self) -> bool:
        return not (self._raw or self._is_in_tag)

    def go_on(self, text: str) -> None:
        """Advance past some of the template's own text."""
        at = 0
        while at < len(text):
            at = self._past_tag(text, at) if self._is_in_tag else self._to_tag(text, at)

    def _to_tag(self, text: str, at: int) -> int:
        found = _TAG.search(text, at)
        if found is None:
            return len(text)
        name = (found[2] or "").lower()
        if name and not self._raw:
            self._is_in_tag, self._raw = True, name if name in _RAW and not found[1] else ""
        elif name == self._raw and found[1]:
            self._is_in_tag, self._raw = True, ""
        return found.end()

    def _past_tag(self, text: str, at: int) -> int:
        if self._quote:
            end = text.find(self._quote, at)
            self._quote = "" if end >= 0 else self._quote
            return len(text) if end < 0 else end + 1
        if text[at] in "\"'":
            self._quote = text[at]
        self._is_in_tag = text[at] != ">"
        return at + 1


class Apart(Extension):
    """Applies ``apart`` to every value that a template writes between its tags."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The template's tokens, with the filter added."""
        place, block, is_around, before = _Place(), False, False, ""
        for token in stream:
            if token.type == "data":
                place.go_on(token.value)
            elif token.type == "name" and token.value in ("title", "endblock"):
                block = before == "block" if token.value == "title" else False
            before = token.value if token.type == "name" else ""
            if token.type == "variable_end" and is_around:
                yield Token(token.lineno, "rparen", ")")
                yield Token(token.lineno, "pipe", "|")
                yield Token(token.lineno, "name", "apart")
            yield token
            if token.type == "variable_begin":
                is_around = place.is_text and not block
                if is_around:
                    yield Token(token.lineno, "lparen", "(")
