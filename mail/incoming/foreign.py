"""Where a reply stops being the writer's: the attribution line, a head block, a forwarded mail.

Known by their build, whatever the language: a date or an address and a colon above a quote, lines
of `Word: value`, words between dashes. Lists only where a build alone would take the writer's own
lines. Linear in the text. NOT for signatures (`mail.incoming.signing`), nor for what then stays
(`mail.incoming.quoting`).
"""

import re
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

QUOTE = re.compile(r"[ \t]*(?:[*-][ \t]+)?>|[A-Z]{1,3}>[ \t]|[ \t]{0,3}\|(?:[ \t]|$)")
_MAX_LINE = 1000  # characters of a line that the rules look at
_MAX_ATTRIBUTION_LINES = 4
_MAX_ATTRIBUTION = 400  # characters
_SHORT = 80  # characters of a line that may come again
_WRAPPED = 25  # characters; a shorter line was not broken by a mail program

# "skrev" in the languages of those who play here; alone it says little, beside a date much.
_WROTE = re.compile(
    r"\b(?:skrev|skriver|skrivaði|skrifaði|wrote|writes|schrieb|schreibt|kirjoitti|schreef"
    r"|geschreven|écrit|escribió|ha scritto|escreveu|napisała?|napisana|pisze|napsala?|napísala?"
    r"|написала?|писали|пишет|yazdı|írta|έγραψε|a scris|zitat von|citerer|quoting)\b"
    r"|كتب|تمت كتابة|写道|のメール",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{4}|\d{1,2}[.:]\d\d|\d{1,2}[./-]\s?\d{1,2}"
    r"|\d{1,2}\.? ?(?:jan|feb|mar|mär|apr|ma[jyi]|jun|jul|aug|sep|o[kc]t|nov|de[cz])",
    re.IGNORECASE,
)
_COLON = re.compile(r"[:：][\s*_\u200e\u200f\u202c]*$")
_KEY = re.compile(r"\+[a-z2-7]{20,52}(?:\.[0-9]{1,15})?@", re.IGNORECASE)

_FIELD = re.compile(
    r"[ \t*_>]*(?P<name>[^\W\d_][^\d_:：@<>(,;!?]{0,24}?)[ \t*_]*[:：](?!//)[ \t*_]*\S"
)
_DAY_AND_HOUR = re.compile(r"\b20\d\d\b.*\d[.:]\d\d|\d[.:]\d\d.*\b20\d\d\b")
_FROM = ("fra", "from", "från", "von", "afsender")
_NEEDED = frozenset(
    ("sendt", "sent", "skickat", "gesendet", "dato", "date", "datum", "til", "to", "till", "an")
    + ("emne", "subject", "ämne", "betreff")
)
# How a player names his move in a form of his own.
_OF_MOVES = ("træk", "trækket", "svar", "move", "answer", "drag", "zug", "parti", "game")
_MAX_FIELDS = 6  # lines

_FORWARD = re.compile(
    r"[ \t]*-{2,}[ \t]*(?:oprindelig (?:meddelelse|besked)|original message|original besked"
    r"|ursprungligt meddelande|ursprüngliche nachricht|original-nachricht"
    r"|videresendt (?:meddelelse|besked)|forwarded message|vidarebefordrat meddelande"
    r"|weitergeleitete nachricht|original appointment|svar på besked)[ \t]*-{2,}[ \t]*$",
    re.IGNORECASE,
)
_FORWARD_APPLE = re.compile(
    r"(?:begin forwarded message|start på videresendt besked|vidarebefordrat brev"
    r"|anfang der weitergeleiteten nachricht)[ \t]*:?[ \t]*$",
    re.IGNORECASE,
)
_BETWEEN_DASHES = re.compile(r"[ \t]*-{3,}[ \t]*[^\W\d_][^\n]{3,}?-{3,}[ \t]*$")
# How our own letters begin, for mail programs that quote them without a mark.
_CUT = re.compile(
    r"[ \t]*-{2,} (?:Skriv dit svar over denne linje|Write your answer above this line) -{2,}"
)
_RULE = re.compile(r"[ \t]*[_\-=*─]{5,}[ \t]*$")


class _Build(NamedTuple):
    """A line by its build, wherever it stands. `is_attributing`: perhaps it says who wrote."""

    is_quote: bool
    is_attributing: bool
    is_cut: bool
    is_forward: bool
    is_title: bool
    is_rule: bool
    is_field: bool


def _build(line: str) -> _Build:
    """A line's build: people write, and are quoted, the same short lines again and again."""
    return _seen(line) if len(line) <= _SHORT else _seen.__wrapped__(line)


@lru_cache(maxsize=4096)
def _seen(line: str) -> _Build:
    return _Build(
        bool(QUOTE.match(line)),
        bool(_COLON.search(line) or _WROTE.search(line)),
        bool(_CUT.match(line)),
        any(sign.match(line) for sign in (_FORWARD, _FORWARD_APPLE, _CUT)),
        bool(_BETWEEN_DASHES.match(line)),
        bool(_RULE.match(line)),
        bool(_FIELD.match(line)),
    )


class Foreign:
    """The lines of one reply, asked where something foreign begins. `domain`: of our addresses."""

    def __init__(self, lines: list[str], domain: str) -> None:
        self.lines = [line[:_MAX_LINE] for line in lines]
        self.is_quote = [
            line[:1] == ">" or (line != "" and _build(line).is_quote) for line in self.lines
        ]
        self.domain = f"@{domain.lower()}" if domain else ""
        self.attributions = dict(self._attributions())

    def begins(self, index: int, *, played: bool) -> bool:
        """Whether everything from here on is the mail being answered. `played`: a move is above."""
        line = self.lines[index]
        build = _build(line)
        if build.is_forward:
            return True
        if build.is_title and (_names_writing(line) or self._is_ours_or_quoted_field(index + 1)):
            return True
        is_line = build.is_title or build.is_rule
        return self._is_head(self._next(index + 1) if is_line else index, played=played)

    def is_ours(self, line: str) -> bool:
        """Whether a line holds an address of ours."""
        if "@" not in line:
            return False
        return bool(self.domain and self.domain in line.lower()) or bool(_KEY.search(line))

    def quote_follows(self, index: int) -> bool:
        """True if the next non-blank line is marked as a quote, or there is none."""
        following = self._next(index)
        return following == len(self.lines) or self.is_quote[following]

    def _next(self, index: int) -> int:
        """The next line that is not blank."""
        while index < len(self.lines) and not self.lines[index].strip():
            index += 1
        return index

    def _attributions(self) -> list[tuple[int, int]]:
        """Each attribution ("Den ... skrev ...:"): its first line, and the line after its last."""
        found: list[tuple[int, int]] = []
        is_above_quote = False
        for end in range(len(self.lines) - 1, -1, -1):
            line = self.lines[end]
            if self.is_quote[end]:
                is_above_quote = True
            elif line and not line.isspace():
                build = _build(line)
                if build.is_attributing:
                    start = self._attribution_start(end, is_above_quote=is_above_quote)
                    found.extend([] if start is None else [(start, end + 1)])
                is_above_quote = build.is_cut
        return found

    def _attribution_start(self, end: int, *, is_above_quote: bool) -> int | None:
        """The first line of the attribution that ends with line `end`, None if it is none."""
        has_colon = _COLON.search(self.lines[end])
        joined, start = "", end + 1
        while end - start + 1 < _MAX_ATTRIBUTION_LINES and start > 0:
            line = self.lines[start - 1].strip()
            is_whole = joined and (len(line) < _WRAPPED or self.is_quote[start - 1])
            if not line or is_whole or len(joined) + len(line) > _MAX_ATTRIBUTION:
                break
            joined, start = f"{line} {joined}", start - 1
            ours = self.is_ours(joined)
            if (ours or (has_colon and _WROTE.search(joined))) and _has_date(joined):
                return start
        if not has_colon or not joined:
            return None
        # A name alone ("Bo skrev:") is an attribution if a marked quote stands below it.
        is_dated = len(joined) >= _WRAPPED and _has_date(joined)
        signs = is_dated or _WROTE.search(joined) or self.is_ours(joined)
        return start if is_above_quote and signs else None

    def _is_ours_or_quoted_field(self, index: int) -> bool:
        index = self._next(index)
        if index == len(self.lines):
            return False
        line = self.lines[index]
        return self.is_ours(line) or (self.is_quote[index] and bool(_FIELD.match(line)))

    def _is_head(self, index: int, *, played: bool) -> bool:
        """Outlook's "Fra: / Sendt: / Til: / Emne:" without any quote mark, in any language.

        Two fields known by name, else three with an address or four with a date and time; above a
        move only with an address of ours, as a player may begin with a form of his own.
        """
        if index >= len(self.lines) or not _build(self.lines[index]).is_field:
            return False
        fields = self._fields(index)
        names = [field["name"].lower() for field in fields if field]
        if names[0] in _FROM and any(name in _NEEDED for name in names[1:]):
            return True
        block = list(takewhile(bool, fields))  # of the other kind, no blank line is in the middle
        if len(block) < 3 or any(name in _OF_MOVES for name in names):
            return False
        text = "\n".join(field.string for field in block if field)
        is_dated = len(block) > 3 and bool(_DAY_AND_HOUR.search(text))
        return self.is_ours(text) or (played and ("@" in text or is_dated))

    def _fields(self, index: int) -> list[re.Match[str] | None]:
        """The fields from here on, None for a blank line; one broken line does no harm."""
        found: list[re.Match[str] | None] = []
        missed = 0
        for line in self.lines[index : index + 2 * _MAX_FIELDS]:
            field = _FIELD.match(line)
            if field or not line.strip():
                found.append(field)
                continue
            missed += 1
            if missed > 1:
                break
        return found


def _names_writing(text: str) -> bool:
    """Whether it says who wrote when."""
    return bool(_WROTE.search(text)) and _has_date(text)


def _has_date(text: str) -> bool:
    """Whether a date or a time stands in it, outside an address."""
    return bool(_DATE.search(" ".join(word for word in text.split() if "@" not in word)))
