"""What stands in the field for a move: its errors name what is amiss, a series is not forgotten."""

import re

import pytest

from tests.fakes.machinery.each import each, rows
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers


async def _post(browser: Browser, path: str, text: str, to: str = "preview", **fields: str) -> str:
    ply = str((await browser.site.game()).ply)
    answer = await browser.post(f"{path}/{to}", {"text": text, "ply": ply} | fields)
    assert answer.status in (200, 422)
    return await answer.text()


def _error(page: str) -> str:
    found = re.search(r'id="move-error" role="alert"[^>]*>([^<]*)<', page)
    return found[1] if found else ""


def _chosen(page: str) -> str:
    """Which part of the series the page says is followed."""
    found = re.search(r'<a href="[^"]*#move-form" aria-current="true">([^<]*)<', page)
    assert found is not None
    return found[1]


@each(
    "text said",
    (
        "h4 a5 h5",
        "»h4« er forstået, men det, der følger, er ikke: »a5 h5«. Vil du foreslå "
        "en trækserie, så sæt et 0 foran modstanderens træk: h4 0a5 h5",
    ),
    ("h4 remis", "»h4« er forstået, men det, der følger, er ikke: »remis«."),
    ("h4 remis", "sæt kryds ved »Tilbyd remis sammen med trækket«"),
    ("h4 remis?", "sæt kryds ved »Tilbyd remis sammen med trækket«"),
    ("Sc3 Sxd5", "»Sc3« er forstået, men det, der følger, er ikke: »Sxd5«."),
    ("Sc3 Sxd5", "Lad kun dit træk stå"),
    ("Sc3 og hils din kone", "En hilsen skriver du under »Besked, remis, trækserie«"),
    ("hest ud", "»hest ud« er ikke forstået som et træk"),
    ("Be4", "»Be4« kan misforstås. Mener du e4 (5254)?"),
    ("h4 0Zz 2. h5", "»0Zz 2. h5« er ikke en trækserie, der kan spilles"),
)
async def test_the_error_names_what_was_not_understood(site, path, text, said, anna):
    assert said in _error(await _post(anna, path, text))
    assert (await site.game()).seq == 0


@pytest.mark.parametrize("text", ["sf3", "H4", "♘f3", "E2-E4"])
async def test_small_letters_capitals_and_figurines_are_taken(path: str, text: str, anna: Browser):
    page = await _post(anna, path, text)
    assert "Det bliver sendt" in page


async def _series(site: Site) -> None:
    await site.play(await site.game(), "e4 0e5 2. Sf3 Sc6 3. Lb5")


FOLLOWING = "1. 5254 5755 2. 7163 "


@rows(
    "to text",
    ("preview", f"{FOLLOWING}Zz4"),
    ("change", f"{FOLLOWING}Zz4"),
    ("change", f"{FOLLOWING}Sf6"),
    ("change", "1. e4 e5 2. Sf3 Sf6"),
    ("change", "1. 5254  5755 2. 7163 Sf6"),
)
async def test_following_a_series_is_not_forgotten(browsers, site, path, to, text):
    await _series(site)
    bent = await browsers.of("bent")
    page = await _post(bent, path, text, to)
    assert _chosen(page) == "Til og med 1… e5 2. Sf3"
    assert f'data-prefix="{FOLLOWING}"' in page, "a move on the board follows it too"
    moves = re.search(r'data-moves="([^"]*)"', page)[1]
    assert "g8f6" in moves and "e7e5" not in moves


async def test_a_fault_beside_another_field_does_not_forget_it_either(browsers, site, path):
    await _series(site)
    bent = await browsers.of("bent")
    page = await _post(bent, path, f"{FOLLOWING}Sf6", message="x" * 4001)
    assert _chosen(page) == "Til og med 1… e5 2. Sf3"


async def test_the_fault_in_a_move_after_a_series_is_named(browsers, site, path):
    await _series(site)
    bent = await browsers.of("bent")
    error = _error(await _post(bent, path, f"{FOLLOWING}Zz4"))
    assert "»1. 5254 5755 2. 7163« er forstået" in error
    assert "det, der følger, er ikke: »Zz4«. Ret det" in error


async def test_who_does_not_follow_is_not_said_to(browsers: Browsers, site: Site, path: str):
    await _series(site)
    bent = await browsers.of("bent")
    for text in ("Sf6", "Zz4"):
        assert _chosen(await _post(bent, path, text, "change")) == "Jeg følger den ikke"
