"""The replies in `tests/replies`, as mail programs of many countries write them.

In each layout, SAID is what the player wrote, LETTER our letter without a mark, QUOTED our letter
with `> ` before its lines, OURS the address of the position and WHO that address with our name.
Nothing here knows how the server reads them.
"""

from html import escape
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "replies"
OURS = "parti+k7q2m3abcdefghij234567@skak.example"
LETTER = (FOLDER / "letter.txt").read_text("utf-8").rstrip("\n")
CUT = "--- Skriv dit svar over denne linje ---\n\n"


def _layouts(name: str) -> dict[str, str]:
    blocks = (FOLDER / name).read_text("utf-8").removeprefix("=== ").split("\n=== ")
    return {title: layout for title, _, layout in (block.partition("\n") for block in blocks)}


PLAIN = _layouts("plain.txt")
HTML = _layouts("html.txt")


def in_text(layout: str, said: str, letter: str) -> str:
    """A reply as text."""
    quoted = "\n".join(f"> {line}".rstrip() for line in letter.split("\n"))
    text = layout.replace("WHO", f"K-skak <{OURS}>").replace("OURS", OURS)
    text = text.replace("> QUOTED", quoted).replace("QUOTED", quoted)
    return text.replace("LETTER", letter).replace("SAID", said)


def in_html(layout: str, said: str, letter: str) -> str:
    """A reply as HTML."""
    text = layout.replace("WHO", escape(f"K-skak <{OURS}>")).replace("OURS", OURS)
    return text.replace("SAID", _divs(said)).replace("LETTER", _divs(letter))


def _divs(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))
