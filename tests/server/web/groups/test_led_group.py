"""The group's page for its leader: the running games as they are, and a letter to everybody."""

import re
from datetime import timedelta
from html import unescape

import pytest

from kskak.game.game_events import LeaveBooked, OpponentReminded
from kskak.regulation.editions import Side
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import poster_of
from server.usecases.games.game_units import Origin
from server.usecases.groups.group_file import read_group_file
from server.usecases.people import LedGame, group_games
from server.usecases.play.game_views import game_view
from server.usecases.starts.start_group import start_group
from server.web.frame.page_texts import time_bar
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import claimed

PAGE, LETTER = "/desk/groups/K-26-01", "/desk/groups/K-26-01/letter"
TYPED = {"subject": "Juleferien", "text": "Husk ferien.\n\nGlædelig jul & godt <nytår>!"}


async def led(site: Site) -> tuple[LedGame, ...]:
    game = await site.game()
    async with site.core.store.read() as conn:
        return await group_games(conn, site.core, game.group_id, ())


async def rows(browser: Browser) -> list[str]:
    """The rows of the table, as read."""
    text = (await browser.get(PAGE))[1]
    body = text[text.index('id="games"') :].partition("<tbody>")[2].partition("</tbody>")[0]
    return re.findall(r"<tr>.*?</tr>", body, re.DOTALL)


@pytest.mark.parametrize("days", [0, 7, 39, 40, 41, 60])
async def test_what_is_told_of_each_game_is_what_its_page_tells(site, browsers, days):
    """Moves made on several days, at the edge of the limit and past it (§ 6.3.3.1)."""
    await site.play(await site.game(), "e4", days=2)
    await site.play(await site.game(), "e5", days=3)
    await site.play(await site.game("K-26-01/2"), "d4", days=1)
    site.clock.turn(days)
    shown = await rows(await browsers.of("tove"))
    told = {re.search(r"/games/(\d+)", row)[1]: row for row in shown}  # type: ignore[index]
    assert len(told) == 3
    for game_id, row in told.items():
        view = await game_view(site.core, int(game_id))
        assert view is not None
        bars = [time_bar(view.account, side) for side in Side]
        left = next((bar.left for bar in bars if bar.is_running), None)
        assert f'data-left="{"" if left is None else left}"' in row
        assert (left is not None and left < 0) == ("ikke gjort gældende" in row)


async def test_the_most_urgent_game_stands_first(site: Site):
    await site.play(await site.game("K-26-01/2"), "d4", days=10)
    site.clock.turn(35)
    left = [one.summary.days_left for one in await led(site)]
    assert left == sorted(left) and left[0] < 0, "an overstep before all others"


async def test_a_game_with_a_claim_rests_and_has_its_case(site: Site, browsers: Browsers):
    path = await claimed(site, browsers)
    (row,) = [one for one in await rows(await browsers.of("tove")) if f'href="{path}"' in one]
    assert "i bero" in row and "e5" in row
    assert "ikke gjort gældende" not in row, "it has been claimed"


async def test_what_stands_beside_a_game_and_how_it_leads_on(site, browsers, tove, anna):
    # A reminder and leave stand beside the game.
    game, today = await site.game(), site.clock.now().date()
    leave = LeaveBooked(Side.BLACK, today + timedelta(20), today + timedelta(30), today)
    origin = Origin(site.core.clock.now(), None, "case")
    for done in (leave, OpponentReminded(Side.BLACK, today)):
        await site.core.writer.submit(EventsUnit(game.id, (done,), origin, poster_of(site.core)))
    told = [row for row in await rows(await browsers.of("tove")) if f"/games/{game.id}" in row]
    assert "Bent" in told[0] and "holder ferie fra 21/9 til 1/10" in told[0]
    assert 'data-l="Rykket">1/9</td>' in told[0]
    # Back and forth to the public page.
    assert f'href="{PAGE}"' in (await tove.get("/groups/K-26-01"))[1]
    assert 'href="/groups/K-26-01"' in (await tove.get(PAGE))[1]
    assert f'href="{PAGE}"' not in (await anna.get("/groups/K-26-01"))[1]
    stranger = await browsers.stranger()
    assert f'href="{PAGE}"' not in (await stranger.get("/groups/K-26-01"))[1]


async def test_fifty_games_cost_no_more_questions_than_three(site: Site, browsers: Browsers):
    big = group_text("K-26-50")
    names = "".join(f'\n[[players]]\nname = "P{i}"\nemail = "p{i}@example.org"\n' for i in range(9))
    await start_group(site.core, read_group_file(big + names))
    tove = await browsers.of("tove")
    await tove.get(PAGE)
    small, large = await tove.asked(PAGE), await tove.asked("/desk/groups/K-26-50")
    text = (await tove.get("/desk/groups/K-26-50"))[1]
    assert len(re.findall(r"data-left=", text)) >= 50
    assert small == large


def carried(text: str) -> dict[str, str]:
    """What the form under the shown letter sends."""
    form = text.partition('name="step" value="send"')[2].partition("</form>")[0]
    found = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    area = re.search(r'<textarea name="text" hidden>\n?([^<]*)</textarea>', form)
    assert area is not None
    return {"step": "send", **{k: unescape(v) for k, v in found.items()}, "text": unescape(area[1])}


async def test_the_letter_is_shown_as_it_is_sent_and_sent_once(site: Site, tove: Browser):
    answer = await tove.post(LETTER, TYPED | {"step": "show"})
    raw = await answer.text()
    assert answer.status == 200 and await site.written("to_all") == []
    shown = unescape(re.search(r"<pre[^>]*>(.*?)</pre>", raw, re.DOTALL)[1])  # type: ignore[index]
    subject = unescape(re.search(r"<strong>(K-26-01:[^<]*)</strong>", raw)[1])  # type: ignore[index]
    for _ in range(2):
        answer = await tove.post(LETTER, carried(raw))
        assert answer.status == 303 and answer.headers["Location"] == f"{PAGE}?done=letter"
    letters = await site.written("to_all")
    assert len(letters) == 4, "three players and their leader, once each"
    first = min(letters, key=lambda row: row.id)
    mail = await site.composed(first)
    assert (
        mail["Subject"] == subject and mail["Reply-To"].addresses[0].addr_spec == "tove@example.org"
    )
    assert mail["Reply-To"].addresses[0].display_name == "tove"
    body = mail.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n").strip() == shown.strip()
    assert (
        "Glædelig jul & godt <nytår>!" in shown
        and "Mailen er sendt" in ((await tove.get(f"{PAGE}?done=letter"))[1])
    )


@pytest.mark.parametrize("name", ["anna", "ole", "nina"])
async def test_nobody_else_writes_to_the_group(site: Site, browsers: Browsers, name: str):
    await officials(site)
    browser = await browsers.of(name)
    sent = TYPED | {"step": "send", "key": "k"}
    assert (await browser.post(LETTER, sent)).status == 404
    assert await site.written("to_all") == []


async def test_what_the_letter_cannot_hold_is_refused_with_what_was_typed(tove: Browser):
    for text, said in (("", "Skriv en tekst."), ("x\n" * 41 + "x", "42 linjer")):
        answer = await tove.post(LETTER, {"subject": "Jul", "text": text, "step": "show"})
        got = unescape(await answer.text())
        assert answer.status == 422 and said in got and 'value="Jul"' in got
    longest = "\n".join(["æ" * 49] * 40)
    assert len(longest) == 1999
    answer = await tove.post(LETTER, {"subject": "Jul", "text": longest, "step": "show"})
    shown = unescape(await answer.text()).partition("<pre")[2].partition("</pre>")[0]
    assert shown.count("æ" * 49) == 40, "nothing is left out"
