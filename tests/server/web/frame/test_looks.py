"""The site's own looks, said in one folder, reach pages, mails, PDFs and icons; and a reader's own
choice of board reaches his mails.
"""

import io
import re
from collections.abc import Iterator
from datetime import date
from email.message import EmailMessage
from pathlib import Path

import pytest
from PIL import Image

from mail.game_letters.move_letters import Relay
from mail.looks import design
from mail.outgoing import blocks as b
from mail.outgoing.pdf import as_pdf
from server.settings import SettingsError, settings_from
from server.web.frame import assets
from server.web.frame.middleware import POLICY
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers

OWN = """
:root { --name: "Fjernskak & Co"; --accent: #123456; --strong-rule: #abcdef; --ink: #0a0b0c }
:root, .squares-calm { --light-square: #fefefe }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #010203 } }
"""
FRAME, LIGHT, MARGIN, SQUARE = (10, 11, 12), (254, 254, 254), 15, 45


@pytest.fixture
def own_looks(site: Site, tmp_path: Path) -> Iterator[None]:
    """Taken after the site has started, which takes what its own settings say."""
    (tmp_path / "looks.css").write_text(OWN, encoding="utf-8")
    settings = settings_from({"web": {"looks": str(tmp_path)}})
    design.use(Path(settings.web.looks))
    yield
    design.use(None)


async def _relay(site: Site) -> EmailMessage:
    return await site.composed((await site.written(Relay.kind))[-1])


def _diagram(mail: EmailMessage) -> Image.Image:
    body = next(part for part in mail.walk() if part.get_content_type() == "image/png")
    return Image.open(io.BytesIO(body.get_content())).convert("RGB")


async def test_one_folder_changes_page_style_icon_mail_and_pdf(own_looks, site, stranger):
    _, text = await stranger.get("/about")
    assert '<a class="brand" href="/">Fjernskak & Co</a>' in text
    assert 'content="#010203" media="(prefers-color-scheme: dark)"' in text
    sheet = text.split('rel="stylesheet" href="')[1].split('"')[0]
    style = await (await stranger.http.get(sheet)).text()
    assert style.index("--accent:#7f2315") < style.index("--accent:#123456")
    told = await (await stranger.http.get("/manifest.webmanifest")).json()
    assert told["name"] == "Fjernskak & Co"
    icon = await (await stranger.http.get("/icons/180.png")).read()
    assert Image.open(io.BytesIO(icon)).convert("RGB").getpixel((90, 4)) == (0x12, 0x34, 0x56)
    await site.play(await site.game(), "e4")
    mail = await _relay(site)
    html = mail.get_body(("html",))
    assert html is not None and "background: #123456" in html.get_content()
    diagram = _diagram(mail)
    assert diagram.getpixel((2, 2)) == FRAME
    assert diagram.getpixel((MARGIN + 3, MARGIN + 7 * SQUARE + 3)) != LIGHT
    assert diagram.getpixel((MARGIN + SQUARE + 3, MARGIN + 7 * SQUARE + 3)) == LIGHT
    table = b.LetterContent("", (b.Grid("", ("a",), (("b",),)),), ())
    assert b"Fjernskak & Co" in as_pdf(table, "da", "Tabel", date(2026, 11, 25))


async def test_a_reader_has_his_own_board_in_his_mails(site: Site, browsers: Browsers):
    await site.play(await site.game(), "e4")
    usual = _diagram(await _relay(site))
    bent = await browsers.of("bent")
    _, text = await bent.get("/settings/board")
    assert text.count('<svg class="sample"') == 10, "each choice is shown"
    await bent.post("/settings/board", {"pieces": "print", "board": "green"})
    own = _diagram(await _relay(site))
    assert own.getpixel((MARGIN + 3, MARGIN + 3 * SQUARE + 3)) == (0x86, 0xA6, 0x66)
    rook = (MARGIN, MARGIN, MARGIN + SQUARE, MARGIN + SQUARE)
    assert own.crop(rook).tobytes() != usual.crop(rook).tobytes()


def test_a_colour_that_mails_cannot_show_stops_the_start_and_is_named(tmp_path: Path):
    (tmp_path / "looks.css").write_text(":root { --accent: oklch(40% 0.1 30) }")
    with pytest.raises(SettingsError, match=r"--accent: oklch.* is no colour written #rgb"):
        settings_from({"web": {"looks": str(tmp_path)}})


# The letters of the pages: whole files with their licence, few octets, waited for by none. What a
# page asks for of them is weighed in a browser (tests/browser/pages/test_every_page.py).


FOLDER = "vendor/source-serif-4/"
FACE = re.compile(r"@font-face\{(.*?)\}", re.S)
MOST_PLAIN = 45_000
"""Octets of the two weights that a page in Danish or English asks for."""
MOST_OF_ALL = 80_000
"""Octets with the letters of other languages, in both weights."""


def _faces() -> list[str]:
    return FACE.findall(assets.assets()["site.css"].body.decode())


def _files(faces: list[str]) -> list[str]:
    return [name for face in faces for name in re.findall(r'url\("([^"]+)"\)', face)]


def test_letters_are_small_free_and_waited_for_by_no_page():
    # The letters are few octets and go with their licence.
    sizes = {name: len(one.body) for name, one in assets.assets().items() if "woff" in name}
    assert sorted(_files(_faces())) == sorted(sizes), "what we carry is what a page may ask for"
    assert sum(sizes.values()) < MOST_OF_ALL
    assert sum(size for name, size in sizes.items() if "latin-ext" not in name) < MOST_PLAIN
    assert {FOLDER + "LICENSE", FOLDER + "CHANGES.md", FOLDER + "package.json"} <= set(
        assets.assets()
    )
    # No page waits for its letters.
    faces = [face for face in _faces() if "url(" in face]
    assert len(faces) == 4
    assert all("font-display:swap" in face for face in faces)
    near = [face for face in _faces() if "local(" in face]
    assert near and all("size-adjust" in face and "ascent-override" in face for face in near)
    plain = [face for face in faces if "latin-ext" not in face]
    assert all("U+0000-00FF" in face for face in plain), "æ, ø and å are in the first pair"


async def test_a_browser_may_load_the_letters_and_keep_them_for_ever(browsers: Browsers):
    assert "font-src 'self'" in POLICY
    anna = await browsers.of("anna")
    for name in _files(_faces()):
        answer = await anna.http.get(assets.address(name))
        assert (answer.status, answer.content_type) == (200, "font/woff2")
        assert answer.headers["Cache-Control"] == assets.FOR_EVER
        assert (await answer.read())[:4] == b"wOF2"
