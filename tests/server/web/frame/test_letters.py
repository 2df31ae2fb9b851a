"""The letters of the pages: whole files with their licence, few octets, waited for by none.

What a page asks for of them is weighed in a browser (tests/browser/pages/test_every_page.py).
"""

import re

from server.web.frame import assets
from server.web.frame.middleware import POLICY
from tests.server.web.conftest import Browsers

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


def test_the_letters_are_few_octets_and_go_with_their_licence():
    sizes = {name: len(one.body) for name, one in assets.assets().items() if "woff" in name}
    assert sorted(_files(_faces())) == sorted(sizes), "what we carry is what a page may ask for"
    assert sum(sizes.values()) < MOST_OF_ALL
    assert sum(size for name, size in sizes.items() if "latin-ext" not in name) < MOST_PLAIN
    assert {FOLDER + "LICENSE", FOLDER + "CHANGES.md", FOLDER + "package.json"} <= set(
        assets.assets()
    )


def test_no_page_waits_for_its_letters():
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
