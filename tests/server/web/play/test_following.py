"""A tournament whose games everybody may follow: its pages for strangers, the leader's switch."""

import re

import pytest

from kskak.game.game_commands import OfferDraw
from kskak.regulation.editions import Side
from server.usecases.account import signin
from server.usecases.groups import leader_letter as group_leading
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers

GROUP = "/groups/K-26-01"
DESK = "/desk/groups/K-26-01"
GAME = "K-26-01/2"
LOOKS = ("", "/statement", "/statement.json", "/statement.txt", ".pgn", "/board.png")


async def follow(site: Site, *, live: bool = True) -> None:
    tove, game = await site.person("tove@example.org"), await site.game(GAME)
    await group_leading.switch(site.core, tove, game.group_id, is_on=live)


async def mate(site: Site) -> None:
    for text in ("f3", "e5", "g4", "Dh4"):
        await site.play(await site.game(GAME), text)


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("live", [False, True])
async def test_the_table_of_sight(browsers: Browsers, site: Site, live: bool, ended: bool):
    """CONTRACTS, who sees what. Søren plays in the group, not in the game."""
    await officials(site)
    await site.play(await site.game(GAME), "e4") if not ended else await mate(site)
    if live:
        await follow(site)
    game = await site.game(GAME)
    for who in ("anna", "bent", "tove", "kaj", "soren", "ole", "nina", ""):
        browser = await (browsers.of(who) if who else browsers.stranger())
        sees = live or ended or who in ("anna", "bent", "tove", "kaj")
        for look in LOOKS:
            answer = await browser.http.get(f"/games/{game.id}{look}", allow_redirects=False)
            shut = 403 if who else 303
            assert answer.status == (200 if sees else shut), (who, look)
        for path in (f"/pgn/{GAME.partition('/')[0]}.pgn", GROUP):
            text = (await browser.get(path))[1]
            marks = {"pgn": f'[KskakGame "{GAME}"]', "01": f'href="/games/{game.id}"'}
            assert (marks[path[-3:].lstrip("-")] in text) == sees, (who, path)
        heard = await browser.http.get(f"/events?game={game.id}", timeout=5)
        assert heard.status == (200 if sees else 403), who
        heard.close()


async def test_a_program_hears_by_its_token(browsers: Browsers, site: Site):
    """The API's bearer token opens the stream as the web's session does; a dead one nothing."""
    bent, game = await site.person("bent@example.org"), await site.game(GAME)
    token = await signin.make_own_token(site.core, bent, "Scid")
    stranger = await browsers.stranger()
    for path in ("/events", f"/events?game={game.id}"):
        for shown, status in ((f"Bearer {token}", 200), ("Bearer x", 401), ("Basic x", 401)):
            headers = {"Authorization": shown}
            heard = await stranger.http.get(path, headers=headers, timeout=5)
            assert heard.status == status, (path, shown)
            heard.close()


INTENDED = ("1828", "f1b5", "Lb5", "Sc6", "2836", "6125", "5755")
OWN = (
    "<textarea", 'name="text"', 'name="message"', "/preview", "/end/", "/object", "/private",
    "/delayed", "/tree", "/card", "case.zip", "<address", "mailto:", "@example.org", "reply+",
)  # fmt: skip


async def test_a_stranger_sees_board_moves_and_days_and_nothing_that_is_the_players(browsers, site):
    """The series stands, a draw is offered, a message was sent: none of it is on any page."""
    await site.play(await site.game(GAME), "1. 5254 05755 2. 7163 2836 3. 6125", message="Hilsen A")

    await follow(site)
    game = await site.game(GAME)
    anna, nobody = await browsers.of("anna"), await browsers.stranger()
    assert "Hilsen A" in (await (await browsers.of("bent")).get(f"/games/{game.id}"))[1]
    text = (await nobody.get(f"/games/{game.id}"))[1]
    assert "Bent Bæk er i trækket." in text and 'id="live"' in text
    assert 'data-ply="1"' in text and 'table class="score"' in text
    main = text[text.index("<main") : text.index("</main>")]
    # The pasting field of one's own tries sends nothing.
    for of_browser in ("trying-text", "tree-comment"):
        main = main.replace(f'<textarea id="{of_browser}"', "")
    assert [own for own in OWN if own in main] == []
    for look in LOOKS[:-1]:
        shown = (await nobody.get(f"/games/{game.id}{look}"))[1]
        assert "Hilsen A" not in shown
        assert [one for one in INTENDED if re.search(rf"(?<!\d){one}(?!\d)", shown)] == [], look
    assert "accept=2" in (await (await browsers.of("bent")).get(f"/games/{game.id}"))[1]
    assert "Jeres ferie" not in main
    assert (await anna.get(f"/games/{game.id}"))[0] == 200


async def test_an_offered_draw_is_between_the_players(browsers: Browsers, site: Site):
    """FIDE 9.1: an offer shows what a player thinks of his game."""
    game = await site.game(GAME)
    await site.ask(game, Side.WHITE, lambda state, by: OfferDraw(by))
    await follow(site)
    nobody = await browsers.stranger()
    path = f"/games/{game.id}"
    before = (await nobody.get(path))[1]
    assert 'data-seq="0"' in before, "an event that is told to nobody does not count"
    await site.play(game, "e4")
    after = (await nobody.get(path))[1]
    assert 'data-seq="2"' in after and "Remis" not in after[after.index("<main") :]
    assert "tilbyder remis" in (await (await browsers.of("bent")).get(path))[1].lower()


@rows("path", "/preview", "/resign", "/end/resign", "/delayed", "/tree", "/note")
async def test_no_form_of_the_game_takes_anything_from_who_follows(browsers, site, path):
    await follow(site)
    before = await site.game(GAME)
    for who in ("", "soren"):
        browser = await (browsers.of(who) if who else browsers.stranger())
        fields = {"text": "e4", "ply": "0", "key": "k", "deed": "save", "moves": "e2e4"}
        answer = await browser.post(f"/games/{before.id}{path}", fields)
        assert answer.status in (303, 403, 404, 405), (who, answer.status)
        if answer.status == 303:
            assert answer.headers["Location"].startswith("/signin"), who
    assert (await site.game(GAME)).seq == before.seq


async def test_who_only_follows_opens_no_case(browsers: Browsers, site: Site):
    await officials(site)
    await follow(site)
    game = await site.game(GAME)
    ole = await browsers.of("ole")
    assert (await ole.get(f"/games/{game.id}"))[0] == 200
    assert (await ole.get(f"/games/{game.id}/object"))[0] == 403
    made = await ole.post(f"/games/{game.id}/object", {"kind": "other", "text": "?"})
    assert made.status == 403


async def test_the_group_page_and_the_front_say_it_and_lead_to_the_games(site, stranger):
    assert "kan følges" not in (await stranger.get("/"))[1] + (await stranger.get(GROUP))[1]
    await follow(site)
    text = (await stranger.get(GROUP))[1]
    links = set(re.findall(r'<td class="cell"><a href="(/games/\d+)"', text))
    assert "Partierne kan følges, mens de spilles" in text and len(links) == 3
    for link in links:
        assert (await stranger.get(link))[0] == 200
    front = (await stranger.get("/"))[1]
    assert re.search(r">K-26-01, .*kan følges", front)
    anna = await site.person("anna@example.org")
    shown = (await stranger.get(f"/players/{anna.id}"))[1]
    assert sum(f'href="{link}"' in shown for link in links) == 2
    assert "kan følges, hvor der er et link" in shown
    await follow(site, live=False)
    assert "kan følges" not in "".join([(await stranger.get(p))[1] for p in ("/", GROUP)])
    for link in links:
        answer = await stranger.http.get(link, allow_redirects=False)
        assert answer.status == 303 and answer.headers["Location"].startswith("/signin")


async def test_the_leader_switches_it_on_and_off_and_the_desk_says_who_did(browsers, site):
    await officials(site)
    game = await site.game(GAME)
    for name in ("anna", "soren", "ole", "nina"):
        browser = await browsers.of(name)
        assert (await browser.post(f"{DESK}/live", {"live": "on"})).status == 404
    tove, nobody = await browsers.of("tove"), await browsers.stranger()
    assert "Partierne ses kun af" in (await tove.get(DESK))[1]
    assert (await tove.post(f"{DESK}/live", {"live": "no"})).status == 400
    answer = await tove.post(f"{DESK}/live", {"live": "on"})
    assert (answer.status, answer.headers["Location"]) == (303, f"{DESK}#live")
    assert (await nobody.get(f"/games/{game.id}"))[0] == 200
    site.clock.turn(1)
    text = (await tove.get(DESK))[1]
    assert "Alle kan følge partierne" in text and "Åbne fra 1. september 2026 (" in text
    kaj = await browsers.of("kaj")
    assert (await kaj.post(f"{DESK}/live", {"live": "off"})).status == 303
    assert "til 2. september 2026 (Kaj)" in (await tove.get(DESK))[1]
    answer = await nobody.http.get(f"/games/{game.id}", allow_redirects=False)
    assert answer.status == 303
