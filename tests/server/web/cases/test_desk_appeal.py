"""On appeal through the pages: readings without what is appealed; decisions that clash refused."""

from datetime import date, timedelta
from html import unescape
from urllib.parse import parse_qsl

from kskak.game.game_events import GamePaused
from server.store.play import games as game_rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import case_of, claimed, decided, letter_in, letters_go

WHY = {"reasons": "Mailen kom frem senere.", "paragraphs": "§ 6.8.5"}
LEAVE = "leave_by=white&leave_first=2026-09-10&leave_last=2026-09-30"
LOST = {"reasons": "Tiden er brugt.", "paragraphs": "§ 6.3.3.3"}


async def _appealed(site: Site, browsers: Browsers, **ruled: str) -> tuple[str, Browser]:
    """The leader has taken the game from Anna, who appeals: the case, the controller."""
    await officials(site)
    path = await claimed(site, browsers)
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    await tove.post(f"{path}/close", {"text": "Begge er hørt."})
    game = await site.game()
    await decided(tove, path, LOST | {f"result-{game.id}": "0-1"} | ruled)
    await letters_go(site)
    assert (await anna.post(f"{path}/appeal", {"text": "Mailen var forsinket."})).status == 303
    return path, await browsers.of("kaj")


async def _draft(browser: Browser, path: str, **fields: str) -> tuple[int, str]:
    answer = await browser.post(f"{path}/decide", WHY | fields | {"step": "draft"})
    return answer.status, unescape(await answer.text())


async def test_on_appeal_a_reading_begins_without_the_ruling_appealed_against(site, browsers):
    """§ 6.4.3: nobody ticks it; what is tried then annuls it; it can be let stand."""
    path, kaj = await _appealed(site, browsers)
    ref = f"{(await case_of(site)).number}/1"
    text = (await kaj.get(path))[1]
    assert f"Lad afgørelsen {ref} gælde" in text and "<ins>" not in text
    text = (await kaj.get(f"{path}?try=1&{LEAVE}"))[1]
    assert "<td>sort vinder</td><td><ins>er i gang</ins></td>" in text
    assert f"Afgørelsen {ref} ophæves" in text
    kept = (await kaj.get(f"{path}?try=1&{LEAVE}&kept-{ref}=1"))[1]
    assert "<td>sort vinder</td><td>sort vinder</td>" in kept
    fields = dict(parse_qsl(f"try=1&{LEAVE}"))
    status, text = await _draft(kaj, path, **fields)
    letter = letter_in(text)
    assert status == 200 and f"Afgørelsen {ref} af" in letter and "Partiet går videre." in letter
    assert "har vundet" not in letter
    await decided(kaj, path, WHY | fields)
    assert (await site.game()).result is None


async def test_a_decision_that_clashes_is_refused_with_words_and_kept(site, browsers):
    """§ 6.4.1: a result with a day to go on; a day to go on while the ruling stands; 1999."""
    path, kaj = await _appealed(site, browsers)
    game, ref = await site.game(), f"{(await case_of(site)).number}/1"
    today = site.clock.now().date()
    resume, result, annul = f"resume-{game.id}", f"result-{game.id}", {f"annul-{ref}": "1"}
    status, text = await _draft(kaj, path, **{resume: today.isoformat(), result: "1-0"}, **annul)
    assert status == 422 and "ikke både få et resultat og gå videre" in text
    assert "Mailen kom frem senere." in text and f'value="{today.isoformat()}"' in text
    status, text = await _draft(kaj, path, **{resume: today.isoformat()})
    assert status == 422 and f"Parti {game.name} er slut" in text
    status, text = await _draft(kaj, path, white="12", **{result: "0-1"}, **annul)
    assert status == 200, "days and a result go together"
    for day in (date(1999, 1, 1), today + timedelta(400)):
        status, text = await _draft(kaj, path, **{resume: day.isoformat()}, **annul)
        assert status == 422 and f"passer ikke med parti {game.name}" in text
        assert "fra og med den 3. september 2026" in text
    assert (await site.game()).result == "0-1"


async def test_what_a_resumption_forgives_is_read_before_it_is_sent(site: Site, browsers: Browsers):
    """Kendelse 59: the days on the move that no longer count, in the preview and the letter."""
    path, kaj = await _appealed(site, browsers)
    game, ref = await site.game(), f"{(await case_of(site)).number}/1"
    today = site.clock.now().date().isoformat()
    fields = WHY | {f"annul-{ref}": "1", "white": "5", f"resume-{game.id}": today}
    text = await decided(kaj, path, fields)
    told = "Anna Andersen havde brugt 44 dage på trækket; herefter tæller 0 dage."
    assert text.count(told) == 2, "in what happens and in the letter"
    assert told in (await (await browsers.of("bent")).get(path))[1]


async def test_an_upheld_decision_is_said_to_be(site: Site, browsers: Browsers):
    """§ 6.4.3: «stadfæstes», before it is decided and in its letter."""
    path, kaj = await _appealed(site, browsers)
    ref = f"{(await case_of(site)).number}/1"
    text = await decided(kaj, path, WHY)
    assert f"Afgørelsen {ref} stadfæstes" in text
    assert f"Afgørelsen {ref} af" in letter_in(text) and "stadfæstes." in letter_in(text)
    assert "ændrer ikke noget" not in text


async def test_a_case_is_sent_back_on_the_page_and_the_leader_decides_it_anew(site, browsers):
    """§ 6.4.3: the ruling lapses, the game rests (§ 6.4.1), the leader has his form again."""
    path, kaj = await _appealed(site, browsers)
    ref, game = f"{(await case_of(site)).number}/1", (await site.game()).id
    page = unescape((await kaj.get(path))[1])
    assert "Den hjemvises: turneringslederen afgør sagen på ny" in page
    clash = await _draft(kaj, path, appeal="sent_back", **{f"result-{game}": "1-0"})
    assert clash[0] == 422 and "afgøres intet andet" in clash[1]
    status, text = await _draft(kaj, path, appeal="sent_back")
    letter = letter_in(text)
    assert status == 200 and f"Afgørelsen {ref} af" in letter
    assert "Sagen hjemvises til turneringslederen, som afgør den på ny" in letter
    assert "Partiet går videre" not in letter and "har vundet" not in letter
    await decided(kaj, path, WHY | {"appeal": "sent_back"})
    await letters_go(site)
    row = await site.game()
    assert row.result is None
    async with site.core.store.read() as conn:
        last = (await game_rows.history(conn, row.id))[-1].event
    assert isinstance(last, GamePaused) and last.last is None, "its time stands still"
    tove = await browsers.of("tove")
    assert "Afgør sagen" in (await tove.get(path))[1]
    await decided(tove, path, LOST | {f"result-{row.id}": "0-1"})
    assert (await site.game()).result is not None


async def test_an_appeal_is_dismissed_on_the_page_and_the_decision_stands(site, browsers):
    path, kaj = await _appealed(site, browsers)
    status, text = await _draft(kaj, path, appeal="dismissed")
    assert status == 200 and "Appellen afvises uden behandling." in letter_in(text)
    await decided(kaj, path, WHY | {"appeal": "dismissed"})
    assert (await site.game()).result is not None
