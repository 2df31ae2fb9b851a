"""Arabic names for drawing that knows no script: letters joined, and in the order of the page.

Enough for names in a line of another script. NOT a full bidirectional layout: figures are not part
of a run, and a run is not broken over lines.
"""

import re
import unicodedata
from functools import cache

_LETTER = "[\u0610-\u065f\u0620-\u064a\u066e-\u06ef\u06fa-\u06ff]"
RUN = re.compile(f"{_LETTER}+(?:[ \u00a0'-]+{_LETTER}+)*")
"""Arabic words, with what stands between them."""
_JOINED = (*range(0xFB50, 0xFBB2), *range(0xFBD3, 0xFC00), *range(0xFE80, 0xFEFD))
"""Where Unicode keeps the four shapes of each letter, and of lam with alef."""


def as_drawn(run: str) -> str:
    """A run's shapes from left to right; its spaces do not break."""
    letters: list[tuple[str, str]] = []
    for char in unicodedata.normalize("NFC", run):
        pair = letters[-1][0] + char if letters and not letters[-1][1] else ""
        if unicodedata.combining(char) and letters:
            letters[-1] = (letters[-1][0], letters[-1][1] + char)
        elif pair.startswith("\u0644") and pair in _shapes():
            letters[-1] = (pair, "")
        else:
            letters.append((char, ""))
    drawn = []
    for index, (letter, marks) in enumerate(letters):
        before = letters[index - 1][0] if index else ""
        after = letters[index + 1][0] if index + 1 < len(letters) else ""
        joined = _has(before, "<initial>") and _has(letter, "<final>")
        joins = _has(letter, "<initial>") and _has(after, "<final>")
        shape = {
            (False, False): "<isolated>",
            (False, True): "<initial>",
            (True, True): "<medial>",
            (True, False): "<final>",
        }[joined, joins]
        drawn.append(_shapes().get(letter, {}).get(shape, letter) + marks)
    return "".join(reversed(drawn)).replace(" ", "\u00a0")


def _has(letter: str, shape: str) -> bool:
    return shape in _shapes().get(letter, {})


@cache
def _shapes() -> dict[str, dict[str, str]]:
    """The shapes of each letter by Unicode's own table."""
    found: dict[str, dict[str, str]] = {}
    for code in _JOINED:
        shape, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if shape in {"<isolated>", "<initial>", "<medial>", "<final>"}:
            letter = "".join(chr(int(one, 16)) for one in letters)
            found.setdefault(letter, {})[shape] = chr(code)
    return found
