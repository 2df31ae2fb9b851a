"""Text in a PDF: the bundled fonts, and paragraphs that screen readers read as they were written.

The fonts are in ``mail/fonts``, so that every name prints and nothing from the machine is needed.
NOT for what a document is made of (``pdf``, ``game_sheet``).
"""

import io
import re
import unicodedata
from functools import cache
from html import escape
from importlib.resources import files

from arabic_reshaper import ArabicReshaper
from bidi import get_display
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from mail.outgoing.pdf_tags import Node, TaggedParagraph

BOOK, BOLD, ARABIC = "KskakSerif", "KskakSerif-Bold", "KskakArabic"
_FILES = {
    BOOK: "DejaVuSerifCondensed.ttf",
    BOLD: "DejaVuSerifCondensed-Bold.ttf",
    ARABIC: "DejaVuSansCondensed-Arabic.ttf",
}


@cache
def fonts() -> None:
    """Make the fonts known to the library; once a process."""
    for name, file in _FILES.items():
        data = (files("mail") / "fonts" / file).read_bytes()
        pdfmetrics.registerFont(TTFont(name, io.BytesIO(data)))
    pdfmetrics.registerFontFamily(BOOK, normal=BOOK, bold=BOLD, italic=BOOK, boldItalic=BOLD)
    pdfmetrics.registerFontFamily(ARABIC, ARABIC, ARABIC, ARABIC, ARABIC)


_LETTER = "[\u0610-\u065f\u0620-\u064a\u066e-\u06ef\u06fa-\u06ff]"
_RUN = re.compile(f"{_LETTER}+(?:[ \u00a0'-]+{_LETTER}+)*")
"""Arabic words, with what stands between them: never broken over lines."""
_joined = ArabicReshaper({"delete_harakat": False, "ARABIC LIGATURE ALLAH": False}).reshape
"""The font has no shape for a whole name."""


def as_drawn(run: str) -> str:
    """An Arabic run's shapes from left to right; its spaces do not break."""
    shapes = _joined(unicodedata.normalize("NFC", run))
    return str(get_display(shapes, base_dir="R")).replace(" ", "\u00a0")


_ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069")
"""What keeps a page's words in order is nothing to draw."""


def _safe(text: str) -> str:
    """A person's text, escaped for the paragraph's markup: nothing in it is a tag."""
    markup = escape(text.translate(_ISOLATES), quote=False).replace("\n", "<br/>")
    return _RUN.sub(lambda run: f'<font name="{ARABIC}">{as_drawn(run[0])}</font>', markup)


def wide(text: str, font: str, size: float) -> float:
    """The width of a line of it, in points."""
    text = text.translate(_ISOLATES)
    arabic = sum(pdfmetrics.stringWidth(as_drawn(one), ARABIC, size) for one in _RUN.findall(text))
    return arabic + pdfmetrics.stringWidth(_RUN.sub("", text), font, size)


def said(
    node: Node | None, text: str, style: ParagraphStyle, bullet: str | None = None
) -> TaggedParagraph:
    """A paragraph of somebody's text, as the node's in the tree; without one it is not read."""
    drawn = TaggedParagraph(_safe(text), style, bulletText=bullet)
    drawn.node = node
    if node is not None:
        node.said = text if _RUN.search(text) else ""
    return drawn
