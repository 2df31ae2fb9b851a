"""The desks' lists: what needs somebody stands there, the most urgent first, at a fixed price."""

import re
from datetime import timedelta
from html import unescape

from sqlalchemy import Connection

from kskak.cases.case import SERVER, CaseRefusal
from kskak.cases.case_events import CaseKind, PartiesAsked
from kskak.cases.decide_case import apply_case_events
from kskak.regulation.editions import Side
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.engine.rows import to_us
from server.store.play import game_lists
from server.usecases.cases.case_actions import object_to
from server.usecases.games.case_opening import CaseOpening, append_to, open_in, state_of
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.site import OTHER, Site, group_text, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import decided, objected


def section(text: str, name: str) -> str:
    """One section of a desk."""
    return text.split(f'<section id="{name}">')[1].split("</section>")[0]


def count(text: str, name: str) -> int:
    """The number of a section in the strip above."""
    found = re.search(rf'href="#{name}"[^>]*><b>(\d+)</b>', text)
    assert found is not None
    return int(found[1])


async def desk(browser: Browser, path: str = "/desk") -> str:
    status, text = await browser.get(path)
    assert status == 200
    return text


async def test_time_that_is_up_and_time_that_is_nearly_up(site: Site, tove: Browser):
    """§ 6.3.3.1: the 41st day is the first too late; a week before it stands on the desk."""
    assert (count(await desk(tove), "near"), count(await desk(tove), "found")) == (0, 0)
    site.clock.turn(33)
    assert count(await desk(tove), "near") == 0, "eight days before the first too late"
    site.clock.turn(1)
    text = await desk(tove)
    assert (count(text, "near"), count(text, "found")) == (3, 0)
    assert "6 dage" in section(text, "near")
    site.clock.turn(6)
    assert "i dag" in section(await desk(tove), "near")
    site.clock.turn(1)
    text = await desk(tove)
    assert (count(text, "near"), count(text, "found")) == (0, 3)
    assert "1 dag over" in section(text, "found")


async def test_a_game_without_a_move_for_a_fortnight_is_silent(site: Site, tove: Browser):
    """§ 6.3.4: counted from the game's last event, or from the start; then it may be over time."""
    await site.play(await site.game(), "e4")
    site.clock.turn(13)
    assert count(await desk(tove), "silent") == 0
    site.clock.turn(1)
    text = await desk(tove)
    assert count(text, "silent") == 2 and "K-26-01/2" not in section(text, "silent")
    site.clock.turn(1)
    text = await desk(tove)
    assert count(text, "silent") == 2, "one of them in two games"
    assert section(text, "silent").count('<a href="/games/') == 3
    assert "K-26-01/2" in section(text, "silent") and "2/9" in section(text, "silent")
    site.clock.turn(30)
    assert (count(await desk(tove), "silent"), count(await desk(tove), "found")) == (0, 3)


async def test_games_are_long_from_eighteen_months_on(site: Site, browsers: Browsers):
    """§ 6.2.7: 1 September 2026 is in time until 1 March 2028."""
    site.clock.turn(546)
    tove = await browsers.of("tove")
    assert count(await desk(tove), "long") == 0
    site.clock.turn(1)
    assert count(await desk(tove), "long") == 3
    assert "3 uafsluttede" in section(await desk(tove), "long")


async def test_a_case_and_its_result_stand_on_the_desk(browsers: Browsers, path: str):
    text = await desk(await browsers.of("tove"))
    assert path in section(text, "claims") and "overskredet tiden?" in text
    assert "K-26-01/2" not in section(text, "found"), "the claimed one is a case now"


async def test_the_leader_opens_a_case_from_a_games_page(site: Site, browsers: Browsers):
    """One press there; «høres» stands on the desk only once somebody is asked (§ 6.4.1)."""
    tove, game = await browsers.of("tove"), await site.game()
    status, page = await tove.get(f"/games/{game.id}")
    path = f"/games/{game.id}/object"
    assert status == 200 and f'href="{path}"' in page
    assert (await tove.get(path))[0] == 200
    answer = await tove.post(path, {"kind": "other", "text": "Jeg har fået to kort."})
    assert answer.status == 303
    case = answer.headers["Location"]
    shown = section(await desk(tove), "claims")
    assert case in shown and "åben, ingen er spurgt" in shown and "høres" not in shown
    asked = {"until": (site.clock.now().date() + timedelta(days=10)).isoformat()}
    assert (await tove.post(f"{case}/ask", asked)).status == 303
    shown = section(await desk(tove), "claims")
    assert "høres" in shown and "ingen er spurgt" not in shown
    bent = await browsers.of("bent")
    assert "jeg har fået to kort" in (await bent.get(case))[1].casefold()


async def test_a_game_out_of_time_with_a_case_stands_with_its_case_alone(site, browsers):
    """Anybody's protest, not the claim of time: the game leaves the one list for the other."""
    await site.play(await site.game(), "e4")
    site.clock.turn(60)
    tove = await browsers.of("tove")
    text = await desk(tove)
    assert count(text, "found") == 3 and "K-26-01/2" in section(text, "found")
    game = await site.game()
    person = await site.person("bent@example.org")
    opened = await object_to(site.core, person, game.id, CaseKind.DAYS, "Regn efter.")
    assert not isinstance(opened, CaseRefusal)
    text = await desk(tove)
    assert count(text, "found") == 2 and game.name not in section(text, "found")
    assert f"{game.name}: sidste rettidige dag var" in unescape(section(text, "claims"))


async def test_a_leader_finds_his_own_groups_only(site: Site, browsers: Browsers):
    await officials(site)
    site.clock.turn(50)
    tove, ole = await desk(await browsers.of("tove")), await desk(await browsers.of("ole"))
    assert OTHER not in tove and "K-26-01/" in tove
    assert OTHER in ole and "K-26-01" not in ole


async def test_a_long_list_says_how_many_more(site: Site, browsers: Browsers):
    for i in range(27):
        await start_group(site.core, read_group_file(group_text(f"L-{i:02}")))
    site.clock.turn(50)
    tove = await browsers.of("tove")
    text = await desk(tove)
    assert count(text, "found") == 30
    assert section(text, "found").count("<tr>") == 1 + 25
    assert "og 5 til" in section(text, "found")
    assert section(await desk(tove, "/desk?all=1"), "found").count("<tr>") == 1 + 30


async def test_the_controller_sees_all_tournaments_and_who_leads_them(browsers, kaj):
    text = await desk(kaj, "/desk/kc")
    assert "K-26-01" in text and OTHER in text
    fields = {"email": "ole@example.org", "office": "deputy", "group": "K-26-01"}
    assert (await kaj.post("/desk/kc/offices", fields)).status == 303
    ole = await browsers.of("ole")
    assert "Grupper: 2" in await desk(ole)
    row = re.search(r"/desk/kc/offices/(\d+)", section(await desk(kaj, "/desk/kc"), "offices"))
    assert row is not None
    await kaj.post(f"/desk/kc/offices/{row[1]}")
    assert "Grupper: 1" in await desk(ole)


async def test_of_a_long_list_six_rows_stand_and_the_others_are_a_click_away(site, browsers):
    """A leader with many groups finds what needs him on one screen."""
    for i in range(6):
        await start_group(site.core, read_group_file(group_text(f"L-{i:02}")))
    site.clock.turn(50)
    found = section(await desk(await browsers.of("tove")), "found")
    shown, _, folded = found.partition("<details")
    assert (shown.count("<tr>"), folded.count("<tr>")) == (1 + 6, 3)
    assert "Vis de øvrige 3" in folded


async def test_a_case_before_another_instance_stands_apart(path: str, tove: Browser):
    await tove.post(f"{path}/close", {"text": "Hørt."})
    text = await desk(tove)
    assert count(text, "claims") == 1 and path in section(text, "claims")
    await decided(tove, path, {"reasons": "Tiden er brugt.", "paragraphs": "§ 6.3.3.1"})
    text = await desk(tove)
    assert count(text, "claims") == 0 and '<li id="claims"' in section(text, "idle")
    assert path in section(text, "elsewhere")


async def test_what_hurts_most_stands_first_and_every_count_leads_to_its_part(site, tove):
    """What somebody waits with before what the server found."""
    await objected(site)
    site.clock.turn(42)
    text = await desk(tove)
    parts = re.findall(r'<section id="(\w+)">', text)
    assert parts[:2] == ["claims", "found"] and parts[-1] == "groups"
    for name in re.findall(r'<ul class="glance">(.*?)</ul>', text, re.S)[0].split('href="#')[1:]:
        assert f'id="{name.partition(chr(34))[0]}"' in text, "no count leads nowhere"


async def test_a_leader_of_several_groups_has_one_row_among_the_offices(site, browsers):
    await officials(site)
    await start_group(site.core, read_group_file(group_text("L-00")))
    offices = section(await desk(await browsers.of("kaj"), "/desk/kc"), "offices")
    assert offices.count(">Tove") + offices.count(">tove") == 1
    assert "K-26-01, L-00" in offices and OTHER in offices


async def test_the_desks_lead_to_special_leave_and_mails_and_back(tove: Browser):
    for page in ("/desk", "/desk/leave", "/desk/mail"):
        text = await desk(tove, page)
        for other in {"/desk", "/desk/leave", "/desk/mail"} - {page}:
            assert f'href="{other}"' in text, (page, other)


async def two_hundred(site: Site) -> tuple[str, str]:
    """200 cases of 34 groups: what the server found, each of another player; among them a claim
    and a hearing that ends this week. The numbers of those two."""
    for i in range(34):
        await start_group(site.core, read_group_file(group_text(f"L-{i:02}")))
    async with site.core.store.read() as conn:
        groups = await group_rows.list_groups_with_leaders(conn)
        games = await game_lists.list_games_by_group(conn, sorted(groups))
    rows = [row for found in games.values() for row in found]
    about = ([(row, side) for row in rows for side in Side] * 3)[:199]
    now, made = site.core.clock.now(), []

    def work(conn: Connection) -> None:
        for row, side in about:
            opening = CaseOpening(
                kind=CaseKind.SILENCE, group_id=row.group_id, zone=row.zone, games=(row.id,),
                parties=(row.white_id, row.black_id), question="@silence", paragraphs=("6.8.3",),
                about=row.person_of(side),
            )  # fmt: skip
            opened = open_in(conn, opening, now, SERVER)
            assert not isinstance(opened, CaseRefusal)
            made.append(opened[0])
        case = case_rows.lock(conn, made[150].id)
        state = state_of(case_rows.history(conn, case.id))
        asked = PartiesAsked(now.date(), now.date() + timedelta(days=5), state.opened.parties)
        append_to(conn, case, apply_case_events(state, (asked,)), (asked,), (to_us(now), None))

    await site.core.writer.transact(work)
    claim = await object_to(site.core, await site.person("anna@example.org"),
                            (await site.game()).id, CaseKind.DAYS, "Regn efter.")  # fmt: skip
    assert not isinstance(claim, CaseRefusal)
    return claim.number, made[150].number


async def test_of_200_cases_what_somebody_waits_with_stands_first_and_nothing_due_is_folded(
    site: Site, browsers: Browsers
):
    """The one claim was row 81 of 83: it is the first; a term of this week is never folded."""
    tove = await browsers.of("tove")
    few = await tove.asked("/desk")
    claim, due = await two_hundred(site)
    text = await desk(tove)
    assert (count(text, "claims"), count(text, "cases")) == (1, 199)
    first = re.findall(r'/desk/cases/(2026/\d+)"', text)[0]
    assert first == claim and text.index('id="claims"') < text.index('id="cases"')
    shown, _, folded = section(text, "cases").partition("<details")
    assert f'/{due}"' in shown and "Vis de øvrige 192" in folded
    await tove.asked("/desk")
    assert await tove.asked("/desk") <= few + 2, "as many statements as with none"


async def test_the_desk_is_narrowed_down_by_kind_group_and_player(site: Site, browsers: Browsers):
    tove = await browsers.of("tove")
    claim, _ = await two_hundred(site)
    text = await desk(tove, "/desk?kind=days")
    assert (count(text, "claims"), count(text, "cases")) == (1, 0) and claim in text
    text = await desk(tove, "/desk?group=L-07")
    assert (count(text, "claims"), count(text, "cases")) == (0, 6)
    assert section(text, "cases").count("L-07/") == 6, "look-alike rows name their game"
    text = await desk(tove, "/desk?player=SØREN")
    assert count(text, "cases") == 12, "his two games, three cases about each side"
    text = await desk(tove, "/desk?player=nobody")
    assert (count(text, "claims"), count(text, "cases"), count(text, "near")) == (0, 0, 0)
    assert 'value="nobody"' in text and "Vis alt" in text
