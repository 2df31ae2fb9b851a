"""The cup's desk, its public pages, titles, a level DM and theme groups, as people press them.

§ 6.6, § 6.5.2, § 1.1.22. Each form by those who have no right to it: nothing happens.
"""

from dataclasses import replace
from html import unescape
from urllib.parse import quote

import pytest

from kskak.cup import CupStage
from kskak.entries import rights
from server.store import cup as cup_rows
from server.store import entries as entry_rows
from server.store import group_results as result_rows
from server.usecases.cup.cup_rounds import CupRoundRequest
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.cups import CONTROLLER, LEADER, CupScene, Result, cup_scene, stronger
from tests.fakes.federation import address
from tests.fakes.machinery.each import each
from tests.fakes.site import Site, group_text
from tests.server.usecases.cup.test_theme import KINGS_GAMBIT
from tests.server.usecases.cup.test_titles import HEAD, PLAYER, level
from tests.server.web.conftest import Browser, Browsers

ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
async def scene(site: Site) -> CupScene:
    """14 valid entries to the cup of 2026, opened; nothing drawn."""
    made = await cup_scene(site.core)
    await made.enter(await made.players(14))
    await made.opened()
    return made


async def signed_in(browsers: Browsers, email: str) -> Browser:
    """A browser of somebody."""
    return await (await browsers.stranger()).sign_in(email)


async def stages(scene: CupScene) -> list[str]:
    """The rounds that were drawn."""
    async with scene.core.store.read() as conn:
        return [one.stage for one in await cup_rows.draws(conn, scene.cup)]


async def test_the_desk_of_the_cup_is_its_leaders_and_the_controllers(scene, browsers):
    """§ 6.1.1. Verdict: players and leaders of other groups find no such page; no form works."""
    desk, draw = f"/desk/cups/{scene.cup}", f"/desk/cups/{scene.cup}/draw"
    fields = {"stage": "preliminary", "reason": "Mange har meldt sig."}
    for email in ("s01@example.org", "anna@example.org", "tove@example.org"):
        one = await signed_in(browsers, email)
        assert (await one.get(desk))[0] == 404
        assert (await one.post(draw, fields)).status == 404
        opened = await one.post("/desk/cups", {"edition": "2027", "list": "2"})
        assert opened.status in (403, 404)
    stranger = await browsers.stranger()
    assert (await stranger.post(draw, fields)).headers["Location"].startswith("/signin")
    leader = await signed_in(browsers, LEADER)
    assert (await leader.post("/desk/cups", {"edition": "2027", "list": "2"})).status == 403
    assert await stages(scene) == []
    assert (await leader.post(draw, fields)).status == 303
    assert await stages(scene) == ["preliminary"]


@each(
    "fields said",
    ({"stage": "semi"}, "ikke den runde, der er næste"),
    ({"stage": "preliminary", "take": "12"}, "Skriv en begrundelse"),
    ({"stage": "preliminary", "take": "nogle"}, "Skriv et helt tal."),
    ({"stage": "preliminary", "start": "i morgen"}, "Skriv en dato."),
    ({"stage": "preliminary", "places": "4"}, "Skriv et tal mellem 1 og 3."),
    ({"stage": "semi", f"without-{'9' * 5000}": "1"}, "ikke den runde, der er næste"),
)
async def test_what_cannot_be_drawn_is_said_on_the_page_and_what_was_typed_stays(
    scene: CupScene, browsers: Browsers, fields: dict[str, str], said: str
) -> None:
    leader = await signed_in(browsers, LEADER)
    answer = await leader.post(
        f"/desk/cups/{scene.cup}/draw", fields | {"reason": "Skrevet før."}
        if "take" not in fields else fields,
    )  # fmt: skip
    text = await answer.text()
    assert answer.status == 422 and said in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Skrevet før." in text or fields["stage"] == "semi" or "take" in fields
    assert await stages(scene) == []


async def test_the_pages_of_a_cup_are_read_by_everybody_in_both_languages(scene, stranger):
    before = await stranger.get("/cup/2026")
    assert before[0] == 200 and "Der er 14 gyldige tilmeldinger" in before[1]
    await scene.draw(CupRoundRequest(CupStage.PRELIMINARY, reason="Mange har meldt sig."))
    for path, danish, english in (
        ("/cup", "Pokalens historie", "The trophy's history"),
        ("/cup/2026", "Indledende runde", "First round"),
        ("/cup/2026", "Om turneringen", "About the tournament"),
        ("/cup/2026", "Gruppernes middelstyrke: P-26-01 ", "The groups' mean strength: P-26-01 "),
        ("/titles", "Pokalmester", "Cup champion"),
        ("/groups/P-26-01", "Indledende runde", "First round"),
    ):
        status, text = await stranger.get(path)
        assert status == 200 and danish in text, path
        status, text = await stranger.get(path, headers=ENGLISH)
        assert status == 200 and english in text, path
    tournament = f"/tournaments/{quote((await scene.group('P-26-01')).tournament)}"
    to_cup = await stranger.http.get(tournament, allow_redirects=False)
    assert to_cup.headers["Location"] == "/cup/2026", "one home"
    seed = (await stranger.get("/cup/2026"))[1]
    async with scene.core.store.read() as conn:
        (draw,) = await cup_rows.draws(conn, scene.cup)
    assert draw.seed in seed, "stranger can check the lots"
    assert (await stranger.get("/cup/1999"))[0] == 404


@pytest.mark.parametrize("most", [12, 13, 14])
async def test_6_6_2_2_how_deltagere_are_counted_is_named_where_it_decides(
    site: Site, browsers: Browsers, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """13 people on 14 places. Verdict: with one DM place up to 13, the other reading gives 2."""
    monkeypatch.setattr(rights, "CUP", replace(rights.CUP, dm_entries=most))
    made = await cup_scene(site.core)
    names = await made.players(13)
    await made.enter(names)
    await made.enter([names[0]])
    await made.opened()
    await made.draw(CupRoundRequest(CupStage.PRELIMINARY, reason="Mange har meldt sig."))
    leader = await signed_in(browsers, LEADER)
    for path in ("/cup/2026", f"/desk/cups/{made.cup}"):
        text = (await leader.get(path))[1].replace("\N{NO-BREAK SPACE}", " ")
        assert "Den indledende runde havde 13 deltagere." in text
        other = "Tælles pladserne, er der 14, og finalens pladser i DM-klassen bliver 2 i stedet"
        assert (other in text) is (most == 13)


async def test_a_cups_page_asks_no_more_questions_for_more_groups(site, scene, browsers):
    """The number of questions to the database does not grow with groups and games."""
    await scene.draw(CupRoundRequest(CupStage.PRELIMINARY, take=7, reason="Prøve."))
    few = await (await browsers.stranger()).asked("/cup/2026")
    async with site.core.store.write() as conn:
        await conn.run_sync(cup_rows.forget, (await _ids(scene))[0])
        await entry_rows.change_list(conn, scene.lists["preliminary"].id, is_open=True)
    await scene.enter(await scene.players(28, first=20))
    await scene.draw(CupRoundRequest(CupStage.PRELIMINARY, reason="Mange har meldt sig."))
    assert len(await _ids(scene)) == 5
    assert await (await browsers.stranger()).asked("/cup/2026") == few


async def _ids(scene: CupScene) -> list[int]:
    async with scene.core.store.read() as conn:
        return [one.group_id for one in await cup_rows.groups_of(conn, scene.cup)]


async def dm(scene: CupScene, outcome: Result = level) -> None:
    """A DM of four; whose first two are level, unless told otherwise."""
    names = ("S01", "S02", "S03", "S04")
    text = HEAD.format(group_class="DM", leader=LEADER).replace("2026-11-02", "2026-09-01")
    text += "".join(PLAYER.format(name=name, email=address(name)) for name in names)
    await start_group(scene.core, read_group_file(text))
    await scene.play_out("DM-26", outcome)


async def test_6_5_2_the_controller_is_asked_on_his_desk_who_is_a_dane(scene, browsers):
    """§ 6.5.2. Verdict: a duty, two buttons; a foreigner, then the next; none."""
    await dm(scene, stronger)
    kc, leader = [await signed_in(browsers, one) for one in (CONTROLLER, LEADER)]
    for name, answer in (("S01", "nej"), ("S02", "ja")):
        assert 'href="/desk/groups/DM-26#tie"' in (await kc.get("/desk/kc"))[1]
        assert (await kc.get("/desk/groups/DM-26"))[1].count("Ikke dansk statsborger") == 1
        assert "Ikke dansk statsborger" not in (await leader.get("/desk/groups/DM-26"))[1]
        path, said = f"/desk/members/{scene.people[name].id}", {"reason": "Pas set."}
        assert (await kc.post(path, said | {"citizen": answer})).status == 303
    assert "DM-26#tie" not in (await kc.get("/desk/kc"))[1]


async def test_a_level_dm_is_settled_on_its_groups_desk(scene, browsers):
    """§ 6.5.2. Verdict: the desk says who is level; play-off by the leader alone; then linked."""
    await dm(scene)
    leader = await signed_in(browsers, LEADER)
    status, text = await leader.get("/desk/groups/DM-26")
    assert status == 200 and "S01 og S02 er lige efter Sonneborn-Berger" in text
    for path in ("playoff", "shared-title"):
        for email in ("s01@example.org", "tove@example.org"):
            one = await signed_in(browsers, email)
            answer = await one.post(f"/desk/groups/DM-26/{path}", {"reason": "Enige."})
            assert answer.status == 404, (path, email)
    answer = await leader.post("/desk/groups/DM-26/shared-title", {"reason": " "})
    assert answer.status == 422 and "Skriv, hvoraf det fremgår" in unescape(await answer.text())
    assert "DM-26#tie" in (await leader.get("/desk"))[1]
    answer = await leader.post("/desk/groups/DM-26/playoff")
    assert answer.status == 303 and "DM-26#tie" not in (await leader.get("/desk"))[1]
    assert "Omkampen spilles i gruppen" in (await leader.get("/desk/groups/DM-26"))[1]
    assert "/groups/DM-26-omkamp" in (await leader.get("/groups/DM-26"))[1]
    assert "omkampen om titlen i" in (await leader.get("/groups/DM-26-omkamp"))[1]


async def test_titles_are_entered_and_taken_away_by_the_controller(scene, browsers):
    """Verdict: nobody else sees the form or can send it; a bad one stands on the page."""
    fields = {"title": "cup_champion", "edition": "1988", "name": "E. Olesen", "source": "Bladet"}
    for email in ("s01@example.org", LEADER):
        one = await signed_in(browsers, email)
        assert "Indfør titlen" not in (await one.get("/titles"))[1]
        assert (await one.post("/titles", fields)).status == 403
    kc = await signed_in(browsers, CONTROLLER)
    bad = await kc.post("/titles", fields | {"edition": "2099"})
    assert bad.status == 422 and "E. Olesen" in await bad.text()
    unknown = await kc.post("/titles", fields | {"email": "ingen@example.org"})
    assert unknown.status == 422
    assert (await kc.post("/titles", fields | {"email": "s03@example.org"})).status == 303
    assert (
        "Pokalmester i korrespondanceskak 1988"
        in (await kc.get(f"/players/{scene.people['S03'].id}"))[1]
    )
    async with scene.core.store.read() as conn:
        (row,) = await result_rows.everything(conn)
    leader = await signed_in(browsers, LEADER)
    assert (await leader.post(f"/titles/{row.id}/remove")).status == 403
    assert (await kc.post(f"/titles/{row.id}/remove")).status == 303
    assert (await kc.post(f"/titles/{row.id}/remove")).status == 404


async def test_a_theme_group_is_started_from_the_desk_of_entries(scene, browsers):
    """§ 1.1.22. Verdict: a bad position stays in the field; a good one starts all; not others."""
    row = await scene.open_list(scene.people["kc"], "Tema", "theme theme", "T-26", LEADER)
    scene.lists["theme"] = row
    await scene.enter(["S01", "S02", "S03"], "theme")
    path = f"/desk/entries/lists/{row.id}"
    player = await signed_in(browsers, "s01@example.org")
    assert (await player.post(path, {"act": "theme", "fen": KINGS_GAMBIT})).status == 404
    leader = await signed_in(browsers, LEADER)
    bad = await leader.post(path, {"act": "theme", "fen": "kongegambit"})
    assert bad.status == 422 and 'value="kongegambit"' in await bad.text()
    mated = await leader.post(path, {"act": "theme", "fen": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"})
    assert mated.status == 422 and "er allerede slut i den stilling: mat" in await mated.text()
    assert (await leader.post(path, {"act": "theme", "fen": KINGS_GAMBIT})).status == 303
    assert (await scene.group("T-26-01")).fen == KINGS_GAMBIT


async def test_a_cup_whose_groups_came_from_a_file_is_not_said_to_wait_for_its_round(
    scene: CupScene, stranger: Browser
) -> None:
    """§ 6.6.3: what runs is named; a group of another year is another cup's."""
    waiting = "Runden trækkes, når tilmeldingerne er inde. Der er 14 gyldige"
    assert waiting in (await stranger.get("/cup/2026"))[1]
    for name, year in (("Pokal-A", "2026"), ("Pokal-25", "2025")):
        text = group_text(name).replace('class = "K"', 'class = "cup"')
        group = read_group_file(text.replace("2026-09-01", f"{year}-09-01"))
        await start_group(scene.core, group)
    text = (await stranger.get("/cup/2026"))[1]
    assert '<a href="/groups/Pokal-A">' in text and "Pokal-25" not in text
    assert waiting not in text and "Der er 14 gyldige tilmeldinger, som endnu ikke har" in text


async def test_a_tick_lets_everybody_follow_the_cup_from_its_first_round(scene, browsers):
    leader = await (await browsers.stranger()).sign_in(LEADER)
    draw = f"/desk/cups/{scene.cup}/draw"
    fields = {"stage": "preliminary", "reason": "Mange har meldt sig.", "live": "1"}
    assert (await leader.post(draw, fields)).status == 303
    front = (await (await browsers.stranger()).get("/"))[1]
    groups = await _ids(scene)
    assert front.count("kan følges") == len(groups) == 2
