"""A move that waits: shown, taken back, changed, sent once; and dropped, never played wrong."""

import re
from datetime import timedelta

import pytest

from kskak.game.game_commands import Resign
from kskak.regulation.editions import Side
from server.jobs.daily_duties import DeadlineJob
from server.store.play import people as person_rows
from server.store.play import requests as request_rows
from server.store.play.requests import DelayedMove
from tests.fakes.machinery.each import each
from tests.fakes.site import Site
from tests.server.web.conftest import Browser


async def _preview(browser: Browser, path: str, text: str, **fields: str) -> dict[str, str]:
    """What the preview's form carries."""
    ply = str((await browser.site.game()).ply)
    answer = await browser.post(f"{path}/preview", {"text": text, "ply": ply} | fields)
    assert answer.status == 200
    form = await answer.text()
    pairs = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[form.index("/move") :])
    return {name: value for name, value in pairs if name != "csrf"}


async def _hold(browser: Browser, path: str, text: str = "e4", **fields: str) -> dict[str, str]:
    shown = await _preview(browser, path, text, **fields)
    answer = await browser.post(f"{path}/hold", shown)
    assert (answer.status, answer.headers.get("Location")) == (303, f"{path}#delayed")
    return shown


async def _deed(browser: Browser, path: str, key: str, deed: str) -> str:
    answer = await browser.post(f"{path}/delayed", {"key": key, "deed": deed})
    return answer.headers.get("Location", "") if answer.status == 303 else await answer.text()


async def _row(site: Site) -> DelayedMove | None:
    game = await site.game()
    async with site.core.store.read() as conn:
        return await conn.run_sync(request_rows.find_delayed_move, game.id, game.white_id)


async def _later(site: Site, minutes: float) -> None:
    """Time passes, and the poller looks."""
    site.clock.at += timedelta(minutes=minutes)
    job = DeadlineJob(site.core)
    while await job.work():
        pass


async def test_a_held_move_is_shown_with_its_time_and_sent_then(browsers, site, path, anna):
    await _hold(anna, path, message="Hej Bent")
    for page in ("/", path):
        text = (await anna.get(page))[1]
        assert "1. e4 sendes kl. 11.10" in text, page
        assert all(word in text for word in ("Fortryd", "Send nu", "Ret")), page
    bent = await browsers.of("bent")
    for page in ("/", path):
        assert "sendes kl." not in (await bent.get(page))[1]
    await _later(site, 9.9)
    assert (await site.game()).ply == 0
    await _later(site, 0.2)
    game = await site.game()
    assert (game.ply, game.seq, await _row(site)) == (1, 1, None)
    assert "Hej Bent" in (await bent.get(path))[1]
    await _later(site, 30)
    assert (await site.game()).seq == 1


async def test_it_is_taken_back_however_often_it_is_pressed_and_may_be_held_again(site, path, anna):
    shown = await _hold(anna, path)
    assert "Der er ikke sendt noget" in await _deed(anna, path, shown["key"], "undo")
    assert await _deed(anna, path, shown["key"], "undo") == f"{path}?done=undone"
    assert "Der er ikke sendt noget" in (await anna.get(f"{path}?done=undone"))[1]
    await _later(site, 20)
    assert (await site.game()).seq == 0
    await _hold(anna, path)
    await _later(site, 20)
    assert (await site.game()).seq == 1


async def test_what_was_sent_cannot_be_taken_back_and_the_page_says_so(site, path, anna):
    """§ 6.2.4"""
    shown = await _hold(anna, path)
    await _later(site, 11)
    for deed in ("undo", "change", "send"):
        assert await _deed(anna, path, shown["key"], deed) == f"{path}?sent=1"
    assert (await site.game()).ply == 1


async def test_send_now_sends_once_whatever_is_pressed_beside_it(site, path, anna):
    shown = await _hold(anna, path)
    for _ in range(2):
        assert await _deed(anna, path, shown["key"], "send") == f"{path}?sent=1"
    answer = await anna.post(f"{path}/move", shown)
    assert answer.headers["Location"] == f"{path}?sent=1", "the preview in another tab"
    await _later(site, 30)
    game = await site.game()
    assert (game.ply, game.seq) == (1, 1)


@pytest.mark.parametrize(("move", "deed"), [("Sf3", "change"), ("e4 0e5 2. Sf3", "undo")])
async def test_changed_or_taken_back_it_stands_in_the_form_with_all_that_went_with_it(
    site: Site, path: str, anna: Browser, move: str, deed: str
):
    shown = await _hold(anna, path, move, message="Hej", draw="1")
    text = await _deed(anna, path, shown["key"], deed)
    assert ("Trækket er taget tilbage" in text) is (deed == "undo")
    assert f'value="{move}"' in text and "Hej</textarea>" in text
    assert re.search(r'name="draw" value="1" checked', text)
    await _later(site, 20)
    assert (await site.game()).seq == 0


@each("step", ["preview", "change", "move", "hold", "delayed"])
async def test_a_step_that_a_browser_opens_anew_leads_to_the_game(path, step, anna):
    answer = await anna.http.get(f"{path}/{step}", allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, path)


async def test_the_form_pressed_twice_waits_no_longer_and_another_takes_its_place(site, path, anna):
    shown = await _hold(anna, path)
    site.clock.at += timedelta(minutes=4)
    assert (await anna.post(f"{path}/hold", shown)).status == 303
    assert "1. e4 sendes kl. 11.10" in (await anna.get(path))[1]
    await _hold(anna, path, "d4")
    assert "1. d4 sendes kl. 11.14" in (await anna.get(path))[1]
    await _later(site, 20)
    assert (await site.game()).state().recent[-1].san == "d4"


async def test_another_move_sent_at_once_takes_its_place(site: Site, path: str, anna: Browser):
    await _hold(anna, path)
    await anna.post(f"{path}/move", await _preview(anna, path, "d4"))
    assert await _row(site) is None
    await _later(site, 20)
    game = await site.game()
    assert (game.seq, game.state().recent[-1].san) == (1, "d4")


async def test_a_move_by_another_way_makes_it_stale_and_it_is_never_played(site, path, anna):
    """By mail or API, the same ply; it is Anna's turn again when the old move is due."""
    await _hold(anna, path, "Sf3")
    for text in ("e4", "e5"):
        await site.play(await site.game(), text, days=0)
    assert "1. Sf3 blev ikke sendt" in (await anna.get(path))[1]
    await _later(site, 20)
    assert (await site.game()).ply == 2
    row = await _row(site)
    assert row is not None and row.dropped == "stale"
    for page in ("/", path):
        assert "1. Sf3 blev ikke sendt" in (await anna.get(page))[1]
    await _deed(anna, path, row.key, "seen")
    assert "blev ikke sendt" not in (await anna.get(path))[1]


async def test_a_game_that_ended_meanwhile_drops_it_with_a_notice(site, path, anna):
    await _hold(anna, path, "Sf3")
    await site.ask(await site.game(), Side.BLACK, lambda _, by: Resign(by))
    assert "1. Sf3 blev ikke sendt" in (await anna.get(path))[1]
    await _later(site, 20)
    assert (await site.game()).ply == 0
    row = await _row(site)
    assert row is not None and row.dropped == "game_over"
    assert "1. Sf3 blev ikke sendt" in (await anna.get(path))[1]


async def test_before_midnight_it_is_sent_the_same_day_and_after_it_may_not_wait(site, path, anna):
    """§ 6.8.6 charges by the sending date: waiting costs nobody a day."""
    site.clock.at = site.clock.at.replace(hour=21, minute=55)  # 23.55 in Copenhagen
    shown = await _hold(anna, path)
    assert "1. e4 sendes kl. 23.59" in (await anna.get(path))[1]
    await _deed(anna, path, shown["key"], "undo")
    site.clock.at = site.clock.at.replace(minute=58, second=30)
    late = await _preview(anna, path, "e4")
    assert "minutes" not in late
    answer = await anna.post(f"{path}/hold", late | {"minutes": "10"})
    assert answer.status == 422
    assert "Det er for sent på dagen at vente" in await answer.text()
    assert await _row(site) is None


async def test_a_wish_for_undo_makes_waiting_the_first_button(site, path, anna, game):
    answer = await anna.post(f"{path}/preview", {"text": "e4", "ply": "0"})
    buttons = re.findall(r'<button class="button[^>]*>([^<]*)<', await answer.text())
    assert buttons == ["Send trækket", "Send om 10 minutter", "Ret det"]
    await _wish(site, game.white_id, "5")
    answer = await anna.post(f"{path}/preview", {"text": "e4", "ply": "0"})
    text = await answer.text()
    assert re.findall(r'<button class="button[^>]*>([^<]*)<', text)[:2] == [
        "Send om 5 minutter",
        "Send nu",
    ]
    await _hold(anna, path)
    assert "sendes kl. 11.05" in (await anna.get(path))[1]


async def _wish(site: Site, person_id: int, minutes: str) -> None:
    async with site.core.store.write() as conn:
        await person_rows.keep_preferences(conn, person_id, {"undo": minutes})


@each(
    "fields status",
    ({"minutes": "99999"}, 200),
    ({"minutes": ""}, 200),
    ({"text": "e5"}, 422),
    ({"ply": "4"}, 409),
)
async def test_what_cannot_be_sent_does_not_wait_either(site, path, fields, status, anna):
    good = {"text": "e4", "ply": "0", "minutes": "10", "key": "k", "message": "bliver her"}
    answer = await anna.post(f"{path}/hold", good | fields)
    assert answer.status == status
    assert "bliver her" in await answer.text()
    assert await _row(site) is None


async def test_an_overstep_must_be_answered_before_a_move_can_wait(browsers, site, path):
    """§ 6.3.3.4: to claim or to play on is said now."""
    await site.play(await site.game(), "e4", days=45)
    bent = await browsers.of("bent")
    assert "minutes" not in await _preview(bent, path, "e5")
    fields = {"text": "e5", "ply": "1", "minutes": "10", "key": "k"}
    answer = await bent.post(f"{path}/hold", fields)
    assert "Hvad gør du?" in await answer.text()
    async with site.core.store.read() as conn:
        assert (
            await conn.run_sync(
                request_rows.list_person_delayed_moves, (await site.game()).black_id
            )
            == ()
        )
