"""The writer's own words in a mail.

Which part, without quoted text, signature or a forwarded mail.
"""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING
from urllib.parse import unquote

from mail.incoming.mime import MAX_TEXT, Defect, MimePart, decode_part, decode_text, read_signed
from mail.incoming.phrases import compile_phrase
from mail.incoming.signatures import RULE, Asks, is_moves, never, signs, strip_signature

if TYPE_CHECKING:
    from lxml.html import HtmlElement  # type: ignore[import-untyped]


# The text of an HTML mail as its reader sees it: quotes marked, hidden content removed.

MAX_HTML = 512 * 1024  # characters
# What is no text, or what its writer struck out.
_NEVER_TEXT = ("script", "style", "head", "title", "template", "noscript", "object", "svg",
               "textarea", "select", "iframe", "s", "strike", "del")  # fmt: skip
# What mail programs call a quote, the line above it, or a signature: in a class, id or name.
_FOREIGN = re.compile(
    r"quote|cite-prefix|signature|gmail_extra|gmail_attr|zmail_extra|reply-intro|replysection",
    re.IGNORECASE,
)
# From here on, everything is the mail being answered.
_QUOTE_BEGINS = ("divRplyFwdMsg", "appendonsend", "mail-editor-reference-message-container",
                 "x_divRplyFwdMsg", "replySplit", "OLK_SRC_BODY_SECTION", "zwchr")  # fmt: skip
# Outlook's line above "Fra: ... Sendt: ...", which has no name.
_LINE_ABOVE = re.compile(r"border(?:-top)?\s*:\s*solid #(?:e1e1e1|b5c4df)", re.IGNORECASE)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0"
    r"(?![.\d]*[1-9])|mso-hide\s*:\s*all|max-height\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_OURS = "kskak-quote"  # the class of the lines put where a quote stood
_TAG = re.compile(r"<[^<>]*>")
_LINE, _SPACE = "\x1e", "\x1f"
"""Here a line ends, or it does with an empty one below: white space, which no text has left."""
_MARKS = f" {_LINE}{_SPACE}"
_APART = {"p", "figure", "h1", "h2", "h3", "h4", "h5", "h6"}
_IN_LINES = {
    *("address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "figcaption", "footer"),
    *("form", "header", "hr", "li", "main", "nav", "ol", "pre", "section", "table", "tr", "ul"),
}
_ENDS = re.compile(f"\n?[{_LINE}{_SPACE}]+")


def html_to_text(source: str) -> tuple[str, bool]:
    """The visible text, quoted passages as one line `> ...`; and whether hidden text was dropped.

    Never raises: ('', False) if it cannot be read.
    """
    # 5 MB and 15 ms, at the first such mail and not at every start.
    from lxml import etree  # type: ignore[import-untyped]
    from lxml.html import HTMLParser, document_fromstring

    try:
        data = source[:MAX_HTML].encode("utf-8", "replace")
        document = document_fromstring(data, parser=HTMLParser(encoding="utf-8"))
        _drop_quotes(document)
        hidden = _drop_hidden(document)
        text = re.sub(" +", " ", _mark_lines(document))
        text = re.sub(f" *([\n{_LINE}{_SPACE}]) *", r"\1", text)  # no more lines than are needed
        return _ENDS.sub(lambda run: "\n\n" if _SPACE in run[0] else "\n", text).strip("\n"), hidden
    except (etree.LxmlError, ValueError, TypeError, AssertionError, RecursionError):
        return "", False


def _mark_lines(element: "HtmlElement", is_kept: bool = False) -> str:
    """The text of an element, with marks where lines end; ``is_kept``: its own do, too."""
    tag, number = element.tag, 0
    is_kept = is_kept or tag == "pre"
    inner = _space_text(element.text, is_kept)
    for child in element:
        text = _mark_lines(child, is_kept)
        if child.tag == "li":
            number += 1
            text = (f"{_LINE}{number}. " if tag == "ol" else f"{_LINE}* ") + text.lstrip(_MARKS)
        inner += text + _space_text(child.tail, is_kept)
    if tag == "br":
        return "\n"
    if tag in ("td", "th"):  # side by side, if they are short
        inner = inner.strip(_MARKS)
        return f"{inner} " if _ENDS.search(inner) is None else f"{_LINE}{inner}{_LINE}"
    mark = _SPACE if tag in _APART else _LINE if tag in _IN_LINES else ""
    return mark + inner + mark


def _space_text(text: str | None, is_kept: bool) -> str:
    return re.sub(r"[^\S\n]+" if is_kept else r"\s+", " ", text or "")


def shows_plainly(word: str, source: str) -> bool:
    """Whether `rough_text` surely has a word of letters and digits, without making it: no tag,
    comment or entity can hold it. False says nothing."""
    at = source.find(word, 0, MAX_HTML - len(word))
    if at < 0 or source.find("&", 0, at) >= 0 or source.find("<!--", 0, at) >= 0:
        return False
    return source.rfind(">", 0, at) > source.rfind("<", 0, at)


def rough_text(source: str) -> str:
    """All text of the HTML without tags, fast: only good for checking whether a word occurs."""
    first, *pieces = source[:MAX_HTML].split("<!--")
    # by hand: a regular expression is quadratic in unclosed comments
    shown = first + "".join(piece.partition("-->")[2] for piece in pieces)
    return html.unescape(_TAG.sub("", shown))


def _drop_quotes(document: "HtmlElement") -> None:
    """Replace quoted text with a quote line, so that answers between and below it stay."""
    from lxml import etree

    for element in list(document.iter(etree.Comment, etree.ProcessingInstruction)):
        _cut(element)
    for mark in _QUOTE_BEGINS:
        for element in document.xpath(f"//*[@id='{mark}']"):
            _drop_from(element)
    for element in list(document.iter("blockquote")):
        # a nested quote is already gone with the outer one
        if next(element.iterancestors("blockquote"), None) is None:
            _to_quote_line(element)
    for element in list(document.iter("div", "span", "table", "p")):
        if _LINE_ABOVE.search(element.get("style") or ""):
            _drop_from(element)
            continue
        names = [element.get(name) or "" for name in ("class", "id", "name")]
        is_foreign = names[0] != _OURS and any(map(_FOREIGN.search, names))
        # Gmail keeps answers between quotes inside its quote container; its quotes are marked now.
        if is_foreign and element.find(f".//p[@class='{_OURS}']") is None:
            _to_quote_line(element)


def _to_quote_line(element: "HtmlElement") -> None:
    tail = element.tail
    element.clear()
    element.tail = tail
    element.tag = "div"
    line = element.makeelement("p", {"class": _OURS})
    line.text = "> ..."
    element.append(line)


def _drop_from(element: "HtmlElement") -> None:
    """Remove the element and everything after it in the document."""
    node = element
    while node is not None and node.tag not in ("body", "html"):
        parent = node.getparent()
        if parent is None:
            return
        for later in list(node.itersiblings()):
            parent.remove(later)
        node.tail = None
        if node is element:
            parent.remove(node)
        node = parent


def _drop_hidden(document: "HtmlElement") -> bool:
    hidden = False
    for element in list(document.iter()):
        if not isinstance(element.tag, str) or element.getparent() is None:
            continue
        if element.tag in _NEVER_TEXT or "line-through" in (element.get("style") or ""):
            _cut(element)
        elif element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
            hidden = hidden or bool("".join(element.itertext()).strip())
            _cut(element)
    return hidden


def _cut(element: "HtmlElement") -> None:
    if element.getparent() is not None:
        element.drop_tree()


# Where a reply stops being the writer's: the attribution line, a head block, a forwarded mail.

QUOTE = re.compile(r"[ \t]*(?:[*-][ \t]+)?>|[A-Z]{1,3}>[ \t]|[ \t]{0,3}\|(?:[ \t]|$)")
_MAX_LINE = 1000  # characters of a line that the rules look at
_MAX_ATTRIBUTION_LINES = 4
_MAX_ATTRIBUTION = 400  # characters
_WRAPPED = 25  # characters; a shorter line was not broken by a mail program

# "skrev" in the languages of those who play here; alone it says little, beside a date much.
_WROTE = compile_phrase("wrote")
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

_FORWARD = compile_phrase("forward")
_FORWARD_APPLE = compile_phrase("forward_apple")
_BETWEEN_DASHES = re.compile(r"[ \t]*-{3,}[ \t]*[^\W\d_][^\n]{3,}?-{3,}[ \t]*$")
# How our own letters begin, for mail programs that quote them without a mark.
_CUT = re.compile(
    r"[ \t]*-{2,} (?:Skriv dit svar over denne linje|Write your answer above this line"
    r"|Skriv ditt svar ovanf\S{1,6}r den h\S{1,6}r raden) -{2,}"
)
_RULE = re.compile(r"[ \t]*[_\-=*─]{5,}[ \t]*$")


class QuoteDetector:
    """The lines of one reply, asked where something foreign begins. `domain`: of our addresses."""

    def __init__(self, lines: list[str], domain: str) -> None:
        self.lines = [line[:_MAX_LINE] for line in lines]
        self.is_quote = [bool(QUOTE.match(line)) for line in self.lines]
        self.domain = f"@{domain.lower()}" if domain else ""
        self.attributions = dict(self._attributions())

    def begins(self, index: int, *, played: bool) -> bool:
        """Whether everything from here on is the mail being answered. `played`: a move is above."""
        line = self.lines[index]
        if any(sign.match(line) for sign in (_FORWARD, _FORWARD_APPLE, _CUT)):
            return True
        is_title = _BETWEEN_DASHES.match(line) is not None
        says_when = _WROTE.search(line) is not None and _has_date(line)
        if is_title and (says_when or self._is_ours_or_quoted_field(index + 1)):
            return True
        is_line = is_title or _RULE.match(line) is not None
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
                if _COLON.search(line) or _WROTE.search(line):
                    start = self._attribution_start(end, is_above_quote=is_above_quote)
                    found.extend([] if start is None else [(start, end + 1)])
                is_above_quote = _CUT.match(line) is not None
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
        if index >= len(self.lines) or not _FIELD.match(self.lines[index]):
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


def _has_date(text: str) -> bool:
    """Whether a date or a time stands in it, outside an address."""
    return bool(_DATE.search(" ".join(word for word in text.split() if "@" not in word)))


# The writer's own lines: no quoted text, no signature, no "Sent from my ...", no disclaimer.

_BREAK = re.compile(r"\r\n?|\n")
_UNSEEN = "\ufeff\u200b\u200e\u200f\u2060"
_GRAM = 4  # words in a row that tell our letter's text from anybody's
_LONG_RUN = 8  # words of our letter on one line with the writer's own
_SHORT_LINE = 6  # words; so short a line is ours only together with the one beside it
# What a word of ours keeps in a mail program that reads its letters wrongly: letters, digits and
# stops of ASCII, not what it made of the others.
_LOST = re.compile(r"=[0-9A-Fa-f]{2}|&#?\w{2,8};|[^0-9A-Za-z.,;:]")
_LINE_NUMBER = re.compile(r"^[ \t]*[(\[]?\d{1,3}[.:)\]|]+(?: |$)")
_SOFT_BREAK = re.compile(r"(?<=.{60})=\n")  # of quoted-printable that nobody decoded
_SPELT = str.maketrans({"æ": "ae", "ø": "oe", "å": "aa", "ä": "ae", "ö": "oe"})
_MAX_FIELD = 6  # words of a line that holds an address and little else


def extract_own_words(
    text: str, domain: str = "", writer: tuple[str, str] = ("", ""), is_command: Asks = never
) -> str:
    """The lines the writer wrote himself, in order; blank lines kept between them, not at the ends.

    Answers below or between quotes stay. `domain`: of our addresses; `writer`: his name and address
    in From; `is_command`: whether a line asks for something. Linear in the text; never raises.
    """
    lines = [line.strip(_UNSEEN) for line in _BREAK.split(text.replace("\u00a0", " "))]
    foreign = QuoteDetector(lines, domain)
    kept: list[str] = []
    played = False
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line or foreign.is_quote[index]:  # most lines of most replies
            kept.extend([] if line else [""])
            index += 1
            continue
        shown = signs(line)
        end = foreign.attributions.get(index)
        is_ours = foreign.is_ours(line)  # alone, or the head of our letter below his words
        if is_ours and any(kept) and foreign.begins(index, played=played):
            break
        if end is not None or is_ours:
            index = index + 1 if end is None else end
            is_field = played and len(line.split()) <= _MAX_FIELD  # a sentence is his own
            if (is_field or end is not None) and not foreign.quote_follows(index):
                break  # the mail being answered follows without a mark
        elif shown.is_delimiter or foreign.begins(index, played=played):
            break
        elif shown.begins_notice:
            index = _paragraph_end(lines, index)
        else:
            kept.extend([] if shown.is_sent_from else [line.rstrip()])
            played = played or shown.could_be_move
            index += 1
    while kept and (not kept[-1] or RULE.match(kept[-1])):
        kept.pop()  # what stood above a notice
    return "\n".join(strip_signature(kept, writer, is_command)).strip("\n")


def _paragraph_end(lines: list[str], index: int) -> int:
    """Where a notice ends: at a blank line, or at moves, which are his own."""
    while index < len(lines) and lines[index].strip() and not is_moves(lines[index]):
        index += 1
    return index


def without_letter(text: str, letters: Iterable[str]) -> str:
    """A reply without the words of the letters it answers, however they were folded on the way.

    Told by runs of words, so that it does not matter where the lines are broken or joined. A short
    line and a line of moves stay unless the letter goes on in the line beside them: a player may
    write what we wrote. Lines with a quote's mark are left alone.
    """
    known = {gram for letter in letters for gram in _letter_grams(letter)}
    if not known:
        return text
    lines = _SOFT_BREAK.sub("", text).split("\n")
    bare = _without_numbers(lines)
    words = [
        (number, word, plain)
        for number, line in enumerate(bare)
        if not QUOTE.match(line)
        for word in line.split()
        if (plain := _plain(word))
    ]
    ours, joined = [False] * len(words), set[int]()
    for start, gram in enumerate(_grams(plain for _, _, plain in words)):
        if gram in known:
            ours[start : start + _GRAM] = [True] * _GRAM
            numbers = {number for number, _, _ in words[start : start + _GRAM]}
            joined |= numbers if len(numbers) > 1 else set()
    said: dict[int, list[tuple[str, bool]]] = {}
    for (number, word, _), is_ours in zip(words, ours, strict=True):
        said.setdefault(number, []).append((word, is_ours))
        if is_ours and bare[number] != lines[number]:
            lines = bare  # a program numbered them all; else the numbers are his moves'
    for number, marked in said.items():
        lines[number] = _own_part(lines[number], marked, is_joined=number in joined)
    worded = [min(said, default=0), *said, len(lines)]
    for above, below in pairwise(worded):  # rules and what is left of signs between our lines
        if below in said and not (lines[above] or lines[below]):
            lines[above:below] = [""] * (below - above)
    if gone := [number for number in said if not lines[number]]:
        lines[gone[-1]] = ">"  # what stands below it is his again, whatever stood above
    return "\n".join(lines)


def _without_numbers(lines: list[str]) -> list[str]:
    """The lines, without the numbers that a program may have put before each."""
    found = [_LINE_NUMBER.match(line) for line in lines]
    numbers = [int(re.sub(r"\D", "", one[0])) if one else -1 for one in found]
    runs = [here + 1 == after for here, after in pairwise(numbers)]
    if 2 * sum(runs) < len(lines):
        return lines
    is_one = map(any, zip([False, *runs], [*runs, False], strict=True))
    return [
        _LINE_NUMBER.sub("", line) if so else line for so, line in zip(is_one, lines, strict=True)
    ]


def _own_part(line: str, marked: list[tuple[str, bool]], *, is_joined: bool) -> str:
    own = [word for word, is_ours in marked if not is_ours]
    may_be_own = len(marked) <= _SHORT_LINE or is_moves(line)
    if not own:
        return line if may_be_own and not is_joined else ""
    return " ".join(own) if len(marked) - len(own) >= _LONG_RUN else line


def _letter_grams(letter: str) -> set[tuple[str, ...]]:
    """Also without its cut line, and as programs spell it that cut at hyphens, lack our letters or
    keep seven bits of each."""
    lines = letter.split("\n")
    bare = "\n".join(line for line in lines if not _CUT.match(line))
    seven = "".join(chr(ord(sign) & 127) for sign in bare)
    spelt = {letter, bare, bare.replace("-", "- "), bare.casefold().translate(_SPELT), seven}
    return {gram for text in spelt for gram in _grams(map(_plain, text.split()))}


def _plain(word: str) -> str:
    return _LOST.sub("", word).lower()


def _grams(found: Iterable[str]) -> list[tuple[str, ...]]:
    words = list(filter(None, found))
    return [tuple(words[start : start + _GRAM]) for start in range(len(words) - _GRAM + 1)]


# Which parts of a mail are the writer's text: the plain text, else the HTML as displayed.

_ENCRYPTED = "multipart/encrypted"
_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
"""Signed, with the text inside, or encrypted."""
_ARMOUR = re.compile(
    r"^-----BEGIN PGP (?P<kind>MESSAGE|SIGNATURE|PUBLIC KEY BLOCK)-----$.*?"
    r"(?:^-----END PGP (?P=kind)-----$|\Z)"
    r"|^-----BEGIN PGP SIGNED MESSAGE-----\n(?:Hash: [^\n]*\n)*"
    r"|^begin [0-7]{3} \S[^\n]*\n(?:[\x20-\x60]{1,61}\n)+end$",
    re.MULTILINE | re.DOTALL,
)
"""What programs put around a text or in its place, and no reader reads."""
_RECORDS = frozenset(
    f"application/{name}" for name in ("x-chess", "x-chess-pgn", "vnd.chess-pgn", "pgn", "x-pgn")
)
"""The types under which cmail, Scid and other programs send a game."""
_FILE_NAME = re.compile(
    r"filename\*?=\"?(?:[\w-]{1,20}'[\w-]{0,20}')?([^\";]{1,200})", re.IGNORECASE
)
_LONGEST_NAME = 60
MAX_FILE = 2_000  # characters of attached text
_UNREAD = ("multipart/report", "multipart/digest")
# Anything shaped like a move, in any notation; only compared, never played.
_CHESS_WORD = re.compile(
    r"(?<!\w)(?:[A-ZÆØÅa-z]?[a-h]?[1-8]?[x:-]?[a-h][1-8]|[1-8]{4}|[0Oo]-[0Oo](?:-[0Oo])?)(?!\w)"
)
_SAME = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-") | {"\u00d7": "x"})
"""Signs that programs put into HTML for what was typed: dashes for a hyphen, a cross for an x."""


@dataclass(frozen=True, slots=True)
class MailBody:
    """The text, and whether the mail contains a calendar reply or request.

    `record`: a game in PGN that a chess program sent as a part of its own, shown or attached.
    `file`: the name of the first file that is none, else what it is; `filed`: the text of those
    that are plain text.
    """

    text: str
    calendar: bool
    record: str = ""
    file: str = ""
    filed: str = ""


def read_body(top: MimePart, defects: set[Defect]) -> MailBody:
    """Choose and decode the text. Several plain parts are joined in order."""
    leaves = _Leaves([], [], [], [])
    calendar = _collect(top, leaves, defects)
    record = "\n".join(decode_part(part, defects) for part in leaves.records)[:MAX_TEXT]
    texts = (_text(part, defects) for part in _shown(top, defects))
    text = "\n".join(filter(str.strip, texts))
    text = _ARMOUR.sub(lambda found: _note_sealed(found, defects), text[:MAX_TEXT])
    if not (text.strip() or record.strip()):
        defects.add(Defect.NO_TEXT)
    texts = (decode_part(part, defects) for part in leaves.files if part.kind == "text/plain")
    file = next(map(_name_file, leaves.files), "")
    return MailBody(
        text if text.strip() else "", calendar, record, file, "\n".join(texts)[:MAX_FILE]
    )


def _name_file(part: MimePart) -> str:
    """A file's name as its sender gave it, else its type."""
    given = part.headers.first("content-disposition") or b""
    found = _FILE_NAME.search(decode_text(given))
    name = unquote(found[1]) if found else part.params.get("name", "")
    return " ".join(name.split())[:_LONGEST_NAME] or part.kind


def _text(part: MimePart, defects: set[Defect]) -> str:
    """A part as its reader sees it."""
    text = decode_part(part, defects)
    if part.kind != "text/html":
        return text
    text, hidden = html_to_text(text)
    if hidden:
        defects.add(Defect.HIDDEN_TEXT)
    return text


def _note_sealed(found: re.Match[str], defects: set[Defect]) -> str:
    if found["kind"] == "MESSAGE":
        defects.add(Defect.ENCRYPTED)
    return ""


def _shown(part: MimePart, defects: set[Defect]) -> list[MimePart]:
    """The parts that a mail shows, in order: of alternatives the plain text, if it says anything.

    A gateway puts its footer in a part of its own, behind a mail of HTML alone.
    """
    inner = _inside(part, defects)
    if inner is not None:
        return _shown(inner, defects)
    found = [one for child in part.children for one in _shown(child, defects)]
    if part.kind == "multipart/alternative":
        kinds = ("text/plain", "text/html")
        plain, rich = ([one for one in found if one.kind == kind] for kind in kinds)
        text = "\n".join(decode_part(one, defects) for one in plain)
        if not text.strip():
            return rich
        markup = "\n".join(decode_part(one, defects) for one in rich)
        if markup and not _agree(text, markup):
            defects.add(Defect.TEXTS_DIFFER)
        return plain
    if part.children:
        return [] if part.kind in (*_UNREAD, _ENCRYPTED) else found
    is_text = part.kind in ("text/plain", "text/html") and not part.attached
    return [part] if is_text and not _is_named_record(part) else []


def _inside(part: MimePart, defects: set[Defect]) -> MimePart | None:
    return read_signed(part, defects) if part.kind in _SEALED else None


def list_visible_texts(top: MimePart) -> tuple[str, ...]:
    """All that a mail shows, its plain text and its HTML: what a reply to it may bring back."""
    leaves, defects = _Leaves([], [], [], []), set[Defect]()
    _collect(top, leaves, defects)
    rich = (html_to_text(decode_part(part, defects))[0] for part in leaves.rich)
    return (*(decode_part(part, defects) for part in leaves.plain), *rich)


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The parts that are read, by kind."""

    plain: list[MimePart]
    rich: list[MimePart]
    records: list[MimePart]
    files: list[MimePart]


def _collect(part: MimePart, leaves: _Leaves, defects: set[Defect]) -> bool:
    """Sort the readable leaves into the lists; True if a calendar part is among them."""
    inner = _inside(part, defects)
    if inner is not None:
        return _collect(inner, leaves, defects)
    if part.kind in (_ENCRYPTED, *_SEALED):
        defects.add(Defect.ENCRYPTED)
        return False
    if part.kind in _UNREAD or part.kind.startswith("message/"):
        return False
    if part.kind.startswith("multipart/"):
        calendars = [_collect(child, leaves, defects) for child in part.children]
        return any(calendars)
    if part.kind == "text/calendar":
        return "method" in part.params  # an answer or request made by a calendar program
    if part.kind in _RECORDS or _is_named_record(part):
        leaves.records.append(part)
    elif part.kind == "text/plain" and not part.attached:
        leaves.plain.append(part)
    elif part.kind == "text/html" and not part.attached:
        leaves.rich.append(part)
    else:
        leaves.files.append(part)
    return False


def _is_named_record(part: MimePart) -> bool:
    """A game whose type the sending program did not know: a file by the name of one."""
    fields = (part.headers.first("content-type"), part.headers.first("content-disposition"))
    return any(b".pgn" in (field or b"").lower() for field in fields)


def _agree(text: str, markup: str) -> bool:
    """False if the writer's own text names a move that the HTML does not show anywhere."""
    if all(shows_plainly(word, markup) for word in set(_CHESS_WORD.findall(text.translate(_SAME)))):
        return True  # those of his own words are among them
    wanted = set(_CHESS_WORD.findall(extract_own_words(text).translate(_SAME)))
    shown = rough_text(markup).translate(_SAME)
    return all(word in shown for word in wanted)
