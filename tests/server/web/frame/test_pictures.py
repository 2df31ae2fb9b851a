"""Issue 38, 17: nothing on a page or in a letter is said by a picture alone.

Templates are read as they are written, which finds every page of every role; letters as they are
composed. Not for what a browser's accessibility tree makes of them (tests/browser).
"""

import email
import re
from email import policy
from pathlib import Path

from mail.compose import compose
from mail.game_letters import cast
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import Words
from tests.fakes.machinery.each import each

ROOT = Path(__file__).parents[4]
TEMPLATES = sorted((ROOT / "server/web/templates").rglob("*.html"))
SCRIPTS = sorted(
    path for path in (ROOT / "server/web/static").rglob("*.js") if "vendor" not in path.parts
)
_TAG = r"(?:[^<>{}]|\{\{.*?\}\}|\{%.*?%\})*"
_LABELLED = re.compile(r"aria-hidden=\"true\"|role=\"img\" aria-label(?:ledby)?=\"")
ALL = {**GAME_LETTERS, **NOTICES}


@each("path", TEMPLATES)
def test_a_picture_in_a_template_has_words_or_stands_beside_them(path: Path):
    text = path.read_text(encoding="utf-8")
    for tag in re.findall(rf"<img{_TAG}>", text):
        assert re.search(r" alt=\"\{\{", tag), tag
    for tag in re.findall(rf"<svg{_TAG}>", text):
        assert _LABELLED.search(tag), tag
    assert "<canvas" not in text and "<area" not in text


@each("path", TEMPLATES)
def test_a_board_is_told_in_words_on_its_page(path: Path):
    text = path.read_text(encoding="utf-8")
    if "part.drawing(" in text and path.name != "parts.html":
        assert "in_words(" in text or "described" in text


def test_a_board_with_buttons_is_told_in_words_wherever_it_stands():
    """``desk.drawn``: a game, a past game, a case; each page has the position's words."""
    users = [path for path in TEMPLATES if re.search(r"desk\.drawn\(", path.read_text("utf-8"))]
    assert users
    for path in users:
        folder = "\n".join(one.read_text("utf-8") for one in path.parent.glob("*.html"))
        assert "in_words(" in folder, path


@each("path", SCRIPTS)
def test_a_script_makes_no_picture_without_words(path: Path):
    text = path.read_text(encoding="utf-8")
    assert 'createElement("img")' not in text and "new Image(" not in text
    if "createElementNS" in text:
        assert 'setAttribute("aria-hidden", "true")' in text


@each("name", sorted(ALL))
def test_each_picture_in_a_letter_has_its_words(name: str):
    mail = compose(ALL[name], Words.load("da"), cast.ENVELOPE)
    read = email.message_from_bytes(mail.as_bytes(), policy=policy.default)
    html = read.get_body(("html",)).get_content()
    for tag in re.findall(r"<img[^>]*>", html):
        assert re.search(r'alt="[^"]{3,}"', tag), tag
    assert "background-image" not in html
