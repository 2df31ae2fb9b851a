"""A finished game on one sheet, as anybody has it: page and PDF, and nothing private on it."""

import re

from kskak.game.game_commands import Resign
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers

GAME = (
    "5254 5755 7163 2836 6134 6835 3233 7866 4243 4746 5171 5878"
    " 6151 1716 3175 8786 7566 4866 2142 3856 3456 6756"
)
"""Numeric; eleven moves of an Italian game, bishop for knight on move 9 and bishops on move 11."""
SECRET = "Kun mellem os: jeg ofrer i næste træk"


async def _ended(site: Site) -> str:
    for ply, text in enumerate(GAME.split()):
        message = SECRET if ply == 4 else ""
        await site.play(await site.game(), text, message, days=30 if ply == 13 else 2)
    game = await site.game()
    await site.ask(game, game.state().mover, lambda _, by: Resign(by))
    return f"/games/{game.id}"


async def test_a_finished_game_is_kept_on_one_sheet(site: Site, browsers: Browsers):
    running = f"/games/{(await site.game()).id}/paper"
    anna, stranger = await browsers.of("anna"), await browsers.stranger()
    for path in (running, f"{running}.pdf"):
        early = await anna.http.get(path, allow_redirects=False)
        assert (early.status, early.headers["Location"]) == (303, running.removesuffix("/paper"))
        refused = await stranger.http.get(path, allow_redirects=False)
        assert refused.headers["Location"].startswith("/signin"), "a running game is not public"

    path = await _ended(site)
    assert f'href="{path}/paper"' in (await stranger.get(path))[1]
    status, text = await stranger.get(f"{path}/paper")
    assert status == 200 and f'href="{path}/paper.pdf"' in text
    said = " ".join(re.sub("<[^>]+>", " ", text).split())
    for part in (
        "Anna Andersen – Bent Bæk",
        "0–1, opgivet",
        "K-skak-EMT 2026 · K-26-01 · runde 2 · C54 Italiensk parti",
        "Hvid: Anna Andersen · Nordre Skakklub · ratingtal 1900",
        "11. Lxe6 10/11 fxe6 12/11",
        "Før 7... a6, der tog 29 dage",
        "Slutningen, efter 11... fxe6 Hvid: Kg1, Dd1, Ta1, Te1, Sd2, Sf3, bønder a2",
        "Træk 9 til 11",
        "1. september 2026 til 12. november 2026",
    ):
        assert part in said, (part, said)
    assert "forskydes" not in said, "a bishop for a knight and a bishop for a bishop"
    assert SECRET not in text and SECRET not in (await anna.get(f"{path}/paper"))[1]

    answer = await stranger.http.get(f"{path}/paper.pdf")
    data = await answer.read()
    assert answer.content_type == "application/pdf" and data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b(?!s)", data)) == 1
    assert answer.headers["Content-Disposition"] == 'inline; filename="K-26-01-2.pdf"'


async def test_each_player_says_on_the_sheet_what_he_wishes(site, browsers, anna, bent, stranger):
    running = f"/games/{(await site.game()).id}/paper"
    await anna.post(running, {"text": "for tidligt"})
    path = await _ended(site) + "/paper"
    assert 'id="own-words"' not in (await stranger.get(path))[1]
    assert "for tidligt" not in (await anna.get(path))[1], "a running game has no sheet"

    mine = "Jeg så ikke 11... fxe6 <b>\nTak til Þórður for analysen."
    await anna.post(path, {"text": "Første udkast"})
    await anna.post(path, {"text": mine})
    refused = await anna.post(path, {"text": "x" * 301})
    said = await refused.text()
    assert refused.status == 422 and "x" * 301 in said and 'id="words-fault"' in said
    await bent.post(path, {"text": "Ikke det hele"})
    await bent.post(path, {"text": ""})
    shown = (await stranger.get(path))[1]
    assert "Anna Andersen: Jeg så ikke 11... fxe6 <b> Tak til Þórður for analysen." in shown
    assert "Ikke det hele" not in shown and "Bent Bæk:" not in shown
    assert "Første udkast" not in shown, "what is said last stands alone"
    assert "<b>\nTak til" in (await anna.get(path))[1], "as typed, to be changed"
    data = await (await stranger.http.get(f"{path}.pdf")).read()
    assert len(re.findall(rb"/Type /Page\b(?!s)", data)) == 1
    tove, writer = await browsers.of("tove"), await site.person("anna@example.org")
    taken = {"writer": str(writer.id)}
    for who in (bent, await browsers.of("soren")):
        assert (await who.post(path, taken)).status == 403
        assert 'name="writer"' not in (await who.get(path))[1]
    assert 'name="writer"' in (await tove.get(path))[1], "the leader may take them off"
    assert (await tove.post(path, taken | {"text": "Tove her"})).status == 303
    assert "Anna Andersen: " not in (await tove.get(path))[1], "and writes nothing in their place"


async def test_a_game_given_up_before_its_first_move_has_a_sheet_too(site, browsers, game):
    await site.ask(game, game.state().mover, lambda _, by: Resign(by))
    stranger, path = await browsers.stranger(), f"/games/{game.id}/paper"
    status, text = await stranger.get(path)
    assert status == 200 and "Stillingen ved starten" in text and "<table" not in text
    assert (await stranger.http.get(f"{path}.pdf")).status == 200
