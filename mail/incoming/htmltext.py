"""The text of an HTML mail as its reader sees it: quotes marked, hidden content removed.

Nothing is ever fetched and no HTML is ever shown. NOT a sanitiser.
"""

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement  # type: ignore[import-untyped]

MAX_HTML = 512 * 1024  # characters
_NEVER_TEXT = ("script", "style", "head", "title", "template", "noscript", "object", "svg",
               "textarea", "select", "iframe")  # fmt: skip
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
        return _settled(_marked(document)), hidden
    except (etree.LxmlError, ValueError, TypeError, AssertionError, RecursionError):
        return "", False


def _marked(element: "HtmlElement", is_kept: bool = False) -> str:
    """The text of an element, with marks where lines end; ``is_kept``: its own do, too."""
    tag, number = element.tag, 0
    is_kept = is_kept or tag == "pre"
    inner = _spaced(element.text, is_kept)
    for child in element:
        text = _marked(child, is_kept)
        if child.tag == "li":
            number += 1
            text = (f"{_LINE}{number}. " if tag == "ol" else f"{_LINE}* ") + text.lstrip(_MARKS)
        inner += text + _spaced(child.tail, is_kept)
    if tag == "br":
        return "\n"
    if tag in ("td", "th"):  # side by side, if they are short
        inner = inner.strip(_MARKS)
        return f"{inner} " if _ENDS.search(inner) is None else f"{_LINE}{inner}{_LINE}"
    mark = _SPACE if tag in _APART else _LINE if tag in _IN_LINES else ""
    return mark + inner + mark


def _spaced(text: str | None, is_kept: bool) -> str:
    return re.sub(r"[^\S\n]+" if is_kept else r"\s+", " ", text or "")


def _settled(text: str) -> str:
    """With lines for the marks, no more than are needed, and no space beside them."""
    text = re.sub(f" *([\n{_LINE}{_SPACE}]) *", r"\1", re.sub(" +", " ", text))
    return _ENDS.sub(lambda run: "\n\n" if _SPACE in run[0] else "\n", text).strip("\n")


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
        elif _is_foreign(element) and not _holds_own_words(element):
            _to_quote_line(element)


def _is_foreign(element: "HtmlElement") -> bool:
    names = (element.get(name) or "" for name in ("class", "id", "name"))
    return element.get("class") != _OURS and any(map(_FOREIGN.search, names))


def _holds_own_words(element: "HtmlElement") -> bool:
    """Gmail keeps answers between quotes inside its quote container; its quotes are marked now."""
    return element.find(f".//p[@class='{_OURS}']") is not None


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
        if element.tag in _NEVER_TEXT:
            _cut(element)
        elif element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
            hidden = hidden or bool("".join(element.itertext()).strip())
            _cut(element)
    return hidden


def _cut(element: "HtmlElement") -> None:
    if element.getparent() is not None:
        element.drop_tree()
